import { createSigner } from '../../../shared/security/signing.ts';

export type Issue = { businessId: string; sendId: string; subscriptionId: string };

/**
 * Signed tokens for the link that shows an email in the browser, and for the links that count opens and clicks. A token belongs to one
 * issue and one subscriber.
 */
export function createViewTokens(key: Buffer) {
  const signer = createSigner(key, 16);
  function token({ businessId, sendId, subscriptionId }: Issue): string {
    const text = `${businessId}.${sendId}.${subscriptionId}`;
    return `${text}.${signer.sign(text)}`;
  }

  return {
    token,
    url: (base: string, issue: Issue) => `${base}/newsletter/${token(issue)}`,
    /** Returns null if the token is invalid. */
    read(text: string): Issue | null {
      const [businessId, sendId, subscriptionId, signature, ...rest] = text.split('.');
      if (!businessId || !sendId || !subscriptionId || !signature || rest.length > 0) return null;
      if (!signer.verify(`${businessId}.${sendId}.${subscriptionId}`, signature)) return null;
      return { businessId, sendId, subscriptionId };
    },
  };
}
