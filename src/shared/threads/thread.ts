/** One thread with limits on CPU time, memory and output. A thread over a limit is terminated, and only its own task fails. */
import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { type ErrorKind, type FieldError, ServiceError } from '../errors.ts';

/** `TOO_COMPLEX`: CPU time or memory. `TOO_LARGE`: output. `CRASHED`: an error in the code. */
export type FailureCode = 'TOO_COMPLEX' | 'TOO_LARGE' | 'CRASHED';

export class ConversionFailed extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string = code) {
    super(message);
    this.code = code;
  }
}

export type Limits = {
  /** CPU time of the thread for a task, so that load on the machine doesn't cause rejections. */
  cpuMs: number;
  heapBytes: number;
  outputBytes: number;
};

/** What a module can use while it converts. */
export type Host = {
  /** Shared with the main thread. A change of the first number starts the CPU time again. */
  progress: Float64Array;
  /** Asks the main thread, one request at a time. */
  ask(request: unknown): Promise<unknown>;
};
/** Answers the requests of a thread. If it throws, the task fails with its error. */
export type Serve = (request: unknown) => Promise<unknown>;

export type ThreadData = { module: string; outputBytes: number; progress: SharedArrayBuffer };
export type ErrorReply =
  | { code: 'REFUSED'; kind: ErrorKind; message: string; details: FieldError[] }
  | { code: 'TOO_LARGE' }
  | { code: 'CRASHED'; message: string };
export type ThreadMessage =
  | { bytes: Uint8Array; usedMs: number }
  | { error: ErrorReply; usedMs: number }
  | { request: unknown }
  | { isReady: true; usedMs: number };

const CHECK_MS = 100;
/** For a thread that hangs without using CPU time, and for versions of Node that can't measure it (before 22.20). */
const HUNG_MS = 60_000;
/**
 * V8 ends the whole process if it can't allocate a single large object within this limit. So the limit is far above `heapBytes`, which is
 * checked from outside.
 */
const MAX_HEAP_MB = 4096;
const PROGRESS_NUMBERS = 8;

export type Thread = ReturnType<typeof startThread>;

export function startThread(module: URL, { cpuMs, heapBytes, outputBytes }: Limits) {
  const shared = new SharedArrayBuffer(PROGRESS_NUMBERS * Float64Array.BYTES_PER_ELEMENT);
  const progress = new Float64Array(shared);
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { module: module.href, outputBytes, progress: shared } satisfies ThreadData,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 4 },
  });
  let current: PromiseWithResolvers<unknown> | null = null;
  let serve: Serve | undefined;
  let isEnded = false;
  /** The limit of CPU time is not for loading the module. */
  let isReady = false;
  /** CPU time of the thread when its task or the current step began, and when that was. */
  let [usedMs, sinceMs, step] = [0, 0, 0];
  let timer: NodeJS.Timeout | undefined;

  function settle(done: (task: PromiseWithResolvers<unknown>) => void): void {
    clearTimeout(timer);
    const task = current;
    current = null;
    worker.unref();
    if (task) done(task);
  }

  function end(error: Error = new ConversionFailed('CRASHED', 'The thread was ended.')): void {
    isEnded = true;
    void worker.terminate();
    settle(({ reject }) => reject(error));
  }

  /** Several measurements of a thread that is ending never arrive, so the timer does not wait for them. */
  function check(): void {
    timer = setTimeout(check, CHECK_MS);
    const task = current;
    void measure(worker).then((measured) => {
      if (isEnded || current !== task) return;
      if (progress[0] !== step) [usedMs, sinceMs, step] = [measured.cpuMs, performance.now(), progress[0]!];
      const isHung = performance.now() - sinceMs > HUNG_MS;
      const isSlow = isReady && measured.cpuMs - usedMs > cpuMs;
      if (isSlow || measured.heapBytes > heapBytes || isHung) end(new ConversionFailed('TOO_COMPLEX'));
    });
  }

  worker.on('message', (message: ThreadMessage) => {
    // A thread that is ending can still deliver a result. `node --watch` sends messages of its own.
    if ('isReady' in message) [isReady, usedMs, sinceMs] = [true, message.usedMs, performance.now()];
    if (isEnded || !current || 'isReady' in message) return;
    if ('request' in message) return void answer(message.request);
    if (!('usedMs' in message)) return;
    usedMs = message.usedMs;
    if ('bytes' in message) return settle(({ resolve }) => resolve(deserialize(message.bytes)));
    const { error } = message;
    if (error.code === 'REFUSED')
      settle(({ reject }) => reject(new ServiceError(error.kind, error.message, error.details)));
    else
      settle(({ reject }) => reject(new ConversionFailed(error.code, 'message' in error ? error.message : undefined)));
  });
  worker.on('error', (error: NodeJS.ErrnoException) =>
    end(
      new ConversionFailed(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'TOO_COMPLEX' : 'CRASHED',
        error.stack ?? `${error}`,
      ),
    ),
  );
  worker.on('exit', () => {
    if (!isEnded) end();
  });

  async function answer(request: unknown): Promise<void> {
    try {
      const reply = await serve!(request);
      // The time of the thread starts again: it has waited.
      sinceMs = performance.now();
      worker.postMessage({ reply }, reply instanceof Uint8Array ? [reply.buffer as ArrayBuffer] : []);
    } catch (error) {
      end(error as Error);
    }
  }
  // Last, because adding a message listener refs the worker again.
  worker.unref();

  return {
    progress,
    isEnded: () => isEnded,
    isBusy: () => current !== null,
    /** One call at a time. Throws `ConversionFailed`, or the `ServiceError` that the module throws. */
    convert(input: unknown, answerWith?: Serve): Promise<unknown> {
      serve = answerWith;
      current = Promise.withResolvers();
      [sinceMs, step] = [performance.now(), progress[0]!];
      timer = setTimeout(check, CHECK_MS);
      worker.ref();
      worker.postMessage({ input });
      return current.promise;
    },
    end,
  };
}

/** Zeros if Node can't measure the thread, or if it is ending. */
async function measure(worker: Worker): Promise<{ cpuMs: number; heapBytes: number }> {
  try {
    const [cpu, heap] = await Promise.all([worker.cpuUsage?.(), worker.getHeapStatistics?.()]);
    return {
      cpuMs: cpu ? (cpu.user + cpu.system) / 1000 : 0,
      heapBytes: heap ? heap.used_heap_size + heap.external_memory : 0,
    };
  } catch {
    return { cpuMs: 0, heapBytes: 0 };
  }
}
