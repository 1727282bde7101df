/**
 * Lets those with one key work one after the other in this process. The logins of an account stand in line, so that each is
 * counted, verified and forgiven before the next: many right ones at once never look like many failures.
 */
export function createLine() {
  const last = new Map<string, Promise<unknown>>();
  return async function inLine<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

export type Line = ReturnType<typeof createLine>;
