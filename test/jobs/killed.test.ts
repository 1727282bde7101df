import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { createListener } from '../../src/db/listener.ts';
import { createPool } from '../../src/db/pool.ts';
import { LEASE_SECONDS } from '../../src/jobs/due-rows.ts';
import { createJobs } from '../../src/jobs/index.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';

const target = await cloneDatabase();
const pool = createPool(target, { max: 3 });
const own = createPool(target, { max: 1, applicationName: 'test' });
const listener = createListener(target);
after(async () => {
  await Promise.all([pool.end(), own.end(), listener.stop()]);
  await dropDatabase(target);
});

test('no task is lost when its process is killed: another process runs it when its lease expires', async () => {
  let laterSeconds = 0;
  const done: number[] = [];
  const jobs = createJobs(pool, listener, pino({ level: 'silent' }), {
    works: false,
    nowSeconds: () => Math.floor(Date.now() / 1000) + laterSeconds,
  });
  jobs.registerTasks<{ n: number }>({ name: 'killed', handle: async ({ n }) => void done.push(n) });
  await jobs.install();
  const victim = fork(fileURLToPath(new URL('./killed-worker.ts', import.meta.url)), {
    env: { ...process.env, SOUK_TEST_DATABASE: JSON.stringify(target) },
  });
  const exited = once(victim, 'exit');
  const started: unknown[] = [];
  const bothStarted = Promise.withResolvers<void>();
  victim.on('message', (n) => {
    if (started.push(n) === 2) bothStarted.resolve();
  });
  for (const n of [1, 2, 3]) await pool.transaction((tx) => jobs.enqueue(tx, 'biz_1', 'killed', { n }));
  await bothStarted.promise;
  victim.kill('SIGKILL');
  await exited;
  await jobs.drain('killed');
  assert.deepEqual(done, [3], 'the other tasks may still be running');
  laterSeconds = LEASE_SECONDS;
  await jobs.drain('killed');
  // Interrupted tasks run one after the other.
  laterSeconds += 2;
  await jobs.drain('killed');
  assert.deepEqual(done.sort(), [1, 2, 3]);
  assert.deepEqual([...(await own`select from tasks`)], []);
  await jobs.stop();
});
