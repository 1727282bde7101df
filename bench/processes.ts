import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { START_FLAGS } from '../scripts/start-flags.ts';

/** Starts a file of this folder as a separate process. Unless `silentStart`, it sends its URL when it is ready. */
export async function startProcess(file: string, env: NodeJS.ProcessEnv, { silentStart = false } = {}) {
  const child = fork(isAbsolute(file) ? file : fileURLToPath(new URL(file, import.meta.url)), {
    env,
    execArgv: file.endsWith('souk.ts') ? START_FLAGS : [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} exited with ${code}.`);
  });
  ended.catch(() => {});
  const url = silentStart ? '' : String((await Promise.race([once(child, 'message'), ended]))[0]);
  return { child, url };
}

/** Sends a message and waits for the reply, one at a time. Rejects if the process exits instead. */
export async function ask<T>(child: ChildProcess, question: unknown): Promise<T> {
  const settled = new AbortController();
  const { signal } = settled;
  const message = once(child, 'message', { signal });
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`${child.spawnargs.at(-1)} exited with ${code}.`);
  });
  child.send(question as object);
  try {
    return (await Promise.race([message, ended]))[0] as T;
  } finally {
    settled.abort();
    await Promise.allSettled([message, ended]);
  }
}
