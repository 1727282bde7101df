import assert from 'node:assert/strict';
import { once } from 'node:events';
import test, { after } from 'node:test';
import pino from 'pino';
import { createListener } from '../../src/db/listener.ts';
import { createPool, inTransaction } from '../../src/db/pool.ts';
import { createJobs, DEAD, type Jobs, type Queue } from '../../src/jobs/index.ts';
import { cloneDatabase, dropDatabase } from '../harness.ts';

const target = await cloneDatabase();
const pool = createPool(target, { max: 6 });
const jobsPool = createPool(target, { max: 6 });
const listener = createListener(target);
const started: Jobs[] = [];
after(async () => {
  await Promise.all(started.map((jobs) => jobs.stop(1000)));
  await Promise.all([pool.end(), jobsPool.end(), listener.stop()]);
  await dropDatabase(target);
});

type Data = { n: number };

async function install(...queues: Queue<Data>[]): Promise<Jobs> {
  const jobs = createJobs(jobsPool, listener, pino({ level: 'silent' }), { works: false, pollSeconds: 0.5 });
  for (const queue of queues) jobs.register(queue);
  await jobs.install();
  started.push(jobs);
  return jobs;
}

const enqueue = (jobs: Jobs, queue: string, n: number, options = {}) =>
  inTransaction(pool, (tx) => jobs.enqueue(tx, queue, { n }, options));

type JobRow = { state: string; retryCount: number; waitSeconds: number; output: { message?: string } | null };
const rows = (queue: string) => pool<JobRow[]>`
  select state::text, retry_count, extract(epoch from start_after - now())::float8 as wait_seconds, output
  from jobs.job where name = ${queue}`;
const makeDue = (queue: string) => pool`update jobs.job set start_after = now() where name = ${queue}`;

test('a job exists exactly when the transaction that caused it has committed', async () => {
  const done: number[] = [];
  const jobs = await install({ name: 'caused', handle: async ({ n }) => void done.push(n) });
  await inTransaction(pool, async (tx) => {
    await jobs.enqueue(tx, 'caused', { n: 1 });
    assert.equal((await rows('caused')).length, 0);
  });
  await assert.rejects(
    inTransaction(pool, async (tx) => {
      await jobs.enqueue(tx, 'caused', { n: 2 });
      throw new Error('rolled back');
    }),
  );
  await jobs.drain('caused');
  assert.deepEqual(done, [1]);
});

test('a job is tried again with growing pauses, then lies in "dead" with its error', async () => {
  let tries = 0;
  const jobs = await install({
    name: 'failing',
    retryLimit: 3,
    retryDelaySeconds: 10,
    async handle() {
      tries++;
      throw new Error('gateway away');
    },
  });
  await enqueue(jobs, 'failing', 7);
  const pauses: number[] = [];
  for (let i = 0; i < 4; i++) {
    await makeDue('failing');
    await assert.rejects(jobs.drain('failing'), { message: 'gateway away' });
    const [row] = await rows('failing');
    if (row?.state === 'retry') pauses.push(row.waitSeconds);
  }
  assert.equal(tries, 4);
  assert.equal(pauses.length, 3);
  assert.ok(pauses[0]! > 4 && pauses[2]! > pauses[0]!, pauses.join());
  assert.equal((await rows('failing'))[0]!.state, 'failed');
  const [dead] = await pool<{ data: Data; output: { message: string } }[]>`
    select data, output from jobs.job where name = ${DEAD}`;
  assert.deepEqual(dead?.data, { n: 7 });
  assert.equal(dead?.output.message, 'gateway away');
  assert.equal(await jobs.drain('failing'), 0);
});

test('a job for later is not run before its time', async () => {
  const done: number[] = [];
  const jobs = await install({ name: 'later', handle: async ({ n }) => void done.push(n) });
  await enqueue(jobs, 'later', 1, { startAfterSeconds: 3600 });
  await jobs.drain('later');
  assert.deepEqual(done, []);
  await makeDue('later');
  await jobs.drain('later');
  assert.deepEqual(done, [1]);
});

test('of several waiting jobs with one key the first is kept', async () => {
  const done: number[] = [];
  const jobs = await install({ name: 'keyed', oncePerKey: true, handle: async ({ n }) => void done.push(n) });
  for (const n of [1, 2]) await enqueue(jobs, 'keyed', n, { key: 'same' });
  await enqueue(jobs, 'keyed', 3, { key: 'other' });
  await jobs.drain('keyed');
  assert.deepEqual(done.sort(), [1, 3]);
});

test('two workers never run one job at the same time', { timeout: 30_000 }, async () => {
  const done: number[] = [];
  const all = Promise.withResolvers<void>();
  const queue: Queue<Data> = {
    name: 'contended',
    concurrency: 3,
    async handle({ n }) {
      done.push(n);
      if (done.length === 30) all.resolve();
    },
  };
  const [one, two] = [await install(queue), await install(queue)];
  await inTransaction(pool, async (tx) => {
    for (let n = 0; n < 30; n++) await one.enqueue(tx, 'contended', { n });
  });
  await Promise.all([one.work(), two.work()]);
  await all.promise;
  await Promise.all([one.stop(), two.stop()]);
  assert.deepEqual(
    done.sort((a, b) => a - b),
    Array.from({ length: 30 }, (_, n) => n),
  );
});

test('stopping tells the job that runs, waits for it, and takes no further one', { timeout: 30_000 }, async () => {
  const begun = Promise.withResolvers<AbortSignal>();
  const release = Promise.withResolvers<void>();
  const done: number[] = [];
  const jobs = await install({
    name: 'stopping',
    urgent: true,
    async handle({ n }, signal) {
      begun.resolve(signal);
      await release.promise;
      done.push(n);
    },
  });
  await enqueue(jobs, 'stopping', 1);
  await enqueue(jobs, 'stopping', 2);
  await jobs.work();
  const signal = await begun.promise;
  assert.equal(signal.aborted, false);
  const told = once(signal, 'abort');
  const stopping = jobs.stop().then(() => done.length);
  await told;
  release.resolve();
  assert.equal(await stopping, 1);
  assert.deepEqual(done, [1]);
  const states = (await rows('stopping')).map((row) => row.state).sort();
  assert.deepEqual(states, ['completed', 'created']);
});
