import assert from 'node:assert/strict';
import test from 'node:test';
import { createBound } from '../../src/shared/bound.ts';

test('owners can’t take all places together: a newcomer gets the oldest place of the owner with the most', () => {
  const bound = createBound({ max: 4, maxPer: { account: 3 }, fairBy: 'account' });
  const ended: string[] = [];
  const enter = (account: string, name: string) => {
    const leave = bound.enter({ account }, () => {
      ended.push(name);
      leave!();
    });
    return leave;
  };
  for (const name of ['a1', 'a2', 'a3']) enter('a', name);
  assert.equal(enter('a', 'a4'), null, 'the limit of an owner');
  enter('b', 'b1');
  assert.ok(enter('c', 'c1'));
  assert.deepEqual(ended, ['a1']);
  assert.equal(enter('b', 'b2'), null, 'no owner has two more');
  assert.deepEqual(ended, ['a1']);
  enter('d', 'd1');
  assert.equal(enter('e', 'e1'), null, 'every owner has one place');
  assert.deepEqual(ended, ['a1', 'a2']);
});
