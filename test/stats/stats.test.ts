import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../harness.ts';

const souk = await startHarness();
const { call } = souk;

const MARKETS = [
  { id: 'us', name: 'US', currency: 'usd', taxMode: 'EXCLUSIVE', taxBps: 0, paymentMethods: [{ method: 'CASH' }] },
  { id: 'de', name: 'DE', currency: 'eur', taxMode: 'EXCLUSIVE', taxBps: 0, paymentMethods: [{ method: 'CASH' }] },
];

async function shop() {
  const businessId = await souk.business({ markets: MARKETS, profile: { timeZone: 'Europe/Berlin' } });
  const { token } = await souk.member(businessId, 'ADMIN');
  const base = `/v1/businesses/${businessId}`;
  const markets = MARKETS.map(({ id, currency }) => ({ marketId: id, currency, price: 1000 }));
  const variants = [{ id: 'one', name: 'One', pricing: { markets }, inventory: { tracked: false, quantity: 0 } }];
  const { body: product } = await call('POST', `${base}/products`, { token, body: { name: 'Mug', variants } });
  const sell = async (market: string, quantity: number) => {
    const items = [{ productId: product.id, variantId: 'one', quantity }];
    const body = { market, paymentMethod: 'CASH', items };
    return (await call('POST', `${base}/orders/checkout`, { token, body })).body.orderId as string;
  };
  const stats = async (query = '', as = token) => call('GET', `${base}/stats?${query}`, { token: as });
  return { businessId, token, base, product, sell, stats };
}

test('sums are those of the orders, by currency, market and product, without what was cancelled', async () => {
  const { token, base, product, sell, stats } = await shop();
  await sell('us', 1);
  await sell('us', 2);
  await sell('de', 5);
  const cancelled = await sell('us', 7);
  await call('PUT', `${base}/orders/${cancelled}/status`, { token, body: { status: 'CANCELLED' } });
  const { body } = await stats();
  assert.deepEqual(body.totals, [
    { currency: 'eur', orders: 1, sales: 5000, refunds: 0, average: 5000 },
    { currency: 'usd', orders: 2, sales: 3000, refunds: 0, average: 1500 },
  ]);
  assert.deepEqual(
    body.markets.map(({ market, sales }: { market: string; sales: number }) => [market, sales]),
    [
      ['de', 5000],
      ['us', 3000],
    ],
  );
  const sold = { productId: product.id, name: body.products[0].name };
  assert.deepEqual(body.products, [
    { ...sold, currency: 'eur', quantity: 5, sales: 5000 },
    { ...sold, currency: 'usd', quantity: 3, sales: 3000 },
  ]);
});

test('a day begins when it does in the time zone of the business', async () => {
  const { sell, stats } = await shop();
  await sell('us', 1);
  const { body } = await stats('interval=day');
  const hour = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Europe/Berlin' });
  assert.equal(hour.format(body.series[0].at * 1000), '00');
});

test('statistics are for members who may read orders, and of a bounded number of intervals', async () => {
  const { businessId, stats } = await shop();
  const editor = await souk.member(businessId, 'CATALOG_WRITE');
  assert.equal((await stats('', editor.token)).status, 403);
  assert.equal((await stats('from=0&interval=hour')).status, 422);
  assert.equal((await stats('from=10&to=5')).status, 422);
});
