/**
 * Images are decoded in processes of their own, which are started when they are needed and end when they are idle. One that
 * crashes, takes too long or too much memory takes only its own task down, and the file is called damaged.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { BadImage, type ImageResult, ImagesBusy, type ImageTask, NO_SPACE, NoSpace } from './port.ts';

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));
const IDLE_MS = 15_000;
const MAX_WAITING = 500;
/** One core is for those who only want to read. */
const MAX_CHILDREN = Math.max(1, Math.min(2, availableParallelism() - 1));

type Waiting = {
  task: ImageTask;
  timeoutMs: number;
  resolve: (result: ImageResult) => void;
  reject: (error: Error) => void;
};
type Answer = { result: ImageResult } | { code: string; message: string };

export function createImages() {
  const waiting: Waiting[] = [];
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

  function takeIdle(): ChildProcess | null {
    const [child] = idle.keys();
    if (child) {
      clearTimeout(idle.get(child));
      idle.delete(child);
      return child;
    }
    return children.size < MAX_CHILDREN ? start() : null;
  }

  function next(): void {
    while (waiting.length > 0) {
      const child = takeIdle();
      if (!child) return;
      run(child, waiting.shift()!);
    }
  }

  function run(child: ChildProcess, { task, timeoutMs, resolve, reject }: Waiting): void {
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    const end = (): void => {
      clearTimeout(timer);
      child.removeAllListeners('message').off('exit', died).off('error', died);
    };
    const died = () => {
      end();
      children.delete(child);
      reject(new BadImage('DAMAGED', 'cannot be read as an image: it takes too long or too much memory.'));
      next();
    };
    child.once('exit', died).once('error', died);
    child.once('message', (answer: Answer) => {
      end();
      rest(child);
      if ('result' in answer) resolve(answer.result);
      else if (answer.code === NO_SPACE) reject(new NoSpace('There is no space left for images.'));
      else reject(new BadImage(answer.code, answer.message));
      next();
    });
    child.ref();
    child.channel?.ref();
    child.send(task, (error) => {
      if (error) died();
    });
  }

  function rest(child: ChildProcess): void {
    idle.set(child, setTimeout(() => child.kill('SIGKILL'), IDLE_MS).unref());
    child.unref();
    child.channel?.unref();
  }

  return {
    /** Raises `BadImage`, `ImagesBusy` or `NoSpace`. */
    make(task: ImageTask, timeoutMs: number): Promise<ImageResult> {
      if (waiting.length >= MAX_WAITING) return Promise.reject(new ImagesBusy('Too many images are waiting.'));
      return new Promise((resolve, reject) => {
        waiting.push({ task, timeoutMs, resolve, reject });
        next();
      });
    },
    close(): void {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

export type Images = ReturnType<typeof createImages>;
