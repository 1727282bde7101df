import { createSigner } from '../../../shared/security/signing.ts';

type Issue = { businessId: string; sendId: string; subscriptionId: string };

/** Signed tokens for the link that shows an email in the browser. A token shows one issue to one subscriber. */
export function createViewTokens(key: Buffer) {
  const signer = createSigner(key, 16);
  return {
    url(base: string, { businessId, sendId, subscriptionId }: Issue): string {
      const text = `${businessId}.${sendId}.${subscriptionId}`;
      return `${base}/newsletter/${text}.${signer.sign(text)}`;
    },
    /** Returns null if the token is invalid. */
    read(text: string): Issue | null {
      const [businessId, sendId, subscriptionId, signature, ...rest] = text.split('.');
      if (!businessId || !sendId || !subscriptionId || !signature || rest.length > 0) return null;
      if (!signer.verify(`${businessId}.${sendId}.${subscriptionId}`, signature)) return null;
      return { businessId, sendId, subscriptionId };
    },
  };
}
