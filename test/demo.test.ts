import assert from 'node:assert/strict';
import test from 'node:test';
import { seedDemo } from '../src/demo/index.ts';
import { type Json, startHarness } from './harness.ts';
import { last } from './orders/shop.ts';

const h = await startHarness();
const second = await h.startNode();

const seed = ({ service }: Pick<typeof h, 'service'>) => seedDemo(service.contexts.system());

test('an empty database gets one demo shop, also when two processes start at once, and never a second', async () => {
  const made = (await Promise.all([seed(h), seed(second)])).filter((secrets) => secrets !== null);
  assert.equal(made.length, 1);
  assert.equal(await seed(h), null);
  const [secrets] = made;
  const body = { provider: 'EMAIL', email: secrets!.email, password: secrets!.password };
  assert.equal((await h.call('POST', '/v1/users/login', { body })).status, 200);

  const headers = { 'x-api-key': secrets!.apiKey };
  const { body: business } = await h.call('GET', `/v1/businesses/${secrets!.businessId}`, { headers });
  assert.equal(business.slug, 'demo');
  const markets = business.configs.markets.map(({ id, currency, taxMode }: Record<string, string>) => [
    id,
    currency,
    taxMode,
  ]);
  assert.deepEqual(markets, [
    ['us', 'usd', 'EXCLUSIVE'],
    ['eu', 'eur', 'INCLUSIVE'],
  ]);
  const { items: orders } = (await h.call('GET', `/v1/businesses/${secrets!.businessId}/orders`, { headers })).body;
  assert.deepEqual(
    orders.map(({ number, statuses, paymentStatus }: Json) => [number, last(statuses), last(paymentStatus)]),
    [
      [3, 'PROCESSING', 'PARTIALLY_REFUNDED'],
      [2, 'PENDING', 'PENDING'],
      [1, 'SHIPPED', 'PAID'],
    ],
  );
  for (const { market, lines, shippingMethodId, promoCode, subtotal, tax, shipping, discount, total } of orders) {
    const basket = { businessId: secrets!.businessId, market, lines, shippingMethodId, promoCode };
    const { body: quote } = await h.call('POST', '/v1/payments/quote', { headers, body: basket });
    const sums = [quote.subtotal, quote.tax, quote.shipping, quote.discount, quote.total];
    assert.deepEqual([subtotal, tax, shipping, discount, total], sums, 'an order at the prices of the shop');
  }
  const name = { name: 'My shop' };
  const renamed = await h.call('PUT', `/v1/businesses/${secrets!.businessId}`, { headers, body: name });
  assert.equal(renamed.status, 200, 'the key is its admin’s');
});
