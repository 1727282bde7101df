import { deriveKey } from '../../../shared/security/secrets.ts';
import { createSigner } from '../../../shared/security/signing.ts';

export const MAIL_TOKEN_SECONDS = 3600;

export type MailTokenKind = 'confirm' | 'reset' | 'first-account';
export type MailToken = {
  kind: MailTokenKind;
  userId: string;
  /** The registration ID, or the version of the password to replace. */
  stamp: string;
  expiresAt: number;
};

/**
 * Signed tokens for links in emails. A reset token contains the password version, so any password change, including the reset
 * itself, invalidates it. A confirmation token contains its registration. A first-account token contains neither, because it
 * becomes invalid once an account exists. A separate signing key ensures that no token is accepted as an access token.
 */
export function createMailTokens(masterSecret: string) {
  const signer = createSigner(deriveKey(masterSecret, 'mail-tokens'));

  return {
    issue(token: MailToken): string {
      const { kind, userId, stamp, expiresAt } = token;
      const payload = Buffer.from(JSON.stringify([kind, userId, stamp, expiresAt])).toString('base64url');
      return `${payload}.${signer.sign(payload)}`;
    },
    /** Null if the signature or the kind is wrong. Does not check the expiry. */
    read(kind: MailTokenKind, text: string): MailToken | null {
      const [payload = '', signature = '', ...rest] = text.split('.');
      if (rest.length > 0 || !signer.verify(payload, signature)) return null;
      const [actualKind, userId, stamp, expiresAt] = JSON.parse(Buffer.from(payload, 'base64url').toString());
      return actualKind === kind ? { kind, userId, stamp: String(stamp), expiresAt } : null;
    },
  };
}
