import { createSigner } from '../../../../shared/security/signing.ts';

const TTL_SECONDS = 30 * 86_400;

type SubscriptionRef = { businessId: string; id: string };

/**
 * Tokens for the plan page, which shows payments. They are sent only in emails about the plan itself. Newsletters get forwarded, so
 * the tokens in newsletters can only end the subscription.
 */
export function createPlanTokens(key: Buffer) {
  const signer = createSigner(key);

  const token = ({ businessId, id }: SubscriptionRef, nowSeconds: number) => {
    const text = `${businessId}.${id}.${nowSeconds + TTL_SECONDS}`;
    return `${text}.${signer.sign(text)}`;
  };

  return {
    url: (base: string, subscription: SubscriptionRef, nowSeconds: number) =>
      `${base}/plan/${token(subscription, nowSeconds)}`,
    /** Returns null if the token is invalid or has expired. */
    read(text: string, nowSeconds: number): { businessId: string; subscriptionId: string } | null {
      const [businessId, subscriptionId, expiresAt, signature, ...rest] = text.split('.');
      if (!businessId || !subscriptionId || !expiresAt || !signature || rest.length > 0) return null;
      if (!signer.verify(`${businessId}.${subscriptionId}.${expiresAt}`, signature)) return null;
      return Number(expiresAt) > nowSeconds ? { businessId, subscriptionId } : null;
    },
  };
}
