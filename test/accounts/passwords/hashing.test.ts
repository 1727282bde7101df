import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import test from 'node:test';
import { createMutex } from '../../../src/domains/accounts/mutex.ts';
import { createPasswords } from '../../../src/domains/accounts/passwords/hashing.ts';
import { ServiceError } from '../../../src/shared/errors.ts';

const isUnavailable = (error: unknown) => error instanceof ServiceError && error.kind === 'UNAVAILABLE';

test('logins work again after others were rejected because the queue was full', async () => {
  const passwords = createPasswords({ workers: 1, maxWaiting: 0 });
  const busy = Array.from({ length: availableParallelism() }, () => passwords.hash('correct-horse-7'));
  await assert.rejects(passwords.verify(null, 'unknown user'), isUnavailable);
  await assert.rejects(passwords.verify('the hash of a known user', 'correct-horse-7'), isUnavailable);
  const hashes = await Promise.allSettled(busy);
  const hash = hashes.find((result) => result.status === 'fulfilled')!.value;
  assert.equal(await passwords.verify(null, 'unknown user'), false);
  assert.equal(await passwords.verify(hash, 'correct-horse-7'), true);
  assert.equal(await passwords.verify(hash, 'another-horse-8'), false);
});

test('attempts on one account that wait too long are rejected without affecting other accounts or later attempts', async () => {
  const mutex = createMutex({ maxWaitMs: 0 });
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = mutex.run('ada', () => promise);
  const late = Promise.allSettled([1, 2].map(() => mutex.run('ada', async () => 'late')));
  assert.equal(await mutex.run('bo', async () => 'another account'), 'another account');
  resolve('first');
  assert.equal(await first, 'first');
  for (const one of await late) assert.ok(one.status === 'rejected' && isUnavailable(one.reason));
  assert.equal(await mutex.run('ada', async () => 'after'), 'after');
});
