import { createRecent } from '../../shared/recent.ts';
import { CallFailed, TimedOut } from './index.ts';
import type { Receiver } from './json-call.ts';

const CACHE_MS = 300_000;
const MAX_CACHED = 5000;
const PAUSE_MS = 10_000;

/** `now` is replaced in tests. */
export type LookupOptions = { now?: () => number };

/**
 * Responses from merchants' servers to requests that customers wait for. Identical requests share a response for a few minutes. After
 * a timeout, a server doesn't get requests from the business for a moment, so that not every customer waits for it.
 */
export function createLookups<T>({ now = () => performance.now() }: LookupOptions = {}) {
  const recent = createRecent<T>({ maxAgeMs: CACHE_MS, max: MAX_CACHED, now });
  /** By business and URL. */
  const pausedUntilMs = new Map<string, number>();

  function pause(key: string): void {
    for (const [each, untilMs] of pausedUntilMs) if (untilMs <= now()) pausedUntilMs.delete(each);
    pausedUntilMs.set(key, now() + PAUSE_MS);
  }

  return {
    /** Throws `CallFailed`. */
    get(receiver: Receiver, request: object, load: () => Promise<T>): Promise<T> {
      const key = `${receiver.businessId} ${receiver.url}`;
      return recent.get([receiver, request], async () => {
        if ((pausedUntilMs.get(key) ?? 0) > now()) throw new CallFailed('it timed out a moment ago');
        try {
          return await load();
        } catch (error) {
          if (error instanceof TimedOut) pause(key);
          throw error;
        }
      });
    },
  };
}
