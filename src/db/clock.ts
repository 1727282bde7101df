import type { Clock } from '../shared/clock.ts';
import type { Db } from './sql.ts';

/** `observe` corrects the clock: the database had the time `databaseMs` after `sentAt`, which `performance.now()` returned, and before now. */
export type DatabaseClock = Clock & { observe(databaseMs: number, sentAt: number): void };

/**
 * The time of the database, for all processes: a lease or due time that one of them writes means the same to the others, even if the clock
 * of its machine is wrong or jumps. Between the heartbeats that correct it, it runs on its own.
 */
export async function startDatabaseClock(db: Db): Promise<DatabaseClock> {
  /** Database time minus `performance.now()`. */
  let offsetMs = Number.NEGATIVE_INFINITY;
  const clock: DatabaseClock = {
    ms: () => Math.floor(performance.now() + offsetMs),
    seconds: () => Math.floor(clock.ms() / 1000),
    observe(databaseMs, sentAt) {
      offsetMs = Math.min(Math.max(offsetMs, databaseMs - performance.now()), databaseMs - sentAt);
    },
  };
  const sentAt = performance.now();
  const [row] = await db<[{ ms: number }]>`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms`;
  clock.observe(row.ms, sentAt);
  return clock;
}
