/** The links in a reminder. Both work without a login. */
import { createHash } from 'node:crypto';
import { deriveKey } from '../../../shared/security/secrets.ts';
import { createSigner } from '../../../shared/security/signing.ts';
import { mailboxKey } from '../../../shared/text/email.ts';

export type CartLinks = ReturnType<typeof createCartLinks>;

export function createCartLinks(secretKey: string) {
  const restore = createTokens(deriveKey(secretKey, 'cart-restore'));
  const optOut = createTokens(deriveKey(secretKey, 'cart-opt-out'));
  return {
    restoreToken: (businessId: string, cartId: string) => restore.token(businessId, cartId),
    readRestore: restore.read,
    /** Contains no email address, and works after the cart was deleted. */
    optOutUrl: (base: string, businessId: string, email: string) =>
      `${base}/cart-reminders/${optOut.token(businessId, hashMailbox(email))}`,
    readOptOut: optOut.read,
  };
}

/** The same for all addresses of a mailbox. */
export const hashMailbox = (email: string) => createHash('sha256').update(mailboxKey(email)).digest('base64url');

function createTokens(key: Buffer) {
  const signer = createSigner(key, 16);
  return {
    token(businessId: string, subject: string): string {
      const text = `${businessId}.${subject}`;
      return `${text}.${signer.sign(text)}`;
    },
    /** Null if the token is invalid. */
    read(token: string): { businessId: string; subject: string } | null {
      const [businessId, subject, signature, ...rest] = token.split('.');
      if (!businessId || !subject || !signature || rest.length > 0 || token.length > 300) return null;
      return signer.verify(`${businessId}.${subject}`, signature) ? { businessId, subject } : null;
    },
  };
}
