/** The service in its own process, with its own proxy to PostgreSQL, so that a test can kill it at a chosen statement. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pass } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Harness } from '../../harness.ts';
import { startCuttingProxy } from './cutting-proxy.ts';

/** Longer than startup or a request takes on a busy machine. */
const LIMIT_MS = 300_000;

type Victim = Awaited<ReturnType<typeof startVictim>>;

/** Processes of the service to kill. The next one starts while the current one is in use, because starting takes most of the time. */
export function openVictims(h: Pick<Harness, 'target' | 'config'>) {
  let standby: Promise<Victim> | null = startVictim(h);
  let current: Victim | null = null;

  async function nextVictim(): Promise<Victim> {
    // On a busy machine, startup can take too long.
    const victim = await (standby ?? startVictim(h)).catch(() => startVictim(h));
    standby = startVictim(h);
    standby.catch(() => {});
    return victim;
  }

  return {
    /** Runs the requests on a process and kills it at statement `at`. Returns whether it was killed. */
    async killedAt(at: number, send: (url: string) => Promise<unknown>): Promise<boolean> {
      const victim = current ?? (await nextVictim());
      const isKilled = await victim.killAt(at, () => send(victim.url));
      current = isKilled ? null : victim;
      return isKilled;
    },
    async end(): Promise<void> {
      for (const victim of [current, await standby?.catch(() => null)]) await victim?.end();
    },
  };
}

async function startVictim({ target, config }: Pick<Harness, 'target' | 'config'>) {
  const proxy = await startCuttingProxy(target as { host: string; port: number });
  const child = fork(fileURLToPath(new URL('../service-process.ts', import.meta.url)), {
    env: {
      ...process.env,
      SOUK_TEST_DATABASE: JSON.stringify({ ...target, host: proxy.host }),
      DATA_DIR: config.dataDir,
    },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let problems = '';
  child.stderr!.on('data', (data) => {
    problems += data;
  });
  const ended = once(child, 'exit').then(() => proxy.stop());
  const ready = once(child, 'message', { signal: AbortSignal.timeout(LIMIT_MS) });
  const url = await Promise.race([
    ready.then(([sent]) => sent as string),
    ended.then(() => Promise.reject(new Error(`The service did not start: ${problems}`))),
  ]).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  let isKilled = false;

  return {
    url,
    /**
     * Runs the requests and kills the process when it sends its statement number `at`, counted from 0. Returns whether it was killed.
     * In that case, requests don't get a response.
     */
    async killAt(at: number, requests: () => Promise<unknown>): Promise<boolean> {
      proxy.cutAfter(at, () => {
        isKilled = true;
        child.kill('SIGKILL');
      });
      // A request that neither ends nor is cut off must not stop the test.
      await Promise.race([requests().catch(() => {}), ended, pass(LIMIT_MS, null, { ref: false })]);
      proxy.uncut();
      if (isKilled) await ended;
      return isKilled;
    },
    async end(): Promise<void> {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
