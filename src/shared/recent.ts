import { hash } from 'node:crypto';

type Options = { maxAgeMs: number; max: number; now?: () => number };

/** Keeps recent results in memory, keyed by any JSON value. Concurrent calls with the same key share one load. A failed load is not kept. */
export function createRecent<T>({ maxAgeMs, max, now = () => performance.now() }: Options) {
  const kept = new Map<string, { value: Promise<T>; untilMs: number }>();

  return {
    get(keyValue: unknown, load: () => Promise<T>): Promise<T> {
      const key = hash('sha256', JSON.stringify(keyValue), 'base64');
      const known = kept.get(key);
      if (known && known.untilMs > now()) return known.value;
      const entry = { value: load(), untilMs: now() + maxAgeMs };
      // Move to the end of the map, so that the first entry is the oldest.
      kept.delete(key);
      kept.set(key, entry);
      if (kept.size > max) kept.delete(kept.keys().next().value!);
      entry.value.catch(() => {
        if (kept.get(key) === entry) kept.delete(key);
      });
      return entry.value;
    },
  };
}
