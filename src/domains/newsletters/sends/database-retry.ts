import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseAway } from '../../../db/errors.ts';
import type { Steps } from '../context.ts';

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1000;

/** A process that is stopping waits no longer than this for the database. */
const STOP_GRACE_MS = 5000;

export type DatabaseRetry = <T>(work: (isRepeat: boolean) => Promise<T>) => Promise<T>;

/**
 * Repeats a statement or transaction, with growing pauses, until the database is back. `work` may have been committed although
 * its answer was lost, so it must be safe to repeat. There is no limit in time: what a sender knows of its messages is nowhere
 * else, and a lease that has expired meanwhile may still be ours. If it is not, the fencing by epoch makes the write void.
 */
export function createDatabaseRetry(
  { signal, log }: Pick<Steps, 'signal' | 'log'>,
  stopGraceMs = STOP_GRACE_MS,
): DatabaseRetry {
  return async (work) => {
    let stopAtMs = Number.POSITIVE_INFINITY;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        return await work(pauseMs > FIRST_PAUSE_MS);
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
        if (signal.aborted) stopAtMs = Math.min(stopAtMs, performance.now() + stopGraceMs);
        if (performance.now() >= stopAtMs) throw error;
        if (pauseMs === FIRST_PAUSE_MS) log.warn({ err: error }, 'sending waits for the database');
        await pause(pauseMs);
      }
    }
  };
}
