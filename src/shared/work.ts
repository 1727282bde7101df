/**
 * What the main thread works on: a request or a job. The watchdog names it if the thread hangs, and `spend` counts its CPU time.
 * Promises carry the work along. Callbacks of sockets don't: they call `resumeWork` or `enterWork`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

export type Work = {
  /** For logs, such as `POST /v1/businesses/:businessId/products`. */
  readonly name: string;
  /** Called with each stretch of time that the main thread was busy with this work. */
  spend?(ms: number): void;
};

const storage = new AsyncLocalStorage<Work>();
let current: Work | null = null;
let sinceMs = 0;
let endsAfterTurn = false;

/** The work that the running code belongs to. */
export const workInProgress = (): Work | undefined => storage.getStore();

/** Runs `start` and everything it awaits as part of this work. */
export function runWork<T>(work: Work, start: () => T): T {
  return storage.run(work, () => {
    resumeWork(work);
    return start();
  });
}

/** Makes the rest of this callback, and everything it awaits, part of this work. */
export function enterWork(work: Work): void {
  storage.enterWith(work);
  resumeWork(work);
}

/** From here on, the thread is busy with this work, until it resumes other work or this turn of the event loop ends. */
export function resumeWork(work: Work | undefined): void {
  const nowMs = performance.now();
  current?.spend?.(nowMs - sinceMs);
  current = work ?? null;
  sinceMs = nowMs;
  if (!current || endsAfterTurn) return;
  endsAfterTurn = true;
  setImmediate(endTurn);
}

function endTurn(): void {
  endsAfterTurn = false;
  resumeWork(undefined);
}
