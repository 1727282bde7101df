import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, beforeEach } from 'node:test';
import { pathToFileURL } from 'node:url';
import { migrate } from '../../src/db/migrate.ts';
import { withMigrationLock } from '../../src/db/migration-lock.ts';
import { type ConnectionTarget, createPool, type Pool } from '../../src/db/pool.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';

let folder: URL;
let target: ConnectionTarget;
let pool: Pool;
const cleanups: (() => unknown)[] = [];
after(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

const write = (name: string, sql: string) => writeFileSync(new URL(name, folder), sql);
const tables = async () =>
  (
    await pool<{ name: string }[]>`select relname as name from pg_class where relname in ('first', 'second') order by 1`
  ).map((row) => row.name);

function openPool(to: ConnectionTarget): Pool {
  const opened = createPool(to, { max: 2, applicationName: 'test' });
  cleanups.push(() => opened.end());
  return opened;
}

async function emptyDatabase() {
  const made = await cloneDatabase('template1');
  cleanups.push(() => dropDatabase(made));
  return made;
}

beforeEach(async () => {
  const path = mkdtempSync(join(tmpdir(), 'souk-migrations-'));
  cleanups.push(() => rmSync(path, { recursive: true }));
  folder = pathToFileURL(`${path}/`);
  target = await emptyDatabase();
  pool = openPool(target);
  write('0001_first.sql', 'create table first (id int) -- no semicolon at the end');
  write('0002_second.sql', 'create table second (id int);\ninsert into second values (1);');
});

test('every file runs once, in file name order', async () => {
  assert.deepEqual(await migrate(target, folder), ['0001_first.sql', '0002_second.sql']);
  assert.deepEqual(await migrate(target, folder), []);
  write('0003_third.sql', 'insert into second values (2)');
  write('notes.txt', 'not a migration');
  assert.deepEqual(await migrate(target, folder), ['0003_third.sql']);
  assert.equal((await pool`select from second`).length, 2);
});

test('when ten processes migrate at once, exactly one does the work', async () => {
  const applied = await Promise.all(Array.from({ length: 10 }, () => migrate(target, folder)));
  assert.deepEqual(applied.filter((names) => names.length > 0).length, 1);
  assert.equal((await pool`select from second`).length, 1);
});

test('ten processes migrate an empty database to the current version', async () => {
  const applied = await Promise.all(Array.from({ length: 10 }, () => migrate(target)));
  assert.equal(applied.filter((names) => names.length > 0).length, 1);
});

test('the migration lock can be held for any length of time, to migrate or to distribute', async () => {
  const limits = await withMigrationLock(target, 'test', async (client) => {
    const { rows } = await client.query(
      "select name, setting from pg_settings where name like '%_timeout' and name ~ '^(statement|lock|idle_in)'",
    );
    return [client.silenceMs, ...rows.map(({ setting }) => setting)];
  });
  assert.deepEqual(limits, [Number.POSITIVE_INFINITY, '0', '0', '0']);
});

test('a file that fails has no effect and holds no lock', async () => {
  write('0002_second.sql', 'create table second (id int); select 1 / 0;');
  await assert.rejects(migrate(target, folder), { code: '22012' });
  assert.deepEqual(await tables(), ['first']);
  write('0002_second.sql', 'create table second (id int);');
  assert.deepEqual(await migrate(target, folder), ['0002_second.sql']);
});

test('a file that was changed after it ran prevents startup with a one-line error', async () => {
  await migrate(target, folder);
  write('0001_first.sql', 'create table first (id bigint)');
  write('0003_third.sql', 'drop table second');
  await assert.rejects(migrate(target, folder), {
    message: 'Migration 0001_first.sql was changed after it ran. Restore the file and add a new migration instead.',
  });
  assert.deepEqual(await tables(), ['first', 'second']);
});

test('a database migrated with the earlier text of a changed migration is still accepted', async () => {
  const migrated = await cloneDatabase();
  cleanups.push(() => dropDatabase(migrated));
  const earlier = 'f672a014cea577d5a6e506cb09985cf1f9861f77e9f74bb52a302cbcb5945072';
  await openPool(migrated)`update migrations set checksum = ${earlier} where name = '0017_catalog_sold_as.sql'`;
  assert.deepEqual(await migrate(migrated), []);
});

test('a version can start on the next version’s schema, so that an upgrade can be rolled out and rolled back', async () => {
  await migrate(target, folder);
  rmSync(new URL('0002_second.sql', folder));
  assert.deepEqual(await migrate(target, folder), []);
});

test('a version whose tables were removed fails to start with a one-line error', async () => {
  write('0003_contract_second.sql', 'drop table second');
  await migrate(target, folder);
  rmSync(new URL('0003_contract_second.sql', folder));
  await assert.rejects(migrate(target, folder), {
    message: 'The database is too new for this version: it already has migration 0003_contract_second.sql.',
  });
});
