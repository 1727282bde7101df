import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../../../shared/secrets.ts';

export const MAIL_TOKEN_SECONDS = 3600;

export type MailTokenKind = 'confirm' | 'reset';
export type MailToken = { kind: MailTokenKind; userId: string; passwordVersion: number; expiresAt: number };

/**
 * Signed tokens for links in mail. They name the version of the password they were made at: another registration, a reset or
 * any other change of the password makes them void, and so does using a reset token itself. They are signed with a key of
 * their own, so that no one can take them for access tokens.
 */
export function createMailTokens(masterSecret: string) {
  const key = deriveKey(masterSecret, 'mail-tokens');
  const sign = (payload: string) => createHmac('sha256', key).update(payload).digest();

  return {
    issue(token: MailToken): string {
      const { kind, userId, passwordVersion, expiresAt } = token;
      const payload = Buffer.from(JSON.stringify([kind, userId, passwordVersion, expiresAt])).toString('base64url');
      return `${payload}.${sign(payload).toString('base64url')}`;
    },
    /** Null when it was not made by us for this. It may have expired. */
    read(kind: MailTokenKind, text: string): MailToken | null {
      const [payload = '', signature = '', ...rest] = text.split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(payload);
      if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const [made, userId, passwordVersion, expiresAt] = JSON.parse(Buffer.from(payload, 'base64url').toString());
      return made === kind ? { kind, userId, passwordVersion, expiresAt } : null;
    },
  };
}

export type MailTokens = ReturnType<typeof createMailTokens>;
