import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after } from 'node:test';
import pino from 'pino';
import { createListener } from '../../src/db/listener.ts';
import { createPool } from '../../src/db/pool.ts';
import { createJobs } from '../../src/jobs/index.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';

const target = await cloneDatabase();
const pool = createPool(target, { max: 3, applicationName: 'test' });
const listener = createListener(target);
after(async () => {
  await Promise.all([pool.end(), listener.stop()]);
  await dropDatabase(target);
});

/** The part of the migration that moves waiting jobs. */
const [move] = /^do \$\$.*?^end \$\$;/ms.exec(
  readFileSync(new URL('../../migrations/upgrades/from-0.1.sql', import.meta.url), 'utf8'),
)!;

test('the upgrade converts waiting per-business jobs to tasks, and the schedules of removed sweeps are deleted', async () => {
  const before = createJobs(pool, listener, pino({ level: 'silent' }), { works: false });
  const handle = async () => {};
  for (const name of [
    'media-check',
    'clear-collections',
    'publish-due',
    'order-mail',
    'order-expiry',
    'mail',
    'upkeep',
  ])
    before.register({ name, handle, ...(name === 'publish-due' ? { cron: '* * * * *' } : {}) });
  before.register({ name: 'media-resume', cron: '* * * * *', handle });
  await before.install();
  await before.work();
  const enqueue = (queue: string, data: object) =>
    pool.transaction((tx) => before.enqueue(tx, '', queue, data, { startAfterSeconds: 60 }));
  await enqueue('media-check', { businessId: 'biz_1', uploadId: 'upl_1' });
  await enqueue('clear-collections', { businessId: 'biz_1', collectionId: 'col_1' });
  await enqueue('clear-collections', {});
  await enqueue('publish-due', { businessId: 'biz_1', entity: 'entry:ent_1' });
  await enqueue('order-mail', { businessId: 'biz_1', orderId: 'ord_1', kind: 'REFUNDED', amount: 5 });
  await enqueue('order-expiry', { businessId: 'biz_1', orderId: 'ord_1' });
  await enqueue('mail', { sealed: '', to: '' });
  await before.stop();
  await pool.text(move);
  const tasks = await pool<{ businessId: string; queue: string; data: object; dueAt: number }[]>`
    select business_id, queue, data, due_at from tasks order by queue`;
  assert.deepEqual(
    tasks.map(({ dueAt: _, ...task }) => task),
    [
      { businessId: 'biz_1', queue: 'clear-collections', data: { businessId: 'biz_1', collectionId: 'col_1' } },
      { businessId: 'biz_1', queue: 'media-check', data: { businessId: 'biz_1', uploadId: 'upl_1' } },
    ],
  );
  assert.deepEqual(
    [...(await pool`select order_id, kind, amount from order_tasks where business_id = 'biz_1' order by kind`)],
    [
      { orderId: 'ord_1', kind: 'EXPIRY', amount: null },
      { orderId: 'ord_1', kind: 'REFUNDED', amount: 5 },
    ],
  );
  assert.ok(tasks.every(({ dueAt }) => dueAt > Date.now() / 1000));
  const namesIn = async (table: string) =>
    (await pool.text<{ name: string }[]>(`select distinct name from ${table} order by 1`)).map(({ name }) => name);
  assert.deepEqual(await namesIn('jobs.job'), ['clear-collections', 'mail']);
  const queues = await namesIn('jobs.queue');
  for (const gone of ['media-check', 'media-resume', 'publish-due', 'order-mail', 'order-expiry'])
    assert.ok(!queues.includes(gone), gone);
  assert.ok(!(await namesIn('jobs.schedule')).includes('media-resume'));
});
