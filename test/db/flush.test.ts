import assert from 'node:assert/strict';
import test from 'node:test';
import { createGroupFlush } from '../../src/db/flush.ts';

/** Flushes that end when the test ends them. */
function startFlushes() {
  const started: { connection: string; resolve: (lsn: string) => void; reject: (error: Error) => void }[] = [];
  const flush = createGroupFlush((connection: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    started.push({ connection, resolve, reject });
    return promise;
  });
  return { flush, started };
}

const turn = () => new Promise(setImmediate);

test('commits made during a flush share the next one', async () => {
  const { flush, started } = startFlushes();
  const first = flush('a');
  await turn();
  const others = Promise.all([flush('b'), flush('c')]);
  started[0]!.resolve('0/1');
  assert.equal(await first, '0/1');
  await turn();
  assert.deepEqual(
    started.map(({ connection }) => connection),
    ['a', 'b'],
  );
  started[1]!.resolve('0/2');
  assert.deepEqual(await others, ['0/2', '0/2']);
});

test('a failed flush fails all commits that share it, and no others', async () => {
  const { flush, started } = startFlushes();
  const lost = [flush('a'), flush('b')].map((flushed) => assert.rejects(flushed, /lost/));
  await turn();
  const next = flush('c');
  started[0]!.reject(new Error('lost'));
  await Promise.all(lost);
  await turn();
  started[1]!.resolve('0/2');
  assert.equal(await next, '0/2');
});
