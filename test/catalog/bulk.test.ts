import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';
import { openShop } from '../orders/shop.ts';

/** A bulk request waits for a lock while another request takes its permission away, so one connection is not enough. */
const h = await startHarness({ DATABASE_POOL: '16' });
const shop = await openShop(h);
const { base, businessId } = shop;
const { token } = shop.staff;
const inventory = `${base}/inventory` as const;

const adjust = (items: object[], key?: string) =>
  h.call('POST', inventory, { token, headers: key ? { 'idempotency-key': key } : {}, body: { items } });
const setPrices = (items: object[]) => h.call('PUT', `${base}/prices`, { token, body: { items } });
const productOf = async (id: string) => (await h.call('GET', `${base}/products/${id}`, { token })).body;
const quantityOf = async (id: string) => (await productOf(id)).variants[0]!.inventory.quantity;
const eventsOf = (response: { headers: Headers }) => h.pool<{ type: string; entity: string }[]>`
  select type, entity from events where actor ->> 'requestId' = ${response.headers.get('x-request-id')}
  union all
  select type, entity from event_outbox where actor ->> 'requestId' = ${response.headers.get('x-request-id')}`;

test('a bulk stock change applies each valid item and reports the others with the same errors as requests for a single record', async () => {
  const [a, b] = [await shop.product(), await shop.product()];
  const untracked = await shop.product({ quantity: null });
  const bad = [
    { productId: a, variantId: 'main', adjust: -99 },
    { productId: untracked, variantId: 'main', quantity: 1 },
    { productId: a, variantId: 'gone', quantity: 1 },
    { productId: a, variantId: 'main', quantity: -1 },
    { productId: a, variantId: 'main', adjust: 'many' },
    { productId: a, variantId: 'main' },
    { productId: a, variantId: 'main', adjust: 1, quantity: 1 },
  ];
  const response = await adjust([
    { productId: a, variantId: 'main', adjust: -3 },
    ...bad,
    { productId: b, variantId: 'main', quantity: 42 },
  ]);
  assert.equal(response.status, 200, JSON.stringify(response.body));
  const { items } = response.body;
  assert.deepEqual(items[0], { success: true, result: { success: true, inventory: { tracked: true, quantity: 7 } } });
  assert.equal(items.at(-1)!.result!.inventory.quantity, 42);
  for (const [i, { productId, variantId, ...body }] of bad.entries()) {
    const single = await h.call('POST', `${base}/products/${productId}/variants/${variantId}/inventory`, {
      token,
      body,
    });
    assert.ok(single.status >= 400);
    assert.deepEqual(items[i + 1], { success: false, error: single.body }, JSON.stringify(body));
  }
  assert.deepEqual([await quantityOf(a), await quantityOf(b)], [7, 42]);
});

test('each item in a bulk stock change has its own ledger entry and event', async () => {
  const [a, b] = [await shop.product(), await shop.product()];
  const response = await adjust([
    { productId: a, variantId: 'main', adjust: 2 },
    { productId: b, variantId: 'main', quantity: 4 },
  ]);
  const events = await eventsOf(response);
  assert.deepEqual(
    events.map(({ type, entity }) => [type, entity]).sort(),
    [
      ['product.updated', `product:${a}`],
      ['product.updated', `product:${b}`],
    ].sort(),
  );
  const history = async (id: string) =>
    (await h.call('GET', `${base}/products/${id}/variants/main/inventory/history`, { token })).body.items[0]!;
  assert.deepEqual([(await history(a)).change, (await history(a)).reason], [2, 'ADJUST']);
  assert.deepEqual([(await history(b)).change, (await history(b)).reason], [-6, 'SET']);
});

test('a bulk request accepts 1 to 100 items', async () => {
  const item = { productId: 'none', variantId: 'main', adjust: 1 };
  for (const items of [[], Array.from({ length: 101 }, () => item)]) {
    const response = await adjust(items);
    assert.equal(response.status, 422);
    assert.equal(response.body.details[0]!.field, 'items');
  }
});

test('a repeated bulk request with the same Idempotency-Key returns the first response and changes nothing', async () => {
  const [a, b] = [await shop.product(), await shop.product()];
  const items = [
    { productId: a, variantId: 'main', adjust: -1 },
    { productId: b, variantId: 'main', adjust: -99 },
  ];
  const first = await adjust(items, 'bulk-1');
  await adjust([{ productId: b, variantId: 'main', adjust: 100 }]);
  assert.deepEqual((await adjust(items, 'bulk-1')).body, first.body);
  assert.equal((await adjust(items.slice(1), 'bulk-1')).status, 422);
  assert.deepEqual([await quantityOf(a), await quantityOf(b)], [9, 110]);
});

test('an interrupted bulk request continues with the same Idempotency-Key and applies no item twice', async () => {
  const [a, b] = [await shop.product(), await shop.product()];
  const items = [a, b].map((productId) => ({ productId, variantId: 'main', adjust: -1 }));
  const first = await adjust(items, 'bulk-2');
  // As if the process had died after the first item.
  await h.pool`update idempotency_keys set answer = null where business_id = ${businessId} and key = 'bulk-2'`;
  await h.pool`delete from idempotency_keys where business_id = ${businessId} and key = 'bulk-2 1'`;
  await adjust([{ productId: b, variantId: 'main', adjust: 1 }]);
  assert.deepEqual((await adjust(items, 'bulk-2')).body, first.body);
  assert.deepEqual([await quantityOf(a), await quantityOf(b)], [9, 9]);
});

test('a bulk request changes no further items once its caller has lost access', async () => {
  const [a, b] = [await shop.product(), await shop.product()];
  const clerk = await h.member(businessId, 'CATALOG_WRITE');
  const admin = await h.member(businessId, 'ADMIN');
  const items = [a, b].map((productId) => ({ productId, variantId: 'main', adjust: -1 }));
  let response: ReturnType<typeof adjust> | undefined;
  await h.pool.transaction(async (tx) => {
    await tx`select from products where business_id = ${businessId} and id = ${a} for update`;
    response = h.call('POST', inventory, { token: clerk.token, body: { items } });
    await whenWaitingForLock(h.pool, response);
    const body = { userId: clerk.userId, roleId: null, businessId };
    assert.equal((await h.call('PUT', '/v1/users/set-role', { token: admin.token, body })).status, 200);
  });
  const { body } = await response!;
  assert.deepEqual(
    body.items.map(({ error }) => error?.error),
    [undefined, 'FORBIDDEN'],
  );
  assert.deepEqual([await quantityOf(a), await quantityOf(b)], [9, 10]);
});

test('a bulk request ignores If-Match, which names the version of a single record', async () => {
  const productId = await shop.product();
  const { body } = await h.call('PUT', `${base}/prices`, {
    token,
    headers: { 'if-match': '"99"' },
    body: { items: [{ productId, variantId: 'main', prices: [] }] },
  });
  assert.equal(body.items[0]!.success, true);
});

test('bulk prices replace the prices of each variant and keep everything else', async () => {
  const [a, b] = [await shop.product({ quantity: 5 }), await shop.product()];
  const before = await productOf(a);
  const prices = [
    { marketId: 'us', currency: 'usd', price: 700, compareAtPrice: 900 },
    { marketId: 'eu', currency: 'eur', price: 650 },
  ];
  const shown = [{ ...prices[0], lowestPrice30: 1000 }, prices[1]];
  const response = await setPrices([
    { productId: a, variantId: 'main', prices },
    { productId: b, variantId: 'gone', prices },
    { productId: b, variantId: 'main', prices: [prices[0], prices[0]] },
    { productId: b, variantId: 'main', prices: [{ marketId: 'us', currency: 'usd', price: -1 }] },
    { productId: before.slug, variantId: 'main', prices },
  ]);
  const { items } = response.body;
  assert.deepEqual(
    items.map(({ success }) => success),
    [true, false, false, false, true],
  );
  assert.deepEqual(items[0]!.result, { productId: a, variantId: 'main', prices: shown });
  assert.equal(items[1]!.error!.error, 'NOT_FOUND');
  assert.deepEqual(
    [2, 3].map((i) => items[i]!.error!.details[0]!.field),
    ['prices[1].marketId', 'prices[0].price'],
  );
  const { updatedAt: _, variants, ...after } = await productOf(a);
  const { updatedAt: __, variants: previous, ...rest } = before;
  assert.deepEqual(after, rest);
  assert.deepEqual(variants, [{ ...previous[0], pricing: { markets: shown } }]);
  assert.deepEqual(
    (await eventsOf(response)).map(({ entity }) => entity),
    [`product:${a}`],
  );
  const { body: versions } = await h.call('GET', `${base}/products/${a}/versions`, { token });
  assert.equal(versions.items.length, 2);
});
