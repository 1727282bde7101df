import { createSigner } from '../../../../shared/security/signing.ts';

type FeedRef = { businessId: string; subscriptionId: string; feedNumber: number };

/** Signed tokens for the feed of one subscriber. A new `feedNumber` of the subscription makes the previous token invalid. */
export function createFeedTokens(key: Buffer) {
  const signer = createSigner(key, 16);
  return {
    token({ businessId, subscriptionId, feedNumber }: FeedRef): string {
      const text = `${businessId}.${subscriptionId}.${feedNumber}`;
      return `${text}.${signer.sign(text)}`;
    },
    /** Returns null if the token is invalid. */
    read(text: string): FeedRef | null {
      const [businessId, subscriptionId, number, signature, ...rest] = text.split('.');
      if (!businessId || !subscriptionId || !number || !signature || rest.length > 0) return null;
      if (!signer.verify(`${businessId}.${subscriptionId}.${number}`, signature)) return null;
      return { businessId, subscriptionId, feedNumber: Number(number) };
    },
  };
}
