import assert from 'node:assert/strict';
import test from 'node:test';
import { fresh } from '../../accounts/factors/steps.ts';
import { shareHarness } from '../../harness.ts';
import { last, openShop, press, problems, type Shop } from '../shop.ts';

const h = await shareHarness();

async function paidOrder(shop: Shop, product: string, quantity: number): Promise<string> {
  const { body } = await shop.checkout(product, { quantity });
  await press(body.checkoutUrl!, 'pay');
  return body.orderId;
}
const refundsOf = async ({ base, staff }: Shop, id: string) =>
  (await h.call('GET', `${base}/orders/${id}/refunds`, { token: staff.token })).body.items;
const ship = (shop: Shop, id: string, lineId: string, quantity: number) =>
  h.call('POST', `${shop.base}/orders/${id}/shipments`, {
    token: shop.staff.token,
    body: { lines: [{ lineId, quantity }] },
  });
const line = (order: { lines: { id: string }[] }, quantity: number, restock = false) => ({
  lineId: order.lines[0]!.id,
  quantity,
  restock,
});

test('a refund by line refunds its value, returns stock if requested and shows what is left', async () => {
  const shop = await openShop(h);
  const product = await shop.product({ price: 1000, quantity: 10 });
  const id = await paidOrder(shop, product, 3);
  const order = await shop.order(id);
  assert.deepEqual(order.refundable, {
    amount: 3000,
    shipping: 0,
    lines: [{ lineId: order.lines[0]!.id, quantity: 3, amount: 3000 }],
  });
  const first = await shop.refund(id, { lines: [line(order, 1, true)], reason: 'Damaged' });
  assert.equal(first.status, 200);
  assert.equal(first.body.refunded, 1000);
  assert.equal(last(first.body.paymentStatus), 'PARTIALLY_REFUNDED');
  assert.equal(await shop.stock(product), 8);
  await shop.refund(id, { lines: [line(order, 1)] });
  assert.equal(await shop.stock(product), 8);
  const [refund] = await refundsOf(shop, id);
  assert.deepEqual(refund!.parts, {
    lines: [{ ...line(order, 1, true), unshipped: 1, amount: 1000, tax: 0 }],
    shipping: { amount: 0, tax: 0 },
  });
  const { refundable, cancelledLines } = await shop.order(id);
  assert.deepEqual(refundable!.lines, [{ lineId: order.lines[0]!.id, quantity: 1, amount: 1000 }]);
  assert.deepEqual(cancelledLines, [{ lineId: order.lines[0]!.id, quantity: 2 }]);
  assert.deepEqual(problems(await shop.refund(id, { lines: [line(order, 2)] })), ['lines[0].quantity OUT_OF_RANGE']);
  assert.deepEqual(problems(await shop.refund(id, { lines: [{ lineId: 'x', quantity: 1 }], shipping: 1 })), [
    'lines[0].lineId NOT_FOUND',
    'shipping OUT_OF_RANGE',
  ]);
  assert.deepEqual(problems(await shop.refund(id, { lines: [line(order, 1)], amount: 1001 })), ['amount OUT_OF_RANGE']);
});

test('a refund without lines is distributed across the remaining values', async () => {
  const shop = await openShop(h);
  const id = await paidOrder(shop, await shop.product(), 2);
  const order = await shop.order(id);
  assert.equal((await shop.refund(id, { amount: 500 })).status, 200);
  const [refund] = await refundsOf(shop, id);
  assert.deepEqual(refund!.parts!.lines, [{ ...line(order, 0), amount: 500, tax: 0 }]);
  const { refundable } = await shop.order(id);
  assert.deepEqual(refundable!.lines, [{ lineId: order.lines[0]!.id, quantity: 2, amount: 1500 }]);
  const rest = await shop.refund(id);
  assert.equal(last(rest.body.paymentStatus), 'REFUNDED');
  assert.equal((await shop.refund(id)).status, 409);
});

test('refunded items are not shipped, and a cancellation does not return them to stock again', async () => {
  const shop = await openShop(h);
  const product = await shop.product({ quantity: 10 });
  const id = await paidOrder(shop, product, 4);
  const order = await shop.order(id);
  const lineId = order.lines[0]!.id;
  await shop.refund(id, { lines: [line(order, 1, true)] });
  assert.deepEqual(problems(await ship(shop, id, lineId, 4)), ['lines[0].quantity OUT_OF_RANGE']);
  assert.equal((await ship(shop, id, lineId, 1)).status, 200);
  // One restocked, one shipped, two return with the cancellation.
  await shop.setStatus(id, 'CANCELLED');
  assert.equal(await shop.stock(product), 9);
  await shop.setStatus(id, 'PROCESSING');
  assert.equal(await shop.stock(product), 7);
  assert.equal(await shop.ledger(product), 7);
});

test('an order is shipped when the rest is refunded, and canceled when everything is refunded before it is shipped', async () => {
  const shop = await openShop(h);
  const product = await shop.product({ quantity: 10 });
  const [partial, whole] = [await paidOrder(shop, product, 2), await paidOrder(shop, product, 2)];
  const [first, second] = [await shop.order(partial), await shop.order(whole)];
  await ship(shop, partial, first.lines[0]!.id, 1);
  const shipped = await shop.refund(partial, { lines: [line(first, 1, true)] });
  assert.equal(last(shipped.body.statuses), 'SHIPPED');
  assert.equal(shipped.body.fulfillment, 'FULFILLED');
  const cancelled = await shop.refund(whole, { lines: [line(second, 2, true)] });
  assert.equal(last(cancelled.body.statuses), 'CANCELLED');
  assert.equal(last(cancelled.body.paymentStatus), 'REFUNDED');
  assert.equal(await shop.stock(product), 9);
});

test('a shipment with refunded items cannot be undone', async () => {
  const shop = await openShop(h);
  const id = await paidOrder(shop, await shop.product(), 1);
  const order = await shop.order(id);
  const { body: shipment } = await ship(shop, id, order.lines[0]!.id, 1);
  await shop.refund(id, { lines: [line(order, 1)] });
  const path = `${shop.base}/orders/${id}/shipments/${shipment.id}` as const;
  assert.equal((await h.call('DELETE', path, { token: shop.staff.token })).status, 409);
  assert.equal((await shop.setStatus(id, 'PROCESSING')).status, 409);
});

test('200 parallel line refunds never exceed the quantities or the money, and the stock adds up', async () => {
  const shop = await openShop(h);
  const product = await shop.product({ price: 333, quantity: 20 });
  const id = await paidOrder(shop, product, 10);
  const order = await shop.order(id);
  const responses = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      shop.refund(id, i % 3 === 0 ? { amount: 100 } : { lines: [line(order, 1 + (i % 2), true)] }),
    ),
  );
  assert.ok(responses.every(({ status }) => [200, 409, 422].includes(status)));
  const refunds = await refundsOf(shop, id);
  const quantity = refunds.flatMap(({ parts }) => parts!.lines).reduce((sum, each) => sum + each.quantity, 0);
  const money = refunds.reduce((sum, { amount }) => sum + amount, 0);
  const { refunded, paid } = await shop.order(id);
  assert.ok(quantity <= 10 && money <= paid, `${quantity} items and ${money} refunded`);
  assert.equal(money, refunded);
  assert.equal(await shop.stock(product), 10 + quantity);
  assert.equal(await shop.ledger(product), 10 + quantity);
});

test('items that returned to stock with the cancellation do not return again with their refund', async () => {
  const shop = await openShop(h);
  const product = await shop.product({ quantity: 10 });
  const id = await paidOrder(shop, product, 3);
  const order = await shop.order(id);
  await ship(shop, id, order.lines[0]!.id, 1);
  await shop.setStatus(id, 'CANCELLED');
  assert.equal(await shop.stock(product), 9);
  await shop.refund(id, { lines: [line(order, 1, true)] });
  assert.equal(await shop.stock(product), 9);
  await shop.refund(id, { lines: [line(order, 2, true)] });
  assert.equal(await shop.stock(product), 10, 'the shipped item returns with the refund');
});

test('refunds above the limit of the business require a step-up, even if they are split', async () => {
  const shop = await openShop(h, { security: { stepUpAbove: 1500 } });
  const product = await shop.product({ price: 1000, quantity: 10 });
  const id = await paidOrder(shop, product, 3);
  h.clock.advance(301);
  assert.equal((await shop.refund(id, { amount: 1501 })).body.error, 'STEP_UP_REQUIRED');
  assert.equal((await shop.refund(id, { amount: 1500 })).status, 200);
  assert.equal((await shop.refund(id, { amount: 1 })).body.error, 'STEP_UP_REQUIRED');
  assert.equal((await shop.refund(id, { amount: 1 }, fresh(h, shop.staff.token))).status, 200);
});
