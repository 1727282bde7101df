/**
 * Clients that buy, pay, cancel, refund, ship and restock while things fail. Many do the same thing twice at the same moment, as in the
 * attacks of ACIDRain (Warszawski and Bailis, SIGMOD 2017): the last unit, the last use of a code, two refunds, payment and cancellation.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../call.ts';
import { stripeEvent } from '../payments/stripe-server.ts';
import type { History, Outcome } from './history.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

const SECRET = 'whsec_of_this_shop';
const REQUEST_MS = 10_000;
const CODE_USES = 25;
const SUBSCRIBERS = 100;
/** Some are bought out again and again. */
const STOCK = [5, 5, 1000, 1000, 1000];

export type Shop = Awaited<ReturnType<typeof openShop>>;

async function send(url: string, method: string, token: string | null, body?: unknown, headers = {}): Promise<Outcome> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    const text = await response.text();
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text };
  } catch {
    return { status: 0, body: null };
  }
}

/** A business with products, a code, a webhook and a newsletter. Called before anything fails. */
export async function openShop(world: World) {
  const { url, exports } = world.shops[0]!;
  const key = exports().KEY!;
  const call = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await send(`${url}${path}`, method, null, body, { 'x-api-key': key });
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

export function tradersOf(world: World, shop: Shop, history: History, random: Random, isOver: () => boolean) {
  const orders: string[] = [];
  const paid: string[] = [];
  const staff = { 'x-api-key': shop.key };

  /** A request to any process that counts as one action. */
  async function act(action: string, method: string, path: string, token: string | null, body?: unknown, headers = {}) {
    const response = await send(`${random.pick(world.shops).url}${path}`, method, token, body, headers);
    history.count(action, response);
    return response;
  }

  /** Repeats a request with the same key until its result is known, as a careful client does. */
  async function insist(request: () => Promise<Outcome>): Promise<Outcome> {
    let response = await request();
    for (let tries = 1; tries < 20 && (response.status === 0 || response.status >= 500); tries++) {
      await pause(random.between(100, 1500));
      response = await request();
    }
    return response;
  }

  async function checkout(token: string): Promise<string | null> {
    const key = randomUUID();
    const body = {
      businessId: shop.businessId,
      market: 'us',
      paymentMethod: 'CREDIT_CARD',
      items: [{ productId: random.pick(shop.products), variantId: 'main', quantity: random.between(1, 2) }],
      ...(random.isTrue(0.3) ? { promoCode: 'CHAOS' } : {}),
    };
    const once = () =>
      insist(async () => {
        const response = await act('checkout', 'POST', `${shop.base}/orders/checkout`, token, body, {
          'idempotency-key': key,
        });
        if (response.status === 200) {
          const ids = history.checkouts.get(key) ?? new Set();
          history.checkouts.set(key, ids.add(response.body.orderId));
        }
        return response;
      });
    const [response] = await Promise.all(random.isTrue(0.3) ? [once(), once()] : [once()]);
    return response!.status === 200 ? response!.body.orderId : null;
  }

  /** Pays in the provider's page. The provider reports it once or more, and stops when it is accepted. */
  async function pay(orderId: string): Promise<void> {
    const session = world.stripe.sessionOf(orderId);
    if (session?.status !== 'open') return;
    world.stripe.pay(session);
    paid.push(orderId);
    if (random.isTrue(0.2)) return; // The report is lost. The service asks the provider itself.
    const report = () => {
      const { payload, signature } = stripeEvent('checkout.session.completed', session, SECRET);
      return insist(() =>
        act('payment report', 'POST', `/v1/payments/webhooks/stripe/${shop.businessId}`, null, payload, {
          'stripe-signature': signature,
          'content-type': 'application/json',
        }),
      );
    };
    await Promise.all(random.isTrue(0.3) ? [report(), report(), report()] : [report()]);
  }

  const cancel = (orderId: string) =>
    act('cancel', 'PUT', `${shop.base}/orders/${orderId}/status`, null, { id: orderId, status: 'CANCELLED' }, staff);

  async function refund(orderId: string, amount: number): Promise<void> {
    const key = randomUUID();
    const response = await insist(() =>
      act(
        'refund',
        'POST',
        `${shop.base}/orders/${orderId}/refund`,
        null,
        { amount },
        { ...staff, 'idempotency-key': key },
      ),
    );
    if (response.status === 200) history.refunds.set(orderId, (history.refunds.get(orderId) ?? 0) + amount);
  }

  async function ship(orderId: string): Promise<void> {
    const read = await act('read order', 'GET', `${shop.base}/orders/${orderId}`, null, undefined, staff);
    const line = read.body?.lines?.[0];
    if (!line) return;
    const key = randomUUID();
    const response = await insist(() =>
      act(
        'ship',
        'POST',
        `${shop.base}/orders/${orderId}/shipments`,
        null,
        { lines: [{ lineId: line.id, quantity: 1 }] },
        { ...staff, 'idempotency-key': key },
      ),
    );
    if (response.status === 200) history.shipments.add(orderId);
  }

  async function buyer(): Promise<void> {
    while (!isOver()) {
      const login = await act('guest login', 'POST', '/v1/users/login', null, { provider: 'GUEST' });
      const token = login.body?.accessToken;
      if (!token) {
        await pause(300);
        continue;
      }
      const orderId = await checkout(token);
      if (!orderId) continue;
      orders.push(orderId);
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
        const response = await act(
          'restock',
          'POST',
          `${shop.base}/products/${productId}/variants/main/inventory`,
          null,
          { adjust },
          staff,
        );
        if (response.status === 200) history.restocked.set(productId, (history.restocked.get(productId) ?? 0) + adjust);
      }
    }
  }

  /** Logs in on one process, out on another, and tries the token again on both two seconds later. */
  async function leaver(): Promise<void> {
    while (!isOver()) {
      const login = await act('guest login', 'POST', '/v1/users/login', null, { provider: 'GUEST' });
      const token = login.body?.accessToken;
      if (token) {
        await Promise.all(world.shops.map(({ url }) => send(`${url}/v1/users/me`, 'GET', token)));
        const logout = await act('logout', 'POST', '/v1/users/logout', token, {});
        if (logout.status === 200) {
          await pause(2000);
          for (const { url, name } of world.shops) {
            const after = await send(`${url}/v1/users/me`, 'GET', token);
            history.count('request after logout', after);
            if (after.status === 200) history.violations.push(`${name} accepted a session 2 s after its logout`);
          }
        }
      }
      await pause(random.between(500, 2000));
    }
  }

  /** Sends an issue to all subscribers about once a minute. */
  async function writer(): Promise<void> {
    for (let issue = 1; !isOver(); issue++) {
      const entry = await act(
        'new issue',
        'POST',
        `${shop.base}/entries`,
        null,
        {
          collectionId: shop.collectionId,
          locale: 'en',
          slug: `issue-${issue}`,
          blocks: [
            { id: 'title', type: 'TEXT', value: `Issue ${issue}` },
            { id: 'body', type: 'TEXT', value: '<p>News</p>' },
          ],
          statuses: [{ status: 'PUBLISHED' }],
        },
        staff,
      );
      if (entry.body?.id) {
        await insist(() => act('send issue', 'POST', `${shop.base}/entries/${entry.body.id}/send`, null, {}, staff));
      }
      for (let seconds = 0; seconds < 45 && !isOver(); seconds++) await pause(1000);
    }
  }

  return [...Array.from({ length: 8 }, buyer), member(), member(), leaver(), writer()];
}
