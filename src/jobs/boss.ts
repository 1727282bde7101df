/** Jobs that belong to no business, in pg-boss: scheduled jobs, sweeps over all businesses, account jobs. */
import { createHash } from 'node:crypto';
import { PgBoss, type QueueResult } from 'pg-boss';
import type { Listener } from '../db/listener.ts';
import type { Pool } from '../db/pool.ts';
import type { Row, Tx } from '../db/sql.ts';
import type { Logger } from '../shared/logger.ts';
import { RETRY_DEFAULTS, type Retries } from './retries.ts';
import type { Source } from './worker.ts';

/** The queue of jobs that have failed permanently. */
export const DEAD = 'dead';

/**
 * No job has a group, so this limits nothing. It selects the variant of pg-boss's fetch query that finds rows by ID.
 * The other variant reads every job of a queue that was empty when the table was last analyzed.
 */
const ANY_GROUP = 1;

/**
 * Selects the first due job of each queue in fetch order, so that the planner uses the index and never scans the
 * table.
 */
const FIND_DUE_QUEUES = `
  select queue.name from unnest($1::text[]) as queue (name)
  cross join lateral (
    select from jobs.job
    where job.name = queue.name and state < 'active' and not blocked and start_after <= jobs.job_now()
    order by priority desc, created_on
    limit 1
  ) due`;

/** Sets `retry` rather than `created`: only one job per key can be `created`, and another may have been added since. */
const RELEASE = `
  update jobs.job set state = 'retry', started_on = null, heartbeat_on = null
  where name = $1 and id = any($2::uuid[]) and state = 'active'`;

export type BossQueue = Retries & { name: string; urgent?: boolean; cron?: string };

type BossOptions = { pool: Pool; listener: Listener; log: Logger; works: boolean; deadKeptDays: number };

/** `works`: this process maintains the queues. `onDue` is called when a job of an urgent queue has committed. */
export function createBoss({ pool, listener, log, works, deadKeptDays }: BossOptions, onDue: (queue: string) => void) {
  const boss = new PgBoss({
    db: {
      executeSql: async (text, values) => run(pool, text, values),
      listen: async (channel) => {
        const { unlisten } = await listener.listen(channel, onDue);
        return { close: unlisten };
      },
    },
    schema: 'jobs',
    // A migration creates the schema.
    createSchema: false,
    useListenNotify: true,
    supervise: works,
    schedule: works,
    superviseIntervalSeconds: 30,
    cronMonitorIntervalSeconds: 30,
    // No job here depends on another.
    flowIntervalSeconds: 3600,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'Job queue error'));

  return {
    /** Creates tables and queues. Safe to call from several processes at once. */
    async install(queues: Iterable<BossQueue>): Promise<void> {
      await boss.start();
      const existing = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
      const kept = { retentionSeconds: deadKeptDays * 86_400 };
      if (existing.has(DEAD)) await boss.updateQueue(DEAD, kept);
      else await boss.createQueue(DEAD, kept);
      for (const { name, urgent = false, cron: _, ...given } of queues) {
        const retries = { ...RETRY_DEFAULTS, ...given };
        const options = {
          retryLimit: retries.retryLimit,
          retryDelay: retries.retryDelaySeconds,
          retryBackoff: true,
          retryDelayMax: retries.retryDelayMaxSeconds,
          expireInSeconds: retries.expireSeconds,
          deleteAfterSeconds: 3600,
          deadLetter: DEAD,
          notify: urgent,
        };
        const found = existing.get(name);
        if (found && hasOptions(found, options)) continue;
        if (found) await boss.updateQueue(name, options);
        else await boss.createQueue(name, { ...options, policy: 'standard' });
        // Makes pg-boss load the queue now. Otherwise it would do so before the first insert, on a second connection
        // while the transaction occupies its own.
        await boss.findJobs(name, { id: NO_JOB });
      }
    },
    async schedule(queues: Iterable<BossQueue>): Promise<void> {
      for (const { name, cron } of queues) if (cron) await boss.schedule(name, cron, {}, { tz: 'UTC' });
    },
    /** Commits with `tx`. */
    async enqueue(tx: Tx, queue: string, data: object, options: { startAfterSeconds?: number; cause?: string }) {
      const { startAfterSeconds, cause } = options;
      await boss.send(queue, data, {
        db: { executeSql: async (text, values) => run(tx, text, values) },
        ...(startAfterSeconds ? { startAfter: startAfterSeconds } : {}),
        ...(cause ? { id: idOf(cause) } : {}),
      });
    },
    source: (queue: string): Source => ({
      fetch: (limit) => boss.fetch<object>(queue, { batchSize: limit, groupConcurrency: ANY_GROUP }),
      complete: (jobs) => boss.complete(queue, idsOf(jobs)),
      fail: (jobs, error) => boss.fail(queue, idsOf(jobs), error as object),
      release: (jobs) => run(pool, RELEASE, [queue, idsOf(jobs)]),
    }),
    /** The queues among these that have due jobs. */
    async findDue(queues: string[]): Promise<string[]> {
      if (queues.length === 0) return [];
      const { rows } = await run(pool, FIND_DUE_QUEUES, [queues]);
      return rows.map(({ name }) => String(name));
    },
    async stats() {
      return (await boss.getQueues()).map((queue) => ({
        name: queue.name,
        waiting: queue.queuedCount,
        active: queue.activeCount,
        failed: queue.failedCount,
      }));
    },
    stop: () => boss.stop(),
  };
}

const hasOptions = (queue: QueueResult, options: Partial<QueueResult>) =>
  Object.entries(options).every(([name, value]) => queue[name as keyof QueueResult] === value);

const NO_JOB = '00000000-0000-0000-0000-000000000000';

const idsOf = (jobs: { id: string }[]) => jobs.map(({ id }) => id);

/** pg-boss accepts only UUIDs. */
const idOf = (cause: string) =>
  createHash('sha256')
    .update(cause)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/**
 * Runs SQL from pg-boss unchanged. Scripts of several statements have no values and get their own connection.
 */
async function run(sql: Pool | Tx, text: string, values?: unknown[]): Promise<{ rows: Row[] }> {
  if (!('reserve' in sql)) return { rows: await sql.text(text, values) };
  const { client, release } = await sql.reserve();
  try {
    const result = await client.query(text, values);
    release();
    return { rows: Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows };
  } catch (error) {
    // A script can leave its transaction open, for example when several processes create the tables at once.
    release(!values?.length);
    throw error;
  }
}
