/** Job workers in their own processes, for tests that kill them while mail is sent. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Harness } from '../../harness.ts';

/** For tests that `waitUntil`: only the time limit of the test file applies. */
export const UNTIMED = { timeout: 2 ** 31 - 1 };

/** No message for this long means that the workers are stuck, unless one is still starting. */
const STUCK_MS = 60_000;

export function createWorkers(h: Harness, settings: Record<string, string>) {
  const alive = new Set<ChildProcess>();
  const { promise: crashed, reject: crash } = Promise.withResolvers<never>();
  crashed.catch(() => {});
  let starting = 0;

  async function start(): Promise<ChildProcess> {
    const worker = fork(new URL('./worker.ts', import.meta.url), {
      env: {
        ...process.env,
        SOUK_TEST_WORKER: JSON.stringify({ target: h.target, settings, folder: h.config.dataDir }),
      },
    });
    alive.add(worker);
    worker.once('exit', (code, signal) => {
      if (alive.delete(worker) && code !== 0) crash(new Error(`A worker exited with ${signal ?? code}`));
    });
    starting++;
    await Promise.race([once(worker, 'message'), crashed]);
    starting--;
    return worker;
  }

  return {
    start,
    /** Kills the oldest worker and starts another one. */
    replace(): void {
      const [victim] = alive;
      alive.delete(victim!);
      victim!.kill('SIGKILL');
      start().catch(crash);
    },
    /** Waits until `isDone`. A slow machine can take any amount of time, but running workers must send something every minute. */
    async waitUntil(isDone: () => boolean | Promise<boolean>, messages: { length: number }): Promise<void> {
      let last = { count: -1, atMs: 0 };
      while (!(await Promise.race([isDone(), crashed]))) {
        if (messages.length > last.count || starting > 0) last = { count: messages.length, atMs: performance.now() };
        if (performance.now() > last.atMs + STUCK_MS) throw new Error(`No message after ${last.count} for a minute`);
        await Promise.race([pause(20), crashed]);
      }
    },
    async killAll(): Promise<void> {
      const gone = [...alive].map((worker) => once(worker, 'exit'));
      for (const worker of alive) worker.kill('SIGKILL');
      alive.clear();
      await Promise.all(gone);
    },
  };
}
