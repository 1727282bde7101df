import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { startHarness } from '../harness.ts';
import { eventually } from '../service.ts';
import { countsOf, MARKETS, openShop } from './shop.ts';

const h = await startHarness();
const PRODUCTS = 3000;

test('an import whose worker is killed in the middle goes on where it was, and nothing is there twice', async () => {
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
  const child = fork(fileURLToPath(new URL('./worker-process.ts', import.meta.url)), {
    env: { ...process.env, SOUK_TEST_DATABASE: JSON.stringify(h.target), DATA_DIR: h.config.dataDir },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const read = () => shop.get(`/imports/${made.id}`);
  await eventually('some rows', async () => (await read()).rows > 500);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  const halfway = await read();
  assert.ok(halfway.rows < 2 * PRODUCTS, 'it was killed in the middle');
  assert.equal(halfway.status, 'RUNNING');
  // Its lease runs out.
  await h.pool`update imports set lease_until = 0 where id = ${made.id}`;
  await h.pool.transaction((tx) => h.service.jobs.enqueue(tx, 'resume-imports', {}));
  await h.drain('resume-imports', 'run-import');
  const done = await read();
  assert.equal(countsOf(done), `DONE +${PRODUCTS} ~0 =0 -0 !0`);
  assert.equal(done.rows, 2 * PRODUCTS);
  const [counted] = await h.pool<{ products: number; stock: number; ledger: number; moved: number }[]>`
    select (select count(*)::int from products where business_id = ${shop.businessId}) as products,
      (select sum(quantity)::int from stock where business_id = ${shop.businessId}) as stock,
      (select sum(change)::int from stock_ledger where business_id = ${shop.businessId}) as moved,
      (select count(*)::int from import_keys) as ledger`;
  assert.deepEqual([counted!.products, counted!.moved, counted!.ledger], [PRODUCTS, counted!.stock, 0]);
  assert.equal(countsOf(await shop.run('type=products', file)), `DONE +0 ~0 =${PRODUCTS} -0 !0`);
});
