import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, startHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';

const h = await startHarness();
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
  const cancelled = await sell('FR');
  await shop.refund(partly, { amount: 5950 });
  await shop.refund(refunded);
  await shop.setStatus(cancelled, 'CANCELLED');
  const { body } = await h.call('GET', path, { token });
  assert.deepEqual(
    body.items.map(({ at: _, ...line }: Json) => line),
    [
      {
        ...{ country: 'DE', name: 'VAT', bps: 1900, currency: 'usd', orders: 1 },
        ...{ base: 10_000, tax: 1900, refundedBase: 0, refundedTax: 0 },
      },
      {
        ...{ country: 'FR', name: 'VAT', bps: 2000, currency: 'usd', orders: 2 },
        ...{ base: 9917 - 4959, tax: 1983 - 992, refundedBase: 4959 + 9917, refundedTax: 992 + 1983 },
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

test('the tax report needs the permission to read orders', async () => {
  assert.equal((await h.call('GET', path, { token: shop.customer.token })).status, 403);
  assert.equal((await h.call('GET', `${path}?from=2&to=1`, { token })).status, 422);
});
