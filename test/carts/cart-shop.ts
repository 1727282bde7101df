import assert from 'node:assert/strict';
import type { Harness, TestUser } from '../harness.ts';
import { openShop } from '../orders/shop.ts';

type Caller = Pick<TestUser, 'token'>;

/** A shop, and calls for its carts. */
export async function openCarts(h: Harness, configs: object = {}) {
  const shop = await openShop(h, configs);
  const carts = `${shop.base}/carts` as const;
  const headersOf = (secret?: string): Record<string, string> => (secret ? { 'souk-cart-secret': secret } : {});
  const items = (productId: string, quantity = 1) => [{ productId, variantId: 'main', quantity }];

  return {
    ...shop,
    carts,
    items,
    async create({ token }: Caller, productId: string, quantity = 1, more: object = {}) {
      const body = { market: 'us', items: items(productId, quantity), ...more };
      const created = await h.call('POST', carts, { token, body });
      assert.equal(created.status, 200, JSON.stringify(created.body));
      return created.body;
    },
    get: ({ token }: Caller, id: string, secret?: string) =>
      h.call('GET', `${carts}/${id}`, { token, headers: headersOf(secret) }),
    put: ({ token }: Caller, id: string, body: object, headers: Record<string, string> = {}) =>
      h.call('PUT', `${carts}/${id}`, { token, body, headers }),
    remove: ({ token }: Caller, id: string) => h.call('DELETE', `${carts}/${id}`, { token }),
    merge: ({ token }: Caller, id: string, secret?: string) =>
      h.call('POST', `${carts}/${id}/merge`, { token, headers: headersOf(secret) }),
    order: ({ token }: Caller, cartId: string, more: object = {}, headers: Record<string, string> = {}) =>
      h.call('POST', `${shop.base}/orders/checkout`, {
        token,
        headers,
        body: { businessId: shop.businessId, market: 'us', paymentMethod: 'CREDIT_CARD', cartId, ...more },
      }),
  };
}
