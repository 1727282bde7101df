import { createSigner } from '../../../shared/security/signing.ts';

/**
 * Signed tokens for the links in emails. A token can only end its subscription. It never expires, because an email may be read
 * years later.
 */
export function createUnsubscribeTokens(key: Buffer) {
  const signer = createSigner(key, 16);

  function token(businessId: string, subscriptionId: string): string {
    const text = `${businessId}.${subscriptionId}`;
    return `${text}.${signer.sign(text)}`;
  }

  return {
    token,
    url: (base: string, businessId: string, subscriptionId: string) =>
      `${base}/unsubscribe/${token(businessId, subscriptionId)}`,
    /** Returns null if the token is invalid. */
    read(text: string): { businessId: string; subscriptionId: string } | null {
      const [businessId, subscriptionId, signature, ...rest] = text.split('.');
      if (!businessId || !subscriptionId || !signature || rest.length > 0 || text.length > 300) return null;
      return signer.verify(`${businessId}.${subscriptionId}`, signature) ? { businessId, subscriptionId } : null;
    },
  };
}
