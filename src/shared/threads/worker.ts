/** The thread of a converter. Loads its module and converts one input at a time. */
import { serialize } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../errors.ts';
import type { ErrorReply, Host, ThreadData, ThreadMessage } from './thread.ts';

const { module, outputBytes, progress } = workerData as ThreadData;
const port = parentPort!;
const { convert } = (await import(module)) as { convert(input: unknown, host: Host): unknown };

let answer: ((reply: unknown) => void) | null = null;
const host: Host = {
  progress: new Float64Array(progress),
  ask(request) {
    return new Promise((resolve) => {
      answer = resolve;
      port.postMessage({ request } satisfies ThreadMessage);
    });
  },
};

port.on('message', async (message: { input: unknown } | { reply: unknown }) => {
  if ('reply' in message) return answer?.(message.reply);
  if (!('input' in message)) return;
  try {
    const bytes = serialize(await convert(message.input, host));
    if (bytes.byteLength > outputBytes) return fail({ code: 'TOO_LARGE' });
    port.postMessage({ bytes, usedMs: usedMs() } satisfies ThreadMessage, [bytes.buffer as ArrayBuffer]);
  } catch (error) {
    if (!(error instanceof ServiceError))
      return fail({ code: 'CRASHED', message: (error as Error).stack ?? `${error}` });
    const { kind, message: text, details } = error;
    fail({ code: 'REFUSED', kind, message: text, details });
  }
});

const fail = (error: ErrorReply) => port.postMessage({ error, usedMs: usedMs() } satisfies ThreadMessage);

/** CPU time of this thread so far. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? { user: 0, system: 0 };
  return (user + system) / 1000;
}

port.postMessage({ isReady: true, usedMs: usedMs() } satisfies ThreadMessage);
