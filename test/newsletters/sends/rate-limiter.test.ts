import assert from 'node:assert/strict';
import test from 'node:test';
import { createRateLimiter } from '../../../src/domains/newsletters/sends/batches/rate-limiter.ts';
import { eventually } from '../../service.ts';

test('the rate limit holds across any number of connections', async (t) => {
  let nowMs = 1000;
  t.mock.method(performance, 'now', () => nowMs);
  const limiter = createRateLimiter(100);
  let sent = 0;
  const connections = Array.from({ length: 30 }, async () => {
    await limiter.wait(() => false);
    sent++;
  });
  for (const [afterMs, allowed] of [
    [0, 1],
    [100, 11],
    [290, 30],
  ] as const) {
    nowMs = 1000 + afterMs;
    await eventually(`${allowed} are sent`, async () => sent >= allowed);
    assert.equal(sent, allowed);
  }
  await Promise.all(connections);
});

test('a stopping connection does not wait', async () => {
  const limiter = createRateLimiter(0.001);
  await limiter.wait(() => true);
  await limiter.wait(() => true);
});
