import { randomUUID } from 'node:crypto';
import type { SecondFactor } from './caller.ts';
import { deriveKey, seal, unseal } from './secrets.ts';

const CHALLENGE_SECONDS = 600;

/** The request that the browser signs with a passkey, and its site. */
export type PasskeyRequest = { challenge: string; origin: string; rpId: string };

type Kinds = {
  /** A login that still needs a second factor. */
  LOGIN: {
    userId: string;
    passwordVersion: number;
    methods: SecondFactor[];
    /** The options of the session that will begin. */
    session: object;
  };
  /** A login with a passkey alone. */
  PASSKEY_LOGIN: object;
  /** A new passkey of the user. */
  PASSKEY_SETUP: { userId: string; sessionId: string };
  STEP_UP: { userId: string; sessionId: string };
};
type Kind = keyof Kinds;
export type Challenge<K extends Kind> = Kinds[K] & { id: string; expiresAt: number; passkey?: PasskeyRequest };

/**
 * Challenges are encrypted and kept by the requesting browser, so strangers can't fill a table with them. Only the ID
 * of a completed challenge is stored, so that it can't be used twice.
 */
export function createChallenges(secretKey: string) {
  const key = deriveKey(secretKey, 'challenges');

  return {
    issue<K extends Kind>(kind: K, content: Kinds[K] & { passkey?: PasskeyRequest }, nowSeconds: number): string {
      const challenge = { ...content, id: randomUUID(), expiresAt: nowSeconds + CHALLENGE_SECONDS };
      return seal(key, JSON.stringify(challenge), kind);
    },
    /** Null if it has expired or is of another kind. */
    read<K extends Kind>(kind: K, text: string, nowSeconds: number): Challenge<K> | null {
      try {
        const challenge: Challenge<K> = JSON.parse(unseal(key, text, kind));
        return challenge.expiresAt > nowSeconds ? challenge : null;
      } catch {
        return null;
      }
    },
  };
}

export type Challenges = ReturnType<typeof createChallenges>;
