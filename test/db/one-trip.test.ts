import assert from 'node:assert/strict';
import test from 'node:test';
import { Aborted, inOneTrip } from '../../src/db/one-trip.ts';
import { startHarness } from '../harness.ts';

const h = await startHarness();
await h.pool`create table marks (id int primary key, note text)`;
const marks = async () => (await h.pool`select id from marks order by id`).map((row) => row.id);

test('the statements run in their order, in one transaction that is committed', async () => {
  await inOneTrip(h.pool, (tx) => [
    tx`insert into marks (id, note) values (1, 'a')`,
    tx`update marks set note = note || ${'b'} where id = ${1}`,
  ]);
  assert.deepEqual([...(await h.pool`select id, note from marks`)], [{ id: 1, note: 'ab' }]);
});

test('a statement that aborts takes everything back, whatever stands before and behind it', async () => {
  const attempt = inOneTrip(h.pool, (tx) => [
    tx`insert into marks (id) values (2)`,
    tx`select abort_transaction('FULL', ${'{"left":0}'})`,
    tx`insert into marks (id) values (${3})`,
  ]);
  await assert.rejects(
    attempt,
    (error) => error instanceof Aborted && error.reason === 'FULL' && error.detail === '{"left":0}',
  );
  assert.deepEqual(await marks(), [1]);
});

test('a statement that fails takes everything back and raises its own error', async () => {
  const attempt = inOneTrip(h.pool, (tx) => [
    tx`insert into marks (id) values (4)`,
    tx`insert into marks (id) values (${1})`,
    tx`insert into marks (id) values (${5})`,
  ]);
  await assert.rejects(attempt, { code: '23505' });
  assert.deepEqual(await marks(), [1]);
});
