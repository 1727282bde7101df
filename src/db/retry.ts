import { setTimeout as pause } from 'node:timers/promises';
import { isRetryable } from './errors.ts';

const MAX_TRIES = 3;
/** Those who were waited for need a moment to go on: who comes back at once may stand in their way again. */
const PAUSE_MS = 25;

/** Tries a transaction again that has left no trace. In between it has no connection. */
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
