import { createSemaphore, type SemaphoreOptions } from '../../shared/semaphore.ts';

/** Mutual exclusion by key within this process: tasks with the same key run one at a time, first come, first served. */
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
