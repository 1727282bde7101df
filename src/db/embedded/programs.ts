import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { errorLine } from './failures.ts';

export type User = { uid: number; gid: number };
/** How to run PostgreSQL's programs. Without a user they run as the current user. */
export type Runtime = { bin: string; user: User | undefined };

export const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** The path of a program's working directory, which works even if the program's user can't access the parent folders. */
export function workingDirectory(folder: string, runtime: Runtime): string {
  return runtime.user && existsSync('/proc/self/cwd') ? '/proc/self/cwd' : folder;
}

export async function run(
  runtime: Runtime,
  folder: string,
  program: string,
  args: string[],
  input = '',
): Promise<void> {
  const child = spawnTied(runtime, folder, program, args);
  let output = '';
  child.stderr.on('data', (data) => {
    output += data;
  });
  child.stdin.on('error', () => {}).end(input);
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(errorLine(output) ?? `${program} exited with ${signal ?? `code ${code}`}`);
}

/**
 * Starts a program that stops when this process exits, even if it is killed. A background shell reads from a pipe
 * that this process holds open. At end of file, the shell sends SIGINT to the program, which makes PostgreSQL do a fast
 * shutdown. When the program exits first, a line on the pipe ends the shell. The shell is not a child of the program,
 * because PostgreSQL monitors its children. The program runs in a new session, so that Ctrl-C does not stop it before
 * the service has finished its requests.
 */
export function spawnTied(runtime: Runtime, folder: string, program: string, args: string[]) {
  const script = '( ( read -r line <&3 || kill -INT $$ ) </dev/null >/dev/null 2>&1 & ); exec "$@" 3<&-';
  const child = spawn('/bin/sh', ['-c', script, 'sh', join(runtime.bin, program), ...args], {
    ...runtime.user,
    cwd: folder,
    env: ENVIRONMENT,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
  const tie = child.stdio[3] as Writable;
  tie.on('error', () => {});
  child.once('exit', () => tie.end('\n', () => tie.destroy()));
  return child as ChildProcess & { stdin: Writable; stderr: Readable };
}
