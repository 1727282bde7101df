import assert from 'node:assert/strict';
import test from 'node:test';
import { createHeavyLane } from '../../src/http/clients/heavy-lane.ts';

function setUp() {
  let nowMs = 0;
  const timers: { atMs: number; run: () => void }[] = [];
  const lane = createHeavyLane({
    now: () => nowMs,
    after: (ms, run) => void timers.push({ atMs: nowMs + ms, run }),
  });
  const started: string[] = [];

  function pass(ms: number): void {
    const untilMs = nowMs + ms;
    for (;;) {
      const next = timers.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (!next) break;
      timers.splice(timers.indexOf(next), 1);
      nowMs = next.atMs;
      next.run();
    }
    nowMs = untilMs;
  }

  /** Returns a function that ends the request after it has used this much CPU time. */
  function send(key: string, name = key) {
    const owner = lane.ownerOf(key);
    const request = { usedMs: 0 };
    lane.enter(owner, request, (error) => started.push(error ? `${name} refused` : name));
    return (usedMs: number) => {
      request.usedMs = usedMs;
      lane.charge(owner, usedMs);
      lane.end(owner, request);
    };
  }

  /** The owner's requests take 100 ms of CPU time each. */
  function makeHeavy(key: string): void {
    for (let i = 0; i < 60; i++) {
      const end = send(key);
      pass(100);
      end(100);
    }
    pass(500);
    started.length = 0;
  }

  return { lane, send, pass, makeHeavy, started: () => started.splice(0).join() };
}

test('while others use the process, heavy requests of an owner run one at a time, and light requests of others start at once', () => {
  const { send, makeHeavy, pass, started } = setUp();
  makeHeavy('large');
  send('small')(1);
  started();
  const endFirst = send('large', 'first');
  send('large', 'second');
  send('small');
  assert.equal(started(), 'first,small');
  endFirst(100);
  pass(99);
  assert.equal(started(), '', 'the pause is as long as the work');
  pass(1);
  assert.equal(started(), 'second');
});

test('heavy requests wait for nothing while no one else uses the process', () => {
  const { send, makeHeavy, pass, started } = setUp();
  send('small')(1);
  makeHeavy('large');
  pass(1000);
  for (let i = 0; i < 20; i++) send('large', `${i}`);
  assert.equal(started().split(',').length, 20);
});

test('many light requests of an owner start at once, however much CPU time they use together', () => {
  const { send, started } = setUp();
  for (let i = 0; i < 2000; i++) {
    send('busy')(1);
    send('small')(1);
  }
  started();
  for (let i = 0; i < 20; i++) send('busy', `${i}`);
  assert.equal(started().split(',').length, 20);
});

test('owners of heavy requests share one lane and take turns', () => {
  const { send, makeHeavy, pass, started } = setUp();
  makeHeavy('a');
  makeHeavy('b');
  send('small')(1);
  started();
  const ends = new Map(['a1', 'a2', 'a3', 'b1', 'b2'].map((name) => [name, send(name.slice(0, 1), name)]));
  for (const expected of ['a1', 'a2', 'b1', 'a3', 'b2']) {
    assert.equal(started(), expected);
    ends.get(expected)!(0);
    pass(0);
  }
});

test('an owner with too many waiting heavy requests gets an error, and others do not', () => {
  const { send, makeHeavy, started } = setUp();
  makeHeavy('large');
  makeHeavy('other');
  send('small')(1);
  started();
  for (let i = 0; i < 52; i++) send('large', `${i}`);
  assert.equal(started(), '0,51 refused');
  send('other');
  assert.equal(started(), '');
});

test('an owner counts as light again once its debt is paid', () => {
  const { send, makeHeavy, pass, started } = setUp();
  makeHeavy('large');
  pass(20_000);
  send('small')(1);
  started();
  send('large', 'first');
  send('large', 'second');
  assert.equal(started(), 'first,second');
});

test('a request that waits for something else gives up the lane', () => {
  const { send, makeHeavy, pass, started } = setUp();
  makeHeavy('large');
  send('small')(1);
  started();
  send('large', 'first');
  send('large', 'second');
  pass(2000);
  assert.equal(started(), 'first,second');
});

test('a request whose client disconnects before its turn never holds the lane', () => {
  const { send, makeHeavy, pass, started } = setUp();
  makeHeavy('large');
  send('small')(1);
  started();
  const endFirst = send('large', 'first');
  const endSecond = send('large', 'second');
  send('large', 'third');
  endSecond(0);
  endFirst(0);
  pass(0);
  assert.equal(started(), 'first,third');
});

test('after requests of many others, an owner is forgotten', () => {
  const { lane, send, makeHeavy, started } = setUp();
  makeHeavy('large');
  for (let i = 0; i < 20_000; i++) lane.ownerOf(`${i}`);
  send('small')(1);
  started();
  send('large', 'first');
  send('large', 'second');
  assert.equal(started(), 'first,second');
});
