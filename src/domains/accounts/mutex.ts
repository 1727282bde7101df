import { createSemaphore, type SemaphoreOptions } from './semaphore.ts';

/** Mutual exclusion by key, in this process: of those with one key, one works at a time, in the order they came. */
export function createMutex(options: Omit<SemaphoreOptions, 'max'> = {}) {
  const byKey = new Map<string, ReturnType<typeof createSemaphore>>();

  return {
    async run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const semaphore = byKey.get(key) ?? createSemaphore({ ...options, max: 1 });
      byKey.set(key, semaphore);
      try {
        return await semaphore.run(work);
      } finally {
        if (semaphore.isIdle()) byKey.delete(key);
      }
    },
  };
}
