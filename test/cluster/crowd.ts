/** Customers who use the shop concurrently and record the responses. */
import assert from 'node:assert/strict';
import { type ApiResponse, type CallOptions, caller, type Json } from '../call.ts';
import { eventually } from '../service.ts';
import type { Cluster } from './processes.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

export type Goods = { plenty: string; scarce: string };

export function openCrowd(cluster: Cluster, businessId: string, letterId: string, goods: Goods) {
  const shop = `/v1/businesses/${businessId}` as const;
  /** The order IDs returned for each Idempotency-Key. */
  const orders = new Map<string, Set<string>>();
  const soldOut = new Set<string>();
  const paid = new Set<string>();
  const subscribed = new Set<string>();
  let revoked = 0;

  async function ok<M extends string, P extends string>(method: M, path: P, options: CallOptions = {}) {
    const { status, body } = await cluster.ask(method, path, options);
    assert.equal(status, 200, `${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  const login = async (body: object = { provider: 'GUEST' }): Promise<string> =>
    (await ok('POST', '/v1/users/login', { body })).accessToken;

  async function browse(token: string): Promise<void> {
    const { items } = await ok('GET', `${shop}/products?limit=5`, { token });
    await ok('GET', `${shop}/products/${items[0]!.id}`, { token });
    await ok('GET', `${shop}/products?query=coffe`, { token });
  }

  /** Returns null if it is out of stock. */
  async function checkout(token: string, key: string, productId: string): Promise<Json | null> {
    const response: ApiResponse = await cluster.ask('POST', `${shop}/orders/checkout`, {
      token,
      headers: { 'idempotency-key': key },
      body: {
        businessId,
        market: 'us',
        paymentMethod: 'CREDIT_CARD',
        shippingMethodId: 'standard',
        items: [{ productId, variantId: 'main', quantity: 1 }],
      },
    });
    if (response.status === 422 && response.body.details[0]?.error === 'INSUFFICIENT_STOCK') {
      soldOut.add(key);
      return null;
    }
    assert.equal(response.status, 200, JSON.stringify(response.body));
    orders.set(key, (orders.get(key) ?? new Set()).add(response.body.orderId));
    return response.body;
  }

  async function pay({ orderId, checkoutUrl }: Json): Promise<void> {
    const page = await ok('POST', new URL(checkoutUrl).pathname, { headers: FORM, body: 'action=pay' });
    assert.match(page, /Payment received/);
    paid.add(orderId);
  }

  return {
    orders,
    soldOut,
    paid,
    subscribed,
    login,
    ok,
    revoked: () => revoked,
    /** Browses, orders twice (each key from two tabs at once), pays for most orders, and subscribes. */
    async browseAndBuy(i: number, member?: string): Promise<void> {
      const token = member ?? (await login());
      await browse(token);
      const [order] = await Promise.all([
        checkout(token, `plenty-${i}`, goods.plenty),
        checkout(token, `plenty-${i}`, goods.plenty),
        checkout(token, `scarce-${i}`, goods.scarce),
      ]);
      if (i % 4 !== 3) await pay(order!);
      const email = `customer${i}@example.com`;
      await ok('POST', `${shop}/collections/${letterId}/subscribe`, { token, body: { email, planId: 'free' } });
      subscribed.add(email);
    },
    /** Logs out on one node and checks that no node accepts the token. */
    async revoke(): Promise<void> {
      const token = await login();
      for (const _ of cluster.nodes) await ok('GET', '/v1/users/me', { token });
      const { status } = await cluster.ask('POST', '/v1/users/logout', { token, body: {} });
      assert.ok(status === 200 || status === 401, `logout: ${status}`);
      await eventually('the session has ended on every node', async () => {
        const responses = await Promise.all(
          cluster.nodes.map(({ url }) => caller(url!)('GET', '/v1/users/me', { token }).catch(() => null)),
        );
        return responses.every((response) => response?.status !== 200);
      });
      revoked++;
    },
  };
}
