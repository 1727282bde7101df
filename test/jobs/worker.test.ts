import assert from 'node:assert/strict';
import test from 'node:test';
import pino from 'pino';
import { ReceiverDown } from '../../src/jobs/retries.ts';
import { createWorker, type FetchedJob, type Source } from '../../src/jobs/worker.ts';

test('a wake-up during a fetch that finds nothing triggers another fetch', { timeout: 5000 }, async () => {
  const fetches = [Promise.withResolvers<FetchedJob[]>(), Promise.withResolvers<FetchedJob[]>()];
  const fetching = Promise.withResolvers<void>();
  const handled = Promise.withResolvers<object>();
  let fetched = 0;
  const source: Source = {
    fetch() {
      fetching.resolve();
      return fetches[fetched++]?.promise ?? Promise.resolve([]);
    },
    complete: async () => {},
    fail: async () => {},
    release: async () => {},
  };
  const worker = createWorker(
    { name: 'queue', handle: async (data) => handled.resolve(data) },
    source,
    pino({ level: 'silent' }),
  );
  worker.wake();
  await fetching.promise;
  worker.wake();
  fetches[0]!.resolve([]);
  fetches[1]!.resolve([{ id: 'job', data: { n: 1 }, expireInSeconds: 60 }]);
  assert.deepEqual(await handled.promise, { n: 1 });
  await worker.stop(1000);
});

test('while the receiver is down, one job at a time tries it, after growing pauses, and no attempt counts', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const waiting: FetchedJob[] = ['a', 'b', 'c'].map((id) => ({ id, data: { id }, expireInSeconds: 3600 }));
  const tried: string[] = [];
  const completed: string[] = [];
  let isDown = true;
  let next = Promise.withResolvers<void>();
  const source: Source = {
    fetch: async (limit) => waiting.splice(0, limit),
    complete: async (jobs) => {
      completed.push(...jobs.map(({ id }) => id));
      if (completed.length === 3) next.resolve();
    },
    fail: async () => assert.fail('counted as an attempt'),
    release: async (jobs) => {
      waiting.push(...jobs);
      if (waiting.length === 3) next.resolve();
    },
  };
  const handle = async (data: object) => {
    tried.push((data as { id: string }).id);
    if (isDown) throw new ReceiverDown('connection refused');
  };
  const worker = createWorker({ name: 'mail', concurrency: 2, handle }, source, pino({ level: 'silent' }));
  /** Lets this much time pass, until all jobs are waiting again or done. */
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms - 1);
    worker.wake();
    const before = tried.length;
    next = Promise.withResolvers();
    t.mock.timers.tick(1);
    await next.promise;
    return tried.slice(before);
  };
  worker.wake();
  await next.promise;
  assert.deepEqual(tried.splice(0), ['a', 'b']);
  assert.deepEqual(await pass(1000), ['c']);
  assert.deepEqual(await pass(2000), ['a']);
  assert.deepEqual(await pass(4000), ['b']);
  isDown = false;
  await pass(8000);
  assert.deepEqual(completed.sort(), ['a', 'b', 'c']);
  const stopped = worker.stop(1000);
  t.mock.timers.tick(1000);
  await stopped;
});
