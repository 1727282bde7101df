/**
 * One-off work of a business, as rows of `tasks`: a task commits with its cause, in the business's own tables. A
 * worker leases a task and renews the lease while it runs, so a task whose process dies is taken over within a
 * minute. A failed task is retried with growing delays. After its last attempt it is dead: it is kept for a while
 * with its error and counted in /metrics.
 *
 * When a process dies, nobody knows which of its tasks is to blame. So a process runs interrupted tasks of a queue one at a time, and a
 * task that is interrupted three times in a row is dead.
 */

import type { PoolOf } from '../db/cluster/index.ts';
import type { Listener } from '../db/listener.ts';
import type { Pool } from '../db/pool.ts';
import type { Tx } from '../db/sql.ts';
import { newId } from '../shared/ids.ts';
import type { Logger } from '../shared/logger.ts';
import { LEASE_SECONDS } from './due-rows.ts';
import { MAX_INTERRUPTIONS, RETRY_DEFAULTS, type Retries, retryDelay } from './retries.ts';
import {
  type ClaimedTask,
  claimTasks,
  countTasks,
  deleteExpiredTasks,
  deleteTasks,
  endTasks,
  insertTask,
  markDead,
  releaseTasks,
  renewLeases,
  retryTask,
} from './task-queries.ts';
import { createTurns, type TurnSource } from './turns.ts';
import type { FetchedJob } from './worker.ts';

type TaskJob = FetchedJob & ClaimedTask & { queue: string };

/** How long a completed task is kept to deduplicate its cause. */
const CAUSE_SECONDS = 3600;
const CHANNEL = 'souk_tasks';
const MAX_ERROR_LENGTH = 2000;
/** When to look again for a task that waits for another interrupted one. */
const NEXT_INTERRUPTED_SECONDS = 2;

type TasksOptions = { pool: Pool; poolOf: PoolOf; log: Logger; nowSeconds: () => number; deadKeptDays: number };
type EnqueuedTask = {
  businessId: string;
  queue: string;
  data: object;
  startAfterSeconds?: number | undefined;
  key?: string | undefined;
  cause?: string | undefined;
  urgent: boolean;
};

export function createTasks({ pool, poolOf, log, nowSeconds, deadKeptDays }: TasksOptions) {
  const running = new Set<TaskJob>();
  let renewing: NodeJS.Timeout | undefined;
  let listening: { unlisten(): Promise<void> } | undefined;

  const leaseUntil = () => nowSeconds() + LEASE_SECONDS;

  /** Writes the tasks of each business in one statement. */
  async function write(
    tasks: Iterable<TaskJob>,
    statement: (tx: Tx, businessId: string, tasks: TaskJob[]) => PromiseLike<unknown>,
  ): Promise<void> {
    for (const [businessId, some] of Map.groupBy(tasks, (task) => task.businessId))
      await poolOf(businessId).write((tx) => statement(tx, businessId, some));
  }

  function end(tasks: TaskJob[]): void {
    for (const task of tasks) running.delete(task);
  }

  /** Extends the leases of the tasks that run in this process. */
  const renew = () => write(running, (tx, businessId, some) => renewLeases(tx, businessId, some, leaseUntil()));

  /** `isLast`: the task is not tried again. */
  async function fail(task: TaskJob, failure: unknown, retries: Required<Retries>, isLast = false): Promise<void> {
    const error = (failure instanceof Error ? failure.message : String(failure)).slice(0, MAX_ERROR_LENGTH);
    if (isLast || task.attempts > retries.retryLimit) {
      log.error({ err: failure, taskId: task.id }, 'Task failed permanently');
      await poolOf(task.businessId).write((tx) =>
        markDead(tx, task, { error, expiresAt: nowSeconds() + deadKeptDays * 86_400 }),
      );
    } else {
      const dueAt = nowSeconds() + retryDelay(task.attempts, retries);
      await poolOf(task.businessId).write((tx) => retryTask(tx, task, { error, dueAt }));
    }
  }

  return {
    /** Commits with `tx`. */
    async enqueue(tx: Tx, { businessId, queue, data, startAfterSeconds = 0, key, cause, urgent }: EnqueuedTask) {
      const dueAt = nowSeconds() + startAfterSeconds;
      const task = { businessId, id: newId('task'), queue, data, key: key ?? null, cause: cause ?? null, dueAt };
      const statements = [insertTask(tx, task)];
      if (urgent && startAfterSeconds <= 0)
        statements.push(tx`select pg_notify(${CHANNEL}, ${`${queue} ${businessId}`})`);
      await Promise.all(statements.map((statement) => statement.execute()));
    },

    source(queue: string, given: Retries): TurnSource<TaskJob> {
      const retries = { ...RETRY_DEFAULTS, ...given };
      const turns = createTurns<TaskJob>(async (businessId, limit) => {
        const bounds = { now: nowSeconds(), leaseUntil: leaseUntil(), limit };
        const claimed = await poolOf(businessId).write((tx) => claimTasks(tx, { businessId, queue }, bounds));
        const jobs: TaskJob[] = [];
        let runsInterrupted = [...running].some((task) => task.queue === queue && task.interruptions > 0);
        for (const row of claimed) {
          const task = { ...row, queue, data: { ...row.data, businessId }, expireInSeconds: retries.expireSeconds };
          const { interruptions } = task;
          if (interruptions >= MAX_INTERRUPTIONS || task.attempts > retries.retryLimit + 1) {
            const failure = new Error(`The process ended ${interruptions} times in a row during this task`);
            await fail(task, failure, retries, true);
          } else if (interruptions > 0 && runsInterrupted) {
            const dueAt = nowSeconds() + NEXT_INTERRUPTED_SECONDS;
            await poolOf(businessId).write((tx) => releaseTasks(tx, businessId, [task], dueAt));
          } else {
            runsInterrupted ||= interruptions > 0;
            jobs.push(task);
          }
        }
        for (const task of jobs) running.add(task);
        return { jobs, hasMore: claimed.length === limit };
      });

      return {
        ...turns,
        async complete(tasks) {
          end(tasks);
          const [caused, others] = [tasks.filter((task) => task.hasCause), tasks.filter((task) => !task.hasCause)];
          await write(others, deleteTasks);
          await write(caused, (tx, businessId, some) => endTasks(tx, businessId, some, nowSeconds() + CAUSE_SECONDS));
        },
        async fail(tasks, error) {
          end(tasks);
          for (const task of tasks) await fail(task, error, retries);
        },
        async release(tasks) {
          end(tasks);
          await write(tasks, (tx, businessId, some) => releaseTasks(tx, businessId, some, nowSeconds()));
        },
      };
    },

    async start(listener: Listener, onDue: (queue: string, businessId: string) => void): Promise<void> {
      listening = await listener.listen(CHANNEL, (payload) => onDue(...(payload.split(' ', 2) as [string, string])));
      renewing = setInterval(
        () => renew().catch((error) => log.warn({ err: error }, 'Failed to renew task leases')),
        (LEASE_SECONDS * 1000) / 3,
      ).unref();
    },
    renew,
    async stop(): Promise<void> {
      clearInterval(renewing);
      await listening?.unlisten();
    },
    count: () => countTasks(pool),
    async deleteExpired(): Promise<void> {
      await pool.write((tx) => deleteExpiredTasks(tx, nowSeconds()));
    },
  };
}
