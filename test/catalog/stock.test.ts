import assert from 'node:assert/strict';
import test from 'node:test';
import {
  existingProducts,
  listSellables,
  moveStock,
  returnStock,
  type StockLine,
  takeStock,
} from '../../src/domains/catalog/index.ts';
import { newId } from '../../src/shared/ids.ts';
import { shareHarness } from '../harness.ts';

const h = await shareHarness();
const businessId = await h.business();

/** A product whose variants have these quantities; null means untracked. */
async function product(quantities: Record<string, number | null>): Promise<string> {
  const id = newId('prod');
  await h.pool`insert into products (business_id, id, slug, status, category, name_key, created_at, doc)
    values (${businessId}, ${id}, ${id}, 'ACTIVE', '', '', 0, '{}')`;
  for (const [variantId, quantity] of Object.entries(quantities)) {
    await h.pool`insert into stock (business_id, product_id, variant_id, tracked, quantity)
      values (${businessId}, ${id}, ${variantId}, ${quantity !== null}, ${quantity ?? 0})`;
  }
  return id;
}

const move = (lines: StockLine[]) => ({
  businessId,
  lines,
  reason: 'ORDER' as const,
  reference: 'ord_1',
  userId: null,
  nowSeconds: h.clock.seconds(),
  source: h.service.contexts.system().within(businessId),
});
const take = (lines: StockLine[]) => h.pool.transaction((tx) => takeStock(tx, move(lines)));

async function quantities(productId: string): Promise<Record<string, number>> {
  const rows = await h.pool`select variant_id, quantity from stock where product_id = ${productId} order by variant_id`;
  return Object.fromEntries(rows.map((row) => [row.variantId, row.quantity]));
}
const ledger = (productId: string) =>
  h.pool`select variant_id, change, quantity, reason, reference from stock_ledger where product_id = ${productId} order by id`;

test('a cart’s stock is reserved all at once: lines with the same variant are summed, and untracked variants never run out', async () => {
  const productId = await product({ a: 3, b: 1, endless: null });
  const lines = [
    { productId, variantId: 'b', quantity: 1 },
    { productId, variantId: 'a', quantity: 2 },
    { productId, variantId: 'endless', quantity: 999_999 },
    { productId, variantId: 'a', quantity: 1 },
  ];
  assert.deepEqual(await take(lines), []);
  assert.deepEqual(await quantities(productId), { a: 0, b: 0, endless: 0 });
  assert.deepEqual(
    (await ledger(productId)).map(({ variantId, change, quantity }) => [variantId, change, quantity]).sort(),
    [
      ['a', -3, 0],
      ['b', -1, 0],
    ],
  );
  await h.pool.transaction((tx) => returnStock(tx, move(lines)));
  assert.deepEqual(await quantities(productId), { a: 3, b: 1, endless: 0 });
});

test('if any line lacks stock, no stock is taken and every such line is listed', async () => {
  const productId = await product({ a: 3, b: 1 });
  assert.deepEqual(
    await take([
      { productId, variantId: 'a', quantity: 1 },
      { productId, variantId: 'b', quantity: 1 },
      { productId, variantId: 'b', quantity: 1 },
      { productId, variantId: 'gone', quantity: 1 },
    ]),
    [
      { productId, variantId: 'b', quantity: 2, available: 1 },
      { productId, variantId: 'gone', quantity: 1, available: 0 },
    ],
  );
  assert.deepEqual(await quantities(productId), { a: 3, b: 1 });
  assert.equal((await ledger(productId)).length, 0);
});

test('one move takes and returns stock, all or nothing, and the ledger records both', async () => {
  const productId = await product({ a: 3, b: 1, endless: null });
  const lines = (b: number) => [
    { productId, variantId: 'b', quantity: b },
    { productId, variantId: 'a', quantity: 2 },
    { productId, variantId: 'endless', quantity: 5 },
    { productId, variantId: 'gone', quantity: 5 },
  ];
  const moved = (b: number) => h.pool.transaction((tx) => moveStock(tx, move(lines(b))));
  assert.deepEqual(await moved(-2), [{ productId, variantId: 'b', quantity: 2, available: 1 }]);
  assert.deepEqual(await quantities(productId), { a: 3, b: 1, endless: 0 });
  assert.deepEqual(await moved(-1), []);
  assert.deepEqual(await quantities(productId), { a: 5, b: 0, endless: 0 });
  assert.deepEqual(
    (await ledger(productId)).map(({ variantId, change, reason }) => [variantId, change, reason]).sort(),
    [
      ['a', 2, 'CANCEL'],
      ['b', -1, 'ORDER'],
    ],
  );
});

test("another business's stock cannot be taken or returned", async () => {
  const productId = await product({ a: 3 });
  const foreign = { ...move([{ productId, variantId: 'a', quantity: 1 }]), businessId: await h.business() };
  assert.equal((await h.pool.transaction((tx) => takeStock(tx, foreign))).length, 1);
  await h.pool.transaction((tx) => returnStock(tx, foreign));
  assert.deepEqual(await quantities(productId), { a: 3 });
});

test('when concurrent buyers order the same products in any order, every unit is sold once without deadlocks', async () => {
  const [p, q] = [await product({ a: 30, b: 30 }), await product({ a: 30 })];
  const cart = [
    { productId: p, variantId: 'a', quantity: 1 },
    { productId: p, variantId: 'b', quantity: 1 },
    { productId: q, variantId: 'a', quantity: 1 },
  ];
  const before = await deadlocks();
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      take(i % 2 ? cart : cart.toReversed()).then((understocked) => understocked.length),
    ),
  );
  assert.equal(outcomes.filter((understocked) => understocked === 0).length, 30);
  assert.deepEqual([await quantities(p), await quantities(q)], [{ a: 0, b: 0 }, { a: 0 }]);
  assert.equal(await deadlocks(), before);
  const [sum] = await h.pool`select sum(change) as change, count(*) as rows from stock_ledger where product_id = ${p}`;
  assert.deepEqual({ ...sum }, { change: '-60', rows: 60 });
});

async function deadlocks(): Promise<number> {
  const [row] = await h.pool<{ deadlocks: number }[]>`
    select deadlocks from pg_stat_database where datname = current_database()`;
  return row!.deadlocks;
}

const token = (await h.member(businessId, 'CATALOG_WRITE')).token;
const root = `/v1/businesses/${businessId}/products` as const;

async function variant(inventory: object): Promise<{ path: string; productId: string }> {
  const { body } = await h.call('POST', root, { token, body: { name: 'Cup', variants: [{ id: 'v', inventory }] } });
  return { productId: body.id, path: `${root}/${body.id}/variants/v/inventory` };
}

test('of 30 concurrent adjustments of -1 on a stock of 15, 15 succeed, and the history lists them in order', async () => {
  const { path, productId } = await variant({ quantity: 15 });
  const responses = await Promise.all(
    Array.from({ length: 30 }, () => h.call('POST', path, { token, body: { adjust: -1 } })),
  );
  assert.equal(responses.filter(({ status }) => status === 200).length, 15);
  const refused = responses.filter(({ status }) => status === 422);
  assert.equal(refused.length, 15);
  assert.deepEqual(refused[0]!.body.details[0].field, 'adjust');
  const read = await h.call('GET', `${root}/${productId}`, { token });
  assert.equal(read.body.variants[0]!.inventory.quantity, 0);
  const history: { change: number; quantity: number }[] = [];
  for (let cursor = ''; cursor !== null; ) {
    const { body } = await h.call('GET', `${path}/history?limit=10&cursor=${cursor}`, { token });
    history.push(...body.items);
    cursor = body.cursor;
  }
  assert.deepEqual(
    history.map(({ change, quantity }) => [change, quantity]),
    Array.from({ length: 16 }, (_, quantity) => [quantity === 15 ? 15 : -1, quantity]),
  );
});

test('the history continues when a variant is removed and added again', async () => {
  const { path, productId } = await variant({ quantity: 3 });
  const save = async (...variants: object[]) => {
    const { status } = await h.call('PUT', `${root}/${productId}`, { token, body: { variants } });
    assert.equal(status, 200);
  };
  await save({ id: 'w' });
  await save({ id: 'v', inventory: { quantity: 5 } });
  const { items } = (await h.call('GET', `${path}/history`, { token })).body;
  assert.deepEqual(
    items.map(({ change, quantity }: Record<string, number>) => [change, quantity]),
    [
      [5, 5],
      [-3, 0],
      [3, 3],
    ],
  );
});

test('an adjustment returns the new inventory, and the history records time, reason and user', async (t) => {
  const now = h.clock.stop(t);
  const { path, productId } = await variant({ quantity: 3, lowStockThreshold: 1 });
  const response = await h.call('POST', path, { token, body: { adjust: 4 } });
  assert.deepEqual(response.body, { success: true, inventory: { tracked: true, quantity: 7, lowStockThreshold: 1 } });
  assert.deepEqual(await take([{ productId, variantId: 'v', quantity: 2 }]), []);
  const { items } = (await h.call('GET', `${path}/history`, { token })).body;
  assert.deepEqual(
    items.map(({ change, quantity, reason, reference }: Record<string, unknown>) => [
      change,
      quantity,
      reason,
      reference,
    ]),
    [
      [-2, 5, 'ORDER', 'ord_1'],
      [4, 7, 'ADJUST', null],
      [3, 3, 'SET', null],
    ],
  );
  assert.match(items[1].userId, /^usr_/);
  assert.equal(items[0].userId, null);
  assert.equal(items[0].timestamp, now);
});

test('a retry with the same Idempotency-Key adjusts once', async () => {
  const { path } = await variant({ quantity: 5 });
  const send = () =>
    h.call('POST', path, { token, body: { adjust: -2 }, headers: { 'idempotency-key': 'adjust-once' } });
  assert.deepEqual((await send()).body, (await send()).body);
  assert.equal((await h.call('POST', path, { token, body: { adjust: 0 } })).body.inventory.quantity, 3);
});

test('invalid adjustments are rejected and change nothing', async () => {
  const { path, productId } = await variant({ quantity: 5 });
  for (const adjust of [-6, 1.5, '1', null, 1e9 + 1, 1e9]) {
    assert.equal((await h.call('POST', path, { token, body: { adjust } })).status, 422, String(adjust));
  }
  const other = path.replace('/v/', '/w/');
  assert.equal((await h.call('POST', other, { token, body: { adjust: 1 } })).status, 404);
  assert.equal((await h.call('GET', `${other}/history`, { token })).status, 404);
  const endless = await variant({ tracked: false });
  assert.equal((await h.call('POST', endless.path, { token, body: { adjust: 1 } })).status, 422);
  assert.deepEqual(await quantities(productId), { v: 5 });
});

test('updating a product during sales neither loses nor creates units', async () => {
  const { productId } = await variant({ quantity: 100 });
  const line = { productId, variantId: 'v', quantity: 1 };
  const rename = (i: number) =>
    h.call('PUT', `${root}/${productId}`, { token, body: { variants: [{ id: 'v', name: `Name ${i}` }] } });
  await Promise.all(Array.from({ length: 40 }, (_, i) => (i % 2 ? take([line]) : rename(i))));
  assert.deepEqual(await quantities(productId), { v: 80 });
  const [sum] = await h.pool`select sum(change)::int as sum from stock_ledger where product_id = ${productId}`;
  assert.equal(sum!.sum, 80);
});

test('orders read the current prices, names and stock of a variant', async () => {
  const markets = [{ marketId: 'us', currency: 'usd', price: 500 }];
  const { body } = await h.call('POST', root, {
    token,
    body: {
      name: 'Mug',
      variants: [{ id: 'a', name: 'Blue', sku: 'MUG', pricing: { markets }, inventory: { quantity: 4 } }, { id: 'b' }],
      statuses: [{ status: 'DRAFT' }],
    },
  });
  const productId = body.id;
  await take([{ productId, variantId: 'a', quantity: 1 }]);
  const refs = ['a', 'a', 'gone'].map((variantId) => ({ productId, variantId }));
  assert.deepEqual(await listSellables(h.pool, businessId, refs, ''), [
    {
      productId,
      variantId: 'a',
      productName: 'Mug',
      variantName: 'Blue',
      sku: 'MUG',
      prices: markets,
      options: [],
      image: null,
      active: false,
      tracked: true,
      quantity: 3,
      isWatched: false,
    },
  ]);
  assert.deepEqual(await listSellables(h.pool, await h.business(), refs, ''), []);
  assert.deepEqual(await existingProducts(h.pool, businessId, [productId, 'prod_none']), [productId]);
});
