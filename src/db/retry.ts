import { setTimeout as pause } from 'node:timers/promises';
import { isRetryable } from './errors.ts';

const MAX_TRIES = 3;
/** Gives the conflicting transactions time to finish. An immediate retry could conflict with them again. */
const PAUSE_MS = 25;

/** Retries a transaction that had no effect. It holds no connection while it waits. */
export async function retried<T>(work: () => PromiseLike<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MAX_TRIES || !isRetryable(error)) throw error;
    }
    await pause(PAUSE_MS * attempt * (1 + Math.random()));
  }
}
