/** Secrets of second factors are stored encrypted, recovery codes hashed with a key. */
import { randomInt } from 'node:crypto';
import { deriveKey, seal, unseal } from '../../../shared/security/secrets.ts';
import { createSigner } from '../../../shared/security/signing.ts';

const CODES = 10;
/** Excludes letters and digits that look alike. Ten of these 31 characters have 49 bits of entropy. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

export function createFactorSeals(secretKey: string) {
  const key = deriveKey(secretKey, 'totp-secrets');
  const signer = createSigner(deriveKey(secretKey, 'recovery-codes'));

  return {
    sealSecret: (userId: string, secret: string) => seal(key, secret, userId),
    openSecret: (userId: string, sealed: string) => unseal(key, sealed, userId),
    /** Ignores case, spaces and dashes. */
    hashRecoveryCode: (userId: string, code: string) =>
      signer.digest(`${userId}\n${code.toLowerCase().replace(/[\s-]/g, '')}`),
  };
}

/** Ten codes such as `h7kfm-w2xcp`. */
export const newRecoveryCodes = () => Array.from({ length: CODES }, () => `${letters(5)}-${letters(5)}`);

const letters = (count: number) => Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
