import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../harness.ts';
import { last, openShop, press } from './shop.ts';

const h = await startHarness();
const shop = await openShop(h);

test('a payable checkout answers where to pay, and the order holds what was agreed', async () => {
  const mug = await shop.product({ price: 1250, quantity: 5, name: 'Mug' });
  const { status, body } = await shop.checkout(mug, {
    quantity: 2,
    returnUrl: 'https://shop.example/thanks?a=1',
    cancelUrl: 'https://shop.example/cart',
    blocks: [{ id: 'address', type: 'TEXT', value: '1 Main Street' }],
  });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body).sort(), ['checkoutUrl', 'orderId']);
  const order = await shop.order(body.orderId);
  assert.equal(order.customerId, shop.customer.userId);
  assert.deepEqual(order.lines, [
    { type: 'PRODUCT_VARIANT', productId: mug, variantId: 'main', quantity: 2, unitPrice: 1250, totalPrice: 2500 },
  ]);
  const { subtotal, tax, shipping, discount, total, currency, market, number, blocks } = order;
  assert.deepEqual(
    { subtotal, tax, shipping, discount, total },
    { subtotal: 2500, tax: 0, shipping: 0, discount: 0, total: 2500 },
  );
  assert.deepEqual({ currency, market, number }, { currency: 'usd', market: 'us', number: 1 });
  assert.equal(blocks[0].value, '1 Main Street');
  assert.deepEqual([last(order.statuses), last(order.paymentStatus)], ['PENDING', 'PENDING']);
  assert.equal(await shop.stock(mug), 3);

  const paid = await press(body.checkoutUrl, 'pay');
  assert.deepEqual([paid.status, paid.location], [303, 'https://shop.example/thanks?a=1']);
  const after = await shop.order(body.orderId);
  assert.deepEqual([last(after.statuses), last(after.paymentStatus)], ['PROCESSING', 'PAID']);
  assert.equal(after.statuses.at(-1).changedBy, 'SYSTEM');
});
