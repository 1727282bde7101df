import assert from 'node:assert/strict';
import test from 'node:test';
import { isDatabaseUnavailable } from '../../src/db/errors.ts';
import { releaseEarly } from '../../src/db/flush.ts';
import { Aborted } from '../../src/db/pipeline.ts';
import { startHarness } from '../harness.ts';

const h = await startHarness();
const { pipeline } = h.service;
await h.pool`create table marks (id int primary key, note text)`;
const marks = async () => (await h.pool`select id from marks order by id`).map((row) => row.id);

test('the statements run in order, in one committed transaction', async () => {
  await pipeline('a', (tx) => [
    tx`insert into marks (id, note) values (1, 'a')`,
    tx`update marks set note = note || ${'b'} where id = ${1}`,
  ]);
  assert.deepEqual([...(await h.pool`select id, note from marks`)], [{ id: 1, note: 'ab' }]);
});

test('a statement that aborts rolls back all statements, before and after it', async () => {
  const attempt = pipeline('a', (tx) => [
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

test('a statement that fails rolls back everything and throws its own error', async () => {
  const attempt = pipeline('a', (tx) => [
    tx`insert into marks (id) values (4)`,
    tx`insert into marks (id) values (${1})`,
    tx`insert into marks (id) values (${5})`,
  ]);
  await assert.rejects(attempt, { code: '23505' });
  assert.deepEqual(await marks(), [1]);
});

test('a failed transaction that releases its locks early throws its own error', async () => {
  const attempt = h.pool.transaction(async (tx) => {
    tx`insert into marks (id) values (${1})`.catch(() => {});
    await releaseEarly(tx);
  });
  await assert.rejects(attempt, { code: '23505' });
  assert.deepEqual(await marks(), [1]);
});

test('a transaction on a lost connection is rolled back, and the pool keeps working', async () => {
  const attempts = Array.from({ length: 30 }, (_, i) =>
    pipeline('a', (tx) => [
      tx`insert into marks (id) values (${100 + i})`,
      ...(i % 3 === 0 ? [tx`select pg_terminate_backend(pg_backend_pid())`] : []),
      tx`insert into marks (id) values (${200 + i})`,
    ]).then(
      () => 'done',
      (error) => (isDatabaseUnavailable(error) ? 'lost' : String(error)),
    ),
  );
  const outcomes = await Promise.all(attempts);
  const written = await marks();
  for (const [i, outcome] of outcomes.entries()) {
    assert.ok(outcome === 'lost' || (outcome === 'done' && i % 3 !== 0), `${i} ${outcome}`);
    assert.equal(written.includes(100 + i), written.includes(200 + i), `${i} was partially written`);
    if (outcome === 'done') assert.ok(written.includes(100 + i), `${i} was confirmed but not written`);
    if (i % 3 === 0) assert.ok(!written.includes(100 + i), `${i} lost its connection before its commit`);
  }
  const again = Array.from({ length: 30 }, (_, i) =>
    pipeline('a', (tx) => [tx`insert into marks (id) values (${300 + i})`]),
  );
  await Promise.all(again);
  const open =
    await h.pool`select pid from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
  assert.equal(open.length, 0);
});
