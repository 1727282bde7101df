import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from '../db/pool.ts';
import type { Logger } from '../shared/logger.ts';

/** Rows of `table` are due when the expression `due` is in the past. */
type PolledTable = { name: string; table: string; due: string };
/** `waiting` is SQL, `from … where …`, with `$1` for the time in seconds. */
type PolledBatches = { name: string; waiting: string; sweepMs: number; look: (businessId: null) => Promise<void> };

type PollOptions = {
  pool: Pool;
  log: Logger;
  pollMs: number;
  nowSeconds: () => number;
  tables: readonly PolledTable[];
  batches: readonly PolledBatches[];
  /** Called for a business with due tasks or rows. */
  onDue: (name: string, businessId: string) => void;
  /** Polls for jobs that belong to no business. */
  pollJobs: () => Promise<void>;
};

/** Maximum number of businesses with due rows per table and poll. */
const MAX_TURNS = 10_000;

/**
 * Polls every `pollMs` for due work that no notification announced: delayed, retried, not urgent, abandoned by a
 * crashed process, or committed while the channel was down. An idle poll takes one statement for all tables of
 * businesses and one for jobs.
 */
export function createPoll({ pool, log, pollMs, nowSeconds, tables, batches, onDue, pollJobs }: PollOptions) {
  const ending = new AbortController();
  const sweptAt = new Map<PolledBatches, number>();

  function listDueForSweep(): PolledBatches[] {
    const now = performance.now();
    const found = batches.filter((each) => now - (sweptAt.get(each) ?? Number.NEGATIVE_INFINITY) >= each.sweepMs);
    for (const each of found) sweptAt.set(each, now);
    return found;
  }

  async function pollTables(): Promise<void> {
    for (const { name, businessId } of await listDue(pool, tables, listDueForSweep(), nowSeconds())) {
      if (businessId !== null) onDue(name, businessId);
      else void batches.find((each) => each.name === name)?.look(null);
    }
  }

  const quietly = (look: Promise<void>) =>
    look.catch((error) => log.warn({ err: error }, 'Failed to poll for due work'));

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      await Promise.all([quietly(pollTables()), quietly(pollJobs())]);
      await delay(pollMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  }

  const running = run();
  return {
    async stop(): Promise<void> {
      ending.abort();
      await running;
    },
  };
}

export type Poll = ReturnType<typeof createPoll>;

/** The businesses with due tasks and rows, and (without a business) the batches that may have waiting units. */
export const listDue = (
  pool: Pool,
  tables: readonly PolledTable[],
  batches: readonly PolledBatches[],
  nowSeconds: number,
) =>
  pool.text<{ name: string; businessId: string | null }[]>(
    [
      `(select distinct queue as name, business_id from tasks where due_at <= $1 limit ${MAX_TURNS})`,
      ...tables.map(
        ({ name, table, due }) =>
          `(select distinct '${name}', business_id from ${table} where ${due} <= $1 limit ${MAX_TURNS})`,
      ),
      ...batches.map(({ name, waiting }) => `(select '${name}', null ${waiting} limit 1)`),
    ].join(' union all '),
    [nowSeconds],
  );
