/**
 * The user and system time of processes in microseconds. Other load on the machine affects it far less than elapsed
 * time.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One tick of the kernel's accounting. */
const TICK_US = 10_000;

/** Starts at the third field, because the process name before it can contain anything. */
const fieldsOf = (pid: number | string) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');

export function cpuOf(pid: number | string): number {
  const fields = fieldsOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** The total of all current processes of the embedded server in this data folder. */
export const cpuOfPostgres = (folder: string): number => cpuOfServer(join(folder, 'postgres'));

/** The total of any server, by its data folder. */
export function cpuOfServer(folder: string): number {
  const [postmaster] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
  let sum = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (fieldsOf(pid)[1] === postmaster) sum += cpuOf(pid);
    } catch {
      // The process has already exited.
    }
  }
  return sum;
}
