import { setTimeout as delay } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import type { Logger } from '../shared/logger.ts';
import { LEASE_SECONDS } from './due-rows.ts';
import { createWorker, type Source, type Work, type Worker } from './worker.ts';

/** `claim`: its jobs are rows of a domain's table. */
export type WorkerQueue = Work & { claim?: (limit: number) => Promise<object[]> };

/**
 * No job has a group, so this limits nothing. It selects the form of pg-boss's fetch that finds its rows by their ids: the
 * other one reads every job of a queue that was empty when the table was last analyzed, once for each fetch.
 */
const ANY_GROUP = 1;

/** Asks for the first due job of each queue in the order of the fetch, so that the planner reads its index, never the table. */
const FIND_DUE_QUEUES = `
  select queue.name from unnest($1::text[]) as queue (name)
  cross join lateral (
    select from jobs.job
    where job.name = queue.name and state < 'active' and not blocked and start_after <= jobs.job_now()
    order by priority desc, created_on
    limit 1
  ) due`;

/** As `retry`, not `created`: of the jobs of one key only one may be `created`, and another may have come since. */
const GIVE_BACK = `
  update jobs.job set state = 'retry', started_on = null, heartbeat_on = null
  where name = $1 and id = any($2::uuid[]) and state = 'active'`;

type WorkersOptions = {
  boss: PgBoss;
  log: Logger;
  pollMs: number;
  runSql: (text: string, values: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>;
};

/** The handler writes what becomes of its row. One that fails is found again when its lease is over. */
const rowSource = (claim: (limit: number) => Promise<object[]>): Source => ({
  fetch: async (limit) => (await claim(limit)).map((data) => ({ id: '', data, expireInSeconds: LEASE_SECONDS })),
  complete: async () => {},
  fail: async () => {},
  giveBack: async () => {},
});

/**
 * The workers of one process. While a worker is free, a job begins within a second of being due: a notification wakes the
 * worker of an urgent queue at once, and every `pollMs` one statement finds the queues with jobs that nobody was notified
 * of: not urgent, delayed, tried again, or committed while the channel was down.
 */
export function createWorkers({ boss, log, pollMs, runSql }: WorkersOptions) {
  const workers = new Map<string, Worker>();
  /** Those whose jobs are rows: only a look at their table tells what is due. */
  const ofRows: Worker[] = [];
  const ending = new AbortController();
  let polling = Promise.resolve();

  const bossSource = (queue: string): Source => ({
    fetch: (limit) => boss.fetch<object>(queue, { batchSize: limit, groupConcurrency: ANY_GROUP }),
    complete: (ids) => boss.complete(queue, ids),
    fail: (ids, error) => boss.fail(queue, ids, error as object),
    giveBack: (ids) => runSql(GIVE_BACK, [queue, ids]),
  });
  const wake = (queue: string) => workers.get(queue)?.wake();

  async function wakeDueQueues(): Promise<void> {
    for (const worker of ofRows) if (worker.hasRoom()) worker.wake();
    const names = [...workers].filter(([, worker]) => worker.hasRoom()).map(([name]) => name);
    if (names.length === 0) return;
    try {
      const { rows } = await runSql(FIND_DUE_QUEUES, [names]);
      for (const { name } of rows) wake(String(name));
    } catch (error) {
      log.warn({ err: error }, 'job queue');
    }
  }

  async function poll(): Promise<void> {
    while (!ending.signal.aborted) {
      await wakeDueQueues();
      await delay(pollMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  }

  return {
    wake,
    start(queues: Iterable<WorkerQueue>): void {
      for (const queue of queues) {
        if (queue.claim) ofRows.push(createWorker(queue, rowSource(queue.claim), log));
        else workers.set(queue.name, createWorker(queue, bossSource(queue.name), log));
      }
      polling = poll();
    },
    async stop(timeoutMs: number): Promise<void> {
      ending.abort();
      await Promise.all([polling, ...[...workers.values(), ...ofRows].map((worker) => worker.stop(timeoutMs))]);
    },
  };
}
