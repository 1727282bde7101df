import assert from 'node:assert/strict';
import test from 'node:test';
import pino from 'pino';
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
