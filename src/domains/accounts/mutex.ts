/** Mutual exclusion by key, in this process: of those with one key, one works at a time, in the order they came. */
export function createMutex() {
  const last = new Map<string, Promise<unknown>>();

  return {
    async run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const before = last.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      last.set(key, mine);
      try {
        return await mine;
      } finally {
        if (last.get(key) === mine) last.delete(key);
      }
    },
  };
}
