/**
 * Decodes images in child processes, which start on demand and exit when idle. A process that crashes, takes too long
 * or uses too much memory fails only its own task, and the file is reported as damaged. Businesses take turns, and one
 * process is reserved for businesses without slow images, so that many or slow images of one business don't delay another.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { BadImage, type ImageResult, ImagesBusy, type ImageTask, NO_SPACE, NoSpace } from './port.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const IDLE_MS = 15_000;
const MAX_WAITING = 500;
const MAX_WAITING_PER_BUSINESS = 100;
/** A child kills itself once a task exceeds its CPU time. This limit is for a child that hangs. */
const TIMEOUT_MS = 40_000;
/** A task that has waited this long for its turn may start the additional child. */
const OVERDUE_MS = 250;
/** How long a business counts as slow after one of its tasks was killed. */
const SLOW_MS = 60_000;
/** One core stays free for other requests. One more child is started for a business that waits for the images of others. */
const MAX_CHILDREN = Math.max(1, Math.min(2, availableParallelism() - 1));

type Waiting = {
  businessId: string;
  isOverdue: boolean;
  task: ImageTask;
  resolve: (result: ImageResult) => void;
  reject: (error: Error) => void;
};
type Reply = { result: ImageResult } | { code: string; message: string };

export function createImages({ timeoutMs = TIMEOUT_MS, overdueMs = OVERDUE_MS, slowMs = SLOW_MS } = {}) {
  /** By business, in order of their turns. Never contains an empty queue. */
  const queues = new Map<string, Waiting[]>();
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const children = new Set<ChildProcess>();
  /** The number of running tasks by business. */
  const running = new Map<string, number>();
  /** Businesses that count as slow because one of their tasks was killed, each with the timer that resets it. */
  const slow = new Map<string, NodeJS.Timeout>();

  function endSlow(businessId: string): void {
    clearTimeout(slow.get(businessId));
    slow.delete(businessId);
  }

  function markSlow(businessId: string): void {
    endSlow(businessId);
    const expire = () => {
      endSlow(businessId);
      next();
    };
    slow.set(businessId, setTimeout(expire, slowMs).unref());
  }

  function start(): ChildProcess {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const child = fork(CHILD, {
      env: { PATH, MALLOC_ARENA_MAX: '2', ...(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}) },
      execArgv: ['--max-old-space-size=128', '--max-semi-space-size=1'],
      stdio: 'ignore',
    });
    children.add(child);
    child.once('exit', () => {
      children.delete(child);
      clearTimeout(idle.get(child));
      idle.delete(child);
    });
    return child;
  }

  function takeIdle(): ChildProcess {
    const [child] = idle.keys();
    if (child) {
      clearTimeout(idle.get(child));
      idle.delete(child);
      return child;
    }
    return start();
  }

  /** The next business that may start a task. */
  function nextBusiness(): string | undefined {
    const count = [...running.values()].reduce((sum, each) => sum + each, 0);
    if (count > MAX_CHILDREN) return undefined;
    const businessIds = [...queues.keys()];
    if (count < MAX_CHILDREN) return businessIds[0];
    return businessIds.find((id) => queues.get(id)![0]!.isOverdue && !running.has(id) && !slow.has(id));
  }

  /** Takes the first task of a business and moves the business to the end of the queue. */
  function takeWaiting(businessId: string): Waiting {
    const queue = queues.get(businessId)!;
    queues.delete(businessId);
    if (queue.length > 1) queues.set(businessId, queue);
    return queue.shift()!;
  }

  function drop(businessId: string, dropped: Waiting): boolean {
    const queue = queues.get(businessId) ?? [];
    const at = queue.indexOf(dropped);
    if (at < 0) return false;
    queue.splice(at, 1);
    if (queue.length === 0) queues.delete(businessId);
    return true;
  }

  function next(): void {
    for (let id = nextBusiness(); id !== undefined; id = nextBusiness()) run(takeIdle(), takeWaiting(id));
  }

  function run(child: ChildProcess, { businessId, task, resolve, reject }: Waiting): void {
    running.set(businessId, (running.get(businessId) ?? 0) + 1);
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const end = (): void => {
      clearTimeout(timer);
      const others = running.get(businessId)! - 1;
      if (others > 0) running.set(businessId, others);
      else running.delete(businessId);
      child.removeAllListeners('message').off('exit', died).off('error', died);
    };
    let isOver = false;
    const died = () => {
      if (isOver) return;
      isOver = true;
      end();
      children.delete(child);
      if (child.pid === undefined) reject(new ImagesBusy('No process could be started'));
      else {
        markSlow(businessId);
        reject(new BadImage('DAMAGED', 'could not be processed because that would take too much time or memory.'));
      }
      next();
    };
    child.once('exit', died).once('error', died);
    child.once('message', (reply: Reply) => {
      end();
      endSlow(businessId);
      rest(child);
      if ('result' in reply) resolve(reply.result);
      else if (reply.code === NO_SPACE) reject(new NoSpace('No space left for images'));
      else reject(new BadImage(reply.code, reply.message));
      next();
    });
    child.ref();
    child.channel?.ref();
    // Without free file descriptors, there is no channel, and the child emits an error.
    child.send?.(task, (error) => {
      if (error) died();
    });
  }

  function rest(child: ChildProcess): void {
    idle.set(child, setTimeout(() => child.kill('SIGKILL'), IDLE_MS).unref());
    child.unref();
    child.channel?.unref();
  }

  return {
    /** Throws `BadImage`, `ImagesBusy`, `NoSpace`, or the reason of `signal` if it is aborted before the task starts. */
    async make(task: ImageTask, { businessId, signal }: { businessId: string; signal: AbortSignal }) {
      signal.throwIfAborted();
      const queue = queues.get(businessId) ?? [];
      const waiting = [...queues.values()].reduce((sum, { length }) => sum + length, 0);
      if (waiting >= MAX_WAITING || queue.length >= MAX_WAITING_PER_BUSINESS)
        throw new ImagesBusy('Too many images are waiting');
      const { promise, resolve, reject } = Promise.withResolvers<ImageResult>();
      const added: Waiting = { businessId, isOverdue: false, task, resolve, reject };
      queues.set(businessId, queue);
      queue.push(added);
      const abort = () => {
        if (drop(businessId, added)) reject(signal.reason);
      };
      signal.addEventListener('abort', abort);
      next();
      const timer = setTimeout(() => {
        added.isOverdue = true;
        next();
      }, overdueMs);
      return promise.finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      });
    },
    close(): void {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

export type Images = ReturnType<typeof createImages>;
