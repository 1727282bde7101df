import assert from 'node:assert/strict';
import test from 'node:test';
import { createRateLimiter } from '../../../src/domains/newsletters/sends/rate-limiter.ts';

test('no more messages a second than allowed, however many connections ask at once', async () => {
  const limiter = createRateLimiter(100);
  const startedAt = performance.now();
  const connections = Array.from({ length: 5 }, async () => {
    for (let i = 0; i < 6; i++) await limiter.wait(() => false);
  });
  await Promise.all(connections);
  assert.ok(performance.now() - startedAt >= 285, 'thirty messages take 29 intervals of 10 ms');
});

test('a connection that is told to stop does not wait', async () => {
  const limiter = createRateLimiter(0.001);
  await limiter.wait(() => true);
  await limiter.wait(() => true);
});
