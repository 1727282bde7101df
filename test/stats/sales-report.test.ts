import assert from 'node:assert/strict';
import test from 'node:test';
import { periodBefore, startOfDay } from '../../src/domains/stats/periods.ts';
import { type Json, shareHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';

const h = await shareHarness();
const CONFIGS = {
  markets: [
    { id: 'us', currency: 'usd', taxMode: 'EXCLUSIVE', taxBps: 825 },
    { id: 'eu', currency: 'eur', taxMode: 'INCLUSIVE', taxBps: 1900 },
  ],
};
const DAY = 86_400;
const at = (iso: string) => Date.parse(iso) / 1000;

type Sale = { id: string; paidAt: number; order: Json };

async function open(timeZone: string) {
  const shop = await openShop(h, { ...CONFIGS, profile: { timeZone } });
  const { token } = shop.staff;
  const products = [await shop.product({ price: 1999 }), await shop.product({ price: 501, name: 'Pen' })];
  const eur = await shop.product({ price: 2499, market: 'eu', currency: 'eur', name: 'Vase' });
  async function sell(paidAt: number, body: Json = {}): Promise<Sale> {
    const { market = 'us', country = 'US', quantities = [1, 0] } = body;
    const [first, second] = market === 'us' ? products : [eur, eur];
    const lines = [first, second].flatMap((productId, i) =>
      quantities[i] > 0 ? [{ productId, variantId: 'main', quantity: quantities[i] }] : [],
    );
    const { status, body: order } = await h.call('POST', `${shop.base}/orders`, {
      token,
      body: {
        customerId: shop.customer.userId,
        market,
        lines,
        ...(country ? { shippingAddress: { country } } : {}),
        paymentStatus: [{ status: 'PAID', timestamp: paidAt }],
      },
    });
    assert.equal(status, 200, JSON.stringify(order));
    return { id: order.id, paidAt, order };
  }
  async function refund(id: string, amount: number, madeAt: number): Promise<void> {
    const { status, body } = await shop.refund(id, { amount });
    assert.equal(status, 200, JSON.stringify(body));
    await h.pool`
      update refunds set updated_at = ${madeAt} where id = (
        select id from refunds where business_id = ${shop.businessId} and reference = ${id} order by id desc limit 1)`;
  }
  const report = async (query: string): Promise<Json> => {
    const { status, body } = await h.call('GET', `${shop.base}/reports/sales?${query}`, { token });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  return { ...shop, products, eur, sell, refund, report };
}

const stock = ({ businessId }: { businessId: string }) =>
  h.pool`update stock set tracked = false where business_id = ${businessId}`;

test('sales count on the day they are paid and refunds on the day they are made, in local time and across clock changes', async () => {
  let seed = 11;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const changes: [zone: string, around: string][] = [
    ['Europe/Berlin', '2026-03-29T01:00:00Z'],
    ['America/New_York', '2025-11-02T06:00:00Z'],
    // Midnight does not exist on this day.
    ['Africa/Cairo', '2026-04-23T22:00:00Z'],
    ['Pacific/Auckland', '2026-09-26T14:00:00Z'],
  ];
  for (const [timeZone, around] of changes) {
    const shop = await open(timeZone);
    await stock(shop);
    const middle = at(around);
    const near = () => middle + random(3 * DAY) - (random(2) ? 3 * DAY : 0);
    const book: { at: number; currency: string; gross: number; refunds: number; country: string | null }[] = [];
    for (let i = 0; i < 24; i++) {
      const market = random(3) ? 'us' : 'eu';
      const country = [null, 'US', 'DE', 'FR'][random(4)]!;
      const paidAt = near();
      const { id, order } = await shop.sell(paidAt, { market, country, quantities: [1 + random(3), random(3)] });
      book.push({ at: paidAt, currency: order.currency, gross: order.total, refunds: 0, country });
      for (let left = order.total, n = random(4) === 0 ? 2 : 0; n > 0; n--) {
        const amount = n === 1 && random(2) ? left : 1 + random(Math.floor(left / 2));
        const madeAt = Math.max(paidAt, near());
        await shop.refund(id, amount, madeAt);
        book.push({ at: madeAt, currency: order.currency, gross: 0, refunds: amount, country });
        left -= amount;
        if (left === 0) break;
      }
    }
    const dayOf = (seconds: number) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(seconds * 1000);
    const [from, to] = [middle - 2 * DAY, middle + 2 * DAY];
    const inPeriod = book.filter((entry) => entry.at >= from && entry.at < to);
    const sums = (keyOf: (entry: (typeof book)[number]) => string, entries = inPeriod) =>
      Object.fromEntries(
        [...Map.groupBy(entries, keyOf)].map(([key, each]) => {
          const sum = (name: 'gross' | 'refunds') => each.reduce((total, entry) => total + entry[name], 0);
          const orders = each.filter(({ gross }) => gross > 0).length;
          return [key, [orders, sum('gross'), sum('refunds'), sum('gross') - sum('refunds')]];
        }),
      );
    const shown = (items: Json[], keyOf: (item: Json) => string) =>
      Object.fromEntries(items.map((item) => [keyOf(item), [item.orders, item.gross, item.refunds, item.net]]));
    const period = `from=${from}&to=${to}`;
    const byDay = await shop.report(period);
    assert.equal(byDay.timeZone, timeZone);
    assert.deepEqual(
      shown(byDay.items, (item) => `${dayOf(item.at)} ${item.currency}`),
      sums((entry) => `${dayOf(entry.at)} ${entry.currency}`),
      timeZone,
    );
    for (const item of byDay.items) assert.equal(item.average, item.orders && Math.round(item.gross / item.orders));
    assert.deepEqual(
      shown(byDay.totals, ({ currency }) => currency),
      sums(({ currency }) => currency),
    );
    const byCountry = await shop.report(`${period}&groupBy=country`);
    assert.deepEqual(
      shown(byCountry.items, (item) => `${item.country} ${item.currency}`),
      sums((entry) => `${entry.country} ${entry.currency}`),
    );
    assert.deepEqual(byCountry.totals, byDay.totals);
    const byProduct = await shop.report(`${period}&groupBy=product`);
    for (const { currency, gross, refunds } of byProduct.totals) {
      const mine = byProduct.items.filter((item: Json) => item.currency === currency);
      const sum = (name: string) => mine.reduce((total: number, item: Json) => total + item[name], 0);
      assert.deepEqual(
        [sum('gross'), sum('refunds')],
        [gross, refunds],
        'the products and the rest add up to the total',
      );
    }
    const before = await shop.report(`${period}&compare=previous`);
    const length = before.previous.to - before.previous.from;
    assert.equal(before.previous.to, from);
    assert.ok(Math.abs(length - (to - from)) <= 3600);
    const earlier = book.filter((entry) => entry.at >= before.previous.from && entry.at < from);
    assert.deepEqual(
      shown(before.previous.totals, ({ currency }) => currency),
      sums(({ currency }) => currency, earlier),
    );
  }
});

test('a product is reported with what customers paid for it, and with its share of refunds', async () => {
  const shop = await open('UTC');
  const paidAt = at('2026-05-05T12:00:00Z');
  const { id, order } = await shop.sell(paidAt, { quantities: [2, 3] });
  await shop.refund(id, 1000, paidAt + DAY);
  const { items } = await shop.report(`from=${paidAt}&to=${paidAt + 2 * DAY}&groupBy=product`);
  const values = order.lines.map(({ totalPrice, tax }: Json) => totalPrice + tax);
  const [cup, pen] = [items[0], items[1]];
  assert.deepEqual([cup.productId, cup.quantity, cup.gross], [shop.products[0], 2, values[0]]);
  assert.deepEqual([pen.productId, pen.quantity, pen.gross], [shop.products[1], 3, values[1]]);
  assert.deepEqual(
    [cup.refunds, pen.refunds],
    values.map((value: number) => Math.round((value * 1000) / order.total)),
  );
  // A refund of lines counts against those lines.
  await h.pool`alter table refunds add column if not exists parts jsonb`;
  const parts = { lines: [{ lineId: order.lines[1].id, amount: 1000, tax: 76 }], shipping: { amount: 0, tax: 0 } };
  await h.pool`update refunds set parts = ${h.pool.json(parts)} where reference = ${id}`;
  const byLine = await shop.report(`from=${paidAt}&to=${paidAt + 2 * DAY}&groupBy=product`);
  assert.deepEqual([byLine.items[0].refunds, byLine.items[1].refunds], [0, 1000]);
});

test('refunds that staff record as a status count on the day of the status, and unpaid or failed amounts never count', async () => {
  const shop = await open('Europe/Berlin');
  const now = h.clock.seconds();
  const marked = await shop.sell(now - 10 * DAY);
  await shop.setPayment(marked.id, 'REFUNDED');
  const canceled = await shop.sell(now - 10 * DAY);
  await shop.setStatus(canceled.id, 'CANCELLED');
  const failed = await shop.sell(now - 10 * DAY);
  await shop.refund(failed.id, 100, now);
  await h.pool`update refunds set status = 'FAILED' where reference = ${failed.id}`;
  await h.pool`update orders set refunded = 0 where id = ${failed.id}`;
  const { body: unpaid } = await h.call('POST', `${shop.base}/orders`, {
    token: shop.staff.token,
    body: {
      customerId: shop.customer.userId,
      market: 'us',
      lines: [{ productId: shop.products[0], variantId: 'main', quantity: 1 }],
    },
  });
  assert.ok(unpaid.id);
  const { total } = marked.order;
  const early = await shop.report(`from=${now - 12 * DAY}&to=${now - 8 * DAY}`);
  assert.deepEqual([early.totals[0].orders, early.totals[0].gross, early.totals[0].refunds], [3, 3 * total, 0]);
  const late = await shop.report(`from=${now - DAY}&to=${now + DAY}`);
  assert.deepEqual([late.totals[0].orders, late.totals[0].gross, late.totals[0].refunds], [0, 0, total]);
});

test('a period is compared with the previous one: whole months with months, days with days, in local time', () => {
  const zone = 'Europe/Berlin';
  const local = (iso: string) => at(iso);
  const march = { from: local('2026-02-28T23:00:00Z'), to: local('2026-03-31T22:00:00Z') };
  assert.deepEqual(periodBefore(march, 'previous', zone), { from: local('2026-01-31T23:00:00Z'), to: march.from });
  assert.deepEqual(periodBefore(march, 'year', zone), {
    from: local('2025-02-28T23:00:00Z'),
    to: local('2025-03-31T22:00:00Z'),
  });
  // Seven days, one of which has 23 hours.
  const week = { from: local('2026-03-24T23:00:00Z'), to: local('2026-03-31T22:00:00Z') };
  assert.deepEqual(periodBefore(week, 'previous', zone), { from: local('2026-03-17T23:00:00Z'), to: week.from });
  const leap = { from: at('2024-02-29T00:00:00Z'), to: at('2024-03-01T00:00:00Z') };
  assert.equal(periodBefore(leap, 'year', 'UTC').from, at('2023-02-28T00:00:00Z'));
  assert.equal(startOfDay(local('2026-03-29T12:00:00Z'), zone), local('2026-03-28T23:00:00Z'));
  assert.equal(startOfDay(local('2026-03-29T12:00:00Z'), zone, -1), local('2026-03-29T22:00:00Z'));
  assert.equal(startOfDay(at('2026-04-24T12:00:00Z'), 'Africa/Cairo'), at('2026-04-23T22:00:00Z'));
});

test('the report can be downloaded as CSV and needs the permission to read orders', async () => {
  const shop = await open('Europe/Berlin');
  const paidAt = at('2026-03-29T22:30:00Z');
  const { id, order } = await shop.sell(paidAt);
  await shop.refund(id, order.total, paidAt + 40 * DAY);
  const csv = async (query: string) => {
    const path = `${h.url}${shop.base}/reports/sales?format=csv&${query}`;
    const response = await fetch(path, { headers: { authorization: `Bearer ${shop.staff.token}` } });
    assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8');
    return (await response.text()).split('\r\n');
  };
  const { total } = order;
  assert.deepEqual(await csv(`from=${paidAt - DAY}&to=${paidAt + DAY}`), [
    'period,currency,orders,gross,refunds,net,average',
    `2026-03-30,usd,1,${total},0,${total},${total}`,
    '',
  ]);
  const later = `from=${paidAt + 39 * DAY}&to=${paidAt + 79 * DAY}`;
  assert.deepEqual(await csv(`${later}&groupBy=country&compare=previous`), [
    'range,country,currency,orders,gross,refunds,net,average',
    `current,US,usd,0,0,${total},-${total},0`,
    `previous,US,usd,1,${total},0,${total},${total}`,
    '',
  ]);
  const path = `${shop.base}/reports/sales` as const;
  assert.equal((await h.call('GET', path, { token: shop.customer.token })).status, 403);
  const { token } = await h.member(shop.businessId, 'CATALOG_WRITE');
  assert.equal((await h.call('GET', path, { token })).status, 403);
  assert.equal((await h.call('GET', `${path}?from=2&to=1`, { token: shop.staff.token })).status, 422);
});
