import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';

const h = await shareHarness();
const rate = (country: string, bps: number) => ({ id: `${country}-a`, name: 'VAT', country, classId: 'standard', bps });
const shop = await openShop(h, {
  markets: [{ id: 'us', currency: 'usd', taxMode: 'INCLUSIVE' }],
  taxRates: [rate('DE', 1900), rate('FR', 2000)],
  tax: { origin: 'DE', oss: true },
  profile: { timeZone: 'Europe/Berlin' },
});
const mug = await shop.product({ price: 11_900 });
const path = `${shop.base}/reports/tax` as const;
const { token } = shop.staff;

async function sell(country: string, payment = 'PAID'): Promise<string> {
  const { body } = await h.call('POST', `${shop.base}/orders`, {
    token,
    body: {
      customerId: shop.customer.userId,
      market: 'us',
      lines: [{ productId: mug, variantId: 'main', quantity: 1 }],
      shippingAddress: { country },
      paymentStatus: [{ status: payment }],
    },
  });
  return body.id;
}

test('the tax report has paid orders minus refunds by country and rate, and a full refund leaves nothing', async () => {
  await sell('DE');
  await sell('DE', 'PENDING');
  const partly = await sell('FR');
  const refunded = await sell('FR');
  const canceled = await sell('FR');
  await shop.refund(partly, { amount: 5950 });
  await shop.refund(refunded);
  // The tax is due until the payment is refunded.
  await shop.setStatus(canceled, 'CANCELLED');
  const { body } = await h.call('GET', path, { token });
  assert.deepEqual(
    body.items.map(({ at: _, ...line }: Json) => line),
    [
      {
        country: 'DE',
        name: 'VAT',
        bps: 1900,
        currency: 'usd',
        orders: 1,
        base: 10_000,
        tax: 1900,
        refundedBase: 0,
        refundedTax: 0,
      },
      {
        country: 'FR',
        name: 'VAT',
        bps: 2000,
        currency: 'usd',
        orders: 3,
        base: 2 * 9917 - 4958,
        tax: 2 * 1983 - 992,
        refundedBase: 4958 + 9917,
        refundedTax: 992 + 1983,
      },
    ],
  );
  assert.equal(new Date((body.items[0]!.at + 2 * 3600) * 1000).getUTCDate(), 1, 'a month starts in Berlin');

  const csv = await fetch(`${h.url}${path}?format=csv`, { headers: { authorization: `Bearer ${token}` } });
  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
  const [header, first] = (await csv.text()).split('\r\n');
  assert.equal(header, 'period,country,name,rate,currency,orders,base,tax,refundedBase,refundedTax');
  assert.match(first!, /^\d{4}-\d{2}-01,DE,VAT,19,usd,1,10000,1900,0,0$/);
});

test('a refund reduces the tax of the period in which it was made, at the rates of its lines if it names them', async () => {
  const report = async (from: string, to: string): Promise<Json[]> => {
    const [first, last] = [from, to].map((iso) => Date.parse(iso) / 1000);
    const { body } = await h.call('GET', `${path}?from=${first}&to=${last}`, { token });
    return body.items.map(({ at: _, name: __, currency: ___, ...line }: Json) => line);
  };
  const id = await sell('DE');
  await h.pool`
    update orders set doc = jsonb_set(doc, '{paymentStatus,0,timestamp}', '1770000000'), paid_at = 1770000000 where id = ${id}`;
  for (const amount of [1000, 2000, 8900]) await shop.refund(id, { amount });
  const made = [1_771_000_000, 1_776_000_000, 1_776_000_000];
  const { body: refunds } = await h.call('GET', `${shop.base}/orders/${id}/refunds`, { token });
  for (const [i, refund] of refunds.items.entries())
    await h.pool`update refunds set updated_at = ${made[i]!} where id = ${refund.id}`;
  const [first] = await report('2026-01-01T00:00:00Z', '2026-03-31T00:00:00Z');
  assert.deepEqual(first, {
    country: 'DE',
    bps: 1900,
    orders: 1,
    base: 10_000 - 840,
    tax: 1900 - 160,
    refundedBase: 840,
    refundedTax: 160,
  });
  const [second] = await report('2026-04-01T00:00:00Z', '2026-06-30T00:00:00Z');
  assert.deepEqual(second, {
    country: 'DE',
    bps: 1900,
    orders: 0,
    base: 840 - 10_000,
    tax: 160 - 1900,
    refundedBase: 10_000 - 840,
    refundedTax: 1900 - 160,
  });
  const whole = await report('2026-01-01T00:00:00Z', '2026-06-30T00:00:00Z');
  assert.deepEqual([whole.length, whole[0]!.base + whole[1]!.base, whole[0]!.tax + whole[1]!.tax], [2, 0, 0]);

  await h.pool`alter table refunds add column if not exists parts jsonb`;
  const { lines } = await shop.order(id);
  const parts = { lines: [{ lineId: lines[0]!.id, amount: 1000, tax: 150 }], shipping: { amount: 0, tax: 0 } };
  await h.pool`update refunds set parts = ${h.pool.json(parts)} where id = ${refunds.items[0]!.id}`;
  const [byLine] = await report('2026-01-01T00:00:00Z', '2026-03-31T00:00:00Z');
  assert.deepEqual([byLine!.refundedBase, byLine!.refundedTax], [850, 150]);
});

test('the tax report needs the permission to read orders', async () => {
  assert.equal((await h.call('GET', path, { token: shop.customer.token })).status, 403);
  assert.equal((await h.call('GET', `${path}?from=2&to=1`, { token })).status, 422);
});
