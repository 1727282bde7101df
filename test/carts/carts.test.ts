import assert from 'node:assert/strict';
import test from 'node:test';
import { cartData } from '../../src/domains/carts/index.ts';
import { shareHarness, startHarness } from '../harness.ts';
import { tally } from '../orders/shop.ts';
import { openCarts } from './cart-shop.ts';

const h = await shareHarness();
const shop = await openCarts(h);
const small = await startHarness({ LIMIT_NEW_CARTS: '2' });

test("a cart always has today's prices, and one line per variant", async () => {
  const mug = await shop.product({ price: 1000 });
  const guest = await h.guest();
  const { body: created } = await h.call('POST', shop.carts, {
    token: guest.token,
    body: { market: 'us', items: [...shop.items(mug, 1), ...shop.items(mug, 2)] },
  });
  assert.deepEqual([created.items.length, created.items[0]!.quantity, created.quote!.total], [1, 3, 3000]);
  assert.equal(created.items[0]!.name, 'Mug');
  await h.call('PUT', `${shop.base}/products/${mug}`, {
    token: shop.staff.token,
    body: {
      variants: [{ id: 'main', name: 'Main', pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 700 }] } }],
    },
  });
  const { body } = await shop.get(guest, created.id);
  assert.deepEqual([body.quote!.total, body.secret], [2100, undefined]);
});

test('items that can no longer be sold are reported as problems, and the rest is priced', async () => {
  const [mug, gone, scarce] = [await shop.product(), await shop.product(), await shop.product({ quantity: 2 })];
  const guest = await h.guest();
  const items = [...shop.items(gone), ...shop.items(mug), ...shop.items(scarce, 3)];
  const { id } = await shop.create(guest, mug, 1, { items, promoCode: 'NOPE' });
  await h.call('DELETE', `${shop.base}/products/${gone}`, { token: shop.staff.token });
  const { status, body } = await shop.get(guest, id);
  assert.equal(status, 200);
  assert.deepEqual(body.problems.map(({ field, error }) => `${field} ${error}`).sort(), [
    'items[0].productId NOT_FOUND',
    'items[2].quantity INSUFFICIENT_STOCK',
    'promoCode PROMO_NOT_FOUND',
  ]);
  assert.deepEqual([body.items.length, body.quote!.lines.length, body.quote!.total], [3, 2, 4000]);
});

test('a cart can be used only with its owner’s token or its secret', async () => {
  const mug = await shop.product();
  const [owner, other] = [await h.guest(), await h.guest()];
  const { id, secret } = await shop.create(owner, mug);
  const theirs = await shop.create(other, mug);
  for (const wrong of [undefined, 'wrong', theirs.secret!]) {
    assert.equal((await shop.get(other, id, wrong)).status, 404);
    const headers: Record<string, string> = wrong ? { 'souk-cart-secret': wrong } : {};
    assert.equal((await shop.put(other, id, { items: [] }, headers)).status, 404);
    assert.equal((await h.call('DELETE', `${shop.carts}/${id}`, { token: other.token, headers })).status, 404);
    assert.notEqual((await shop.merge(other, id, wrong)).body.id, id);
  }
  assert.equal((await shop.get(other, id, secret)).status, 200);
  assert.equal((await shop.get(owner, id)).body.items.length, 1);
  const rows = await h.pool<{ text: string }[]>`select row_to_json(c)::text as text from carts c where id = ${id}`;
  assert.ok(!rows[0]!.text.includes(secret!));
  const { body } = await h.call('GET', shop.carts, { token: other.token });
  assert.deepEqual(
    body.items.map((each) => each.id),
    [theirs.id],
  );
});

test('a change based on an older version fails with 412 and changes nothing', async () => {
  const mug = await shop.product();
  const guest = await h.guest();
  const { id } = await shop.create(guest, mug);
  const { headers } = await shop.get(guest, id);
  const etag = headers.get('etag')!;
  assert.equal((await shop.put(guest, id, { items: shop.items(mug, 2) }, { 'if-match': etag })).status, 200);
  assert.equal((await shop.put(guest, id, { items: shop.items(mug, 9) }, { 'if-match': etag })).status, 412);
  assert.equal((await shop.get(guest, id)).body.items[0]!.quantity, 2);
});

test('a merge adds quantities up to the available stock and removes the other cart', async () => {
  const [mug, bowl] = [await shop.product({ quantity: 4 }), await shop.product()];
  const [guest, customer] = [await h.guest(), await h.user()];
  const own = await shop.create(customer, mug, 3);
  const { id, secret } = await shop.create(guest, mug, 2, {
    promoCode: 'TEN',
    items: [...shop.items(mug, 2), ...shop.items(bowl)],
  });
  const { body } = await shop.merge(customer, id, secret);
  assert.equal(body.id, own.id);
  assert.deepEqual(
    body.items.map(({ productId, quantity }) => [productId, quantity]),
    [
      [mug, 4],
      [bowl, 1],
    ],
  );
  assert.equal(body.promoCode, 'TEN');
  assert.equal((await shop.get(guest, id)).status, 404);
});

test('without another cart, the customer takes the cart over, and its secret stops working', async () => {
  const mug = await shop.product();
  const [guest, customer] = [await h.guest(), await h.user()];
  const { id, secret } = await shop.create(guest, mug, 2);
  const { body } = await shop.merge(customer, id, secret);
  assert.deepEqual([body.id, body.items[0]!.quantity], [id, 2]);
  assert.equal((await shop.get(guest, id, secret)).status, 404);
  assert.equal((await shop.get(customer, id)).status, 200);
});

test('concurrent merges add the quantities of each cart once', async () => {
  const mug = await shop.product({ quantity: 100 });
  const customer = await h.user();
  const own = await shop.create(customer, mug, 1);
  const guests = await Promise.all(Array.from({ length: 4 }, async () => shop.create(await h.guest(), mug, 5)));
  const merges = [...guests, ...guests].map(({ id, secret }) => shop.merge(customer, id, secret));
  assert.deepEqual(tally(await Promise.all(merges)), { 200: 8 });
  assert.equal((await shop.get(customer, own.id)).body.items[0]!.quantity, 21);
});

test('the number of carts an IP address can create per day is limited, except for members', async () => {
  const limited = await openCarts(small);
  const mug = await limited.product();
  const body = { market: 'us', items: limited.items(mug) };
  const create = async ({ token }: { token: string }) =>
    (await small.call('POST', limited.carts, { token, body })).status;
  const statuses = [
    await create(await small.guest()),
    await create(await small.guest()),
    await create(await small.guest()),
  ];
  assert.deepEqual(statuses, [200, 200, 429]);
  assert.equal(await create(limited.staff), 200);
});

test('erasure deletes the carts of a person, and the export contains them', async () => {
  const mug = await shop.product();
  const customer = await h.user();
  const address = { name: 'Ada Lovelace', street: '1 Main Street' };
  const { id } = await shop.create(customer, mug, 1, { shippingAddress: address, email: 'ada@example.com' });
  const person = { userId: customer.userId, emails: [] };
  const ctx = h.service.contexts.system().within(shop.businessId);
  const { items } = await cartData.list(ctx, person, null);
  assert.match(JSON.stringify(items), /Ada Lovelace/);
  const erased = await ctx.transaction((tx) => cartData.erase(tx, person, null));
  assert.deepEqual(erased.entities, [`cart:${id}`]);
  assert.equal((await shop.get(customer, id)).status, 404);
});

/** The last test: it advances the clock, which expires tokens. */
test('an expired cart is not found, and the sweep deletes it', async () => {
  const mug = await shop.product();
  const { id } = await shop.create(await h.guest(), mug);
  h.clock.advance(31 * 86_400);
  assert.equal((await shop.get(await h.member(shop.businessId, 'ORDER_READ'), id)).status, 404);
  await h.pool.transaction((tx) => h.service.jobs.enqueue(tx, '', 'carts-upkeep', {}));
  await h.drain('carts-upkeep');
  assert.deepEqual(await h.pool`select id from carts where business_id = ${shop.businessId} and id = ${id}`, []);
});
