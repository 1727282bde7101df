import { createSigner } from '../../../shared/signing.ts';

const LIFE_SECONDS = 30 * 86_400;

type Named = { businessId: string; id: string };

/**
 * Opens the page of a plan, with its payments. It goes only into mails to the reader about the plan itself: newsletters are
 * passed on, and the token in them ends a subscription and opens nothing.
 */
export function createPlanTokens(key: Buffer) {
  const signer = createSigner(key);

  const token = ({ businessId, id }: Named, nowSeconds: number) => {
    const text = `${businessId}.${id}.${nowSeconds + LIFE_SECONDS}`;
    return `${text}.${signer.sign(text)}`;
  };

  return {
    url: (base: string, subscription: Named, nowSeconds: number) => `${base}/plan/${token(subscription, nowSeconds)}`,
    /** Null when it is not one of ours, or has expired. */
    read(text: string, nowSeconds: number): { businessId: string; subscriptionId: string } | null {
      const [businessId, subscriptionId, expiresAt, signature, ...rest] = text.split('.');
      if (!businessId || !subscriptionId || !expiresAt || !signature || rest.length > 0) return null;
      if (!signer.verify(`${businessId}.${subscriptionId}.${expiresAt}`, signature)) return null;
      return Number(expiresAt) > nowSeconds ? { businessId, subscriptionId } : null;
    },
  };
}
