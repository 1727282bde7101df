import { createSigner } from '../../../shared/security/signing.ts';

/** Tokens for the links that subscribers share. They only name a subscription, and anyone can see them. */
export function createReferralTokens(key: Buffer) {
  const signer = createSigner(key, 16);
  return {
    url(base: string, businessId: string, subscriptionId: string): string {
      const text = `${businessId}.${subscriptionId}`;
      return `${base}/r/${text}.${signer.sign(text)}`;
    },
    /** Returns null if the token is invalid. */
    read(text: string): { businessId: string; subscriptionId: string } | null {
      const [businessId, subscriptionId, signature, ...rest] = text.split('.');
      if (!businessId || !subscriptionId || !signature || rest.length > 0 || text.length > 300) return null;
      return signer.verify(`${businessId}.${subscriptionId}`, signature) ? { businessId, subscriptionId } : null;
    },
  };
}
