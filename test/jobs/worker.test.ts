import assert from 'node:assert/strict';
import test from 'node:test';
import type { Job, PgBoss } from 'pg-boss';
import pino from 'pino';
import { createWorker } from '../../src/jobs/worker.ts';

test('a wake-up during a fetch that finds nothing leads to another fetch', { timeout: 5000 }, async () => {
  const fetches = [Promise.withResolvers<Job<object>[]>(), Promise.withResolvers<Job<object>[]>()];
  const fetching = Promise.withResolvers<void>();
  const handled = Promise.withResolvers<object>();
  let fetched = 0;
  const boss = {
    fetch() {
      fetching.resolve();
      return fetches[fetched++]?.promise ?? Promise.resolve([]);
    },
    complete: async () => {},
  } as unknown as PgBoss;
  const worker = createWorker(
    { name: 'queue', handle: async (data) => handled.resolve(data) },
    { boss, log: pino({ level: 'silent' }), giveBack: async () => {} },
  );
  worker.wake();
  await fetching.promise;
  worker.wake();
  fetches[0]!.resolve([]);
  fetches[1]!.resolve([{ id: 'job', name: 'queue', data: { n: 1 }, expireInSeconds: 60 } as Job<object>]);
  assert.deepEqual(await handled.promise, { n: 1 });
  await worker.stop(1000);
});
