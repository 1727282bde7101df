import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { createConnections, divideConnections } from '../../src/db/connections.ts';
import { createPool } from '../../src/db/pool.ts';
import type { Db } from '../../src/db/sql.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';
import { eventually } from '../service.ts';

const options = { timeout: 60_000 };
const target = await cloneDatabase();
const admin = createPool(target, { max: 2, applicationName: 'test' });
after(async () => {
  await admin.end();
  await dropDatabase(target);
});

const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

async function countConnections(): Promise<number> {
  const [row] = await admin<[{ count: number }]>`
    select count(*) from pg_stat_activity where datname = current_database() and application_name like 'souk%'`;
  return row.count;
}

async function* forever(db: Db) {
  for (;;) yield* await db`select 1`;
}

test('the connections of all parts add up to the total, and no part is empty', () => {
  for (const isPooled of [false, true]) {
    const smallest = isPooled ? 5 : 4;
    for (let total = 1; total <= 500; total++) {
      const { pipelines, ...parts } = divideConnections(total, isPooled);
      const sum = Object.values(parts).reduce((a, b) => a + b, pipelines);
      assert.equal(sum, Math.max(total, smallest));
      assert.ok(Object.values(parts).every((part) => part >= 1) && pipelines >= 1 === isPooled, String(total));
    }
  }
});

for (const isPooled of [false, true]) {
  for (const total of [1, 5, 10, 16]) {
    const name = `${total} connections${isPooled ? ' behind a pooler' : ''}`;
    test(`more work than ${name} can handle opens no additional connections`, options, async () => {
      const { listener, pool, quick, snapshots, pipeline, end } = createConnections(
        { ...target, isPooled },
        target,
        total,
      );
      const sizes = divideConnections(total, isPooled);
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
      const holder = admin.transaction(async (tx) => {
        await tx`select pg_advisory_xact_lock(1)`;
        isLocked();
        await released;
      });
      await locked;
      await listener.listen('news', () => {});
      const wait = (db: Db) => db`select pg_advisory_xact_lock_shared(1)`;
      const busy = [
        ...times(sizes.pool + 3, () => pool.transaction((tx) => wait(tx))),
        ...times(sizes.pipelines + 3, (i) =>
          pipeline(`queue ${i}`, (tx) => [tx`select pg_advisory_xact_lock_shared(1)`]),
        ),
        ...times(20, async () => quick`select 1`),
      ];
      const exports = times(sizes.exports, (i) => snapshots.read(`biz_${i}`, forever));
      await Promise.all(exports.map((each) => each.next()));
      await assert.rejects(snapshots.read('biz_other', forever).next(), { kind: 'UNAVAILABLE' });
      const expected = Math.max(total, isPooled ? 5 : 4);
      await eventually('all of them are open', async () => (await countConnections()) >= expected);
      assert.equal(await countConnections(), expected);
      release();
      await Promise.all([holder, ...busy]);
      await Promise.all([...times(50, async () => pool`select 1`), ...exports.map((each) => each.return(undefined))]);
      assert.equal(await countConnections(), expected);
      await end();
      await eventually('all of them are closed', async () => (await countConnections()) === 0);
    });
  }
}

test('with the smallest pool, an export that is not read does not delay other statements', options, async () => {
  const { pool, quick, snapshots, pipeline, probe, end } = createConnections(target, target, 1);
  const slow = snapshots.read('biz_1', forever);
  await slow.next();
  await pool.transaction((tx) => tx`select 1`);
  await pipeline('queue', (tx) => [tx`select 1`]);
  await quick`select 1`;
  await probe();
  await slow.return(undefined);
  await end();
});
