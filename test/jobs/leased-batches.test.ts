import assert from 'node:assert/strict';
import test from 'node:test';
import pino from 'pino';
import { createLeasedBatches, type LeasedBatches } from '../../src/jobs/leased-batches.ts';

type Scope = { businessId: string };
const log = pino({ level: 'silent' });

/** Batches whose runs last until the test ends them. */
function create(options: Partial<LeasedBatches<Scope>> = {}) {
  const runs: { businessId: string; signal: AbortSignal; end: (hasMore?: boolean) => void; fail: () => void }[] = [];
  let onRun = () => {};
  const batches = createLeasedBatches<Scope>(
    {
      name: 'things',
      waiting: 'from things',
      list: async () => [],
      run: ({ businessId }, signal) => {
        const { promise, resolve, reject } = Promise.withResolvers<boolean>();
        const end = (hasMore = false) => resolve(hasMore);
        runs.push({ businessId, signal, end, fail: () => reject(new Error('away')) });
        onRun();
        return promise;
      },
      ...options,
    },
    log,
  );
  /** The first `count` runs, once they have started. */
  const started = async (count: number) => {
    while (runs.length < count)
      await new Promise<void>((resolve) => {
        onRun = resolve;
      });
    return runs.map(({ businessId }) => businessId);
  };
  return { batches, runs, started, wake: (businessId: string) => batches.wake({ businessId }) };
}

test('only one run of a scope is active at a time, and it runs again if woken in the meantime', async () => {
  const { batches, runs, started, wake } = create({ concurrency: 5 });
  batches.start();
  wake('a');
  wake('b');
  assert.deepEqual(await started(2), ['a', 'b']);
  wake('a');
  wake('c');
  assert.deepEqual(await started(3), ['a', 'b', 'c']);
  runs[0]!.end();
  assert.deepEqual(await started(4), ['a', 'b', 'c', 'a']);
});

test('a scope with more work goes to the end of the queue, so that others get their turn', async () => {
  const { batches, runs, started, wake } = create();
  batches.start();
  for (const scope of ['a', 'b', 'c']) wake(scope);
  for (let i = 0; i < 5; i++) {
    await started(i + 1);
    runs[i]!.end(true);
  }
  assert.deepEqual(await started(6), ['a', 'b', 'c', 'a', 'b', 'c']);
});

test('a free slot goes to the business with the fewest runs', async () => {
  const { batches, runs, started } = create({ concurrency: 3 });
  batches.start();
  const wake = (businessId: string, id: number) => batches.wake({ businessId, id } as Scope);
  for (let id = 0; id < 6; id++) wake('large', id);
  for (let id = 0; id < 2; id++) wake('small', id);
  assert.deepEqual(await started(3), ['large', 'small', 'large']);
  runs[0]!.end();
  assert.deepEqual((await started(4)).slice(3), ['large']);
  runs[1]!.end();
  assert.deepEqual((await started(5)).slice(4), ['small']);
});

test('a failing scope does not delay others and pauses before it is retried', async () => {
  const { batches, runs, started, wake } = create();
  batches.start();
  wake('a');
  await started(1);
  runs[0]!.fail();
  wake('b');
  assert.deepEqual(await started(2), ['a', 'b']);
  wake('a');
  wake('c');
  runs[1]!.end();
  assert.deepEqual(await started(3), ['a', 'b', 'c']);
});

test('a process with background work disabled runs only batches that every process runs', async () => {
  const [idle, everywhere] = [create(), create({ everywhere: true })];
  idle.wake('a');
  everywhere.wake('a');
  await everywhere.started(1);
  assert.equal(idle.runs.length, 0);
});

test('stopping signals running batches, waits for them and starts no new ones', async () => {
  const { batches, runs, started, wake } = create();
  batches.start();
  wake('a');
  wake('b');
  await started(1);
  const stopped = batches.stop(60_000).then(() => 'stopped');
  assert.equal(runs[0]!.signal.aborted, true);
  runs[0]!.end(true);
  assert.equal(await stopped, 'stopped');
  wake('c');
  assert.deepEqual(
    runs.map(({ businessId }) => businessId),
    ['a'],
  );
});
