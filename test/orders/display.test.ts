import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { openShop, press } from './shop.ts';

const h = await shareHarness();
const shop = await openShop(h, {
  markets: [
    { id: 'eu', currency: 'eur', taxMode: 'INCLUSIVE', taxBps: 1900 },
    { id: 'us', currency: 'usd', taxMode: 'EXCLUSIVE', taxBps: 1000 },
  ],
  shippingMethods: [
    { id: 'dhl', name: 'DHL', type: 'SHIPPING', taxable: true, prices: [{ market: 'eu', amount: 490 }] },
    { id: 'ups', name: 'UPS', type: 'SHIPPING', prices: [{ market: 'us', amount: 500 }] },
  ],
});
const EU = { market: 'eu', shippingMethodId: 'dhl' };
const GROSS = { taxIncluded: true, subtotal: 6500, shipping: 490, discount: 0, tax: 1116, total: 6990 };

test('where prices include tax, quotes and orders show listed prices, and the stored net amounts don’t change', async () => {
  const shirt = await shop.product({ price: 6500, market: 'eu', currency: 'eur' });
  const { body: quote } = await shop.quote(shirt, EU);
  assert.deepEqual(quote.display, GROSS);
  assert.deepEqual([quote.subtotal, quote.shipping, quote.tax, quote.total], [5462, 412, 1116, 6990]);
  const { body: placed } = await shop.checkout(shirt, EU);
  const order = await shop.order(placed.orderId);
  assert.deepEqual(order.display, GROSS);
  const { body: page } = await h.call('GET', `${shop.base}/orders`, { token: shop.staff.token });
  assert.deepEqual(page.items[0]!.display, GROSS);
});

test('a promo code never raises the displayed subtotal', async () => {
  await shop.promo('TEN', [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }]);
  const shirt = await shop.product({ price: 6500, market: 'eu', currency: 'eur' });
  const { body } = await shop.quote(shirt, { ...EU, promoCode: 'TEN' });
  assert.deepEqual(body.display, { ...GROSS, discount: 650, tax: 1012, total: 6340 });
});

test('where tax is added, it is shown as a separate amount', async () => {
  const mug = await shop.product({ price: 1000 });
  const { body } = await shop.quote(mug);
  const { subtotal, shipping, discount, tax, total } = body;
  assert.deepEqual(body.display, { taxIncluded: false, subtotal, shipping, discount, tax, total });
  assert.equal(tax, 100);
});

test('emails show listed prices and the tax they include', async () => {
  const shirt = await shop.product({ name: 'Shirt', price: 6500, market: 'eu', currency: 'eur' });
  const customer = await h.user();
  const { body: placed } = await shop.checkout(shirt, { ...EU, token: customer.token });
  await press(placed.checkoutUrl!, 'pay');
  await h.drain('order-tasks');
  const { text } = (await h.mailbox()).find((mail) => mail.to === customer.email) as Json;
  assert.match(text, /Shipping {3}€4\.90/);
  assert.match(text, /Total {3}€69\.90\n {2}Includes €11\.16 VAT/);
  assert.doesNotMatch(text, /× Tax/);
});

test('the payment page and emails list the discount, shipping and tax in the order of the cart', async () => {
  await shop.promo('FIVE', [{ type: 'ITEMS_PERCENTAGE', bps: 500 }]);
  const mug = await shop.product({ price: 1000 });
  const customer = await h.user();
  const choices = { shippingMethodId: 'ups', promoCode: 'FIVE', token: customer.token };
  const { body: placed } = await shop.checkout(mug, choices);
  const page = await (await fetch(placed.checkoutUrl!, { headers: { accept: 'text/html' } })).text();
  await press(placed.checkoutUrl!, 'pay');
  await h.drain('order-tasks');
  const { text } = (await h.mailbox()).find((mail) => mail.to === customer.email) as Json;
  for (const shown of [page, text]) assert.match(shown, /Discount.*-\$0\.50.*Shipping.*Tax.*Total/s);
});

test('sending an order back with its displayed amounts changes nothing', async () => {
  const shirt = await shop.product({ price: 6500, market: 'eu', currency: 'eur' });
  const { body: placed } = await shop.checkout(shirt, EU);
  const order = await shop.order(placed.orderId);
  const { status, body, headers } = await h.call('PUT', `${shop.base}/orders/update`, {
    token: shop.staff.token,
    body: order,
  });
  assert.equal(status, 200);
  assert.deepEqual(body.display, order.display);
  assert.equal(headers.get('souk-ignored'), null);
});
