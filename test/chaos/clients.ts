/**
 * Clients that buy, pay, cancel, refund, ship and restock while things fail. Many do the same thing twice at the same moment, as in ACIDRain
 * attacks (Warszawski and Bailis, SIGMOD 2017): the last unit, the last use of a code, two refunds, payment and cancellation.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../call.ts';
import { stripeEvent } from '../payments/stripe-server.ts';
import type { History } from './history.ts';
import type { Random } from './random.ts';
import { createClient, send } from './request.ts';
import type { World } from './world.ts';

const SECRET = 'whsec_of_this_shop';
const CODE_USES = 25;
const SUBSCRIBERS = 100;
/** Some sell out again and again. */
const STOCK = [5, 5, 1000, 1000, 1000];

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** A business with products, a promo code, a webhook and a newsletter. Called before anything fails. */
export async function openShop(world: World) {
  const { url, exports } = world.shops[0]!;
  const key = exports().KEY!;
  const call = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await send(`${url}${path}`, method, { 'x-api-key': key }, body);
    assert.equal(response.status, 200, `${method} ${path}: ${JSON.stringify(response.body)}`);
    return response.body;
  };
  const { id: businessId } = await call('POST', '/v1/businesses', {
    name: 'Chaos',
    configs: {
      markets: [
        {
          id: 'us',
          name: 'US',
          currency: 'usd',
          taxMode: 'EXCLUSIVE',
          taxBps: 800,
          paymentMethods: [{ method: 'CREDIT_CARD' }],
        },
      ],
      paymentProvider: { type: 'STRIPE', publicKey: 'pk_1', secretKey: 'sk_test_of_this_shop', webhookSecret: SECRET },
    },
  });
  const base = `/v1/businesses/${businessId}`;
  const products: string[] = [];
  for (const [i, quantity] of STOCK.entries()) {
    const product = await call('POST', `${base}/products`, {
      name: `Product ${i}`,
      slug: `product-${i}`,
      statuses: [{ status: 'ACTIVE' }],
      variants: [
        {
          id: 'main',
          name: 'Main',
          pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 1999 + i }] },
          inventory: { tracked: true, quantity },
        },
      ],
    });
    products.push(product.id);
  }
  const code = await call('POST', `${base}/promo-codes`, {
    code: 'CHAOS',
    discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }],
    conditions: [{ type: 'MAX_USES', value: CODE_USES }],
  });
  await call('POST', `${base}/promo-codes`, {
    code: 'ONCE',
    discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }],
    conditions: [{ type: 'MAX_USES_PER_USER', value: 1 }],
  });
  await call('POST', `${base}/webhooks`, { url: world.receiverUrl, events: ['*'] });
  const collection = await call('POST', `${base}/collections`, {
    name: 'Letters',
    type: 'NEWSLETTER',
    blocks: [
      { id: 'title', type: 'TEXT' },
      { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
    ],
    plans: [{ id: 'free', name: 'Free' }],
    statuses: [{ status: 'PUBLISHED' }],
  });
  for (let i = 0; i < SUBSCRIBERS; i++) {
    await call('POST', `${base}/collections/${collection.id}/subscribers`, {
      email: `reader${i}@example.com`,
      planId: 'free',
      consent: { source: 'paper', at: 1_760_000_000 },
    });
  }
  return {
    businessId,
    base,
    key,
    products,
    stock: STOCK,
    codeId: code.id as string,
    collectionId: collection.id as string,
  };
}

export function clientsOf(world: World, shop: Shop, history: History, random: Random, isOver: () => boolean) {
  const paid: string[] = [];
  const staff = { 'x-api-key': shop.key };
  const { act, retryUntilKnown, expectRefused } = createClient(world, history, random);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  async function checkout(token: string, promoCode?: string): Promise<string | null> {
    const headers = { ...bearer(token), 'idempotency-key': randomUUID() };
    const body = {
      businessId: shop.businessId,
      market: 'us',
      paymentMethod: 'CREDIT_CARD',
      items: [{ productId: random.pick(shop.products), variantId: 'main', quantity: random.between(1, 2) }],
      ...(promoCode ? { promoCode } : {}),
    };
    const once = () =>
      retryUntilKnown(async () => {
        const response = await act('checkout', 'POST', `${shop.base}/orders/checkout`, headers, body);
        if (response.status === 200) {
          const ids = history.checkouts.get(headers['idempotency-key']) ?? new Set();
          history.checkouts.set(headers['idempotency-key'], ids.add(response.body.orderId));
        }
        return response;
      });
    const [response] = await Promise.all(random.isTrue(0.3) ? [once(), once()] : [once()]);
    return response!.status === 200 ? response!.body.orderId : null;
  }

  /** Pays on the provider's page. The provider reports the payment at least once, until a report is accepted. */
  async function pay(orderId: string): Promise<void> {
    const session = world.stripe.sessionOf(orderId);
    if (session?.status !== 'open') return;
    world.stripe.pay(session);
    paid.push(orderId);
    if (random.isTrue(0.2)) return; // The report is lost. The service polls the provider instead.
    const report = () => {
      const { payload, signature } = stripeEvent('checkout.session.completed', session, SECRET);
      return retryUntilKnown(() =>
        act(
          'payment report',
          'POST',
          `/v1/payments/webhooks/stripe/${shop.businessId}`,
          { 'stripe-signature': signature },
          payload,
        ),
      );
    };
    await Promise.all(random.isTrue(0.3) ? [report(), report(), report()] : [report()]);
  }

  const cancel = (orderId: string) =>
    act('cancel', 'PUT', `${shop.base}/orders/${orderId}/status`, staff, { id: orderId, status: 'CANCELLED' });

  async function refund(orderId: string, amount: number): Promise<void> {
    const headers = { ...staff, 'idempotency-key': randomUUID() };
    const response = await retryUntilKnown(() =>
      act('refund', 'POST', `${shop.base}/orders/${orderId}/refund`, headers, { amount }),
    );
    if (response.status === 200) history.refunds.set(orderId, (history.refunds.get(orderId) ?? 0) + amount);
  }

  async function ship(orderId: string): Promise<void> {
    const read = await act('read order', 'GET', `${shop.base}/orders/${orderId}`, staff);
    const line = read.body?.lines?.[0];
    if (!line) return;
    const headers = { ...staff, 'idempotency-key': randomUUID() };
    const lines = [{ lineId: line.id, quantity: 1 }];
    const response = await retryUntilKnown(() =>
      act('ship', 'POST', `${shop.base}/orders/${orderId}/shipments`, headers, { lines }),
    );
    if (response.status === 200) history.shipments.add(orderId);
  }

  async function buyer(): Promise<void> {
    while (!isOver()) {
      const login = await act('guest login', 'POST', '/v1/users/login', {}, { provider: 'GUEST' });
      const token = login.body?.accessToken;
      if (!token) {
        await pause(300);
        continue;
      }
      // Every customer can use this code once.
      const placed = random.isTrue(0.1)
        ? await Promise.all([checkout(token, 'ONCE'), checkout(token, 'ONCE')])
        : [await checkout(token, random.isTrue(0.3) ? 'CHAOS' : undefined)];
      const orderId = placed.find((id) => id !== null);
      if (!orderId) continue;
      if (random.isTrue(0.1)) await Promise.all([pay(orderId), cancel(orderId)]);
      else if (random.isTrue(0.75)) await pay(orderId);
      else if (random.isTrue(0.5)) await cancel(orderId);
      await pause(random.between(50, 400));
    }
  }

  async function member(): Promise<void> {
    while (!isOver()) {
      await pause(random.between(100, 600));
      const orderId = paid.length > 0 && random.pick(paid.slice(-50));
      if (!orderId) continue;
      const amount = random.between(100, 2500);
      const action = random.between(1, 10);
      if (action <= 3) await refund(orderId, amount);
      else if (action <= 5)
        await Promise.all([refund(orderId, amount), refund(orderId, amount), refund(orderId, 2500)]);
      else if (action <= 7) await Promise.all([ship(orderId), ship(orderId), cancel(orderId)]);
      else {
        const [productId, adjust] = [random.pick(shop.products), random.between(1, 5)];
        const path = `${shop.base}/products/${productId}/variants/main/inventory`;
        const response = await act('restock', 'POST', path, staff, { adjust });
        if (response.status === 200) history.restocked.set(productId, (history.restocked.get(productId) ?? 0) + adjust);
      }
    }
  }

  /** Logs in on one process, out on another, and tries the token again on both two seconds later. */
  async function leaver(): Promise<void> {
    while (!isOver()) {
      const login = await act('guest login', 'POST', '/v1/users/login', {}, { provider: 'GUEST' });
      const token = login.body?.accessToken;
      if (token) {
        const headers = bearer(token);
        await Promise.all(world.shops.map(({ url }) => send(`${url}/v1/users/me`, 'GET', headers)));
        const logout = await act('logout', 'POST', '/v1/users/logout', headers, {});
        if (logout.status === 200)
          await expectRefused('request after logout', '/v1/users/me', headers, 'an ended session');
      }
      await pause(random.between(500, 2000));
    }
  }

  /** Sends an issue to all subscribers about once a minute. */
  async function writer(): Promise<void> {
    for (let issue = 1; !isOver(); issue++) {
      const entry = await act('new issue', 'POST', `${shop.base}/entries`, staff, {
        collectionId: shop.collectionId,
        locale: 'en',
        slug: `issue-${issue}`,
        blocks: [
          { id: 'title', type: 'TEXT', value: `Issue ${issue}` },
          { id: 'body', type: 'TEXT', value: '<p>News</p>' },
        ],
        statuses: [{ status: 'PUBLISHED' }],
      });
      if (entry.body?.id) {
        await retryUntilKnown(() => act('send issue', 'POST', `${shop.base}/entries/${entry.body.id}/send`, staff, {}));
      }
      for (let seconds = 0; seconds < 45 && !isOver(); seconds++) await pause(1000);
    }
  }

  return [...Array.from({ length: 8 }, buyer), member(), member(), leaver(), writer()];
}
