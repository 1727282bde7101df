import assert from 'node:assert/strict';
import test from 'node:test';
import { createTurns } from '../../src/http/clients/turns.ts';

/** Starting a request takes two milliseconds. Each call of `turn` is one turn of the event loop. */
function setUp() {
  let nowMs = 0;
  const scheduled: (() => void)[] = [];
  const started: string[] = [];
  const startInTurn = createTurns(
    () => nowMs,
    (run) => scheduled.push(run),
  );
  return {
    request: (caller: string, name = caller, address = 'here') =>
      startInTurn({ address, caller }, () => {
        nowMs += 2;
        started.push(name);
      }),
    turn: () => {
      for (const run of scheduled.splice(0)) run();
      return started.splice(0).join('');
    },
    started: () => started.splice(0).join(''),
    isIdle: () => scheduled.length === 0,
  };
}

test('a burst of requests starts in order, one slice per turn of the event loop', () => {
  const { request, turn, started, isIdle } = setUp();
  for (const name of 'abcdefgh') request('burst', name);
  assert.equal(started(), 'abc');
  assert.equal(turn(), 'def');
  assert.equal(turn(), 'gh');
  turn();
  assert.ok(isIdle());
  request('burst', 'i');
  assert.equal(started(), 'i');
});

test('a caller with many waiting requests delays another caller by one request', () => {
  const { request, turn, started } = setUp();
  for (let i = 0; i < 100; i++) request('a');
  assert.equal(started(), 'aaa');
  request('b');
  request('b');
  request('c');
  assert.equal(turn(), 'abc');
  assert.equal(turn(), 'aba');
});

test('a client that sends a new random token with each request delays another address by one request', () => {
  const { request, turn, started } = setUp();
  for (let i = 0; i < 100; i++) request(`invented ${i}`, 'a', 'elsewhere');
  assert.equal(started(), 'aaa');
  for (const caller of ['b', 'c']) request(caller);
  assert.equal(turn(), 'aba');
  assert.equal(turn(), 'caa');
});
