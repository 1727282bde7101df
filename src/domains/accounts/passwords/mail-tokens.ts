import { deriveKey } from '../../../shared/secrets.ts';
import { createSigner } from '../../../shared/signing.ts';

export const MAIL_TOKEN_SECONDS = 3600;

export type MailTokenKind = 'confirm' | 'reset';
export type MailToken = { kind: MailTokenKind; userId: string; passwordVersion: number; expiresAt: number };

/**
 * Signed tokens for links in mail. They name the version of the password they were made at: another registration, a reset or
 * any other change of the password makes them void, and so does using a reset token itself. They are signed with a key of
 * their own, so that no one can take them for access tokens.
 */
export function createMailTokens(masterSecret: string) {
  const signer = createSigner(deriveKey(masterSecret, 'mail-tokens'));

  return {
    issue(token: MailToken): string {
      const { kind, userId, passwordVersion, expiresAt } = token;
      const payload = Buffer.from(JSON.stringify([kind, userId, passwordVersion, expiresAt])).toString('base64url');
      return `${payload}.${signer.sign(payload)}`;
    },
    /** Null when it was not made by us for this. It may have expired. */
    read(kind: MailTokenKind, text: string): MailToken | null {
      const [payload = '', signature = '', ...rest] = text.split('.');
      if (rest.length > 0 || !signer.verify(payload, signature)) return null;
      const [made, userId, passwordVersion, expiresAt] = JSON.parse(Buffer.from(payload, 'base64url').toString());
      return made === kind ? { kind, userId, passwordVersion, expiresAt } : null;
    },
  };
}

export type MailTokens = ReturnType<typeof createMailTokens>;
