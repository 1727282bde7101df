/** The service in a process of its own, as `npm start` and `npm run worker` start it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { START_FLAGS } from '../scripts/start-flags.ts';
import { afterEachFile } from './each-file.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const running = new Set<ChildProcess>();

export type ServiceProcess = {
  /** Null: a worker. */
  url: string | null;
  /** What it printed as `export NAME=value`, when it made a demo shop. */
  exports: Record<string, string>;
  /** All that it has printed so far. */
  output(): string;
  hasEnded(): boolean;
  stop(signal?: NodeJS.Signals): Promise<void>;
};

/** What is still running when the tests of the file are over is ended then, and waited for. */
afterEachFile(() => Promise.all([...running].map((child) => end(child, 'SIGTERM'))));

/** Resolves when it works. `settings` is all of its environment that matters. */
export async function startService(
  command: 'start' | 'worker',
  settings: Record<string, string>,
): Promise<ServiceProcess> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [...START_FLAGS, MAIN, command], {
    env: { PATH, NODE_COMPILE_CACHE, MALLOC_ARENA_MAX: '2', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk;
      if (/^Souk (listens on|worker is running).*\n$/ms.test(output)) resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('close', () => reject(new Error(`It did not start: ${output}`)));
  });
  const lines = [...output.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]);
  return {
    url: /^Souk listens on +(\S+)$/m.exec(output)?.[1] ?? null,
    exports: Object.fromEntries(lines),
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop: (signal = 'SIGTERM') => end(child, signal),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Looks until there is something to see. Failing to look counts as seeing nothing. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  withinMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  let last: unknown;
  do {
    const found = await look().catch((error) => {
      last = error;
      return null;
    });
    if (found) return found;
    await pause(20);
  } while (performance.now() < deadline);
  throw new Error(`Not within ${withinMs} ms: ${what}`, { cause: last });
}
