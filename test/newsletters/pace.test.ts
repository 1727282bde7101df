import assert from 'node:assert/strict';
import test from 'node:test';
import { createPace } from '../../src/domains/newsletters/pace.ts';

test('no more messages a second than allowed, however many lanes ask at once', async () => {
  const pace = createPace(100);
  const startedAt = performance.now();
  const lanes = Array.from({ length: 5 }, async () => {
    for (let i = 0; i < 6; i++) await pace.next(() => false);
  });
  await Promise.all(lanes);
  assert.ok(performance.now() - startedAt >= 285, 'thirty messages take 29 intervals of 10 ms');
});

test('whoever is told to stop does not wait for his turn', async () => {
  const pace = createPace(0.001);
  await pace.next(() => true);
  await pace.next(() => true);
});
