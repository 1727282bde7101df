import assert from 'node:assert/strict';
import test from 'node:test';
import { createDatabaseRetry } from '../../../src/domains/newsletters/sends/batches/database-retry.ts';

const unreachable = () => Object.assign(new Error('unreachable'), { code: 'ECONNREFUSED' });
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const retryUntil = (signal: AbortSignal) => createDatabaseRetry({ signal, log: silent }, 100);

test('work is retried while the database is unreachable, but not after other errors', async () => {
  const retry = retryUntil(new AbortController().signal);
  const repeats: boolean[] = [];
  const written = await retry(async (isRepeat) => {
    repeats.push(isRepeat);
    if (repeats.length < 3) throw unreachable();
    return 'written';
  });
  assert.deepEqual([written, ...repeats], ['written', false, true, true]);
  let tries = 0;
  const wrong = retry(async () => {
    if (++tries < 3) throw new Error('wrong');
  });
  await assert.rejects(wrong, /wrong/);
});

test('a process that stops does not wait for the database forever', async () => {
  const stopping = new AbortController();
  const retry = retryUntil(stopping.signal);
  let tries = 0;
  const waiting = retry(async () => {
    if (++tries < 6) throw unreachable();
  });
  stopping.abort();
  await assert.rejects(waiting, /unreachable/);
});
