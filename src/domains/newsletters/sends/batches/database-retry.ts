import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../../../../db/errors.ts';
import type { Steps } from '../../context.ts';

const FIRST_PAUSE_MS = 50;
const MAX_PAUSE_MS = 1000;

/** How long a stopping process waits for the database. */
const STOP_GRACE_MS = 5000;

export type DatabaseRetry = <T>(work: (isRepeat: boolean) => Promise<T>) => Promise<T>;

/**
 * Retries a statement or transaction with backoff until the database is available. `work` may have been committed although its
 * response was lost, so it must be idempotent. There is no timeout: only the sender has the outcomes of its messages, and an
 * expired lease may still be ours. If another worker has taken over, the epoch (a fencing token) makes the write a no-op.
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
        if (!isDatabaseUnavailable(error)) throw error;
        if (signal.aborted) stopAtMs = Math.min(stopAtMs, performance.now() + stopGraceMs);
        if (performance.now() >= stopAtMs) throw error;
        if (pauseMs === FIRST_PAUSE_MS) log.warn({ err: error }, 'Database unavailable, sending paused');
        await pause(pauseMs);
      }
    }
  };
}
