/** Imports whose process dies, and records that take too long. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { claimImport, releaseImport } from '../../src/domains/imports/queries.ts';
import { type Json, shareHarness } from '../harness.ts';
import { countsOf, MARKETS, openShop } from './shop.ts';

const h = await shareHarness();
const HEADER = 'Handle,Title,Option1 Value,Variant SKU,Variant Price';
const products = (count: number) =>
  [HEADER, ...Array.from({ length: count }, (_, i) => `p-${i},P ${i},M,S-${i},9.50`)].join('\n');
const open = () => openShop(h, { configs: { markets: [MARKETS[0]] } });

/** Claims the import like a worker that dies. */
async function claimAndDie(businessId: string, id: string): Promise<Json> {
  const now = Math.floor(Date.now() / 1000);
  const owner = crypto.randomUUID();
  const row = await h.pool.transaction((tx) => claimImport(tx, businessId, id, { owner, now, untilSeconds: now + 60 }));
  await h.pool`update imports set lease_until = 0 where id = ${id}`;
  return row!;
}

test('an import whose process died three times without progress has failed with a reason, and is not tried again', async () => {
  const { businessId, post, get } = await open();
  const { status, body } = await post('type=products', products(3));
  assert.equal(status, 200, JSON.stringify(body));
  for (let i = 0; i < 3; i++) {
    const { interruptions } = await claimAndDie(businessId, body.id);
    assert.equal(interruptions, i);
  }
  await h.drain('run-import');
  const failed = await get(`/imports/${body.id}`);
  assert.deepEqual([failed.status, failed.created], ['FAILED', 0]);
  assert.match(failed.error, /^The import was interrupted 3 times at row 0\./);
  await h.pool`update imports set lease_until = 0 where id = ${body.id}`;
  await h.drain('run-import');
  assert.equal((await get(`/imports/${body.id}`)).status, 'FAILED');
});

test('an import whose process died twice is completed, and progress forgets the interruptions', async () => {
  const { businessId, post, get } = await open();
  const { status, body } = await post('type=products', products(3));
  assert.equal(status, 200, JSON.stringify(body));
  for (let i = 0; i < 2; i++) await claimAndDie(businessId, body.id);
  await h.drain('run-import');
  assert.equal(countsOf(await get(`/imports/${body.id}`)), 'DONE +3 ~0 =0 -0 !0');
  const [row] = await h.pool<Json[]>`select interruptions from imports where id = ${body.id}`;
  assert.equal(row!.interruptions, 0);
});

test('an import that is released properly is not interrupted', async () => {
  const { businessId, post, get } = await open();
  const { status, body } = await post('type=products', products(3));
  assert.equal(status, 200, JSON.stringify(body));
  for (let i = 0; i < 4; i++) {
    const now = Math.floor(Date.now() / 1000);
    const owner = crypto.randomUUID();
    const row = await h.pool.transaction(async (tx) => {
      const claimed = await claimImport(tx, businessId, body.id, { owner, now, untilSeconds: now + 60 });
      await releaseImport(tx, claimed!, owner);
      return claimed!;
    });
    assert.equal(row.interruptions, 0);
  }
  await h.drain('run-import');
  assert.equal((await get(`/imports/${body.id}`)).status, 'DONE');
});
