import assert from 'node:assert/strict';
import test from 'node:test';
import { createFairQueue, QueueFull } from '../../../src/shared/threads/fair-queue.ts';

const NEVER = 2 ** 31 - 1;
const open = (options = {}) =>
  createFairQueue({ slots: 1, maxWaiting: 100, maxWaitingPerOwner: 50, overdueMs: NEVER, ...options });

/** Tasks that the test ends. */
function tasks(queue = open()) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    queue,
    started,
    add(owner: string, name: string, signal?: AbortSignal) {
      const work = () => {
        started.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      };
      return queue.run(owner, work, signal);
    },
    async end(name: string) {
      ends.get(name)!();
      await new Promise(setImmediate);
    },
  };
}

test('businesses take turns', async () => {
  const { add, end, started } = tasks();
  for (let i = 1; i <= 4; i++) void add('a', `a${i}`);
  void add('b', 'b1');
  void add('b', 'b2');
  void add('c', 'c1');
  for (let i = 0; i < 6; i++) {
    await new Promise(setImmediate);
    await end(started.at(-1)!);
  }
  assert.deepEqual(started, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('a business with too many waiting tasks is refused, but others never are', async () => {
  const { add } = tasks(open({ maxWaiting: 3, maxWaitingPerOwner: 2 }));
  for (let i = 0; i < 3; i++) void add('a', `a${i}`);
  await assert.rejects(add('a', 'a3'), QueueFull);
  void add('b', 'b1');
  await assert.rejects(add('b', 'b2'), QueueFull, 'the queue is full');
  for (const owner of ['c', 'd', 'e']) void add(owner, owner);
});

test('the reserved slot is for a business that was not slow and has nothing running', async () => {
  const { queue, add, started } = tasks(open({ overdueMs: 1 }));
  queue.markSlow('slow');
  void add('a', 'a1');
  for (const owner of ['a', 'slow', 'b', 'c']) void add(owner, `${owner}2`);
  while (started.length < 2) await new Promise(setImmediate);
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.deepEqual(started, ['a1', 'b2']);
});

test('a business no longer counts as slow after a while', async () => {
  const { queue, add, started } = tasks(open({ overdueMs: 1, slowMs: 5 }));
  queue.markSlow('slow');
  void add('a', 'a1');
  void add('slow', 's1');
  while (started.length < 2) await new Promise(setImmediate);
});

test('a task that fails frees its slot', async () => {
  const queue = open();
  const failed = queue.run('a', async () => {
    throw new Error('no');
  });
  const next = queue.run('a', async () => 'done');
  await assert.rejects(failed, { message: 'no' });
  assert.equal(await next, 'done');
});

test('a task whose signal is aborted while it waits never starts', async () => {
  const { add, end, started } = tasks();
  const gone = new AbortController();
  void add('a', 'a1');
  const waiting = add('a', 'a2', gone.signal);
  gone.abort(new Error('gone'));
  await assert.rejects(waiting, { message: 'gone' });
  await end('a1');
  assert.deepEqual(started, ['a1']);
  await assert.rejects(add('a', 'a3', gone.signal), { message: 'gone' });
});
