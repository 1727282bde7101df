import { deriveKey } from '../../../shared/secrets.ts';
import { createSigner } from '../../../shared/signing.ts';

export const MAIL_TOKEN_SECONDS = 3600;

export type MailTokenKind = 'confirm' | 'reset' | 'first-account';
export type MailToken = {
  kind: MailTokenKind;
  userId: string;
  /** What it was made for: the registration, or the version of the password that is to be replaced. */
  stamp: string;
  expiresAt: number;
};

/**
 * Signed tokens for links in mail. A reset token names the version of the password it was made at: any change of the password
 * makes it void, and so does using it. A confirmation names its registration; a link for the first account names nothing,
 * since it is void once there is an account. They are signed with a key of their own, so that none passes for an access token.
 */
export function createMailTokens(masterSecret: string) {
  const signer = createSigner(deriveKey(masterSecret, 'mail-tokens'));

  return {
    issue(token: MailToken): string {
      const { kind, userId, stamp, expiresAt } = token;
      const payload = Buffer.from(JSON.stringify([kind, userId, stamp, expiresAt])).toString('base64url');
      return `${payload}.${signer.sign(payload)}`;
    },
    /** Null when it was not made by us for this. It may have expired. */
    read(kind: MailTokenKind, text: string): MailToken | null {
      const [payload = '', signature = '', ...rest] = text.split('.');
      if (rest.length > 0 || !signer.verify(payload, signature)) return null;
      const [made, userId, stamp, expiresAt] = JSON.parse(Buffer.from(payload, 'base64url').toString());
      return made === kind ? { kind, userId, stamp: String(stamp), expiresAt } : null;
    },
  };
}
