import type { Clock } from '../shared/clock.ts';
import type { Db } from './sql.ts';

/** `observe` corrects the clock: the database time was `databaseMs` at some moment between `sentAt` (from `performance.now()`) and now. */
export type DatabaseClock = Clock & { observe(databaseMs: number, sentAt: number): void };

/**
 * The database clock, shared by all processes: a lease or due time means the same to all of them, even if the clock of a machine is wrong
 * or jumps. Heartbeats correct it. Between them, it advances with `performance.now()`.
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
