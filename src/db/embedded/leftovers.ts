import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { unlessMissing } from './failures.ts';
import { startOf } from './lock.ts';
import type { Log } from './names.ts';
import { ENVIRONMENT } from './programs.ts';

/**
 * Stops all processes of a previous server on this folder, and removes files that would prevent a new one from starting.
 */
export async function clearLeftovers(folder: string, host: string, log: Log): Promise<void> {
  const recordedPid = Number.parseInt(
    (await unlessMissing(fs.readFile(join(folder, 'postmaster.pid'), 'utf8'))) ?? '',
    10,
  );
  const leader = processesOn(folder, recordedPid).find((pid) => pid === recordedPid);
  if (leader) log.warn({ pid: leader }, 'Stopping PostgreSQL from a previous run');
  const send = (pids: number[], signal: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, signal);
      } catch {} // The process has already exited.
    }
  };
  if (leader) send([leader], 'SIGINT');
  // Without a leader, the others exit within milliseconds, unless they are in the middle of a long computation.
  if (!(await waitUntilGone(folder, recordedPid, leader ? 5_000 : 500)))
    send(processesOn(folder, recordedPid), 'SIGQUIT');
  if (!(await waitUntilGone(folder, recordedPid, 3_000))) send(processesOn(folder, recordedPid), 'SIGKILL');
  if (!(await waitUntilGone(folder, recordedPid, 2_000)))
    throw new Error(`PostgreSQL from a previous run (pid ${recordedPid}) did not stop`);
  // The PID now belongs to another program or a zombie. PostgreSQL would mistake either for a server.
  if (recordedPid && isProcessAlive(recordedPid)) await fs.rm(join(folder, 'postmaster.pid'), { force: true });
  for (const name of await fs.readdir(host)) await fs.rm(join(host, name), { force: true });
}

async function waitUntilGone(folder: string, recordedPid: number, maxWaitMs: number): Promise<boolean> {
  const deadline = Date.now() + maxWaitMs;
  while (processesOn(folder, recordedPid).length > 0) {
    if (Date.now() > deadline) return false;
    await pause(10);
  }
  return true;
}

/**
 * PostgreSQL processes have the data folder as working directory. Without /proc, only the recorded leader can be
 * found.
 */
function processesOn(folder: string, recordedPid: number): number[] {
  if (!existsSync('/proc/self/cwd'))
    return recordedPid && startOf(recordedPid) && commandOf(recordedPid).includes(folder) ? [recordedPid] : [];
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

function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
