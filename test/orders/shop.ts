import assert from 'node:assert/strict';
import { newId } from '../../src/shared/ids.ts';
import type { ApiResponse, Harness, Json } from '../harness.ts';
import { listWaiting } from '../locks.ts';

type ProductOptions = {
  price?: number;
  quantity?: number | null;
  currency?: string;
  market?: string;
  name?: string;
  status?: string;
};

/** Creates a business with staff and a customer. Returns actions that order tests share. */
export async function openShop(h: Harness, configs: object = {}) {
  const businessId = await h.business(configs);
  const staff = await h.member(businessId, 'CATALOG_WRITE', 'ORDER_READ', 'ORDER_WRITE', 'PROMO_WRITE');
  const customer = await h.user();
  const base = `/v1/businesses/${businessId}` as const;

  return {
    businessId,
    base,
    staff,
    customer,
    /** The product has one variant, `main`. If `quantity` is null, its stock is not tracked. */
    async product(options: ProductOptions = {}): Promise<string> {
      const { price = 1000, quantity = 10, currency = 'usd', market = 'us', name = 'Mug', status = 'ACTIVE' } = options;
      const { body } = await h.call('POST', `${base}/products`, {
        token: staff.token,
        body: {
          name,
          slug: newId('prod').replace('_', '-'),
          statuses: [{ status }],
          variants: [
            {
              id: 'main',
              name: 'Main',
              pricing: { markets: [{ marketId: market, currency, price }] },
              inventory: quantity === null ? { tracked: false } : { tracked: true, quantity },
            },
          ],
        },
      });
      assert.ok(body.id, JSON.stringify(body));
      return body.id;
    },
    checkout(
      productId: string,
      {
        quantity = 1,
        token = customer.token,
        key,
        call = h.call,
        ...more
      }: { quantity?: unknown; token?: string; key?: string; call?: Harness['call']; [field: string]: unknown } = {},
    ) {
      return call('POST', `${base}/orders/checkout`, {
        token,
        headers: key ? { 'idempotency-key': key } : {},
        body: {
          businessId,
          market: 'us',
          paymentMethod: 'CREDIT_CARD',
          items: [{ productId, variantId: 'main', quantity }],
          ...more,
        },
      });
    },
    quote(productId: string, { quantity = 1, token = customer.token, ...more }: Json = {}) {
      return h.call('POST', '/v1/payments/quote', {
        token,
        body: {
          businessId,
          market: 'us',
          lines: [{ type: 'PRODUCT_VARIANT', productId, variantId: 'main', quantity }],
          ...more,
        },
      });
    },
    async promo(code: string, discounts: object[], conditions: object[] = []) {
      const { body } = await h.call('POST', `${base}/promo-codes`, {
        token: staff.token,
        body: { code, discounts, conditions },
      });
      assert.ok(body.id, JSON.stringify(body));
      return body;
    },
    order: async (id: string) => (await h.call('GET', `${base}/orders/${id}`, { token: staff.token })).body,
    setStatus: (id: string, status: string) =>
      h.call('PUT', `${base}/orders/${id}/status`, { token: staff.token, body: { id, status } }),
    setPayment: (id: string, status: string) =>
      h.call('PUT', `${base}/orders/${id}/payment-status`, { token: staff.token, body: { id, status } }),
    refund: (id: string, body?: object, headers: Record<string, string> = {}) =>
      h.call('POST', `${base}/orders/${id}/refund`, { token: staff.token, body: body ?? {}, headers }),
    async stock(productId: string): Promise<number> {
      const { body } = await h.call('GET', `${base}/products/${productId}`, { token: staff.token });
      return body.variants[0]!.inventory.quantity;
    },
    /** The stock according to the ledger. */
    async ledger(productId: string): Promise<number> {
      const [row] = await h.pool<{ sum: number }[]>`
        select coalesce(sum(change), 0)::bigint as sum from stock_ledger
        where business_id = ${businessId} and product_id = ${productId}`;
      return row!.sum;
    },
    async orders(): Promise<{ id: string; number: number; status: string; holds: boolean }[]> {
      return h.pool`select id, number, status, holds from orders where business_id = ${businessId} order by number`;
    },
  };
}

export type Shop = Awaited<ReturnType<typeof openShop>>;

export const last = (history: { status: string }[]) => history.at(-1)?.status;

/** Formats each error detail as `field CODE`. */
export const problems = (response: ApiResponse): string[] =>
  response.body.details.map((detail: Json) => `${detail.field} ${detail.error}`).sort();

/** Counts responses by status code. */
export function tally(responses: ApiResponse[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Advances the clock of the service and its jobs. */
export async function passTime(h: Harness, seconds: number): Promise<void> {
  h.clock.advance(seconds);
  await h.pool.text(`update jobs.job set start_after = start_after - interval '${seconds} s' where state = 'created'`);
}

/** Presses a button on the sandbox payment page. */
export async function press(checkoutUrl: string, action: 'pay' | 'decline' | 'cancel') {
  const response = await fetch(checkoutUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    body: new URLSearchParams({ action }).toString(),
    redirect: 'manual',
  });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

/** Waits until a transaction is blocked by the row lock of another. */
export async function untilBlocked({ pool }: Harness): Promise<void> {
  while ((await listWaiting(pool)).length === 0);
}

/** Asserts that units sold and left add up to the initial stock, and that the ledger matches the stock. */
export async function assertConsistent(shop: Shop, product: string, initial: number): Promise<void> {
  const held = (await shop.orders()).filter((order) => order.holds);
  assert.equal((await shop.stock(product)) + held.length, initial);
  assert.equal(await shop.ledger(product), await shop.stock(product));
}
