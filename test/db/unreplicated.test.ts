import assert from 'node:assert/strict';
import test from 'node:test';
import { isDatabaseUnavailable } from '../../src/db/errors.ts';
import { releaseEarly } from '../../src/db/flush.ts';
import { createPool, type Pool } from '../../src/db/pool.ts';
import { createPostgres } from '../servers/postgres.ts';
import { eventually } from '../service.ts';

/** A server that waits for a standby that doesn't exist, with a counter. */
async function withoutStandby(work: (pool: Pool) => Promise<void>): Promise<void> {
  const server = await createPostgres();
  await server.start({ synchronous_standby_names: 'nobody' });
  const pool = createPool({ url: server.url() }, { max: 3 });
  try {
    await pool.transaction(async (tx) => {
      await tx`set local synchronous_commit = local`;
      await tx`create table counters (last int)`;
      await tx`insert into counters values (0)`;
    });
    await work(pool);
  } finally {
    await pool.end();
    await server.remove();
  }
}

const isWaiting = (pool: Pool) =>
  eventually('the commit waits for the standby', async () => {
    const rows = await pool`select pid from pg_stat_activity where wait_event = 'SyncRep'`;
    return rows.length > 0;
  });

const cancelWait = (pool: Pool) =>
  pool`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`.execute();

test(
  'a commit that is canceled while waiting for the standby is not reported as committed',
  {
    timeout: 60_000,
  },
  () =>
    withoutStandby(async (pool) => {
      const refused = assert.rejects(
        pool.transaction((tx) => tx`update counters set last = 1`),
        isDatabaseUnavailable,
      );
      await isWaiting(pool);
      await cancelWait(pool);
      await refused;
    }),
);

test('a transaction that releases its locks early does not return before its commit is safe', { timeout: 60_000 }, () =>
  withoutStandby(async (pool) => {
    let hasReturned = false;
    const first = pool.transaction(async (tx) => {
      await tx`update counters set last = last + 1`;
      await releaseEarly(tx);
    });
    const refused = assert.rejects(
      first.finally(() => {
        hasReturned = true;
      }),
      isDatabaseUnavailable,
    );
    await isWaiting(pool);
    const [next] = await pool.transaction(async (tx) => {
      await tx`set local synchronous_commit = local`;
      return tx<{ last: number }[]>`update counters set last = last + 1 returning last`;
    });
    assert.deepEqual([next!.last, hasReturned], [2, false], 'the counter is free while the first transaction waits');
    await cancelWait(pool);
    await refused;
  }),
);
