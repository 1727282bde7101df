import assert from 'node:assert/strict';
import test from 'node:test';
import { isDatabaseUnavailable } from '../../src/db/errors.ts';
import { createPool } from '../../src/db/pool.ts';
import { createPostgres } from '../servers/postgres.ts';
import { eventually } from '../service.ts';

test('a commit that is canceled while waiting for the standby is not reported as committed', {
  timeout: 60_000,
}, async () => {
  const server = await createPostgres();
  await server.start({ synchronous_standby_names: 'nobody' });
  const pool = createPool({ url: server.url() }, { max: 2 });
  try {
    await pool.transaction(async (tx) => {
      await tx`set local synchronous_commit = local`;
      await tx`create table notes (text text)`;
    });
    const lost = pool.transaction((tx) => tx`insert into notes values ('only here')`);
    const refused = assert.rejects(lost, isDatabaseUnavailable);
    await eventually('the commit waits and is canceled', async () => {
      const rows = await pool`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
      return rows.length > 0;
    });
    await refused;
  } finally {
    await pool.end();
    await server.remove();
  }
});
