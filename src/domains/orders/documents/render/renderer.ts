import { Worker } from 'node:worker_threads';
import { unavailable } from '../../../../shared/errors.ts';
import type { Rendered, RenderTask } from './worker.ts';

const IDLE_MS = 15_000;
/** The maximum time to render a document. */
const TIMEOUT_MS = 30_000;
const MAX_WAITING = 200;
/** Per business, so that others can queue documents too. */
const MAX_WAITING_OF_BUSINESS = 50;
const MAX_HEAP_MB = 256;

type Waiting = { task: RenderTask; resolve: (bytes: Buffer) => void; reject: (error: Error) => void };

const gone = () => unavailable('The client closed the connection.');

/**
 * Renders documents in a thread that starts on demand, renders one at a time and ends when idle.
 * Businesses take turns, so that one with many documents does not block the others.
 */
export function createRenderer() {
  const waiting: Waiting[] = [];
  /** The latest turn of each business, kept while documents are waiting. */
  const turns = new Map<string, number>();
  let current: Waiting | null = null;
  let worker: Worker | null = null;
  let timer: NodeJS.Timeout | undefined;

  /** A document that is still waiting when `signal` is aborted is not rendered. */
  function render(task: RenderTask, signal?: AbortSignal): Promise<Buffer> {
    if (signal?.aborted) throw gone();
    const { businessId } = task.document;
    const own = waiting.filter(({ task: { document } }) => document.businessId === businessId);
    if (waiting.length >= MAX_WAITING || own.length >= MAX_WAITING_OF_BUSINESS)
      throw unavailable('Too many documents are being generated. Try again later.');
    return new Promise((resolve, reject) => {
      const entry = { task, resolve, reject };
      const leave = () => {
        const at = waiting.indexOf(entry);
        if (at === -1) return;
        waiting.splice(at, 1);
        reject(gone());
      };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(entry);
      next();
    });
  }

  function next(): void {
    if (current) return;
    clearTimeout(timer);
    current = takeNext();
    if (!current) {
      timer = setTimeout(stop, IDLE_MS).unref();
      return;
    }
    worker ??= start();
    timer = setTimeout(() => fail(unavailable('Generating the document took too long. Try again later.')), TIMEOUT_MS);
    worker.postMessage(current.task);
  }

  /** The oldest document of the business that has waited longest for a turn. */
  function takeNext(): Waiting | null {
    const turnOf = ({ task }: Waiting) => turns.get(task.document.businessId) ?? 0;
    const [first, ...others] = waiting;
    if (!first) {
      turns.clear();
      return null;
    }
    const chosen = others.reduce((best, each) => (turnOf(each) < turnOf(best) ? each : best), first);
    waiting.splice(waiting.indexOf(chosen), 1);
    turns.set(chosen.task.document.businessId, Math.max(0, ...turns.values()) + 1);
    return chosen;
  }

  function start(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    started.unref();
    started.on('error', (error) => started === worker && fail(error as Error));
    started.on('exit', () => started === worker && fail(new Error('The rendering thread ended.')));
    started.on('message', (rendered: Rendered) => {
      // A stopped thread still delivers what it has rendered, but by then `current` is another document. `node --watch` sends messages of
      // its own.
      if (started !== worker || !('bytes' in rendered || 'error' in rendered)) return;
      const done = current!;
      current = null;
      if ('error' in rendered) done.reject(new Error(rendered.error));
      else done.resolve(Buffer.from(rendered.bytes.buffer));
      next();
    });
    return started;
  }

  /** Fails the current document and continues with the next one in a new thread. */
  function fail(error: Error): void {
    const failed = current;
    current = null;
    stop();
    failed?.reject(error);
    next();
  }

  function stop(): void {
    const stopped = worker;
    worker = null;
    void stopped?.terminate();
  }

  return { render };
}

export type Renderer = ReturnType<typeof createRenderer>;
