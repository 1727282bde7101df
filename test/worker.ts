/** A worker in its own process on a test's database, which tests can kill. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Harness } from './harness.ts';

export function startWorker(h: Harness) {
  const child = fork(fileURLToPath(new URL('./worker-process.ts', import.meta.url)), {
    env: { ...process.env, SOUK_TEST_DATABASE: JSON.stringify(h.target), DATA_DIR: h.config.dataDir },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    /** `kill -9` */
    async kill(): Promise<void> {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
