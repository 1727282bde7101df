import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import pino from 'pino';
import { createListener } from '../../src/db/listener.ts';
import { createPool } from '../../src/db/pool.ts';
import { claimDueRows, type DueTable, LEASE_SECONDS, rowSource } from '../../src/jobs/due-rows.ts';
import { createJobs, type Jobs } from '../../src/jobs/index.ts';
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

/** Opens all connections of the pool, so that all workers start at the same time. */
async function openAll(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let started = 0;
  await Promise.all(
    Array.from({ length: 8 }, () =>
      h.pool.transaction(async (tx) => {
        await tx`select 1`;
        if (++started === 8) resolve();
        await promise;
      }),
    ),
  );
}

async function claim(now: number, limit = 100): Promise<string[]> {
  const claimed = await Promise.all(
    ['biz_a', 'biz_b'].map((businessId) => h.pool.write((tx) => claimDueRows(tx, TABLE, businessId, now, limit))),
  );
  return claimed
    .flat()
    .map(({ orderId }) => String(orderId))
    .sort();
}

test('when many workers claim at once, each row goes to one worker and not before it is due', async () => {
  for (const businessId of ['biz_a', 'biz_b']) await insertDue(businessId, NOW - 2, NOW - 1, NOW, NOW + 1);
  await openAll();
  const claimed = (await Promise.all(Array.from({ length: 8 }, () => claim(NOW)))).flat().sort();
  assert.deepEqual(claimed, ['ord_1000', 'ord_1000', 'ord_998', 'ord_998', 'ord_999', 'ord_999']);
  assert.deepEqual(await claim(NOW + LEASE_SECONDS - 1), ['ord_1001', 'ord_1001']);
});

test('a row whose worker died is due again when its lease expires', async () => {
  await h.pool`delete from order_tasks where business_id = any(${['biz_a', 'biz_b']})`;
  await insertDue('biz_a', NOW);
  assert.deepEqual(await claim(NOW), ['ord_1000']);
  assert.deepEqual(await claim(NOW + LEASE_SECONDS), ['ord_1000']);
});

test('a claim skips a locked row and takes the others', async () => {
  await h.pool`delete from order_tasks where business_id = ${'biz_a'}`;
  await insertDue('biz_a', NOW - 1, NOW);
  await h.pool.transaction(async (tx) => {
    await tx`select id from order_tasks where business_id = ${'biz_a'} and order_id = ${'ord_999'} for update`;
    assert.deepEqual(await claim(NOW), ['ord_1000']);
  });
  assert.deepEqual(await claim(NOW), ['ord_999']);
});

type Item = { businessId: string; id: string };

/** A domain's table, and two processes that poll it for due rows. */
async function createItems(
  t: TestContext,
  nowSeconds: () => number,
  handle: (row: Item) => Promise<void>,
): Promise<[Jobs, Jobs]> {
  await h.pool`drop table if exists things`;
  await h.pool`create table things (business_id text, id text, due_at bigint, primary key (business_id, id))`;
  const pool = createPool(h.target, { max: 6 });
  const listener = createListener(h.target);
  const processes = [0, 1].map(() =>
    createJobs(pool, listener, pino({ level: 'silent' }), { works: false, pollMs: 20, nowSeconds }),
  ) as [Jobs, Jobs];
  const table = { name: 'things', key: 'id', due: 'due_at', columns: [] };
  for (const jobs of processes) jobs.registerRows<Item>({ name: 'things', concurrency: 4, table, handle });
  t.after(async () => {
    await Promise.all(processes.map((jobs) => jobs.stop(1000)));
    await Promise.all([pool.end(), listener.stop()]);
  });
  return processes;
}

test('a due row is handled once, however many processes poll, and a row that is due later is kept', async (t) => {
  const started: string[] = [];
  let ended = 0;
  const all = Promise.withResolvers<void>();
  const processes = await createItems(
    t,
    () => 100,
    async ({ businessId, id }) => {
      started.push(`${businessId} ${id}`);
      await h.pool`delete from things where business_id = ${businessId} and id = ${id}`;
      if (++ended === 200) all.resolve();
    },
  );
  for (const jobs of processes) {
    await jobs.install();
    await jobs.work();
  }
  await h.pool`insert into things values ('biz_1', 'later', 101)`;
  await h.pool`insert into things select 'biz_' || n % 7, n::text, 100 from generate_series(1, 200) n`;
  await all.promise;
  assert.equal(new Set(started).size, 200);
  assert.deepEqual([...(await h.pool`select id from things`)], [{ id: 'later' }]);
});

test('a row whose handler fails is due again when its lease expires, not before', async (t) => {
  let now = 100;
  let count = 0;
  const [one, two] = await createItems(
    t,
    () => now,
    async () => {
      if (++count === 1) throw new Error('the process dies');
    },
  );
  await h.pool`insert into things values ('biz_1', 'a', 100)`;
  await assert.rejects(one.drain('things'), /dies/);
  now += LEASE_SECONDS - 1;
  assert.equal(await two.drain('things'), 0);
  now += 1;
  assert.equal(await two.drain('things'), 1);
});

test('each fetch is split between businesses, and a business with more rows is served again without another poll', async (t) => {
  await createItems(
    t,
    () => 100,
    async () => {},
  );
  await h.pool`insert into things select 'biz_1', n::text, 1 from generate_series(1, 500) n`;
  await h.pool`insert into things select 'biz_2', n::text, 100 from generate_series(1, 3) n`;
  const source = rowSource(
    () => h.pool,
    { name: 'things', key: 'id', due: 'due_at', columns: [] },
    () => 100,
  );
  const fetchFrom = async (limit: number) =>
    (await source.fetch(limit)).map(({ data }) => (data as Item).businessId).sort();
  source.note('biz_1');
  source.note('biz_2');
  assert.deepEqual(await fetchFrom(2), ['biz_1', 'biz_2']);
  assert.deepEqual(await fetchFrom(2), ['biz_1', 'biz_2']);
  assert.deepEqual(await fetchFrom(2), ['biz_1', 'biz_2']);
  assert.deepEqual(await fetchFrom(2), ['biz_1', 'biz_1']);
});
