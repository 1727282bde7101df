import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';
import { passTime, press, problems, tally } from '../orders/shop.ts';
import { openCarts } from './cart-shop.ts';

const h = await shareHarness();
const shop = await openCarts(h);

test('a checkout places an order with the choices made in the cart, and closes the cart', async () => {
  const mug = await shop.product({ price: 1000 });
  await shop.promo('TEN', [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }]);
  const guest = await h.guest();
  const address = {
    name: 'Ada',
    street: '1 Main Street',
    city: 'Springfield',
    state: 'IL',
    zip: '62701',
    country: 'US',
  };
  const { id } = await shop.create(guest, mug, 2, {
    email: 'Ada@Example.com',
    promoCode: 'TEN',
    shippingAddress: address,
  });
  const { status, body } = await shop.order(guest, id);
  assert.equal(status, 200, JSON.stringify(body));
  const order = (await h.call('GET', `${shop.base}/orders/${body.orderId}`, { token: guest.token })).body;
  assert.deepEqual([order.total, order.email, order.shippingAddress?.name], [1800, 'ada@example.com', 'Ada']);
  assert.ok(!('cartId' in order));
  const cart = (await shop.get(guest, id)).body;
  assert.deepEqual([cart.status, cart.orderId, cart.problems], ['ORDERED', body.orderId, []]);
  assert.equal((await shop.put(guest, id, { items: [] })).status, 409);
  assert.equal((await shop.order(guest, id)).status, 409);
});

test('two concurrent checkouts of one cart place one order', async () => {
  const mug = await shop.product({ quantity: 10 });
  const guest = await h.guest();
  const { id } = await shop.create(guest, mug, 1);
  const placed = await Promise.all(Array.from({ length: 5 }, () => shop.order(guest, id)));
  assert.deepEqual(tally(placed), { 200: 1, 409: 4 });
  assert.equal(await shop.stock(mug), 9);
});

test('the same Idempotency-Key returns the same order', async () => {
  const mug = await shop.product();
  const guest = await h.guest();
  const { id } = await shop.create(guest, mug);
  const headers = { 'idempotency-key': `cart-${id}-1` };
  const placed = await Promise.all([1, 2, 3].map(() => shop.order(guest, id, {}, headers)));
  assert.deepEqual(tally(placed), { 200: 3 });
  assert.equal(new Set(placed.map(({ body }) => body.orderId)).size, 1);
});

test("another person's cart can't be ordered without its secret", async () => {
  const mug = await shop.product();
  const [owner, other] = [await h.guest(), await h.guest()];
  const { id, secret } = await shop.create(owner, mug);
  const refused = await shop.order(other, id);
  assert.deepEqual([refused.status, problems(refused)], [422, ['cartId NOT_FOUND']]);
  assert.equal((await shop.order(other, id, {}, { 'souk-cart-secret': 'wrong' })).status, 422);
  assert.equal((await shop.order(other, id, {}, { 'souk-cart-secret': secret! })).status, 200);
  const empty = await shop.create(other, mug, 1, { items: [] });
  assert.deepEqual(problems(await shop.order(other, empty.id)), ['cartId EMPTY']);
});

test('a checkout that fails leaves the cart open', async () => {
  const mug = await shop.product({ quantity: 1 });
  const guest = await h.guest();
  const { id } = await shop.create(guest, mug, 2);
  const refused = await shop.order(guest, id);
  assert.deepEqual([refused.status, problems(refused)], [422, ['items[0].quantity INSUFFICIENT_STOCK']]);
  assert.equal((await shop.get(guest, id)).body.status, 'OPEN');
});

test('a cart whose payment was canceled or expired is open again and can be ordered', async () => {
  const mug = await shop.product();
  const guest = await h.guest();
  const { id } = await shop.create(guest, mug);
  const first = await shop.order(guest, id, { cancelUrl: 'https://shop.example/cart' });
  await press(first.body.checkoutUrl!, 'cancel');
  assert.equal((await shop.get(guest, id)).body.status, 'OPEN');
  const second = await shop.order(guest, id);
  assert.equal(second.status, 200);
  await passTime(h, 400);
  await h.drain('payment-watch');
  assert.equal((await shop.get(guest, id)).body.status, 'OPEN');
  const third = await shop.order(guest, id);
  await press(third.body.checkoutUrl!, 'pay');
  assert.deepEqual((await shop.get(guest, id)).body.orderId, third.body.orderId);
});
