/** Runs in the watching thread once the main thread hangs: logs what the main thread was doing and ends the process. */
import { writeSync } from 'node:fs';
import { type Debugger, Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import type { WatchdogData } from './index.ts';

const STDOUT = 1;
const FATAL = 60;
/** The main thread can't be stopped while it runs native code. */
const STACK_WITHIN_MS = 2000;
const MAX_FRAMES = 20;

const { exitCode } = workerData as WatchdogData;

/** In the format of the service's own log. */
function log(work: string | null, stack: string | null): void {
  const msg = `The main thread does not respond. Ending the process with exit code ${exitCode}.`;
  writeSync(STDOUT, `${JSON.stringify({ level: FATAL, time: Date.now(), pid: process.pid, work, stack, msg })}\n`);
}

const stackOf = (frames: Debugger.CallFrame[], files: ReadonlyMap<string, string>) =>
  frames
    .slice(0, MAX_FRAMES)
    .map(({ functionName, location: { scriptId, lineNumber } }) => {
      return `at ${functionName || '<anonymous>'} (${files.get(scriptId)}:${lineNumber + 1})`;
    })
    .join('\n');

const session = new Session();
session.connectToMainThread();
setTimeout(() => {
  log(null, null);
  process.kill(process.pid, 'SIGKILL');
}, STACK_WITHIN_MS);
const files = new Map<string, string>();
session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => files.set(scriptId, url));
session.once('Debugger.paused', ({ params: { callFrames } }) => {
  const { callFrameId } = callFrames[0]!;
  const evaluate = (expression: string, then: (value: unknown) => void) =>
    session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression }, (_, found) => then(found?.result.value));
  evaluate('globalThis.soukWork()', (work) => {
    log((work as string | undefined) ?? null, stackOf(callFrames, files));
    evaluate(`process.reallyExit(${exitCode})`, () => {});
  });
});
session.post('Debugger.enable');
session.post('Debugger.pause');
