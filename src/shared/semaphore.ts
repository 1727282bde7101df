import { unavailable } from './errors.ts';

/** Limits of the queue. Beyond them, requests fail with 503, because their clients have likely timed out. */
const MAX_WAITING = 300;
const MAX_WAIT_MS = 10_000;

export type SemaphoreOptions = { max: number; maxWaiting?: number; maxWaitMs?: number };

/** Runs at most `max` tasks at once. The others wait, first come, first served. */
export function createSemaphore({ max, maxWaiting = MAX_WAITING, maxWaitMs = MAX_WAIT_MS }: SemaphoreOptions) {
  const waiting: (() => void)[] = [];
  let running = 0;
  const tooBusy = () => unavailable('Too many requests of this kind. Try again in a few seconds.');

  async function wait(): Promise<void> {
    if (waiting.length >= maxWaiting) throw tooBusy();
    const since = performance.now();
    await new Promise<void>((resolve) => waiting.push(resolve));
    if (performance.now() - since <= maxWaitMs) return;
    leave();
    throw tooBusy();
  }

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }

  return {
    isIdle: () => running === 0,
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running >= max) await wait();
      else running++;
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
}
