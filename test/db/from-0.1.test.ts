/** The upgrade of a populated 0.1 database, whose documents were text, to this version's schema. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { PgBoss } from 'pg-boss';
import pino from 'pino';
import { readSchema } from '../../scripts/schema/describe.ts';
import { createService } from '../../src/app.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createPool } from '../../src/db/pool.ts';
import { caller } from '../call.ts';
import { testConfig } from '../config.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';
import { checkResponses, loadVersion01, SETTINGS } from '../upgrade/version-0.1.ts';

const target = await cloneDatabase('template1');
const pool = createPool(target, { max: 2, applicationName: 'test' });
const folder = mkdtempSync(join(tmpdir(), 'souk-'));
after(async () => {
  await pool.end();
  await dropDatabase(target);
  rmSync(folder, { recursive: true });
});

await loadVersion01(pool);

test('a database that never reached the last migration of 0.1 is rejected and not modified', async () => {
  const [last] = await pool<{ name: string; checksum: string }[]>`
    delete from migrations where name = '0142_picture_details.sql' returning name, checksum`;
  await assert.rejects(migrate(target), /older than version 0\.1\.0/);
  await pool`insert into migrations (name, checksum) values (${last!.name}, ${last!.checksum})`;
});

test('the converted schema equals the schema of a new database', async () => {
  await queueJobs();
  await migrate(target);
  // The template of a cluster is distributed, and this database is not.
  const fresh = await cloneDatabase(process.env.CITUS_BIN && 'template1');
  await migrate(fresh);
  const freshPool = createPool(fresh, { max: 1 });
  try {
    assert.deepEqual(await readSchema(pool), await readSchema(freshPool));
    const applied = (db: typeof pool) => db`select name, checksum from migrations order by name`;
    assert.deepEqual(await applied(pool), await applied(freshPool));
    assert.deepEqual(await migrate(target), []);
  } finally {
    await freshPool.end();
    await dropDatabase(fresh);
  }
});

test('SQL reads the converted documents', async () => {
  const rows = await pool<{ name: string }[]>`
    select doc ->> 'name' as name from products where slug in ('old-lamp', 'later-lamp') order by 1`;
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['Later lamp', 'Old lamp, second name'],
  );
});

test('members and guests get the same responses as before the upgrade', async () => {
  const config = testConfig(SETTINGS, folder);
  const service = await createService({ config, target, log: pino({ level: 'error' }), works: false });
  try {
    await checkResponses(caller(await service.listen()));
  } finally {
    await service.stop();
  }
});

/** A scheduled publication and a scheduled newsletter, as version 0.1 queued them. */
async function queueJobs(): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => ({ rows: await pool.text(text, values) }) },
    schema: 'jobs',
    supervise: false,
    schedule: false,
  });
  await boss.start();
  const later = { startAfter: new Date('2036-11-13T19:25:13Z') };
  const businessId = 'biz_demo';
  const jobs = {
    'publish-due': { businessId, entity: 'release:rel_01m7jx47p5b5gvcrt3jahx7m7q' },
    'newsletter-start': { businessId, sendId: 'snd_01m7jx48b5apxa9bg5x5f8ws3v' },
  };
  for (const [name, data] of Object.entries(jobs)) {
    await boss.createQueue(name);
    await boss.send(name, data, later);
  }
  await boss.stop();
}
