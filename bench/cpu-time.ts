/** User and system time that processes have had, in microseconds. Other work on the machine moves it far less than the clock. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A tick of the kernel's accounting. */
const TICK_US = 10_000;

/** From the third field on: the name of the process before it may hold anything. */
const fieldsOf = (pid: number | string) =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');

export function cpuOf(pid: number | string): number {
  const fields = fieldsOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Of all processes of the embedded server in this data folder that run now. */
export const cpuOfPostgres = (folder: string): number => cpuOfServer(join(folder, 'postgres'));

/** The same of any server, by the folder of its data. */
export function cpuOfServer(folder: string): number {
  const [postmaster] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
  let sum = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (fieldsOf(pid)[1] === postmaster) sum += cpuOf(pid);
    } catch {
      // It has ended meanwhile.
    }
  }
  return sum;
}
