/**
 * Ends the process if its main thread hangs, so that its supervisor starts a new one. A hung process would otherwise keep its port and
 * its leases, and ignore SIGTERM. A separate thread watches, because nothing on the main thread would run.
 */
import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { workInProgress } from '../shared/work.ts';

/** The exit code after a hang: EX_SOFTWARE of sysexits.h. */
const HUNG = 70;
const BEAT_MS = 500;
/** A thread that works all this time hangs. */
const MAX_BUSY_BEATS = 10;
/** A thread that waits, for example for a disk, may also just be starved by other processes. */
const MAX_IDLE_BEATS = 120;

export type WatchdogData = {
  beats: SharedArrayBuffer;
  beatMs: number;
  maxBusyBeats: number;
  maxIdleBeats: number;
  exitCode: number;
  /** The module to load after a hang. */
  endProcess: string;
};

export function startWatchdog({ beatMs = BEAT_MS } = {}): void {
  // A debugger stops the main thread at breakpoints.
  if (debuggerUrl() !== undefined) return;
  const beats = new SharedArrayBuffer(4);
  const counter = new Int32Array(beats);
  setInterval(() => Atomics.add(counter, 0, 1), beatMs).unref();
  // The watching thread calls this on the stopped main thread.
  Object.defineProperty(globalThis, 'soukWork', { value: () => workInProgress()?.name ?? null });
  const workerData: WatchdogData = {
    beats,
    beatMs,
    maxBusyBeats: MAX_BUSY_BEATS,
    maxIdleBeats: MAX_IDLE_BEATS,
    exitCode: HUNG,
    endProcess: new URL('./end-process.ts', import.meta.url).href,
  };
  // Source code instead of a file: Node's loader would take 8 MB of memory in the thread.
  const source = `const { workerData } = require('node:worker_threads');
    (${waitForHang})(workerData, require('node:fs').readFileSync);
    import(workerData.endProcess);`;
  new Worker(source, {
    eval: true,
    execArgv: [],
    workerData,
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16, stackSizeMb: 1 },
  }).unref();
}

/**
 * Runs in the watching thread. Counts beats instead of measuring time, so that a suspended process is not taken for a hung one: its
 * threads continue together.
 */
function waitForHang(
  { beats, beatMs, maxBusyBeats, maxIdleBeats }: WatchdogData,
  readFile: (path: string, encoding: 'utf8') => string,
): void {
  const counter = new Int32Array(beats);
  const timer = new Int32Array(new SharedArrayBuffer(4));
  /** CPU time of the main thread, whose ID equals the process ID. Available on Linux only; elsewhere, every thread counts as idle. */
  const cpuMs = () => {
    try {
      const stat = readFile(`/proc/self/task/${process.pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    } catch {
      return 0;
    }
  };
  let [last, missed, sinceMs] = [-1, 0, 0];
  while (missed < maxIdleBeats && !(missed >= maxBusyBeats && cpuMs() - sinceMs >= missed * beatMs * 0.5)) {
    Atomics.wait(timer, 0, 0, beatMs);
    const now = Atomics.load(counter, 0);
    if (now === last) missed++;
    else [last, missed, sinceMs] = [now, 0, cpuMs()];
  }
}
