/**
 * Work that happens later: mail, expiry, sending. A job is enqueued in the transaction that causes it, so that both exist or
 * neither; or it is a row of a domain's own table that says when it is due (`due-rows.ts`), which costs the transaction less.
 * A handler may run more than once (a process may die between its effect and the note that it is done), so every handler is safe
 * to repeat. What fails again and again ends in the queue `dead`, with its error, and is counted in /metrics.
 */
import { createHash } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import type { Listener } from '../db/listener.ts';
import type { Pool } from '../db/pool.ts';
import type { Row, Tx } from '../db/sql.ts';
import type { Logger } from '../shared/logger.ts';
import { traced, tracing } from '../shared/tracing.ts';
import { claimDueRows, type DueTable } from './due-rows.ts';
import { createWorkers, type WorkerQueue } from './workers.ts';

export type Queue<Data extends object> = {
  name: string;
  /** The handler. It gets `signal` to stop at a safe point when the process ends. */
  handle: (data: Data, signal: AbortSignal) => Promise<void>;
  retryLimit?: number;
  retryDelaySeconds?: number;
  retryDelayMaxSeconds?: number;
  /** After this long a running job counts as lost and is tried again. */
  expireSeconds?: number;
  /** Jobs of this queue that one process runs at once. */
  concurrency?: number;
  /** Begin at the commit instead of at the next poll. Costs a lock at commit: not for hot paths. */
  urgent?: boolean;
  /** Of several waiting jobs with one key only the first is kept. */
  oncePerKey?: boolean;
  /** Run on a schedule (cron, UTC), once in the whole cluster. */
  cron?: string;
};

/** Its jobs are the rows of a table that are due. The handler ends its row, or says when it is due again. */
export type RowQueue<Data extends object> = Pick<Queue<Data>, 'name' | 'handle' | 'concurrency'> & { table: DueTable };

export type EnqueueOptions = {
  startAfterSeconds?: number;
  /** For queues with `oncePerKey`. */
  key?: string;
  /** Its cause: a job of the same cause is made once as long as the first is stored, an hour at least after its end. */
  cause?: string;
};

export const DEAD = 'dead';

/** `works`: this process will call `work`, and does the upkeep of the queues. */
export function createJobs(
  pool: Pool,
  listener: Listener,
  log: Logger,
  { works = true, pollMs = 500, failedKeptDays = 30 } = {},
) {
  const queues = new Map<string, Queue<object>>();
  const rowQueues = new Map<string, WorkerQueue>();
  const ending = new AbortController();
  const boss = new PgBoss({
    db: {
      executeSql: async (text, values) => run(pool, text, values),
      listen: async (channel) => {
        const { unlisten } = await listener.listen(channel, (queue) => workers.wake(queue));
        return { close: unlisten };
      },
    },
    schema: 'jobs',
    // A migration does, once, and only where it is missing.
    createSchema: false,
    useListenNotify: true,
    supervise: works,
    schedule: works,
    superviseIntervalSeconds: 30,
    cronMonitorIntervalSeconds: 30,
    // No job here depends on another.
    flowIntervalSeconds: 3600,
  });
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'));
  const workers = createWorkers({ boss, log, pollMs, runSql: (text, values) => run(pool, text, values) });

  /** Makes the tables and queues. Safe to call from any number of processes. */
  async function install(): Promise<void> {
    await boss.start();
    const existing = new Set((await boss.getQueues()).map((queue) => queue.name));
    const kept = { retentionSeconds: failedKeptDays * 86_400 };
    if (existing.has(DEAD)) await boss.updateQueue(DEAD, kept);
    else await boss.createQueue(DEAD, kept);
    for (const queue of queues.values()) {
      const options = {
        retryLimit: queue.retryLimit ?? 10,
        retryDelay: queue.retryDelaySeconds ?? 2,
        retryBackoff: true,
        retryDelayMax: queue.retryDelayMaxSeconds ?? 600,
        expireInSeconds: queue.expireSeconds ?? 300,
        deleteAfterSeconds: 3600,
        deadLetter: DEAD,
        notify: queue.urgent ?? false,
      };
      if (existing.has(queue.name)) await boss.updateQueue(queue.name, options);
      else await boss.createQueue(queue.name, { ...options, policy: queue.oncePerKey ? 'short' : 'standard' });
    }
  }

  return {
    register<Data extends object>(queue: Queue<Data>): void {
      queues.set(queue.name, queue as unknown as Queue<object>);
    },
    registerRows<Data extends object>(queue: RowQueue<Data>, nowSeconds: () => number): void {
      const { table, ...rest } = queue;
      const claim = (limit: number) => claimDueRows(pool, table, nowSeconds(), limit);
      rowQueues.set(queue.name, { ...(rest as unknown as Queue<object>), claim });
    },
    install,
    /** Commits with `tx`. */
    async enqueue(tx: Tx, queue: string, data: object, options: EnqueueOptions = {}): Promise<void> {
      await boss.send(queue, withTrace(data), {
        db: { executeSql: async (text, values) => run(tx, text, values) },
        ...sendOptions(options),
      });
    },
    /** Begins to work on every queue. */
    async work(): Promise<void> {
      for (const { name, cron } of queues.values()) if (cron) await boss.schedule(name, cron, {}, { tz: 'UTC' });
      const jobQueues = [...queues.values()].map((queue) => ({
        ...queue,
        handle: (data: object, signal: AbortSignal) => handleTraced(queue, data, signal),
      }));
      workers.start([...jobQueues, ...rowQueues.values()]);
    },
    /** Runs what is due, in this call, until nothing is left; for tests, instead of waiting for a worker. */
    async drain(...names: string[]): Promise<number> {
      let count = 0;
      for (let found = true; found; ) {
        found = false;
        for (const name of names.length > 0 ? names : [...queues.keys(), ...rowQueues.keys()]) {
          const { claim, handle } = rowQueues.get(name) ?? {};
          for (const row of (await claim?.(100)) ?? []) {
            found = true;
            count++;
            await handle!(row, ending.signal);
          }
          if (claim) continue;
          for (const job of (await boss.fetch<object>(name, { batchSize: 100 })) ?? []) {
            found = true;
            count++;
            try {
              await handleTraced(queues.get(name)!, job.data, ending.signal);
              await boss.complete(name, job.id);
            } catch (error) {
              await boss.fail(name, job.id, { message: error instanceof Error ? error.message : String(error) });
              throw error;
            }
          }
        }
      }
      return count;
    },
    async stats(): Promise<{ name: string; waiting: number; active: number; failed: number }[]> {
      return (await boss.getQueues()).map((queue) => ({
        name: queue.name,
        waiting: queue.queuedCount,
        active: queue.activeCount,
        failed: queue.failedCount,
      }));
    },
    /**
     * Fetches nothing more, lets running handlers come to a safe point (they see `signal`), gives back what was not begun,
     * then stops.
     */
    async stop(timeoutMs = 8000): Promise<void> {
      ending.abort();
      await workers.stop(timeoutMs);
      await boss.stop();
    },
  };
}

/** What a job stands below in traces travels in its data. */
const TRACE = 'traceparent';

function withTrace(data: object): object {
  const traceparent = tracing?.traceparent();
  return traceparent === undefined ? data : { ...data, [TRACE]: traceparent };
}

function handleTraced({ name, handle }: Queue<object>, stored: object, signal: AbortSignal): Promise<void> {
  const { [TRACE]: traceparent, ...data } = stored as Record<string, unknown>;
  if (tracing === null) return handle(data, signal);
  const attributes = { 'messaging.destination.name': name, 'messaging.operation.type': 'process' };
  const caused = typeof traceparent === 'string' ? traceparent : undefined;
  return traced(`job ${name}`, { kind: 'consumer', attributes, traceparent: caused }, () => handle(data, signal));
}

export type Jobs = ReturnType<typeof createJobs>;

const sendOptions = ({ startAfterSeconds, key, cause }: EnqueueOptions) => ({
  ...(startAfterSeconds ? { startAfter: startAfterSeconds } : {}),
  ...(key ? { singletonKey: key } : {}),
  ...(cause ? { id: idOf(cause) } : {}),
});

/** The library takes nothing but a UUID. */
const idOf = (cause: string) =>
  createHash('sha256')
    .update(cause)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** The library names its columns itself. Scripts of several statements (they have no values) get a connection alone. */
async function run(sql: Pool | Tx, text: string, values?: unknown[]): Promise<{ rows: Row[] }> {
  if (!('reserve' in sql)) return { rows: await sql.text(text, values) };
  const { client, release } = await sql.reserve();
  try {
    const result = await client.query(text, values);
    release();
    return { rows: Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows };
  } catch (error) {
    // A script may have left its own transaction open. One fails whenever several processes make the tables at once.
    release(!values?.length);
    throw error;
  }
}
