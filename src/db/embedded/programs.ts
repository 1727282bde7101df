import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { tellingLine } from './failures.ts';

export type User = { uid: number; gid: number };
/** What it takes to run one of PostgreSQL's programs. Without a user they run as we do. */
export type Seat = { bin: string; user: User | undefined };

export const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** A process may always use the folder it stands in, even where its user may not walk the way to it. */
export function seenFrom(folder: string, seat: Seat): string {
  return seat.user && existsSync('/proc/self/cwd') ? '/proc/self/cwd' : folder;
}

export async function run(seat: Seat, folder: string, program: string, args: string[], input = ''): Promise<void> {
  const child = spawnTied(seat, folder, program, args);
  let output = '';
  child.stderr.on('data', (data) => {
    output += data;
  });
  child.stdin.on('error', () => {}).end(input);
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(tellingLine(output) ?? `${program} ended with ${signal ?? `code ${code}`}`);
}

/**
 * Ties the program's life to ours. We hold one end of a pipe on descriptor 3; when we are gone, killed or not, a small
 * shell reads its end and asks the program for a fast shutdown. A line on the pipe sends that shell home. It is not
 * a child of the program, which would wonder about it. The new session keeps the terminal's Ctrl-C away, so that the
 * service can finish its requests first.
 */
export function spawnTied(seat: Seat, folder: string, program: string, args: string[]) {
  const script = '( ( read -r line <&3 || kill -INT $$ ) </dev/null >/dev/null 2>&1 & ); exec "$@" 3<&-';
  const child = spawn('/bin/sh', ['-c', script, 'sh', join(seat.bin, program), ...args], {
    ...seat.user,
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
