import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { createPool } from '../../src/db/pool.ts';
import { createScans } from '../../src/db/scan.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';

const target = await cloneDatabase();
const pool = createPool(target, { max: 4 });
after(async () => {
  await pool.end();
  await dropDatabase(target);
});

test('a business can run two scans at once, and further ones are rejected without delaying another business', async () => {
  const scan = createScans();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const running = [1, 2].map(() => scan(pool, 'biz_large', () => ended));
  await assert.rejects(
    scan(pool, 'biz_large', async () => {}),
    { kind: 'RATE_LIMITED' },
  );
  assert.equal(await scan(pool, 'biz_small', async () => 'counted'), 'counted');
  end();
  await Promise.all(running);
  assert.equal(await scan(pool, 'biz_large', async () => 'counted'), 'counted');
});

test('a scan has a shorter timeout than other statements, and its settings are reset afterward', async () => {
  const one = createPool(target, { max: 1 });
  const timeout = async (db: typeof one.db) =>
    (await db`select current_setting('statement_timeout') as limit`)[0]!.limit;
  assert.equal(await createScans()(one, 'biz_large', timeout), '10s');
  assert.equal(await timeout(one.db), '30s');
  await one.end();
});
