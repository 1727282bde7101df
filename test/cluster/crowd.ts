/** People who use the shop all at once, and note what they were told. */
import assert from 'node:assert/strict';
import { type Answer, type CallOptions, caller, type Json } from '../harness.ts';
import type { Cluster } from './processes.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

export type Goods = { plenty: string; scarce: string };

export function openCrowd(cluster: Cluster, businessId: string, letterId: string, goods: Goods) {
  const shop = `/v1/businesses/${businessId}`;
  /** The order ids that were answered to each Idempotency-Key. */
  const orders = new Map<string, Set<string>>();
  const soldOut = new Set<string>();
  const paid = new Set<string>();
  const subscribed = new Set<string>();
  let revoked = 0;

  async function ok(method: string, path: string, options: CallOptions = {}): Promise<Json> {
    const { status, body } = await cluster.ask(method, path, options);
    assert.equal(status, 200, `${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  }

  const login = async (body: object = { provider: 'GUEST' }): Promise<string> =>
    (await ok('POST', '/v1/users/login', { body })).accessToken;

  async function browse(token: string): Promise<void> {
    const { items } = await ok('GET', `${shop}/products?limit=5`, { token });
    await ok('GET', `${shop}/products/${items[0].id}`, { token });
    await ok('GET', `${shop}/products?query=coffe`, { token });
  }

  /** Null: there is nothing left of it. */
  async function checkout(token: string, key: string, productId: string): Promise<Json | null> {
    const answer: Answer = await cluster.ask('POST', `${shop}/orders/checkout`, {
      ...{ token, headers: { 'idempotency-key': key } },
      body: {
        ...{ businessId, market: 'us', paymentMethod: 'CREDIT_CARD', shippingMethodId: 'standard' },
        items: [{ productId, variantId: 'main', quantity: 1 }],
      },
    });
    if (answer.status === 422 && answer.body.details[0]?.error === 'INSUFFICIENT_STOCK') {
      soldOut.add(key);
      return null;
    }
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    orders.set(key, (orders.get(key) ?? new Set()).add(answer.body.orderId));
    return answer.body;
  }

  async function pay({ orderId, checkoutUrl }: Json): Promise<void> {
    const page = await ok('POST', new URL(checkoutUrl).pathname, { headers: FORM, body: 'action=pay' });
    assert.match(page, /has arrived/);
    paid.add(orderId);
  }

  return {
    ...{ orders, soldOut, paid, subscribed, login, ok },
    revoked: () => revoked,
    /** Looks around, orders twice (each key from two tabs at once), pays for most, and subscribes. */
    async shopAround(i: number, member?: string): Promise<void> {
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
    /** Logs out on some node; a second after the answer no node may take the token any more. */
    async revoke(): Promise<void> {
      const token = await login();
      for (const _ of cluster.nodes) await ok('GET', '/v1/users/me', { token });
      const { status } = await cluster.ask('POST', '/v1/users/logout', { token, body: {} });
      const from = performance.now() + 1000;
      assert.ok(status === 200 || status === 401, `logout: ${status}`);
      for (let last = 0; last < from; ) {
        last = performance.now();
        const answers = await Promise.all(
          cluster.nodes.map(({ url }) => caller(url!)('GET', '/v1/users/me', { token }).catch(() => null)),
        );
        if (last < from) continue;
        for (const answer of answers) assert.notEqual(answer?.status, 200, 'a revoked session was taken');
      }
      revoked++;
    },
  };
}
