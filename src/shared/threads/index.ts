/**
 * Converts untrusted content outside the main thread: imported records, rich text, the first bytes of uploads, XML, documents. A converter is
 * a module that exports a pure `convert(input)`. All converters of a process share one fair queue, so that a business with slow content
 * waits for itself. Threads start on demand and end when idle.
 */
import { availableParallelism } from 'node:os';
import { unavailable } from '../errors.ts';
import { createFairQueue, type FairQueue, QueueFull } from './fair-queue.ts';
import { ConversionFailed, type Limits, type Serve, startThread, type Thread } from './thread.ts';

export type { Host } from './thread.ts';
export { ConversionFailed };

const IDLE_MS = 15_000;
/** Idle threads of all converters together. Each takes 20 to 80 MB. */
const MAX_IDLE = 2;
const MEBIBYTE = 1_048_576;
const DEFAULT_LIMITS: Limits = { cpuMs: 5000, heapBytes: 128 * MEBIBYTE, outputBytes: 16 * MEBIBYTE };
/** A business whose content takes longer counts as slow for a while. */
const SLOW_MS = 1000;

/** One core stays free for requests. */
export const conversions = createFairQueue({
  slots: Math.max(1, Math.min(2, availableParallelism() - 1)),
  maxWaiting: 500,
  maxWaitingPerOwner: 50,
});

/** Idle threads, the oldest first, and how to end them. */
const resting = new Map<Thread, () => void>();

type Options = Partial<Limits> & {
  /** What the business has too many of. */
  busy?: string;
  queue?: FairQueue;
};

/** Runs a task in its turn. A business with too many waiting tasks gets 503. */
export async function inTurn<T>(
  { queue, busy }: { queue: FairQueue; busy: string },
  owner: string,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  try {
    return await queue.run(
      owner,
      async () => {
        const startMs = performance.now();
        try {
          const done = await work();
          if (performance.now() - startMs > SLOW_MS) queue.markSlow(owner);
          else queue.endSlow(owner);
          return done;
        } catch (error) {
          if (error instanceof ConversionFailed) queue.markSlow(owner);
          throw error;
        }
      },
      signal,
    );
  } catch (error) {
    throw error instanceof QueueFull ? unavailable(busy) : error;
  }
}

/** `owner`: the business, or the user if there is none yet. */
export function createConverter<Input, Output>(module: URL, options: Options = {}) {
  const { busy = 'Too much content is being processed. Try again later.', queue = conversions } = options;
  const limits: Limits = { ...DEFAULT_LIMITS, ...options };
  const idle = new Map<Thread, NodeJS.Timeout>();

  function take(): Thread {
    const [thread] = idle.keys();
    if (!thread) return startThread(module, limits);
    wake(thread);
    return thread.isEnded() ? take() : thread;
  }

  function wake(thread: Thread): void {
    clearTimeout(idle.get(thread));
    idle.delete(thread);
    resting.delete(thread);
  }

  function rest(thread: Thread): void {
    if (thread.isEnded()) return;
    const stop = () => {
      wake(thread);
      thread.end();
    };
    idle.set(thread, setTimeout(stop, IDLE_MS).unref());
    resting.set(thread, stop);
    if (resting.size > MAX_IDLE) resting.values().next().value!();
  }

  return {
    /** Throws `ConversionFailed`, the `ServiceError` of the module, 503 if the business has too many tasks, or the reason of `signal`. */
    convert: (owner: string, input: Input, signal?: AbortSignal): Promise<Output> =>
      inTurn(
        { queue, busy },
        owner,
        async () => {
          const thread = take();
          try {
            return (await thread.convert(input)) as Output;
          } finally {
            rest(thread);
          }
        },
        signal,
      ),
    /** A thread for several calls that share state. Each call waits for its turn. */
    hold(owner: string, serve: Serve) {
      const thread = take();
      return {
        progress: thread.progress,
        convert: (input: Input, signal?: AbortSignal): Promise<Output> =>
          inTurn({ queue, busy }, owner, () => thread.convert(input, serve) as Promise<Output>, signal),
        /** A thread in the middle of a task is terminated, and the task fails with `reason`. Otherwise, the thread can be used again. */
        end: (reason?: Error) => (thread.isBusy() ? thread.end(reason) : rest(thread)),
      };
    },
  };
}
