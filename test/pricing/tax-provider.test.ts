import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test from 'node:test';
import { newSecret } from '../../src/shared/security/webhook-signing.ts';
import { type Json, shareHarness } from '../harness.ts';
import { openShop } from '../orders/shop.ts';
import { startReceiver, verify } from '../webhooks/receiver.ts';

const h = await shareHarness();
const secret = newSecret();
const address = { street: '1 Main St', city: 'New York', state: 'NY', zip: '10001', country: 'US' };
const depot = { id: 'depot', name: 'Depot', address: { city: 'Austin', state: 'TX', zip: '78701', country: 'US' } };
const shippingMethods = [
  { id: 'post', prices: [{ market: 'us', amount: 500 }] },
  { id: 'pickup', type: 'PICKUP', prices: [{ market: 'us', amount: 0 }], locations: [depot] },
];
const taxRates = [{ id: 'ny', name: 'NY', country: 'US', state: 'NY', classId: 'standard', bps: 400 }];

/** A shop whose tax provider charges 8.875% on everything, unless `respond` does something else. */
async function openTaxShop(respond: (response: ServerResponse, event: Json) => void = charge, taxMode = 'EXCLUSIVE') {
  const provider = await startReceiver(({ event }, response) => respond(response, event));
  const tax = { origin: 'US', provider: { url: provider.url, secret } };
  const markets = [{ id: 'us', currency: 'usd', taxMode }];
  const shop = await openShop(h, { markets, shippingMethods, taxRates, tax });
  const productId = await shop.product();
  const cart = { shippingMethodId: 'post', shippingAddress: address };
  return {
    ...shop,
    provider,
    productId,
    quote: (more: object = {}) => shop.quote(productId, { ...cart, ...more }),
    place: async (more: object = {}): Promise<string> =>
      (await shop.checkout(productId, { ...cart, paymentMethod: 'CASH', ...more })).body.orderId,
    reports: () => provider.calls.filter(({ event }) => event.type !== 'tax.quote'),
  };
}

function charge(response: ServerResponse, { type, lines, shipping }: Json): void {
  const taxOf = (amount: number) => Math.round(amount * 0.08875);
  const quote = { lines: lines?.map((line: Json) => ({ tax: taxOf(line.amount) })), shipping: taxOf(shipping) };
  response.end(JSON.stringify(type === 'tax.quote' ? quote : {}));
}

const partsOf = (order: Json) => [
  order.subtotal,
  order.tax,
  order.shipping,
  order.shippingTax,
  order.discount,
  order.total,
];

test("a quote and its order have the provider's tax, on each line and on shipping", async () => {
  const shop = await openTaxShop();
  await shop.promo('TEN', [{ type: 'ITEMS_PERCENTAGE', marketId: 'us', bps: 1000 }]);
  const { body: quoted } = await shop.quote({ quantity: 2, promoCode: 'TEN' });
  // 8.875% of 1800 and of 500.
  assert.deepEqual(partsOf(quoted), [2000, 204, 500, 44, 200, 2504]);
  assert.equal(quoted.lines[0]!.tax, 160);
  assert.deepEqual(quoted.taxLines, [{ name: 'Sales tax', bps: 887, base: 2300, amount: 204 }]);
  const sent = verify(secret, shop.provider.calls[0]!) as Json;
  assert.deepEqual([sent.lines[0].amount, sent.shipping, sent.address.state], [1800, 500, 'NY']);
  const orderId = await shop.place({ quantity: 2, promoCode: 'TEN' });
  assert.deepEqual(partsOf(await shop.order(orderId)), partsOf(quoted));
});

test("in a market with gross prices, the provider's tax is included in the price", async () => {
  const shop = await openTaxShop((response) => response.end('{"lines": [{"tax": 82}], "shipping": 41}'), 'INCLUSIVE');
  assert.deepEqual(partsOf((await shop.quote()).body), [918, 123, 459, 41, 0, 1500]);
});

test('if the provider fails, the tax rates apply', async () => {
  const shop = await openTaxShop((response) => response.writeHead(503).end());
  const { body } = await shop.quote();
  assert.deepEqual([body.tax, body.taxLines[0]!.name], [40, 'NY']);
});

test("the new order of an exchange has the provider's tax", async () => {
  const shop = await openTaxShop();
  const { token } = shop.staff;
  const id = await shop.place();
  await shop.setPayment(id, 'PAID');
  await shop.setStatus(id, 'SHIPPED');
  const lineId = (await shop.order(id)).lines[0]!.id;
  const post = (path: string, body: object) =>
    h.call('POST', `${shop.base}/${path}` as `${typeof shop.base}/returns/${string}/close`, {
      token,
      body: body as never,
    });
  const { body: requested } = await post(`orders/${id}/returns`, {
    type: 'EXCHANGE',
    lines: [{ lineId, quantity: 1, reason: 'Too small' }],
  });
  await post(`returns/${requested.id}/approve`, {});
  const lines = [{ type: 'PRODUCT_VARIANT', productId: shop.productId, variantId: 'main', quantity: 2 }];
  const { body: closed } = await post(`returns/${requested.id}/close`, { refund: false, exchange: { lines } });
  const exchanged = await shop.order(closed.exchangeOrderId!);
  // 8.875% of 2000, without shipping. The tax rates would charge 4%.
  assert.deepEqual(partsOf(exchanged), [2000, 178, 0, 0, 0, 2178]);
  await h.drain('tax-report');
});

test('an order that is picked up is taxed and reported at its location, whatever its addresses', async () => {
  const shop = await openTaxShop();
  for (const shippingAddress of [null, address]) {
    const { body } = await shop.quote({ shippingMethodId: 'pickup', shippingAddress, billingAddress: address });
    assert.deepEqual(partsOf(body), [1000, 89, 0, 0, 0, 1089]);
  }
  const orderId = await shop.place({ shippingMethodId: 'pickup', shippingAddress: null });
  await shop.setPayment(orderId, 'PAID');
  await h.drain('tax-report');
  const states = shop.provider.calls.map(({ event }) => [event.type, event.address.state]);
  assert.deepEqual(states, [
    ['tax.quote', 'TX'],
    ['tax.commit', 'TX'],
  ]);
});

test('without an address, the provider is not called', async () => {
  const shop = await openTaxShop();
  assert.equal((await shop.quote({ shippingAddress: null })).status, 200);
  assert.equal(shop.provider.calls.length, 0);
});

test('a paid order is reported until the provider accepts it, each time with the ID of the order', async () => {
  let isDown = true;
  const shop = await openTaxShop((response, event) =>
    isDown && event.type === 'tax.commit' ? response.writeHead(500).end() : charge(response, event),
  );
  const orderId = await shop.place();
  assert.equal(shop.reports().length, 0);
  await shop.setPayment(orderId, 'PAID');
  await assert.rejects(h.drain('tax-report'), /status 500/);
  isDown = false;
  await h.pool`update tasks set due_at = 1 where queue = 'tax-report' and due_at is not null`;
  await h.drain('tax-report');
  await h.drain('tax-report');
  const reports = shop.reports();
  assert.deepEqual(
    reports.map(({ headers }) => headers['webhook-id']),
    [orderId, orderId],
  );
  const { type, orderId: reported, tax, total, lines } = reports[1]!.event;
  assert.deepEqual([type, reported, tax, total, lines[0].tax], ['tax.commit', orderId, 133, 1633, 89]);
  await shop.setPayment(orderId, 'REFUNDED');
  await h.drain('tax-report');
  const refund = shop.reports()[2]!;
  assert.deepEqual([refund.event.type, refund.event.orderId, refund.event.amount], ['tax.refund', orderId, 1633]);
});

test('a shop without a provider reports nothing', async () => {
  const shop = await openShop(h);
  const { body } = await shop.checkout(await shop.product(), { paymentMethod: 'CASH' });
  await shop.setPayment(body.orderId, 'PAID');
  const tasks = await h.pool`select id from tasks where business_id = ${shop.businessId} and queue = 'tax-report'`;
  assert.deepEqual(tasks, []);
});
