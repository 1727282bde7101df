import { unavailable } from '../../../shared/errors.ts';

/** Lets at most `max` run at once. Of the others `maxWaiting` wait, first come, first served; the rest is told to come back. */
export function createSemaphore({ max, maxWaiting }: { max: number; maxWaiting: number }) {
  const waiting: (() => void)[] = [];
  let running = 0;

  return {
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running >= max) {
        if (waiting.length >= maxWaiting) throw unavailable('Too many logins at once. Try again soon.');
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else running++;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };
}
