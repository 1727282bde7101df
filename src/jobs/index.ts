/**
 * Background work, in three mechanisms:
 *
 * - *Jobs* (`boss.ts`) belong to no business: scheduled jobs, sweeps over all businesses, account jobs.
 * - *Due rows* (`due-rows.ts`) are rows of a business with a due time. `tasks.ts` is the generic table for them, for one-off
 *   work such as an email.
 * - *Leased batches* (`leased-batches.ts`) are many small units of one scope, such as the deliveries of a newsletter.
 *
 * Each commits with its cause. A handler can run more than once, because a process may die after the effect but before it is
 * recorded. So every handler is idempotent.
 */
import type { PoolOf } from '../db/cluster/index.ts';
import type { Listener } from '../db/listener.ts';
import type { Pool } from '../db/pool.ts';
import type { Tx } from '../db/sql.ts';
import type { Logger } from '../shared/logger.ts';
import { type BossQueue, createBoss, DEAD } from './boss.ts';
import { type DueTable, rowSource } from './due-rows.ts';
import { type Batches, createLeasedBatches, type LeasedBatches } from './leased-batches.ts';
import { createPoll, listDue, type Poll } from './poll.ts';
import type { Retries } from './retries.ts';
import { createTasks } from './tasks.ts';
import { withTraceparent, withTracing } from './trace.ts';
import type { TurnSource } from './turns.ts';
import { createWorker, type Work, type Worker } from './worker.ts';

export { DEAD } from './boss.ts';
export type { LeasedBatches } from './leased-batches.ts';
export { MAX_INTERRUPTIONS } from './retries.ts';

/** One-off work of a business. */
export type TaskQueue<Data extends object> = Retries & {
  name: string;
  /**
   * `signal` aborts when the process stops or the attempt exceeds `expireSeconds`. The handler then stops at a safe
   * point.
   */
  handle: (data: Data, signal: AbortSignal) => Promise<void>;
  /** How many run concurrently per process. */
  concurrency?: number;
  /** Start at commit instead of the next poll. Takes a lock at commit, so don't use it on hot paths. */
  urgent?: boolean;
};

/** Work that belongs to no business. `cron`: a schedule in UTC; each run happens once per cluster. */
export type JobQueue<Data extends object> = TaskQueue<Data> & { cron?: string };

/** Due rows of a domain's table. The handler completes its row or sets the next due time. */
export type RowQueue<Data extends object> = Pick<TaskQueue<Data>, 'name' | 'handle' | 'concurrency'> & {
  table: DueTable;
};

export type EnqueueOptions = {
  startAfterSeconds?: number;
  /** Only one waiting task per queue and key is kept: the first. */
  key?: string;
  /** Deduplicates: work with the same cause is enqueued once, until an hour after it is done. */
  cause?: string;
};

type JobsOptions = {
  works?: boolean;
  pollMs?: number;
  failedKeptDays?: number;
  nowSeconds?: () => number;
  /** The connections for the rows of a business. */
  poolOf?: PoolOf;
};

/** `works`: this process will call `work`, and maintains the queues. */
export function createJobs(pool: Pool, listener: Listener, log: Logger, options: JobsOptions = {}) {
  const { works = true, pollMs = 500, failedKeptDays = 30, nowSeconds = () => Math.floor(Date.now() / 1000) } = options;
  const { poolOf = () => pool } = options;
  const jobs = new Map<string, { queue: BossQueue; worker: Worker }>();
  const taskQueues = new Map<string, DueWork & { urgent: boolean }>();
  const rows = new Map<string, DueWork & { table: DueTable }>();
  const batches = new Map<string, Batches>();
  const boss = createBoss({ pool, listener, log, works, deadKeptDays: failedKeptDays }, onDueJob);
  const tasks = createTasks({ pool, poolOf, log, nowSeconds, deadKeptDays: failedKeptDays });
  let poll: Poll | null = null;

  const queuesOf = () => [...jobs.values()].map(({ queue }) => queue);

  function onDueJob(queue: string): void {
    if (poll) jobs.get(queue)?.worker.wake();
  }

  const findDueWork = (name: string): DueWork | undefined => taskQueues.get(name) ?? rows.get(name);

  function onDue(name: string, businessId: string): void {
    if (!poll) return;
    const found = findDueWork(name);
    found?.note(businessId);
    found?.worker.wake();
  }

  async function pollJobs(): Promise<void> {
    const free = [...jobs].filter(([, { worker }]) => worker.hasCapacity()).map(([name]) => name);
    for (const name of await boss.findDue(free)) onDueJob(name);
  }

  const listTables = () => [...rows].map(([name, { table }]) => ({ name, table: table.name, due: table.due }));

  /** Runs the work that is due now. Work that its handlers enqueue is due in the next round. */
  async function drainRound(names: readonly string[]): Promise<number> {
    const dueJobs = await boss.findDue(names.filter((name) => jobs.has(name)));
    for (const { name, businessId } of await listDue(pool, listTables(), [], nowSeconds()))
      if (businessId !== null && names.includes(name)) findDueWork(name)?.note(businessId);
    let count = 0;
    for (const name of names)
      for (const each of [
        batches.get(name),
        dueJobs.includes(name) ? jobs.get(name)?.worker : undefined,
        ...[taskQueues, rows].map((map) => map.get(name)?.worker),
      ])
        count += (await each?.drain()) ?? 0;
    return count;
  }

  function register<Data extends object>(given: JobQueue<Data>): void {
    const { handle, concurrency, ...queue } = withTracing(given);
    jobs.set(queue.name, {
      queue,
      worker: createWorker({ name: queue.name, concurrency, handle }, boss.source(queue.name), log),
    });
  }

  return {
    register,
    registerTasks<Data extends object>(given: TaskQueue<Data>): void {
      const queue = withTracing(given);
      const source = tasks.source(queue.name, queue);
      const worker = createWorker(queue, source, log);
      taskQueues.set(queue.name, { urgent: queue.urgent ?? false, note: source.note, worker });
    },
    registerRows<Data extends object>({ table, ...queue }: RowQueue<Data>) {
      const source = rowSource(poolOf, table, nowSeconds);
      rows.set(queue.name, { table, note: source.note, worker: createWorker(queue as unknown as Work, source, log) });
      return {
        /** Notifies the worker that rows of this business may be due. */
        wake: (businessId: string) => onDue(queue.name, businessId),
      };
    },
    registerBatches<Scope extends { businessId: string }>(given: LeasedBatches<Scope>) {
      const made = createLeasedBatches(given, log);
      batches.set(given.name, made);
      return made;
    },
    async install(): Promise<void> {
      register({ name: 'tasks-upkeep', cron: '*/10 * * * *', handle: tasks.deleteExpired });
      await boss.install(queuesOf());
    },
    /** Commits with `tx`. For a business it becomes a task, unless the queue only has jobs. Throws if no handler is registered. */
    async enqueue(tx: Tx, businessId: string, queue: string, data: object, given: EnqueueOptions = {}): Promise<void> {
      const found = businessId === '' ? undefined : taskQueues.get(queue);
      if (found) {
        const { urgent } = found;
        return tasks.enqueue(tx, { businessId, queue, data: withTraceparent(data), ...given, urgent });
      }
      if (!jobs.has(queue)) throw new Error(`No handler is registered for the queue "${queue}".`);
      return boss.enqueue(tx, queue, withTraceparent(data), given);
    },
    /** Starts the workers of all registered queues. */
    async work(): Promise<void> {
      await boss.schedule(queuesOf());
      for (const each of batches.values()) each.start();
      await tasks.start(listener, onDue);
      poll = createPoll({
        pool,
        log,
        pollMs,
        nowSeconds,
        tables: listTables(),
        batches: [...batches.values()],
        onDue,
        pollJobs,
      });
    },
    /** Runs all due work within this call until none is left. Tests use it instead of waiting for a worker. */
    async drain(...names: string[]): Promise<number> {
      const all = [...new Set([jobs, taskQueues, rows, batches].flatMap((map) => [...map.keys()]))];
      for (let count = 0; ; ) {
        const found = await drainRound(names.length > 0 ? names : all);
        if (found === 0) return count;
        count += found;
      }
    },
    /** Dead tasks also count in the queue `dead`, with dead jobs. */
    async stats(): Promise<QueueCounts[]> {
      const [jobCounts, taskCounts] = await Promise.all([boss.stats(), tasks.count()]);
      const all: QueueCounts[] = [
        ...[...taskQueues.keys()].map((name) => ({ name, waiting: 0, active: 0, failed: 0 })),
        ...jobCounts,
        ...taskCounts,
        ...taskCounts.map(({ failed }) => ({ name: DEAD, waiting: failed, active: 0, failed: 0 })),
      ];
      return [...Map.groupBy(all, ({ name }) => name)].map(([name, some]) => ({
        name,
        waiting: sum(some.map(({ waiting }) => waiting)),
        active: sum(some.map(({ active }) => active)),
        failed: sum(some.map(({ failed }) => failed)),
      }));
    },
    /**
     * Starts no more work, lets running handlers reach a safe point (`signal` aborts), releases unstarted work, then
     * stops.
     */
    async stop(timeoutMs = 8000): Promise<void> {
      const workers = [jobs, taskQueues, rows].flatMap((map) => [...map.values()].map(({ worker }) => worker));
      await Promise.all([poll?.stop(), ...[...workers, ...batches.values()].map((each) => each.stop(timeoutMs))]);
      await tasks.stop();
      await boss.stop();
    },
  };
}

/** Tracks which businesses may have due rows, with the worker that runs them. */
type DueWork = Pick<TurnSource, 'note'> & { worker: Worker };

type QueueCounts = { name: string; waiting: number; active: number; failed: number };

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

export type Jobs = ReturnType<typeof createJobs>;
