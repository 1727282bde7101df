import assert from 'node:assert/strict';
import test from 'node:test';
import { inTransaction } from '../../src/db/connection.ts';
import { returnStock, type StockLine, takeStock } from '../../src/domains/catalog/index.ts';
import { newId } from '../../src/shared/ids.ts';
import { startHarness } from '../harness.ts';

const h = await startHarness();
const businessId = await h.business();

/** A product whose variants have these quantities; null: not tracked. */
async function product(quantities: Record<string, number | null>): Promise<string> {
  const id = newId('prod');
  await h.pool`insert into products (business_id, id, slug, status, category, name_key, doc)
    values (${businessId}, ${id}, ${id}, 'ACTIVE', '', '', '{}')`;
  for (const [variantId, quantity] of Object.entries(quantities)) {
    await h.pool`insert into stock (business_id, product_id, variant_id, position, tracked, quantity)
      values (${businessId}, ${id}, ${variantId}, 0, ${quantity !== null}, ${quantity ?? 0})`;
  }
  return id;
}

const move = (lines: StockLine[], reason: 'ORDER' | 'CANCEL' = 'ORDER') => ({
  businessId,
  lines,
  reason,
  reference: 'ord_1',
  userId: null,
  nowSeconds: h.clock.seconds(),
});
const take = (lines: StockLine[]) => inTransaction(h.pool, (tx) => takeStock(tx, move(lines)));

async function quantities(productId: string): Promise<Record<string, number>> {
  const rows = await h.pool`select variant_id, quantity from stock where product_id = ${productId} order by variant_id`;
  return Object.fromEntries(rows.map((row) => [row.variantId, row.quantity]));
}
const ledger = (productId: string) =>
  h.pool`select variant_id, change, quantity, reason, reference from stock_ledger where product_id = ${productId} order by id`;

test('a basket is taken whole: lines of one variant count together, untracked ones never lack', async () => {
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
  await inTransaction(h.pool, (tx) => returnStock(tx, move(lines, 'CANCEL')));
  assert.deepEqual(await quantities(productId), { a: 3, b: 1, endless: 0 });
});

test('nothing is taken when one line lacks, and the lacking lines are named', async () => {
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

test('stock of another business cannot be taken or returned', async () => {
  const productId = await product({ a: 3 });
  const foreign = { ...move([{ productId, variantId: 'a', quantity: 1 }]), businessId: await h.business() };
  assert.equal((await inTransaction(h.pool, (tx) => takeStock(tx, foreign))).length, 1);
  await inTransaction(h.pool, (tx) => returnStock(tx, foreign));
  assert.deepEqual(await quantities(productId), { a: 3 });
});

test('simultaneous buyers with the same goods in any order: every unit is sold once, nobody deadlocks', async () => {
  const [p, q] = [await product({ a: 30, b: 30 }), await product({ a: 30 })];
  const basket = [
    { productId: p, variantId: 'a', quantity: 1 },
    { productId: p, variantId: 'b', quantity: 1 },
    { productId: q, variantId: 'a', quantity: 1 },
  ];
  const before = await deadlocks();
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, (_, i) => take(i % 2 ? basket : basket.toReversed()).then((lacking) => lacking.length)),
  );
  assert.equal(outcomes.filter((lacking) => lacking === 0).length, 30);
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
