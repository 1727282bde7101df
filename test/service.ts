/** The service in its own process, as `npm start` and `npm run worker` start it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { START_FLAGS } from '../scripts/start-flags.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

export type ServiceProcess = {
  /** Null for a worker. */
  url: string | null;
  /** The variables printed as `export NAME=value` if it created a demo shop. */
  exports: Record<string, string>;
  /** All output so far. */
  output(): string;
  hasEnded(): boolean;
  signal(signal: NodeJS.Signals): void;
  stop(signal?: NodeJS.Signals): Promise<void>;
};

/**
 * Resolves when the process is ready. `settings` are its environment. The caller must stop it, or the test file never ends. `wrapper` is a
 * command that runs it, for example in another network.
 */
export async function startService(
  command: 'start' | 'worker',
  settings: Record<string, string>,
  wrapper: readonly string[] = [],
): Promise<ServiceProcess> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const [program, ...args] = [...wrapper, process.execPath, ...START_FLAGS, MAIN, command];
  const child = spawn(program!, args, {
    env: { PATH, NODE_COMPILE_CACHE, MALLOC_ARENA_MAX: '2', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk;
      if (/^Souk (is running at|worker is running).*\n$/ms.test(output)) resolve();
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('close', () => reject(new Error(`The service did not start: ${output}`)));
  });
  const lines = [...output.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]);
  return {
    url: /^Souk is running at +(\S+)$/m.exec(output)?.[1] ?? null,
    exports: Object.fromEntries(lines),
    output: () => output,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    signal: (signal) => void child.kill(signal),
    stop: (signal = 'SIGTERM') => end(child, signal),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

/** Polls until the function returns a value. Errors count as no value. */
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
  throw new Error(`Timed out after ${withinMs} ms: ${what}`, { cause: last });
}
