/**
 * One service per data folder.
 * Each claimant leaves a file whose name says who it is: `souk-<pid>-<start>.lock`. The start time tells a living owner
 * from a pid that another program has since been given. Nobody ever removes the file of a living process and a name is
 * never used twice, so clearing a stale one cannot take a lock away from anybody.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** How long a claimant waits for others that arrived with it to step back. */
const CONTEST_MS = 1_000;

/** Claims the folder for this process, or throws one line that names the process that has it. Returns the release. */
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
    await outlastOthers(folder, mine);
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}

/** When the process started, in a form that is only good for comparing; undefined when it no longer lives. */
export function startOf(pid: number): string | undefined {
  if (!existsSync('/proc/self/stat')) return startFromPs(pid);
  try {
    // The program's name stands in brackets and may hold anything; the fields are counted from behind it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    // Ticks since boot: without the boot they could repeat after a restart of the machine.
    return `${bootId()}-${fields[19]}`;
  } catch {
    return undefined;
  }
}

/**
 * Every claimant first shows its file and then looks, so of two that meet at least one sees the other. The one with
 * the greater name steps back at once; the smaller waits, and gives up if the other stays, because then it is the owner.
 */
async function outlastOthers(folder: string, mine: string): Promise<void> {
  const deadline = Date.now() + CONTEST_MS;
  for (;;) {
    const others = await livingClaims(folder, mine);
    const first = others[0];
    if (!first) return;
    if (others.some((other) => other.name < mine) || Date.now() > deadline) throw inUse(folder, first.pid);
    await pause(20);
  }
}

async function livingClaims(folder: string, mine: string): Promise<{ name: string; pid: number }[]> {
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
  return new Error(`${folder} is in use by another Souk (pid ${pid})`);
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
