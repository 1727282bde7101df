import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, startHarness } from '../harness.ts';
import { eventually } from '../service.ts';
import { startWorker } from '../worker.ts';
import { completed, countsOf, MARKETS, openShop } from './shop.ts';

const h = await startHarness();
const PRODUCTS = 3000;

test('an import whose worker is killed resumes where it stopped and creates no duplicates', async () => {
  const shop = await openShop(h, { configs: { markets: [MARKETS[0]] } });
  const rows = Array.from({ length: PRODUCTS }, (_, i) =>
    ['S', 'M'].map(
      (size, n) => `p-${i},${n === 0 ? `Product ${i}` : ''},Size,${size},SKU-${i}-${size},shopify,${i % 7},9.50`,
    ),
  ).flat();
  const header =
    'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Tracker,Variant Inventory Qty,Variant Price';
  const file = [header, ...rows].join('\n');
  const { body: made } = await shop.post('type=products', file);
  const worker = startWorker(h);
  const read = () => shop.get(`/imports/${made.id}`);
  await eventually('some rows', async () => (await read()).rows > 500);
  await worker.kill();
  const halfway = await read();
  assert.ok(halfway.rows < 2 * PRODUCTS, 'it was killed midway');
  assert.equal(halfway.status, 'RUNNING');
  // The lease expires.
  await h.pool`update imports set lease_until = 0 where id = ${made.id}`;
  await h.drain('run-import');
  const done = await read();
  assert.equal(countsOf(done), `DONE +${PRODUCTS} ~0 =0 -0 !0`);
  assert.equal(done.rows, 2 * PRODUCTS);
  const [counted] = await h.pool<{ products: number; stock: number; keys: number; moved: number }[]>`
    select (select count(*)::int from products where business_id = ${shop.businessId}) as products,
      (select sum(quantity)::int from stock where business_id = ${shop.businessId}) as stock,
      (select sum(change)::int from stock_ledger where business_id = ${shop.businessId}) as moved,
      (select count(*)::int from import_keys) as keys`;
  assert.deepEqual([counted!.products, counted!.moved, counted!.keys], [PRODUCTS, counted!.stock, 0]);
  assert.equal(countsOf(await shop.run('type=products', file)), `DONE +0 ~0 =${PRODUCTS} -0 !0`);
});

test('an import of a whole business that is killed midway imports every order exactly once', async () => {
  const shop = await openShop(h, { configs: { markets: [MARKETS[0]] } });
  const product = {
    name: 'Lamp',
    variants: [{ id: 'v', pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 100 }] } }],
  };
  const { body: lamp } = await shop.call('POST', '/products', product);
  const lines = [{ productId: lamp.id, variantId: 'v', quantity: 1 }];
  const order = { customerId: shop.userId, market: 'us', lines };
  for (let i = 0; i < 2; i++) assert.equal((await shop.call('POST', '/orders', order)).status, 200);
  const parts = (await shop.download('/export')).trim().split('\n').slice(0, -1);
  const orders = parts.filter((part) => part.startsWith('{"kind":"order"'));
  // More than one batch: the same order with other IDs and numbers.
  const more = Array.from({ length: 400 }, (_, i) => {
    const { data } = JSON.parse(orders[0]!);
    const id = `ord_${String(i).padStart(26, '0')}`;
    return JSON.stringify({ kind: 'order', data: { ...data, id, number: i + 3 } });
  });
  const at = parts.indexOf(orders.at(-1)!) + 1;
  const file = completed([...parts.slice(0, at), ...more, ...parts.slice(at)]);
  const empty = await openShop(h, { configs: {} });
  const { body: made } = await empty.post('type=business', file, 'application/x-ndjson');
  const worker = startWorker(h);
  const read = () => empty.get(`/imports/${made.id}`);
  await eventually('some orders', async () => (await read()).created > 40);
  await worker.kill();
  assert.equal((await read()).status, 'RUNNING', 'it was killed midway');
  await h.pool`update imports set lease_until = 0 where id = ${made.id}`;
  await h.drain('run-import');
  const done = await read();
  assert.deepEqual([done.status, done.failed, done.rows], ['DONE', 0, parts.length + 400]);
  const [counted] = await h.pool<Json[]>`
    select count(*)::int as orders, max(number)::int as last, (select last::int from order_counters where business_id = ${empty.businessId}) as counter
    from orders where business_id = ${empty.businessId}`;
  assert.deepEqual(counted, { orders: 402, last: 402, counter: 402 });
});

test('an import during which three workers are killed has failed with a reason and is not tried again', async () => {
  const shop = await openShop(h, { configs: { markets: [MARKETS[0]] } });
  const { body: made } = await shop.post('type=products', 'Handle,Title,Option1 Value,Variant Price\np,P,M,9.50');
  for (let i = 0; i < 3; i++) {
    // The worker can't finish its batch.
    await h.pool.transaction(async (tx) => {
      await tx`lock table import_keys in exclusive mode`;
      const worker = startWorker(h);
      const isClaimed = async () =>
        (await h.pool<Json[]>`select owner from imports where id = ${made.id} and lease_until > 0`)[0]?.owner;
      await eventually('the import is claimed', async () => Boolean(await isClaimed()));
      await worker.kill();
      await h.pool`update imports set lease_until = 0 where id = ${made.id}`;
    });
  }
  await h.drain('run-import');
  const failed = await shop.get(`/imports/${made.id}`);
  assert.deepEqual([failed.status, failed.created, failed.rows], ['FAILED', 0, 0]);
  assert.match(failed.error, /^The import was interrupted 3 times at row 0\./);
  const [left] = await h.pool<
    Json[]
  >`select count(*)::int as count from products where business_id = ${shop.businessId}`;
  assert.equal(left!.count, 0);
});
