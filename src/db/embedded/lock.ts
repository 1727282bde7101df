/**
 * Ensures that only one service uses a data folder.
 *
 * Each claimant creates a file named after itself: `souk-<pid>-<start>.lock`. The start time distinguishes a living owner from another
 * program that has since got the same PID. No process removes the file of a living process and names are never reused, so removing a
 * stale file can't take a lock from anyone.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** How long a claimant waits for concurrent claimants to back off. */
const CONTEST_MS = 1_000;

/**
 * Claims the folder for this process, or throws a one-line error with the PID of the owner. Returns a function that
 * releases it.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const mine = `souk-${process.pid}-${startOf(process.pid)}.lock`;
  const path = join(folder, mine);
  const release = () => rm(path, { force: true });
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw inUse(folder, process.pid);
    throw error;
  }
  try {
    await waitForOthers(folder, mine);
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}

/** The start time of the process as an opaque string, only for comparison; undefined if it is not running. */
export function startOf(pid: number): string | undefined {
  if (!existsSync('/proc/self/stat')) return startFromPs(pid);
  try {
    // The program name is in parentheses and can contain anything, so count fields from its end.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    // Ticks since boot. Without the boot ID they could repeat after a reboot.
    return `${bootId()}-${fields[19]}`;
  } catch {
    return undefined;
  }
}

/**
 * Every claimant first creates its file and then lists the others, so of two concurrent claimants at least one sees
 * the other. The claimant with the greater name backs off immediately. The other one waits. If the competitor does not
 * back off, it is the owner, and the waiting claimant gives up.
 */
async function waitForOthers(folder: string, mine: string): Promise<void> {
  const deadline = Date.now() + CONTEST_MS;
  for (;;) {
    const others = await listActiveClaims(folder, mine);
    const first = others[0];
    if (!first) return;
    if (others.some((other) => other.name < mine) || Date.now() > deadline) throw inUse(folder, first.pid);
    await pause(20);
  }
}

async function listActiveClaims(folder: string, mine: string): Promise<{ name: string; pid: number }[]> {
  const living = [];
  for (const name of await readdir(folder)) {
    const [, pid, start] = /^souk-(\d+)-(.+)\.lock$/.exec(name) ?? [];
    if (!pid || name === mine) continue;
    if (startOf(Number(pid)) === start) living.push({ name, pid: Number(pid) });
    else await rm(join(folder, name), { force: true });
  }
  return living;
}

function inUse(folder: string, pid: number): Error {
  return new Error(`${folder} is in use by another Souk process (pid ${pid})`);
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
  } catch {
    return '0';
  }
}

/** macOS has no /proc. */
function startFromPs(pid: number): string | undefined {
  try {
    const options = { encoding: 'latin1', env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' } } as const;
    const [state, ...started] = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], options)
      .trim()
      .split(/\s+/);
    return state?.startsWith('Z') ? undefined : String(Date.parse(`${started.join(' ')} UTC`));
  } catch {
    return undefined;
  }
}
