/** The upgrade of a cluster whose tables were distributed by version 0.2.0: `npm run test:citus`. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pino from 'pino';
import { readSchema } from '../../scripts/schema/describe.ts';
import { createService } from '../../src/app.ts';
import { distribute } from '../../src/db/distribute.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createPool } from '../../src/db/pool.ts';
import { caller } from '../call.ts';
import { testConfig } from '../config.ts';
import { cloneCluster, cloneDatabase, dropDatabase } from '../databases.ts';
import { BUSINESS, checkResponses, loadVersion01, SETTINGS } from '../upgrade/version-0.1.ts';

const MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));
const ORDER = {
  market: 'us',
  paymentMethod: 'CASH',
  shippingMethodId: 'standard',
  items: [{ productId: 'prod_01m7jx46jj03w27s5kmd3cvhp0', variantId: 'a', quantity: 1 }],
};
const PLAIN_COLUMNS = '0054_beside_version_0_2.sql';

test('a cluster distributed by version 0.2.0 upgrades without losing data', {
  skip: process.env.CITUS_BIN ? false : 'needs CITUS_BIN',
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'souk-cluster-'));
  const target = await cloneCluster();
  const pool = createPool(target, { max: 2, applicationName: 'test' });
  t.after(async () => {
    await pool.end();
    await dropDatabase(target);
    rmSync(folder, { recursive: true });
  });
  /** Migrates to the last migration before `end`. */
  const migrateBefore = (end: string) => {
    const to = join(folder, end);
    cpSync(MIGRATIONS, to, {
      recursive: true,
      filter: (path) => path.slice(MIGRATIONS.length, -4) < end.slice(0, -4) || path.includes('upgrades'),
    });
    return migrate(target, pathToFileURL(`${to}/`));
  };

  await loadVersion01(pool);
  await migrateBefore('0016_content_entries_of_others.sql');
  /** The number of rows of each table. */
  const countRows = async () => {
    const tables = await pool<{ name: string }[]>`
      select relname as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_table_is_visible(oid) and relname !~ '_[0-9]{6,}$' order by 1`;
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await pool<[{ count: number }]>`select count(*) from ${pool(name)}`;
      counts[name] = row.count;
    }
    return counts;
  };
  const countsBefore = await countRows();
  await distribute(target);

  await t.test('distribution keeps every row, and leaves no copies on the coordinator', async () => {
    assert.ok(countsBefore.orders! > 0 && countsBefore.members! > 0);
    assert.deepEqual(await countRows(), countsBefore);
    const left = await pool`
      select logicalrelid::text as name from pg_dist_partition where pg_relation_size(logicalrelid) > 0`;
    assert.deepEqual(left, []);
  });

  const documents = () =>
    pool<{ id: string }[]>`select id, doc, doc_bytes, total, paid_at, country, bought from orders order by id`;

  await t.test('a migration interrupted after nodes have changed their tables can run again', async () => {
    await migrateBefore(PLAIN_COLUMNS);
    const before = await documents();
    const sql = readFileSync(join(MIGRATIONS, PLAIN_COLUMNS), 'utf8');
    const change = /^do \$\$[\s\S]*?^end \$\$/m.exec(sql)![0];
    await assert.rejects(
      pool.transaction(async (tx) => {
        await tx.text(change);
        throw new Error('interrupted');
      }),
      { message: 'interrupted' },
    );
    await migrate(target);
    assert.ok(before.length > 0);
    assert.deepEqual(await documents(), before);
  });

  await t.test('new tables are distributed', async () => {
    assert.deepEqual(await distribute(target), []);
  });

  await t.test('tables that version 0.2.0 left unlogged, which Citus can’t move, become logged', async () => {
    const unlogged = `do $do$ begin set local citus.enable_ddl_propagation = off; alter table quotes set unlogged; end $do$`;
    await pool`select run_command_on_placements('quotes', 'alter table %s set unlogged')`;
    await pool`select run_command_on_all_nodes(${unlogged}::text)`;
    assert.deepEqual(await distribute(target), ['Changed table quotes from unlogged to logged.']);
    const left = await pool<{ result: string }[]>`
      select result from run_command_on_all_nodes(
        $$select count(*) from pg_class where relname like 'quotes%' and relpersistence = 'u'$$)`;
    assert.deepEqual(
      left.map(({ result }) => result),
      ['0', '0', '0'],
    );
  });

  await t.test('the schema equals the schema of a new cluster', async () => {
    const fresh = await cloneDatabase();
    const freshPool = createPool(fresh, { max: 1 });
    assert.deepEqual(await readSchema(pool), await readSchema(freshPool));
    await freshPool.end();
    await dropDatabase(fresh);
    const onNodes = await pool<{ result: string }[]>`
      select result from run_command_on_all_nodes($$
        select count(*) from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relname ~ '^(orders|events)(_\\d+)?$' and a.attgenerated <> ''
          or c.relname in ('event_outbox', 'price_history') and a.attidentity <> ''$$)`;
    assert.deepEqual(
      onNodes.map(({ result }) => result),
      ['0', '0', '0'],
    );
  });

  await t.test('members and guests get the same responses, and customers can check out', async () => {
    const config = testConfig(SETTINGS, folder);
    const service = await createService({ config, target, log: pino({ level: 'error' }), works: false });
    t.after(() => service.stop());
    const call = caller(await service.listen());
    await checkResponses(call);
    const {
      body: { accessToken: token },
    } = await call('POST', '/v1/users/login', { body: { provider: 'GUEST' } });
    const order = await call('POST', `${BUSINESS}/orders/checkout`, { token, body: ORDER });
    assert.equal(order.status, 200, JSON.stringify(order.body));
  });
});
