/**
 * Decodes images in child processes, which start on demand and exit when idle. A process that crashes, takes too long
 * or uses too much memory fails only its own task, and the file is reported as damaged. Businesses take turns, and one
 * process is reserved for businesses without slow images, so that many or slow images of one business don't delay another.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createFairQueue, QueueFull } from '../../shared/threads/fair-queue.ts';
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

type Reply = { result: ImageResult } | { code: string; message: string };

export function createImages({ timeoutMs = TIMEOUT_MS, overdueMs = OVERDUE_MS, slowMs = SLOW_MS } = {}) {
  const queue = createFairQueue({
    slots: MAX_CHILDREN,
    maxWaiting: MAX_WAITING,
    maxWaitingPerOwner: MAX_WAITING_PER_BUSINESS,
    overdueMs,
    slowMs,
  });
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const children = new Set<ChildProcess>();

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

  function run(child: ChildProcess, businessId: string, task: ImageTask): Promise<ImageResult> {
    const { promise, resolve, reject } = Promise.withResolvers<ImageResult>();
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const end = (): void => {
      clearTimeout(timer);
      child.removeAllListeners('message').off('exit', died).off('error', died);
    };
    let isOver = false;
    const died = () => {
      if (isOver) return;
      isOver = true;
      end();
      children.delete(child);
      if (child.pid === undefined) return reject(new ImagesBusy('No process could be started'));
      queue.markSlow(businessId);
      reject(new BadImage('DAMAGED', 'could not be processed because that would take too much time or memory.'));
    };
    child.once('exit', died).once('error', died);
    child.once('message', (reply: Reply) => {
      end();
      queue.endSlow(businessId);
      rest(child);
      if ('result' in reply) resolve(reply.result);
      else if (reply.code === NO_SPACE) reject(new NoSpace('No space left for images'));
      else reject(new BadImage(reply.code, reply.message));
    });
    child.ref();
    child.channel?.ref();
    // Without free file descriptors, there is no channel, and the child emits an error.
    child.send?.(task, (error) => {
      if (error) died();
    });
    return promise;
  }

  function rest(child: ChildProcess): void {
    idle.set(child, setTimeout(() => child.kill('SIGKILL'), IDLE_MS).unref());
    child.unref();
    child.channel?.unref();
  }

  return {
    /** Throws `BadImage`, `ImagesBusy`, `NoSpace`, or the reason of `signal` if it is aborted before the task starts. */
    async make(task: ImageTask, { businessId, signal }: { businessId: string; signal: AbortSignal }) {
      try {
        return await queue.run(businessId, () => run(takeIdle(), businessId, task), signal);
      } catch (error) {
        throw error instanceof QueueFull ? new ImagesBusy('Too many images are waiting') : error;
      }
    },
    close(): void {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

export type Images = ReturnType<typeof createImages>;
