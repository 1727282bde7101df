import assert from 'node:assert/strict';
import { once } from 'node:events';
import test, { after } from 'node:test';
import pino from 'pino';
import { createListener } from '../../src/db/listener.ts';
import { createPool } from '../../src/db/pool.ts';
import { createJobs, DEAD, type JobQueue, type Jobs } from '../../src/jobs/index.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';

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

async function install(...queues: JobQueue<Data>[]): Promise<Jobs> {
  return installPolling(500, ...queues);
}

async function installPolling(pollMs: number, ...queues: JobQueue<Data>[]): Promise<Jobs> {
  const jobs = createJobs(jobsPool, listener, pino({ level: 'silent' }), { works: false, pollMs });
  for (const queue of queues) jobs.register(queue);
  await jobs.install();
  started.push(jobs);
  return jobs;
}

const enqueue = (jobs: Jobs, queue: string, n: number, options = {}) =>
  pool.transaction((tx) => jobs.enqueue(tx, '', queue, { n }, options));

type JobRow = { state: string; retryCount: number; waitSeconds: number; output: { message?: string } | null };
const rows = (queue: string) => pool<JobRow[]>`
  select state::text, retry_count, extract(epoch from start_after - now())::float8 as wait_seconds, output
  from jobs.job where name = ${queue}`;
const makeDue = (queue: string) => pool`update jobs.job set start_after = now() where name = ${queue}`;

test('a job exists if and only if the transaction that caused it commits', async () => {
  const done: number[] = [];
  const jobs = await install({ name: 'caused', handle: async ({ n }) => void done.push(n) });
  await pool.transaction(async (tx) => {
    await jobs.enqueue(tx, '', 'caused', { n: 1 });
    assert.equal((await rows('caused')).length, 0);
  });
  await assert.rejects(
    pool.transaction(async (tx) => {
      await jobs.enqueue(tx, '', 'caused', { n: 2 });
      throw new Error('rolled back');
    }),
  );
  await jobs.drain('caused');
  assert.deepEqual(done, [1]);
});

test('work for a queue without a handler is rejected, and its transaction is rolled back', async () => {
  const jobs = await install({ name: 'known', handle: async () => {} });
  jobs.registerTasks({ name: 'only-tasks', handle: async () => {} });
  for (const [businessId, queue] of [
    ['', 'unknown'],
    ['biz_1', 'unknown'],
    ['', 'only-tasks'],
  ] as const) {
    const command = pool.transaction(async (tx) => {
      await jobs.enqueue(tx, '', 'known', { n: 1 });
      await jobs.enqueue(tx, businessId, queue, { n: 1 });
    });
    await assert.rejects(command, /No handler is registered/, `${businessId} ${queue}`);
  }
  assert.equal((await rows('known')).length, 0);
});

test("enqueueing needs no connection other than the transaction's", async () => {
  const one = createPool(target, { max: 1 });
  for (const retryLimit of [1, 1, 2]) {
    const jobs = createJobs(one, listener, pino({ level: 'silent' }), { works: false });
    jobs.register({ name: 'alone', retryLimit, handle: async () => {} });
    await jobs.install();
    started.push(jobs);
    await one.transaction((tx) => jobs.enqueue(tx, '', 'alone', { n: 1 }));
    const [queue] = await one`select retry_limit from jobs.queue where name = 'alone'`;
    assert.equal(queue!.retryLimit, retryLimit);
  }
  assert.equal((await rows('alone')).length, 3);
  await Promise.all(started.splice(-3).map((jobs) => jobs.stop(1000)));
  await one.end();
});

test('a job is retried with growing delays, then moved to "dead" with its error', async () => {
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

test('a delayed job does not run before it is due', async () => {
  const done: number[] = [];
  const jobs = await install({ name: 'later', handle: async ({ n }) => void done.push(n) });
  await enqueue(jobs, 'later', 1, { startAfterSeconds: 3600 });
  await jobs.drain('later');
  assert.deepEqual(done, []);
  await makeDue('later');
  await jobs.drain('later');
  assert.deepEqual(done, [1]);
});

/** Long enough that no test relies on any poll but the first. */
const NO_POLL_MS = 600_000;

/** Seconds between the due time of a running job and now. */
async function secondsLate(queue: string): Promise<number> {
  const [row] = await rows(queue);
  return -row!.waitSeconds;
}

test('one notification is enough for any number of jobs', { timeout: 10_000 }, async () => {
  const done: number[] = [];
  const all = Promise.withResolvers<void>();
  const jobs = await installPolling(NO_POLL_MS, {
    name: 'burst',
    urgent: true,
    concurrency: 2,
    async handle({ n }) {
      if (done.push(n) === 10) all.resolve();
    },
  });
  await jobs.work();
  await pool.transaction(async (tx) => {
    for (let n = 0; n < 10; n++) await jobs.enqueue(tx, '', 'burst', { n });
  });
  await all.promise;
  assert.equal(new Set(done).size, 10);
});

for (const [kind, options] of [
  ['for later', { startAfterSeconds: 1 }],
  ['of a queue that does not notify', {}],
] as const) {
  test(`a job ${kind} starts when it is due, not before`, { timeout: 10_000 }, async () => {
    const late = Promise.withResolvers<number>();
    const queue = kind.replaceAll(' ', '-');
    const jobs = await install({ name: queue, handle: async () => late.resolve(await secondsLate(queue)) });
    await jobs.work();
    await enqueue(jobs, queue, 1, options);
    const seconds = await late.promise;
    assert.ok(seconds >= 0, `${-seconds} s early`);
  });
}

test('a failed job starts again after its delay, not before', { timeout: 10_000 }, async () => {
  const late = Promise.withResolvers<number>();
  let tries = 0;
  const jobs = await install({
    name: 'retried',
    urgent: true,
    retryDelaySeconds: 1,
    async handle() {
      if (++tries === 1) throw new Error('not yet');
      late.resolve(await secondsLate('retried'));
    },
  });
  await jobs.work();
  await enqueue(jobs, 'retried', 1);
  const seconds = await late.promise;
  assert.ok(seconds >= 0, `${-seconds} s early`);
});

test('a job that runs too long is aborted and retried', { timeout: 10_000 }, async () => {
  const again = Promise.withResolvers<void>();
  let isAborted = false;
  let tries = 0;
  const jobs = await install({
    name: 'long',
    expireSeconds: 1,
    retryDelaySeconds: 1,
    async handle(_, signal) {
      if (++tries > 1) return again.resolve();
      await once(signal, 'abort');
      isAborted = true;
      await new Promise(() => {});
    },
  });
  await enqueue(jobs, 'long', 1);
  await jobs.work();
  await again.promise;
  assert.equal(isAborted, true);
});

test('two processes share a burst: all their workers are busy, and each job runs once', {
  timeout: 30_000,
}, async () => {
  const done: number[] = [];
  const all = Promise.withResolvers<void>();
  const allBusy = Promise.withResolvers<void>();
  const queue: JobQueue<Data> = {
    name: 'contended',
    urgent: true,
    concurrency: 3,
    async handle({ n }) {
      done.push(n);
      if (done.length === 6) allBusy.resolve();
      if (done.length === 30) all.resolve();
      await allBusy.promise;
    },
  };
  const [one, two] = [await installPolling(NO_POLL_MS, queue), await installPolling(NO_POLL_MS, queue)];
  await Promise.all([one.work(), two.work()]);
  await pool.transaction(async (tx) => {
    for (let n = 0; n < 30; n++) await one.enqueue(tx, '', 'contended', { n });
  });
  await all.promise;
  await Promise.all([one.stop(), two.stop()]);
  assert.deepEqual(
    done.sort((a, b) => a - b),
    Array.from({ length: 30 }, (_, n) => n),
  );
});

test('stopping aborts the running job, waits for it, and starts no new one', { timeout: 30_000 }, async () => {
  const started = Promise.withResolvers<AbortSignal>();
  const release = Promise.withResolvers<void>();
  const done: number[] = [];
  const jobs = await install({
    name: 'stopping',
    urgent: true,
    async handle({ n }, signal) {
      started.resolve(signal);
      await release.promise;
      done.push(n);
    },
  });
  await enqueue(jobs, 'stopping', 1);
  await enqueue(jobs, 'stopping', 2);
  await jobs.work();
  const signal = await started.promise;
  assert.equal(signal.aborted, false);
  const aborted = once(signal, 'abort');
  const stopping = jobs.stop().then(() => done.length);
  await aborted;
  release.resolve();
  assert.equal(await stopping, 1);
  assert.deepEqual(done, [1]);
  const states = (await rows('stopping')).map((row) => row.state).sort();
  assert.deepEqual(states, ['completed', 'created']);
});

test('a job that is fetched while the process stops is released for other processes right away', {
  timeout: 30_000,
}, async () => {
  const done: string[] = [];
  const queue = (process: string): JobQueue<Data> => ({
    name: 'given-back',
    handle: async ({ n }) => void done.push(`${process} ${n}`),
  });
  const [one, two] = [await installPolling(NO_POLL_MS, queue('one')), await install(queue('two'))];
  await enqueue(one, 'given-back', 1);
  let stopping: Promise<void> | undefined;
  await pool.transaction(async (tx) => {
    await tx`lock table jobs.job_common in share mode`;
    await one.work();
    await untilFetchWaits();
    stopping = one.stop();
  });
  await stopping;
  assert.deepEqual(done, []);
  await two.drain('given-back');
  assert.deepEqual(done, ['two 1']);
});

async function untilFetchWaits(): Promise<void> {
  for (let waits = false; !waits; ) {
    const found = await pool`
      select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%SKIP LOCKED%'`;
    waits = found.length > 0;
  }
}

test('a job that does not reach a safe point before the timeout is left to other processes, whatever it does later', {
  timeout: 30_000,
}, async () => {
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const jobs = await install({
    name: 'stubborn',
    async handle() {
      started.resolve();
      await release.promise;
    },
  });
  await enqueue(jobs, 'stubborn', 1);
  await jobs.work();
  await started.promise;
  await jobs.stop(10);
  release.resolve();
  assert.equal((await rows('stubborn'))[0]!.state, 'retry');
});
