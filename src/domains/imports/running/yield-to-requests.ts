import { setImmediate as letOthersRun, setTimeout as pause } from 'node:timers/promises';

/** Ordinary records take less time, so they barely delay requests. */
const LONG_MS = 10;

let freeAtMs = 0;

/**
 * Lets requests run after an import has worked for `busyMs`. After a long busy period, waits for as long again, so that requests get half
 * of the process. The waits of all imports add up. Otherwise, one import would work while the others wait.
 */
export async function yieldToRequests(busyMs: number): Promise<void> {
  if (busyMs < LONG_MS) return letOthersRun();
  const nowMs = performance.now();
  freeAtMs = Math.max(freeAtMs, nowMs) + busyMs;
  await pause(freeAtMs - nowMs);
}
