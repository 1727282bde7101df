import assert from 'node:assert/strict';
import { once } from 'node:events';
import test, { after } from 'node:test';
import pino from 'pino';
import { createListener } from '../../src/db/listener.ts';
import { createPool } from '../../src/db/pool.ts';
import { LEASE_SECONDS } from '../../src/jobs/due-rows.ts';
import { createJobs, DEAD, type EnqueueOptions, type Jobs, type TaskQueue } from '../../src/jobs/index.ts';
import { createTasks } from '../../src/jobs/tasks.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';
import { whenWaitingForLock } from '../locks.ts';
import { eventually } from '../service.ts';

const target = await cloneDatabase();
const pool = createPool(target, { max: 6, applicationName: 'test' });
const jobsPool = createPool(target, { max: 6 });
const listener = createListener(target);
const started: Jobs[] = [];
after(async () => {
  await Promise.all(started.map((jobs) => jobs.stop(1000)));
  await Promise.all([pool.end(), jobsPool.end(), listener.stop()]);
  await dropDatabase(target);
});

type Data = { businessId: string; n: number };

/** Long enough that no test relies on any poll but the first. */
const NO_POLL_MS = 600_000;

let now = Math.floor(Date.now() / 1000);

/** A process that works on these queues once `work` is called. */
async function install(queues: TaskQueue<Data>[], { pollMs = 20, failedKeptDays = 30 } = {}): Promise<Jobs> {
  const log = pino({ level: 'silent' });
  const jobs = createJobs(jobsPool, listener, log, { works: false, pollMs, failedKeptDays, nowSeconds: () => now });
  for (const queue of queues) jobs.registerTasks(queue);
  await jobs.install();
  started.push(jobs);
  return jobs;
}

const enqueue = (jobs: Jobs, queue: string, n: number, options: EnqueueOptions & { businessId?: string } = {}) => {
  const { businessId = 'biz_1', ...rest } = options;
  return pool.transaction((tx) => jobs.enqueue(tx, businessId, queue, { n }, rest));
};

type Row = {
  id: string;
  dueAt: number | null;
  running: boolean;
  attempts: number;
  error: string | null;
  dead: boolean;
};
const rowsOf = (queue: string) => pool<Row[]>`select * from tasks where queue = ${queue} order by id`;

test('a task exists if and only if the transaction that caused it commits', async () => {
  const done: number[] = [];
  const jobs = await install([{ name: 'caused', handle: async ({ n }) => void done.push(n) }]);
  await pool.transaction(async (tx) => {
    await jobs.enqueue(tx, 'biz_1', 'caused', { n: 1 });
    assert.equal((await rowsOf('caused')).length, 0);
  });
  await assert.rejects(
    pool.transaction(async (tx) => {
      await jobs.enqueue(tx, 'biz_1', 'caused', { n: 2 });
      throw new Error('rolled back');
    }),
  );
  await jobs.drain('caused');
  assert.deepEqual(done, [1]);
  assert.deepEqual(await rowsOf('caused'), [], 'completed tasks are deleted');
});

test('the handler gets the data and the business', async () => {
  const got: Data[] = [];
  const jobs = await install([{ name: 'given', handle: async (data) => void got.push(data) }]);
  await enqueue(jobs, 'given', 7, { businessId: 'biz_7' });
  await jobs.drain('given');
  assert.deepEqual(got, [{ businessId: 'biz_7', n: 7 }]);
});

test('a failing task is retried with growing delays, then marked as dead, kept with its error and counted', async () => {
  let tries = 0;
  const queue: TaskQueue<Data> = {
    name: 'failing',
    retryLimit: 3,
    retryDelaySeconds: 10,
    async handle() {
      tries++;
      throw new Error('gateway away');
    },
  };
  const jobs = await install([queue], { failedKeptDays: 2 });
  await enqueue(jobs, 'failing', 7);
  const pauses: number[] = [];
  for (let i = 0; i < 4; i++) {
    await assert.rejects(jobs.drain('failing'), { message: 'gateway away' });
    const [row] = await rowsOf('failing');
    if (row!.dueAt === null) break;
    pauses.push(row!.dueAt - now);
    now = row!.dueAt - 1;
    assert.equal(await jobs.drain('failing'), 0, 'not before its time');
    now++;
  }
  assert.equal(tries, 4);
  assert.equal(pauses.length, 3);
  assert.ok(pauses[0]! >= 5 && pauses[0]! <= 10 && pauses[2]! >= 20, pauses.join());
  const [row] = await rowsOf('failing');
  assert.deepEqual([row!.dead, row!.dueAt, row!.running, row!.error], [true, null, false, 'gateway away']);
  const figures = async () => (await jobs.stats()).filter(({ name }) => name === 'failing' || name === DEAD);
  assert.deepEqual(
    (await figures()).map(({ name, waiting, active, failed }) => [name, waiting, active, failed]).sort(),
    [
      [DEAD, 1, 0, 0],
      ['failing', 0, 0, 1],
    ],
  );
  now += 2 * 86_400 - 1;
  await pool.transaction((tx) => jobs.enqueue(tx, '', 'tasks-upkeep', {}));
  await jobs.drain('tasks-upkeep');
  assert.equal((await rowsOf('failing')).length, 1);
  now++;
  await pool.transaction((tx) => jobs.enqueue(tx, '', 'tasks-upkeep', {}));
  await jobs.drain('tasks-upkeep');
  assert.equal((await rowsOf('failing')).length, 0);
});

test('a delayed task does not run before it is due', async () => {
  const done: number[] = [];
  const jobs = await install([{ name: 'later', urgent: true, handle: async ({ n }) => void done.push(n) }]);
  await enqueue(jobs, 'later', 1, { startAfterSeconds: 3600 });
  now += 3599;
  await jobs.drain('later');
  assert.deepEqual(done, []);
  now++;
  await jobs.drain('later');
  assert.deepEqual(done, [1]);
});

test('a business has at most one waiting task per key, and another can be queued while the first runs', async () => {
  const done: string[] = [];
  const jobs: Jobs = await install([
    {
      name: 'keyed',
      async handle({ businessId, n }) {
        done.push(`${businessId} ${n}`);
        if (n === 1) for (const again of [4, 5]) await enqueue(jobs, 'keyed', again, { businessId, key: 'same' });
      },
    },
  ]);
  for (const n of [1, 2]) await enqueue(jobs, 'keyed', n, { key: 'same' });
  await enqueue(jobs, 'keyed', 3, { key: 'other' });
  await enqueue(jobs, 'keyed', 6, { businessId: 'biz_2', key: 'same' });
  await jobs.drain('keyed');
  assert.deepEqual(done.sort(), ['biz_1 1', 'biz_1 3', 'biz_1 4', 'biz_2 6']);
});

test('a cause creates only one task within an hour, even if that task has finished', async () => {
  const done: number[] = [];
  const jobs = await install([{ name: 'once', handle: async ({ n }) => void done.push(n) }]);
  const repeat = async (n: number) => {
    await enqueue(jobs, 'once', n, { cause: 'paid' });
    await pool.transaction((tx) => jobs.enqueue(tx, '', 'tasks-upkeep', {}));
    await jobs.drain('once', 'tasks-upkeep');
  };
  await enqueue(jobs, 'once', 0, { cause: 'paid' });
  await repeat(1);
  now += 3599;
  await repeat(2);
  assert.deepEqual(done, [0]);
  const [{ data }] = (await pool`select data from tasks where queue = 'once'`) as unknown as [{ data: object }];
  assert.deepEqual(data, {}, 'only its cause is kept');
  now++;
  await repeat(3);
  await repeat(4);
  assert.deepEqual(done, [0, 4]);
});

test('an urgent task starts at the commit, and one notification is enough for any number of tasks', async () => {
  const done: number[] = [];
  const all = Promise.withResolvers<void>();
  const queue: TaskQueue<Data> = {
    name: 'burst',
    urgent: true,
    concurrency: 2,
    async handle({ n }) {
      if (done.push(n) === 10) all.resolve();
    },
  };
  const jobs = await install([queue], { pollMs: NO_POLL_MS });
  await jobs.work();
  await pool.transaction(async (tx) => {
    for (let n = 0; n < 10; n++) await jobs.enqueue(tx, 'biz_1', 'burst', { n });
  });
  await all.promise;
  assert.equal(new Set(done).size, 10);
});

test('a poll finds tasks without a notification', async () => {
  const done = Promise.withResolvers<number>();
  const jobs = await install([{ name: 'quiet', handle: async ({ n }) => done.resolve(n) }]);
  await jobs.work();
  await enqueue(jobs, 'quiet', 3);
  assert.equal(await done.promise, 3);
});

test('two processes share the tasks of many businesses, and none runs twice', async () => {
  const started: string[] = [];
  let running = 0;
  const bothBusy = Promise.withResolvers<void>();
  const all = Promise.withResolvers<void>();
  const queue: TaskQueue<Data> = {
    name: 'contended',
    concurrency: 3,
    async handle({ businessId, n }) {
      started.push(`${businessId} ${n}`);
      if (++running === 6) bothBusy.resolve();
      await bothBusy.promise;
      if (started.length === 200) all.resolve();
    },
  };
  const [one, two] = [await install([queue]), await install([queue])];
  for (let n = 0; n < 200; n++) await enqueue(one, 'contended', n, { businessId: `biz_${n % 7}` });
  await Promise.all([one.work(), two.work()]);
  await all.promise;
  await Promise.all([one.stop(), two.stop()]);
  assert.equal(started.length, 200);
  assert.equal(new Set(started).size, 200);
  assert.deepEqual(await rowsOf('contended'), []);
});

/** 10,000 due tasks of one business. */
const flood = (queue: string) => pool`
  insert into tasks (business_id, id, queue, data, due_at)
  select 'biz_large', ${queue} || lpad(n::text, 6, '0'), ${queue}, '{}', 0 from generate_series(1, 10000) n`;

test('a flood of tasks in one business delays another business by one turn', async () => {
  const done: string[] = [];
  const started = Promise.withResolvers<void>();
  const proceed = Promise.withResolvers<void>();
  const ofOther = Promise.withResolvers<string[]>();
  const queue: TaskQueue<Data> = {
    name: 'flooded',
    urgent: true,
    async handle({ businessId }) {
      started.resolve();
      await proceed.promise;
      done.push(businessId);
      if (businessId === 'biz_small') ofOther.resolve([...done]);
    },
  };
  const jobs = await install([queue], { pollMs: NO_POLL_MS });
  await flood('flooded');
  await jobs.work();
  await started.promise;
  const notified = Promise.withResolvers<void>();
  await listener.listen('souk_tasks', (payload) => {
    if (payload === 'flooded biz_small') notified.resolve();
  });
  await enqueue(jobs, 'flooded', 1, { businessId: 'biz_small' });
  await notified.promise;
  proceed.resolve();
  assert.deepEqual(await ofOther.promise, ['biz_large', 'biz_large', 'biz_small']);
  await jobs.stop();
});

test('a poll finds the task of another business while a flood keeps all workers busy', async () => {
  let ofLarge = 0;
  const before = Promise.withResolvers<number>();
  const queue: TaskQueue<Data> = {
    name: 'busy',
    async handle({ businessId }) {
      if (businessId === 'biz_small') before.resolve(ofLarge);
      else if (++ofLarge === 10) await enqueue(jobs, 'busy', 1, { businessId: 'biz_small' });
    },
  };
  const jobs = await install([queue]);
  await flood('busy');
  await jobs.work();
  assert.ok((await before.promise) < 10_000);
  await jobs.stop();
});

const silent = pino({ level: 'silent' });
/** The tasks of one process, and the source that its worker fetches from. */
function createProcess(queue: string, retryLimit = 10) {
  const tasks = createTasks({
    poolOf: () => jobsPool,
    pool: jobsPool,
    log: silent,
    nowSeconds: () => now,
    deadKeptDays: 30,
  });
  const source = tasks.source(queue, { retryLimit });
  return {
    ...tasks,
    ...source,
    async fetch() {
      source.note('biz_1');
      return source.fetch(10);
    },
  };
}

const insert = (queue: string) => {
  const { enqueue: enqueueTask } = createProcess(queue);
  return pool.transaction((tx) => enqueueTask(tx, { businessId: 'biz_1', queue, data: {}, urgent: false }));
};

test('a long task stays with its process, and the task of a dead process is taken over after a minute', async () => {
  await insert('leased');
  const [one, two] = [createProcess('leased'), createProcess('leased')];
  assert.equal((await one.fetch()).length, 1);
  for (let i = 0; i < 5; i++) {
    now += LEASE_SECONDS - 1;
    assert.equal((await two.fetch()).length, 0);
    await one.renew();
  }
  now += LEASE_SECONDS;
  assert.equal((await two.fetch()).length, 1);
});

test('a process renews the leases of its tasks automatically', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  await insert('renewed');
  const one = createProcess('renewed');
  await one.start(listener, () => {});
  await one.fetch();
  const [claimed] = await rowsOf('renewed');
  now += LEASE_SECONDS / 3;
  t.mock.timers.tick((LEASE_SECONDS * 1000) / 3);
  await eventually('its lease is longer', async () => (await rowsOf('renewed'))[0]!.dueAt! > claimed!.dueAt!);
  await one.stop();
});

test('a process that has lost its lease never overwrites the result of the process that took over', async () => {
  await insert('fenced');
  const [one, two] = [createProcess('fenced'), createProcess('fenced')];
  const [lost] = await one.fetch();
  now += LEASE_SECONDS;
  const [taken] = await two.fetch();
  await one.renew();
  await one.fail([lost!], new Error('late'));
  await one.release([lost!]);
  await one.complete([lost!]);
  const [row] = await rowsOf('fenced');
  assert.deepEqual([row?.running, row?.attempts, row?.error], [true, 2, null]);
  await two.complete([taken!]);
  assert.deepEqual(await rowsOf('fenced'), []);
});

test('a task during which the process dies three times in a row is dead, with the reason', async () => {
  await insert('deadly');
  for (let i = 0; i < 3; i++) {
    assert.equal((await createProcess('deadly', 1000).fetch()).length, 1);
    now += LEASE_SECONDS;
  }
  assert.equal((await createProcess('deadly', 1000).fetch()).length, 0);
  const [row] = await rowsOf('deadly');
  assert.equal(row!.dead, true);
  assert.match(row!.error!, /ended 3 times in a row/);
});

test('interruptions with a regular end in between do not add up', async () => {
  await insert('unlucky');
  for (let i = 0; i < 6; i++) {
    const { fail, fetch } = createProcess('unlucky', 1000);
    const jobs = await fetch();
    assert.equal(jobs.length, 1);
    if (i % 2 === 1) await fail(jobs, new Error('gateway away'));
    now += 3600;
  }
});

test('of several interrupted tasks, one runs at a time, so that the one that ends its process is dead alone', async () => {
  for (let i = 0; i < 3; i++) await insert('suspects');
  assert.equal((await createProcess('suspects', 1000).fetch()).length, 3);
  now += LEASE_SECONDS;
  const { complete, fetch } = createProcess('suspects', 1000);
  for (let left = 3; left > 0; left--) {
    const jobs = await fetch();
    assert.equal(jobs.length, 1);
    assert.equal((await fetch()).length, 0);
    await complete(jobs);
    now += 2;
  }
  assert.deepEqual(await rowsOf('suspects'), []);
});

test('stopping aborts the running task, waits for it, and starts no new one', async () => {
  const started = Promise.withResolvers<AbortSignal>();
  const release = Promise.withResolvers<void>();
  const done: number[] = [];
  const queue: TaskQueue<Data> = {
    name: 'stopping',
    async handle({ n }, signal) {
      started.resolve(signal);
      await release.promise;
      done.push(n);
    },
  };
  const jobs = await install([queue]);
  await enqueue(jobs, 'stopping', 1);
  await enqueue(jobs, 'stopping', 2);
  await jobs.work();
  const signal = await started.promise;
  assert.equal(signal.aborted, false);
  const notified = once(signal, 'abort');
  const stopping = jobs.stop().then(() => done.length);
  await notified;
  release.resolve();
  assert.equal(await stopping, 1);
  assert.deepEqual(done, [1]);
  const left = await rowsOf('stopping');
  assert.deepEqual(
    left.map(({ running, attempts }) => [running, attempts]),
    [[false, 0]],
  );
});

test('a task that is claimed while the process stops is released for other processes right away', async () => {
  const done: string[] = [];
  const queue = (process: string): TaskQueue<Data> => ({
    name: 'given-back',
    handle: async ({ n }) => void done.push(`${process} ${n}`),
  });
  const [one, two] = [await install([queue('one')]), await install([queue('two')])];
  await enqueue(one, 'given-back', 1);
  let stopping: Promise<void> | undefined;
  await pool.transaction(async (tx) => {
    await tx`lock table tasks in share mode`;
    await one.work();
    await whenWaitingForLock(pool, new Promise(() => {}));
    stopping = one.stop();
  });
  await stopping;
  assert.deepEqual(done, []);
  await two.drain('given-back');
  assert.deepEqual(done, ['two 1']);
});

test('a task that does not reach a safe point before the timeout is left to other processes', async () => {
  const started = Promise.withResolvers<void>();
  const queue: TaskQueue<Data> = {
    name: 'stubborn',
    async handle() {
      started.resolve();
      await new Promise(() => {});
    },
  };
  const jobs = await install([queue]);
  await enqueue(jobs, 'stubborn', 1);
  await jobs.work();
  await started.promise;
  await jobs.stop(10);
  const [row] = await rowsOf('stubborn');
  assert.deepEqual([row!.running, row!.attempts], [false, 1]);
});
