import assert from 'node:assert/strict';
import test from 'node:test';
import { createFairQueue } from '../../../src/shared/threads/fair-queue.ts';
import { createConverter } from '../../../src/shared/threads/index.ts';
import type { Task } from './tasks.ts';

const module = new URL('./tasks.ts', import.meta.url);
const MEBIBYTE = 1_048_576;
const limits = { cpuMs: 500, heapBytes: 64 * MEBIBYTE, outputBytes: 100_000 };
const queue = createFairQueue({ slots: 1, maxWaiting: 100, maxWaitingPerOwner: 50, overdueMs: 1 });
const { convert, hold } = createConverter<Task, unknown>(module, { ...limits, queue });

test('a task over its CPU limit fails alone, and the next task of the business succeeds', async () => {
  const [slow, next] = await Promise.allSettled([
    convert('biz_1', { task: 'loop' }),
    convert('biz_1', { task: 'echo', value: 1 }),
  ]);
  assert.equal(slow.status === 'rejected' && slow.reason.code, 'TOO_COMPLEX');
  assert.deepEqual(next, { status: 'fulfilled', value: 1 });
});

for (const task of ['records', 'array', 'map', 'strings'] as const) {
  test(`a task that fills its memory with ${task} fails alone, and the process goes on`, async () => {
    const { convert: unhurried } = createConverter<Task, unknown>(module, { ...limits, cpuMs: 60_000, queue });
    await assert.rejects(unhurried('biz_1', { task }), { code: 'TOO_COMPLEX' });
  });
}

test('output over its limit is rejected in the thread', async () => {
  await assert.rejects(convert('biz_1', { task: 'echo', value: 'x'.repeat(100_001) }), { code: 'TOO_LARGE' });
  assert.equal(await convert('biz_1', { task: 'echo', value: 'x' }), 'x');
});

test('errors for the user keep their kind and details, and errors in the code keep their stack', async () => {
  const details = [{ field: 'body', error: 'WRONG', message: 'This is wrong.' }];
  await assert.rejects(convert('biz_1', { task: 'refuse' }), { kind: 'VALIDATION_FAILED', details });
  await assert.rejects(convert('biz_1', { task: 'crash' }), { code: 'CRASHED', message: /A mistake[\s\S]*tasks\.ts/ });
});

test('CPU time starts again with each step', async () => {
  const held = hold('biz_1', async () => null);
  assert.equal(await held.convert({ task: 'steps', count: 25 }), 25);
  held.end();
});

test('a held thread keeps its state and gets answers from the main thread', async () => {
  const held = hold('biz_1', async (request) => `answer to ${request}`);
  assert.deepEqual(await held.convert({ task: 'ask' }), ['answer to first', 'answer to second']);
  const calls = (await held.convert({ task: 'state' })) as number;
  assert.equal(await held.convert({ task: 'state' }), calls + 1);
  held.end();
  const failing = hold('biz_1', async () => {
    throw new RangeError('The file is gone.');
  });
  await assert.rejects(failing.convert({ task: 'ask' }), RangeError);
});

test('an idle thread does not keep the process alive', async () => {
  await convert('biz_1', { task: 'echo', value: 1 });
  assert.ok(!process.getActiveResourcesInfo().includes('MessagePort'));
});

test('a task whose signal is aborted while it waits is not started', async () => {
  const gone = new AbortController();
  const first = convert('biz_1', { task: 'steps', count: 1 });
  const dropped = convert('biz_1', { task: 'loop' }, gone.signal);
  gone.abort(new Error('gone'));
  await assert.rejects(dropped, { message: 'gone' });
  assert.equal(await first, 1);
});
