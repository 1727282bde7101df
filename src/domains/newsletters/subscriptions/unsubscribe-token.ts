import { createSigner } from '../../../shared/signing.ts';

/**
 * What the link in a mail carries: whose subscription it is, signed. It opens nothing but the end of that subscription and
 * never expires, because a mail may be read years later.
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
    /** Null when it is not one of ours. */
    read(text: string): { businessId: string; subscriptionId: string } | null {
      const [businessId, subscriptionId, signature, ...rest] = text.split('.');
      if (!businessId || !subscriptionId || !signature || rest.length > 0 || text.length > 300) return null;
      return signer.verify(`${businessId}.${subscriptionId}`, signature) ? { businessId, subscriptionId } : null;
    },
  };
}
