import assert from 'node:assert/strict';
import test from 'node:test';
import { isDatabaseUnavailable } from '../../src/db/errors.ts';
import type { Tx } from '../../src/db/sql.ts';
import { startHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';

const h = await startHarness();
const { pipeline } = h.service;
await h.pool`create table marks (id int primary key, notes int not null default 0)`;
await h.pool`insert into marks (id) select generate_series(1, 2)`;

/** Locks both rows in order. */
const note = (tx: Tx) => tx`
  with locked as materialized (select id from marks order by id for update)
  update marks set notes = notes + 1 where id in (select id from locked)`;

/** Runs `work`, which locks the rows in order, so that it deadlocks with another transaction and is aborted. */
async function loseDeadlock(work: () => Promise<unknown>): Promise<unknown> {
  const under = await h.pool.transaction(async (tx) => {
    await tx`set local deadlock_timeout = '20s'`;
    await tx`select from marks where id = 2 for update`;
    const working = work();
    await whenWaitingForLock(h.pool, working);
    await tx`select from marks where id = 1 for update`;
    return { working };
  });
  return under.working;
}

const WAYS: Record<string, () => Promise<unknown>> = {
  'a transaction': () => h.pool.transaction((tx) => note(tx)),
  'a single statement': () => h.pool.write(note),
  'a pipelined transaction': () => pipeline('marks', (tx) => [note(tx)]),
};

for (const [name, work] of Object.entries(WAYS)) {
  test(`${name} that loses a deadlock is retried and takes effect once`, async () => {
    await h.pool`update marks set notes = 0`;
    await loseDeadlock(work);
    assert.deepEqual([...(await h.pool`select notes from marks`)], [{ notes: 1 }, { notes: 1 }]);
  });
}

test('a transaction that deadlocks on every retry is reported as a busy service, not as an internal error', async () => {
  let tries = 0;
  const lost = h.pool.transaction((tx) => {
    tries++;
    return tx.text(`do $$ begin raise exception 'deadlock' using errcode = 'deadlock_detected'; end $$`);
  });
  await assert.rejects(lost, isDatabaseUnavailable);
  assert.equal(tries, 3);
});
