import assert from 'node:assert/strict';
import test from 'node:test';
import { type ApiResponse, shareHarness } from '../harness.ts';
import { assertConsistent, openShop, passTime, press, tally, untilBlocked } from './shop.ts';

const h = await shareHarness();
const second = await h.secondNode();
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

test('concurrent cancellation, expiry and payment have one outcome, and the stock matches it', async () => {
  const shop = await openShop(h);
  const product = await shop.product({ quantity: 12 });
  const placed = await Promise.all(times(12, () => shop.checkout(product)));
  await Promise.all(
    placed.flatMap(({ body }, i) => [
      press(body.checkoutUrl!, 'pay'),
      press(body.checkoutUrl!, i % 2 ? 'cancel' : 'pay'),
      shop.setStatus(body.orderId, 'CANCELLED'),
    ]),
  );
  await passTime(h, 310);
  await h.drain();
  await assertConsistent(shop, product, 12);
  for (const order of await shop.orders()) assert.equal(order.holds, order.status !== 'CANCELLED');
});

test('120 concurrent buyers on two nodes get exactly the 30 units in stock', async () => {
  const shop = await openShop(h);
  const product = await shop.product({ quantity: 30 });
  const responses = await Promise.all(
    times(120, (i) => shop.checkout(product, { call: i % 2 ? second.call : h.call, market: 'us' })),
  );
  assert.deepEqual(tally(responses), { 200: 30, 422: 90 });
  assert.equal(await shop.stock(product), 0);
  await assertConsistent(shop, product, 30);
  assert.deepEqual(
    (await shop.orders()).map((order) => order.number),
    times(30, (i) => i + 1),
  );
});

test('carts with the same variants in a different order do not deadlock', async () => {
  const shop = await openShop(h);
  const [a, b] = [await shop.product({ quantity: 40 }), await shop.product({ quantity: 40 })];
  const item = (productId: string) => ({ productId, variantId: 'main', quantity: 1 });
  const responses = await Promise.all(
    times(40, (i) => shop.checkout(a, { items: i % 2 ? [item(a), item(b)] : [item(b), item(a)] })),
  );
  assert.deepEqual(tally(responses), { 200: 40 });
});

test('changing lines locks stock rows in a fixed order, whether it takes or returns stock', async () => {
  const shop = await openShop(h);
  const [first, second] = [await shop.product(), await shop.product()].sort() as [string, string];
  const send = <M extends string, P extends string>(method: M, path: P, body: object) =>
    h.call(method, `${shop.base}${path}`, { token: shop.staff.token, body });
  const lines = (productId: string) => [{ productId, variantId: 'main', quantity: 1 }];
  const customer = { customerId: shop.customer.userId, market: 'us', currency: 'usd' };
  const { body: order } = await send('POST', '/orders', { ...customer, lines: lines(first) });
  let change: Promise<ApiResponse> | undefined;
  await h.pool.transaction(async (tx) => {
    await tx`select from stock where business_id = ${shop.businessId} and product_id = ${first} for update`;
    change = send('PUT', '/orders/update', { id: order.id, lines: lines(second) });
    await untilBlocked(h);
    const free =
      await tx`select from stock where business_id = ${shop.businessId} and product_id = ${second} for update skip locked`;
    assert.equal(free.length, 1, 'the second row is not locked before the first');
  });
  assert.equal((await change!).status, 200);
  assert.deepEqual([await shop.stock(first), await shop.stock(second)], [10, 9]);
});

test('changing lines and canceling in one request locks stock rows in a fixed order and returns the original quantities', async () => {
  const shop = await openShop(h);
  const [first, second] = [await shop.product(), await shop.product()].sort() as [string, string];
  const send = <M extends string, P extends string>(method: M, path: P, body: object) =>
    h.call(method, `${shop.base}${path}`, { token: shop.staff.token, body });
  const line = (productId: string, quantity: number) => ({ productId, variantId: 'main', quantity });
  const customer = { customerId: shop.customer.userId, market: 'us', currency: 'usd' };
  const { body: order } = await send('POST', '/orders', { ...customer, lines: [line(first, 1), line(second, 1)] });
  let change: Promise<ApiResponse> | undefined;
  await h.pool.transaction(async (tx) => {
    await tx`select from stock where business_id = ${shop.businessId} and product_id = ${first} for update`;
    const statuses = [...order.statuses, { status: 'CANCELLED' }];
    change = send('PUT', '/orders/update', { id: order.id, lines: [line(first, 1), line(second, 3)], statuses });
    await untilBlocked(h);
    const free =
      await tx`select from stock where business_id = ${shop.businessId} and product_id = ${second} for update skip locked`;
    assert.equal(free.length, 1, 'the second row is not locked before the first');
  });
  assert.equal((await change!).body.statuses.at(-1).status, 'CANCELLED');
  assert.deepEqual([await shop.stock(first), await shop.stock(second)], [10, 10]);
});

test('a code with MAX_USES 1 discounts one of 50 concurrent orders, and another after that order is canceled', async () => {
  const shop = await openShop(h);
  const product = await shop.product({ quantity: 100 });
  await shop.promo('ONCE', [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }], [{ type: 'MAX_USES', value: 1 }]);
  const rush = () =>
    Promise.all(times(50, (i) => shop.checkout(product, { promoCode: 'once', call: i % 2 ? second.call : h.call })));
  const responses = await rush();
  assert.deepEqual(tally(responses), { 200: 1, 422: 49 });
  for (const response of responses.filter((each) => each.status === 422)) {
    assert.deepEqual(
      [response.body.details[0]!.field, response.body.details[0]!.error],
      ['promoCode', 'PROMO_USED_UP'],
    );
  }
  assert.equal(await shop.stock(product), 99);
  const winner = responses.find((each) => each.status === 200)!.body.orderId;
  assert.equal((await shop.order(winner)).discount, 100);
  await Promise.all(times(5, () => shop.setStatus(winner, 'CANCELLED')));
  assert.deepEqual(tally(await rush()), { 200: 1, 422: 49 });
  await assertConsistent(shop, product, 100);
});

test('concurrent checkouts never exceed MAX_USES_PER_USER', async () => {
  const shop = await openShop(h);
  const product = await shop.product({ quantity: 100 });
  await shop.promo('MINE', [{ type: 'ITEMS_FIXED', amount: 10 }], [{ type: 'MAX_USES_PER_USER', value: 2 }]);
  const other = await h.guest();
  const responses = await Promise.all(
    times(20, (i) => shop.checkout(product, { promoCode: 'MINE', ...(i % 2 ? { token: other.token } : {}) })),
  );
  assert.deepEqual(tally(responses), { 200: 4, 422: 16 });
});

test('20 concurrent requests with the same Idempotency-Key create one order and get the same response', async () => {
  const shop = await openShop(h);
  const product = await shop.product({ quantity: 100 });
  const repeat = (i: number) => shop.checkout(product, { key: 'same', call: i % 2 ? second.call : h.call });
  const responses = await Promise.all(times(20, repeat));
  assert.deepEqual(tally(responses), { 200: 20 });
  assert.equal(new Set(responses.map((response) => JSON.stringify(response.body))).size, 1);
  assert.equal((await shop.orders()).length, 1);
  assert.equal(await shop.stock(product), 99);
  const mismatch = await shop.checkout(product, { key: 'same', quantity: 2 });
  assert.deepEqual([mismatch.status, mismatch.body.error], [422, 'IDEMPOTENCY_MISMATCH']);
  const elsewhere = await shop.checkout(product, { key: 'same', token: (await h.guest()).token });
  assert.notEqual(elsewhere.body.orderId, responses[0]!.body.orderId);
});

test('a retry gets the first response even if the product was deleted since', async () => {
  const shop = await openShop(h);
  const product = await shop.product({ quantity: 1 });
  const first = await shop.checkout(product, { key: 'k' });
  assert.deepEqual((await shop.checkout(product, { key: 'k' })).body, first.body);
  await h.call('DELETE', `${shop.base}/products/${product}`, { token: shop.staff.token });
  assert.deepEqual((await shop.checkout(product, { key: 'k' })).body, first.body);
});
