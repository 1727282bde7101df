import assert from 'node:assert/strict';
import test from 'node:test';
import { claimDueRows, type DueTable, LEASE_SECONDS } from '../../src/jobs/due-rows.ts';
import { startHarness } from '../harness.ts';

const h = await startHarness();
const TABLE: DueTable = { name: 'order_tasks', key: 'id', due: 'due_at', columns: ['order_id'] };
const NOW = 1000;

async function insertDue(businessId: string, ...dueAt: number[]): Promise<void> {
  for (const due of dueAt)
    await h.pool`
      insert into order_tasks (business_id, order_id, kind, amount, due_at)
      values (${businessId}, ${`ord_${due}`}, 'EXPIRY', null, ${due})`;
}

/** All connections of the pool are there, so that nobody looks later than the others. */
async function openAll(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  await Promise.all(
    Array.from({ length: 8 }, () =>
      h.pool.transaction(async (tx) => {
        await tx`select 1`;
        if (++begun === 8) resolve();
        await promise;
      }),
    ),
  );
}

const claim = async (now: number, limit = 100) =>
  (await claimDueRows(h.pool, TABLE, now, limit)).map(({ orderId }) => orderId as string).sort();

test('of many who look at once each row goes to one, in every business, and not before it is due', async () => {
  for (const businessId of ['biz_a', 'biz_b']) await insertDue(businessId, NOW - 2, NOW - 1, NOW, NOW + 1);
  await openAll();
  const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim(NOW)))).flat().sort();
  assert.deepEqual(claimed, ['ord_1000', 'ord_1000', 'ord_998', 'ord_998', 'ord_999', 'ord_999']);
  assert.deepEqual(await claim(NOW + LEASE_SECONDS - 1), ['ord_1001', 'ord_1001']);
});

test('a row whose worker has died is due again when its lease is over', async () => {
  await h.pool`delete from order_tasks where business_id = any(${['biz_a', 'biz_b']})`;
  await insertDue('biz_a', NOW);
  assert.deepEqual(await claim(NOW), ['ord_1000']);
  assert.deepEqual(await claim(NOW + LEASE_SECONDS), ['ord_1000']);
});

test('a row that somebody holds is left to them, and others are not held up by it', async () => {
  await h.pool`delete from order_tasks where business_id = ${'biz_a'}`;
  await insertDue('biz_a', NOW - 1, NOW);
  await h.pool.transaction(async (tx) => {
    await tx`select id from order_tasks where business_id = ${'biz_a'} and order_id = ${'ord_999'} for update`;
    assert.deepEqual(await claim(NOW), ['ord_1000']);
  });
  assert.deepEqual(await claim(NOW), ['ord_999']);
});
