import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { openClient } from '../../src/db/client.ts';
import { createPool } from '../../src/db/pool.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';

const target = await cloneDatabase('template1');
const { host, user, password, database } = target;
const url = `postgres://${user}:${password}@localhost:${target.port}/${database}?host=${encodeURIComponent(host)}`;
after(() => dropDatabase(target));

test('a URL with target_session_attrs=read-write rejects a read-only server', async () => {
  const readWrite = { url: `${url}&target_session_attrs=read-write` };
  const admin = await openClient(readWrite, 'test');
  await admin.query(`alter database ${database} set default_transaction_read_only = on`);
  await admin.end();
  await assert.rejects(openClient(readWrite, 'test'), { code: '25006' });
  const pool = createPool(readWrite, { max: 1 });
  await assert.rejects(Promise.resolve(pool`select 1`), { code: '25006' });
  await pool.end();
  await (await openClient({ url }, 'test')).end();
});
