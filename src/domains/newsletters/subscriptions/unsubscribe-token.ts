import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What the link in a mail carries: whose subscription it is, signed. It opens nothing but the end of that subscription and
 * never expires, because a mail may be read years later.
 */
export function createUnsubscribeTokens(key: Buffer) {
  const sign = (text: string) => createHmac('sha256', key).update(text).digest().subarray(0, 16);

  function token(businessId: string, subscriptionId: string): string {
    const text = `${businessId}.${subscriptionId}`;
    return `${text}.${sign(text).toString('base64url')}`;
  }

  return {
    token,
    url: (base: string, businessId: string, subscriptionId: string) =>
      `${base}/unsubscribe/${token(businessId, subscriptionId)}`,
    /** Null when it is not one of ours. */
    read(text: string): { businessId: string; subscriptionId: string } | null {
      const [businessId, subscriptionId, signature, ...rest] = text.split('.');
      if (!businessId || !subscriptionId || !signature || rest.length > 0 || text.length > 300) return null;
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(`${businessId}.${subscriptionId}`);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      return { businessId, subscriptionId };
    },
  };
}

export type UnsubscribeTokens = ReturnType<typeof createUnsubscribeTokens>;
