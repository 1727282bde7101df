import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { unlessMissing } from './failures.ts';
import { startOf } from './lock.ts';
import type { Log } from './names.ts';
import { ENVIRONMENT } from './programs.ts';

/** Ends every process of an earlier server on this folder, and removes what would keep a new one from starting. */
export async function clearLeftovers(folder: string, host: string, log: Log): Promise<void> {
  const noted = Number.parseInt((await unlessMissing(fs.readFile(join(folder, 'postmaster.pid'), 'utf8'))) ?? '', 10);
  const leader = processesOn(folder, noted).find((pid) => pid === noted);
  if (leader) log.warn({ pid: leader }, 'Stopping a PostgreSQL that an earlier run left behind.');
  const send = (pids: number[], signal: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {} // It has ended meanwhile.
    }
  };
  if (leader) send([leader], 'SIGINT');
  // Without a leader the others notice within milliseconds, unless they are in the middle of a long computation.
  if (!(await allGone(folder, noted, leader ? 5_000 : 500))) send(processesOn(folder, noted), 'SIGQUIT');
  if (!(await allGone(folder, noted, 3_000))) send(processesOn(folder, noted), 'SIGKILL');
  if (!(await allGone(folder, noted, 2_000))) throw new Error(`an earlier PostgreSQL (pid ${noted}) does not end`);
  // The pid now belongs to another program, or to a zombie: PostgreSQL would take either for a server.
  if (noted && existsProcess(noted)) await fs.rm(join(folder, 'postmaster.pid'), { force: true });
  for (const name of await fs.readdir(host)) await fs.rm(join(host, name), { force: true });
}

async function allGone(folder: string, noted: number, patienceMs: number): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  while (processesOn(folder, noted).length > 0) {
    if (Date.now() > deadline) return false;
    await pause(10);
  }
  return true;
}

/** PostgreSQL's processes stand in their data folder. Where there is no /proc only the noted leader can be known. */
function processesOn(folder: string, noted: number): number[] {
  if (!existsSync('/proc/self/cwd')) return noted && startOf(noted) && commandOf(noted).includes(folder) ? [noted] : [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        if (readlinkSync(`/proc/${pid}/cwd`) !== folder) return false;
        return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres' && startOf(pid) !== undefined;
      } catch {
        return false;
      }
    });
}

function commandOf(pid: number): string {
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
    encoding: 'utf8',
    env: ENVIRONMENT,
  });
  return stdout.includes('postgres') ? stdout : '';
}

function existsProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
