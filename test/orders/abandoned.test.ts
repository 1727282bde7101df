import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { openShop, passTime, press } from './shop.ts';

const h = await shareHarness();
const shop = await openShop(h, {
  markets: [{ id: 'us', currency: 'usd', paymentMethods: [{ method: 'CREDIT_CARD' }, { method: 'CASH' }] }],
});
const mug = await shop.product({ quantity: null });
const fresh = async () => (await h.member(shop.businessId, 'ORDER_READ', 'ORDER_WRITE')).token;
const list = async (query = ''): Promise<Json[]> => {
  const { status, body } = await h.call('GET', `${shop.base}/abandoned-checkouts?${query}`, { token: await fresh() });
  assert.equal(status, 200, JSON.stringify(body));
  return body.items;
};
const orders = async (query = ''): Promise<string[]> => {
  const { body } = await h.call('GET', `${shop.base}/orders?${query}`, { token: await fresh() });
  return body.items.map(({ id }) => id);
};
const guestCheckout = async (email: string, more: object = {}) => {
  const { token } = await h.guest();
  const { status, body } = await shop.checkout(mug, { token, email, quantity: 2, ...more });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

test('abandoned checkouts are unpaid online orders that expired or that the customer canceled', async () => {
  const address = {
    name: 'Ada Lovelace',
    street: '1 Main St',
    city: 'Salem',
    state: 'OR',
    zip: '97301',
    country: 'US',
  };
  const expired = await guestCheckout('ada@example.com', { shippingAddress: address });
  const canceled = await guestCheckout('bob@example.com');
  const byStaff = await guestCheckout('eve@example.com');
  const paid = await guestCheckout('dan@example.com');
  const cash = await guestCheckout('cat@example.com', { paymentMethod: 'CASH' });
  await press(canceled.checkoutUrl!, 'cancel');
  await shop.setStatus(byStaff.orderId, 'CANCELLED');
  await press(paid.checkoutUrl!, 'pay');
  assert.deepEqual(
    (await list()).map(({ orderId }) => orderId),
    [canceled.orderId],
    'one can still be paid',
  );
  await passTime(h, h.config.cashTtlSeconds + h.config.checkoutTtlSeconds + 1);
  await h.drain();
  const items = await list();
  assert.deepEqual(
    items.map(({ orderId, reason }) => [orderId, reason]),
    [
      [canceled.orderId, 'CANCELED'],
      [expired.orderId, 'EXPIRED'],
    ],
  );
  const { createdAt, abandonedAt, customerId, ...item } = items[1]!;
  assert.deepEqual(item, {
    orderId: expired.orderId,
    number: 1,
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    items: [{ name: 'Mug', variantName: 'Main', quantity: 2 }],
    total: 2000,
    currency: 'usd',
    paymentStatus: 'FAILED',
    reason: 'EXPIRED',
    boughtLater: null,
  });
  assert.ok(abandonedAt > createdAt && customerId.startsWith('usr_'));
  // The list of orders includes them, unless a filter leaves them out.
  assert.equal((await orders()).length, 5);
  assert.deepEqual(await orders('abandoned=false'), [cash.orderId, paid.orderId, byStaff.orderId]);
  assert.deepEqual(await orders('abandoned=true'), [canceled.orderId, expired.orderId]);
});

test('an abandoned checkout names the order the customer placed later', async () => {
  const first = await guestCheckout('grace@example.com');
  await press(first.checkoutUrl!, 'cancel');
  const other = await guestCheckout('grace@example.com');
  assert.equal((await list())[0]!.boughtLater, null, 'an unpaid order does not count as a purchase');
  await press(other.checkoutUrl!, 'pay');
  const { number } = await h
    .call('GET', `${shop.base}/orders/${other.orderId}`, { token: await fresh() })
    .then(({ body }) => body);
  assert.deepEqual((await list())[0]!.boughtLater, { orderId: other.orderId, number });
  // The same account with another email address.
  const { token } = await h.guest();
  const left = (await shop.checkout(mug, { token, email: 'a1@example.com' })).body;
  await press(left.checkoutUrl!, 'cancel');
  const bought = (await shop.checkout(mug, { token, email: 'a2@example.com' })).body;
  await press(bought.checkoutUrl!, 'pay');
  assert.equal((await list())[0]!.boughtLater.orderId, bought.orderId);
});

test('abandoned checkouts are listed in pages and by period, and require the permission to read orders', async () => {
  const all = await list('limit=100');
  const token = await fresh();
  const seen: Json[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Json = await h.call('GET', `${shop.base}/abandoned-checkouts?limit=1&cursor=${cursor}`, { token });
    seen.push(...page.body.items);
    cursor = page.body.cursor;
  }
  assert.deepEqual(seen, all);
  const oldest = all.at(-1)!;
  assert.deepEqual(
    (await list(`createdTo=${oldest.createdAt}`)).map(({ orderId }) => orderId),
    all.filter(({ createdAt }) => createdAt <= oldest.createdAt).map(({ orderId }) => orderId),
  );
  assert.deepEqual(await list(`createdFrom=${h.clock.seconds() + 1}`), []);
  const path = `${shop.base}/abandoned-checkouts` as const;
  assert.equal((await h.call('GET', path, { token: (await h.guest()).token })).status, 403);
});
