import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../shared/logger.ts';
import { runWork } from '../shared/work.ts';
import { ReceiverDown } from './retries.ts';

export type Work = {
  name: string;
  concurrency?: number;
  handle: (data: object, signal: AbortSignal) => Promise<void>;
};

export type FetchedJob = { id: string; data: object; expireInSeconds: number };

/** The source of a queue's jobs. */
export type Source<Job extends FetchedJob = FetchedJob> = {
  fetch(limit: number): Promise<Job[]>;
  complete(jobs: Job[]): Promise<unknown>;
  fail(jobs: Job[], error: unknown): Promise<unknown>;
  /** Releases fetched jobs as if they had not been fetched. */
  release(jobs: Job[]): Promise<unknown>;
};

const DRAINED = 100;
/** How long a queue pauses while its receiver is down: twice as long each time. */
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 60_000;
const NEVER = new AbortController().signal;

type Run = { stop: AbortController; giveUp: (reason: Error) => void };

/**
 * Runs the jobs of one queue, up to `concurrency` at once. It only goes idle after a fetch that started after the
 * last `wake` and returned fewer jobs than requested. So one wake-up is enough for any number of jobs.
 */
export function createWorker<Job extends FetchedJob>(
  { name, concurrency = 1, handle }: Work,
  source: Source<Job>,
  log: Logger,
) {
  const running = new Set<Run>();
  const unfinished = new Set<Promise<void>>();
  const completed: Job[] = [];
  let mayHaveJobs = false;
  let fetching = false;
  let writing = false;
  let stopping = false;
  /** Not 0 from the first failure because the receiver is down until the next success. */
  let pauseMs = 0;
  let isPaused = false;

  /** While the receiver may be down, one job at a time tries it. */
  const slots = () => (pauseMs > 0 ? Math.min(1, concurrency) : concurrency);

  function pause(error: unknown): void {
    if (isPaused) return;
    isPaused = true;
    pauseMs = Math.min(pauseMs * 2 || FIRST_PAUSE_MS, MAX_PAUSE_MS);
    log.warn({ err: error, queue: name, pauseMs }, 'The receiver is down, pausing the queue');
    setTimeout(() => {
      isPaused = false;
      mayHaveJobs = true;
      track(fetchUntilEmpty());
    }, pauseMs).unref();
  }

  function track(work: Promise<void>): void {
    unfinished.add(work);
    void work.finally(() => unfinished.delete(work));
  }

  async function untilFinished(): Promise<void> {
    while (unfinished.size > 0) await Promise.all(unfinished);
  }

  async function fetchUntilEmpty(): Promise<void> {
    if (fetching) return;
    fetching = true;
    try {
      // Jobs that finish together trigger a single fetch.
      await nextTurn();
      while (mayHaveJobs && !stopping && !isPaused && running.size < slots()) {
        mayHaveJobs = false;
        const freeSlots = slots() - running.size;
        const jobs = await source.fetch(freeSlots);
        if (jobs.length === freeSlots) mayHaveJobs = true;
        if (!stopping) for (const job of jobs) track(run(job));
        else if (jobs.length > 0) await source.release(jobs);
      }
    } catch (error) {
      log.warn({ err: error, queue: name }, 'Failed to fetch or release jobs');
    } finally {
      fetching = false;
    }
  }

  async function run(job: Job): Promise<void> {
    const stop = new AbortController();
    const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
    const current = { stop, giveUp };
    const overrun = () => giveUp(new Error(`The job ran longer than ${job.expireInSeconds} s`));
    const expiry = setTimeout(overrun, job.expireInSeconds * 1000);
    running.add(current);
    let failure: { error: unknown } | null = null;
    try {
      await Promise.race([runWork({ name: `${name} ${job.id}` }, () => handle(job.data, stop.signal)), givenUp]);
    } catch (error) {
      failure = { error };
      stop.abort();
    }
    clearTimeout(expiry);
    running.delete(current);
    if (failure?.error instanceof ReceiverDown) {
      pause(failure.error);
      await source.release([job]).catch((error) => log.warn({ err: error, queue: name }, 'Failed to release jobs'));
      return;
    }
    pauseMs = 0;
    // The next job does not wait for this one to be recorded as done.
    track(fetchUntilEmpty());
    if (failure) return writeFailed([job], failure.error);
    completed.push(job);
    await writeCompleted();
  }

  /** Jobs that finish while a statement is running are recorded together by the next one. */
  async function writeCompleted(): Promise<void> {
    if (writing) return;
    writing = true;
    await nextTurn();
    while (completed.length > 0) {
      const jobs = completed.splice(0);
      await source.complete(jobs).catch((error) => writeFailed(jobs, error));
    }
    writing = false;
  }

  async function writeFailed(jobs: Job[], failure: unknown): Promise<void> {
    const jobIds = jobs.map(({ id }) => id);
    log.warn({ err: failure, queue: name, jobIds }, 'Job failed');
    try {
      await source.fail(jobs, failure);
    } catch (error) {
      log.warn(
        { err: error, queue: name, jobIds },
        'Failed to record job failures; the jobs are retried when their lease expires',
      );
    }
  }

  return {
    /** Notifies the worker that the queue may have due jobs. */
    wake(): void {
      mayHaveJobs = true;
      track(fetchUntilEmpty());
    },
    hasCapacity: () => !isPaused && running.size < slots(),
    /** Runs due jobs within this call, one by one, until one fails; for tests. */
    async drain(): Promise<number> {
      const jobs = await source.fetch(DRAINED);
      for (const [i, job] of jobs.entries()) {
        try {
          await handle(job.data, NEVER);
        } catch (error) {
          const isDown = error instanceof ReceiverDown;
          if (!isDown) await source.fail([job], error);
          await source.release(jobs.slice(isDown ? i : i + 1));
          throw error;
        }
        await source.complete([job]);
      }
      return jobs.length;
    },
    /**
     * Fetches no more jobs and signals running handlers to stop at a safe point. A handler that still runs after
     * `timeoutMs` counts as failed.
     */
    async stop(timeoutMs: number): Promise<void> {
      stopping = true;
      for (const { stop } of running) stop.abort();
      await Promise.race([untilFinished(), delay(timeoutMs, undefined, { ref: false })]);
      for (const { giveUp } of running) giveUp(new Error('The process stopped before the job finished'));
      await untilFinished();
    },
  };
}

export type Worker = ReturnType<typeof createWorker>;
