import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../shared/logger.ts';

export type Work = {
  name: string;
  concurrency?: number;
  handle: (data: object, signal: AbortSignal) => Promise<void>;
};

export type FetchedJob = { id: string; data: object; expireInSeconds: number };

/** Where the jobs of a queue lie. */
export type Source = {
  fetch(limit: number): Promise<FetchedJob[]>;
  complete(ids: string[]): Promise<unknown>;
  fail(ids: string[], error: unknown): Promise<unknown>;
  /** Makes jobs that were fetched wait again, as if they had not been. */
  giveBack(ids: string[]): Promise<unknown>;
};

type Run = { stop: AbortController; giveUp: (reason: Error) => void };

/**
 * Runs the jobs of one queue, at most `concurrency` at once. It rests only after a fetch that began after the last `wake`
 * and found fewer jobs than there was room for. So one wake-up is enough for any number of jobs.
 */
export function createWorker({ name, concurrency = 1, handle }: Work, source: Source, log: Logger) {
  const running = new Set<Run>();
  const unfinished = new Set<Promise<void>>();
  const completed: string[] = [];
  let mayHaveJobs = false;
  let fetching = false;
  let writing = false;
  let stopping = false;

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
      // Jobs that finish together are followed by one fetch.
      await nextTurn();
      while (mayHaveJobs && !stopping && running.size < concurrency) {
        mayHaveJobs = false;
        const room = concurrency - running.size;
        const jobs = await source.fetch(room);
        if (jobs.length === room) mayHaveJobs = true;
        if (!stopping) for (const job of jobs) track(run(job));
        else if (jobs.length > 0) await source.giveBack(jobs.map(({ id }) => id));
      }
    } catch (error) {
      log.warn({ err: error, queue: name }, 'jobs could not be fetched or given back');
    } finally {
      fetching = false;
    }
  }

  async function run(job: FetchedJob): Promise<void> {
    const stop = new AbortController();
    const { promise: givenUp, reject: giveUp } = Promise.withResolvers<never>();
    const current = { stop, giveUp };
    const overrun = () => giveUp(new Error(`The job ran longer than ${job.expireInSeconds} s.`));
    const expiry = setTimeout(overrun, job.expireInSeconds * 1000);
    running.add(current);
    let failure: { error: unknown } | null = null;
    try {
      await Promise.race([handle(job.data, stop.signal), givenUp]);
    } catch (error) {
      failure = { error };
      stop.abort();
    }
    clearTimeout(expiry);
    running.delete(current);
    // The next job does not wait until the end of this one is written.
    track(fetchUntilEmpty());
    if (failure) return writeFailed([job.id], failure.error);
    completed.push(job.id);
    await writeCompleted();
  }

  /** What finishes while one statement is under way is written together by the next. */
  async function writeCompleted(): Promise<void> {
    if (writing) return;
    writing = true;
    await nextTurn();
    while (completed.length > 0) {
      const ids = completed.splice(0);
      await source.complete(ids).catch((error) => writeFailed(ids, error));
    }
    writing = false;
  }

  async function writeFailed(ids: string[], failure: unknown): Promise<void> {
    log.warn({ err: failure, queue: name, jobIds: ids }, 'job failed, it will be tried again');
    try {
      await source.fail(ids, failure);
    } catch (error) {
      log.warn(
        { err: error, queue: name, jobIds: ids },
        'jobs could not be marked as failed, they are tried again when they expire',
      );
    }
  }

  return {
    /** The queue may have jobs that are due. */
    wake(): void {
      mayHaveJobs = true;
      track(fetchUntilEmpty());
    },
    hasRoom: () => running.size < concurrency,
    /**
     * Fetches nothing more and tells running handlers to come to a safe point. What still runs after `timeoutMs` counts as
     * failed.
     */
    async stop(timeoutMs: number): Promise<void> {
      stopping = true;
      for (const { stop } of running) stop.abort();
      await Promise.race([untilFinished(), delay(timeoutMs, undefined, { ref: false })]);
      for (const { giveUp } of running) giveUp(new Error('The process stopped before the job had finished.'));
      await untilFinished();
    },
  };
}

export type Worker = ReturnType<typeof createWorker>;
