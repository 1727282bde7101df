import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';

const souk = await shareHarness();
const { call } = souk;

const MARKETS = [
  { id: 'us', name: 'US', currency: 'usd', taxMode: 'EXCLUSIVE', taxBps: 0, paymentMethods: [{ method: 'CASH' }] },
  { id: 'de', name: 'DE', currency: 'eur', taxMode: 'EXCLUSIVE', taxBps: 0, paymentMethods: [{ method: 'CASH' }] },
];

async function shop() {
  const businessId = await souk.business({ markets: MARKETS, profile: { timeZone: 'Europe/Berlin' } });
  const { token } = await souk.member(businessId, 'ADMIN');
  const base = `/v1/businesses/${businessId}` as const;
  const markets = MARKETS.map(({ id, currency }) => ({ marketId: id, currency, price: 1000 }));
  const variants = [{ id: 'one', name: 'One', pricing: { markets }, inventory: { tracked: false, quantity: 0 } }];
  const { body: product } = await call('POST', `${base}/products`, { token, body: { name: 'Mug', variants } });
  const order = async (market: string, quantity: number) => {
    const items = [{ productId: product.id, variantId: 'one', quantity }];
    const body = { market, paymentMethod: 'CASH', items };
    return (await call('POST', `${base}/orders/checkout`, { token, body })).body.orderId as string;
  };
  const setPayment = (id: string, status: string) =>
    call('PUT', `${base}/orders/${id}/payment-status`, { token, body: { status } });
  const sell = async (market: string, quantity: number) => {
    const id = await order(market, quantity);
    await setPayment(id, 'PAID');
    return id;
  };
  const stats = async (query = '', as = token) => call('GET', `${base}/stats?${query}`, { token: as });
  return { businessId, token, base, product, order, setPayment, sell, stats };
}

test('statistics sum paid orders by currency, market and product, excluding canceled orders', async () => {
  const { token, base, product, sell, stats } = await shop();
  await sell('us', 1);
  await sell('us', 2);
  await sell('de', 5);
  const canceled = await sell('us', 7);
  await call('PUT', `${base}/orders/${canceled}/status`, { token, body: { status: 'CANCELLED' } });
  const { body } = await stats();
  assert.deepEqual(body.totals, [
    { currency: 'eur', orders: 1, sales: 5000, refunds: 0, net: 5000, average: 5000 },
    { currency: 'usd', orders: 2, sales: 3000, refunds: 0, net: 3000, average: 1500 },
  ]);
  assert.deepEqual(
    body.markets.map(({ market, sales }) => [market, sales]),
    [
      ['de', 5000],
      ['us', 3000],
    ],
  );
  const sold = { productId: product.id, name: body.products[0]!.name };
  assert.deepEqual(body.products, [
    { ...sold, currency: 'eur', quantity: 5, sales: 5000 },
    { ...sold, currency: 'usd', quantity: 3, sales: 3000 },
  ]);
});

test('unpaid and declined orders are not sales, and refunds reduce net sales only', async () => {
  const { token, base, order, setPayment, sell, stats } = await shop();
  await order('us', 50);
  await setPayment(await order('us', 70), 'FAILED');
  const partly = await sell('us', 3);
  const fully = await sell('us', 2);
  await call('POST', `${base}/orders/${partly}/refund`, { token, body: { amount: 500 } });
  await call('POST', `${base}/orders/${fully}/refund`, { token, body: {} });
  const { body } = await stats();
  const expected = { currency: 'usd', orders: 2, sales: 5000, refunds: 2500, net: 2500 };
  assert.deepEqual(body.totals, [{ ...expected, average: 2500 }]);
  assert.deepEqual(body.markets, [{ market: 'us', ...expected }]);
  assert.deepEqual(
    body.series.map(({ at: _, ...each }) => each),
    [expected],
  );
  assert.equal(body.products[0]!.quantity, 5);
});

test('the sales of a product are the amounts that customers paid for it, after discounts', async () => {
  const { token, base, product, setPayment, stats } = await shop();
  const discounts = [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }];
  await call('POST', `${base}/promo-codes`, { token, body: { code: 'TEN', discounts } });
  const items = [{ productId: product.id, variantId: 'one', quantity: 2 }];
  const body = { market: 'us', paymentMethod: 'CASH', items, promoCode: 'TEN' };
  const placed = await call('POST', `${base}/orders/checkout`, { token, body });
  await setPayment(placed.body.orderId, 'PAID');
  const { products, totals } = (await stats()).body;
  assert.deepEqual([products[0]!.sales, totals[0]!.sales], [1800, 1800]);
});

test('days start at midnight in the time zone of the business', async () => {
  const { sell, stats } = await shop();
  await sell('us', 1);
  const { body } = await stats('interval=day');
  const hour = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Europe/Berlin' });
  assert.equal(hour.format(body.series[0]!.at * 1000), '00');
});

test('statistics require ORDER_READ and reject periods that are invalid or too long', async () => {
  const { businessId, stats } = await shop();
  const editor = await souk.member(businessId, 'CATALOG_WRITE');
  assert.equal((await stats('', editor.token)).status, 403);
  assert.equal((await stats('from=0&interval=hour')).status, 422);
  assert.equal((await stats('from=10&to=5')).status, 422);
});
