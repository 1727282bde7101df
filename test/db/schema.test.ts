/** Rules that the database catalog can verify, so that the rows of a business can be moved to another server. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after } from 'node:test';
import { schemaFiles } from '../../scripts/schema/files.ts';
import { LOCAL_TABLES } from '../../src/db/distribute.ts';
import { createPool } from '../../src/db/pool.ts';
import { cloneDatabase, dropDatabase } from '../databases.ts';

const target = await cloneDatabase();
const pool = createPool(target, { max: 1 });
after(async () => {
  await pool.end();
  await dropDatabase(target);
});

/** Indexes and foreign keys that do not start with the business, and why. */
const EXCEPTIONS: Record<string, string> = {
  members_user_id_fkey: 'Users are global. It removes the memberships of a deleted account.',
  members_user: 'Finds the businesses of a user.',
  sso_domains_verified: 'Finds the businesses of an email domain.',
  sso_identities_user_id_fkey: 'Users are global. It removes the identities of a deleted account.',
  sso_identities_user: 'Finds the identities of a deleted account.',
  scim_users_user_id_fkey: 'Users are global. It removes the records of a deleted account.',
  scim_users_user: 'Finds the records of a deleted account.',
  product_search_words: 'Its first column, places, begins with the business.',
  product_facets_terms: 'Its first column, places, begins with the business.',
  product_facets_sold_out: 'Its first column, places, begins with the business.',
  idempotency_keys_expires_at: 'Upkeep finds expired rows in all businesses.',
  payments_due: 'Workers find due rows in all businesses.',
  refunds_due: 'Workers find due rows in all businesses.',
  order_tasks_due: 'Workers find due rows in all businesses.',
  bank_statements_created: 'A job deletes old statements in all businesses.',
  vat_checks_checked: 'A job deletes old checks in all businesses.',
  webhook_queues_due: 'The sender finds due rows in all businesses.',
  agreements_due: 'Workers find due rows in all businesses.',
  planned_due: 'Workers find due rows in all businesses.',
  sends_due: 'Workers find due rows in all businesses.',
  automations_due: 'Workers find due rows in all businesses.',
  automations_scan: 'Workers find due rows in all businesses.',
  automation_signals_due: 'Workers find due rows in all businesses.',
  tasks_due: 'Workers find due rows in all businesses.',
  tasks_expires_at: 'Upkeep finds expired rows in all businesses.',
  carts_reminder_at: 'Workers find due rows in all businesses.',
  carts_expires_at: 'Upkeep finds expired rows in all businesses.',
  quotes_expires_at: 'Upkeep finds expired rows in all businesses.',
  payment_events_received_at: 'Upkeep finds old rows in all businesses.',
};

type Index = { table: string; name: string; isPrimary: boolean; isUnique: boolean; first: string | null };
const indexes = await pool<Index[]>`
  select t.relname as table, c.relname as name, i.indisprimary as is_primary, i.indisunique as is_unique,
    (select attname from pg_attribute where attrelid = t.oid and attnum = i.indkey[0]) as first
  from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
  where t.relnamespace = 'public'::regnamespace
    and exists (select from pg_attribute where attrelid = t.oid and attname = 'business_id' and not attisdropped)
  order by 1, 2`;

type Reference = { name: string; from: string; to: string; first: string; firstThere: string };
const references = await pool<Reference[]>`
  select f.conname as name, f.conrelid::regclass::text as from, f.confrelid::regclass::text as to,
    (select attname from pg_attribute where attrelid = f.conrelid and attnum = f.conkey[1]) as first,
    (select attname from pg_attribute where attrelid = f.confrelid and attnum = f.confkey[1]) as first_there
  from pg_constraint f
  where f.contype = 'f' and f.connamespace = 'public'::regnamespace
    and exists (select from pg_attribute where attrelid in (f.conrelid, f.confrelid) and attname = 'business_id')
  order by 1`;

const isDistributed = (table: string) =>
  !LOCAL_TABLES.includes(table) && indexes.some((index) => index.table === table);

const namesOf = (things: { name: string }[]) => things.map(({ name }) => name);

test('every tenant table has a primary key that starts with the business', async () => {
  const tables = await pool<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'business_id' order by 1`;
  const good = indexes.filter(({ isPrimary, first }) => isPrimary && first === 'business_id');
  assert.ok(tables.length > 20);
  assert.deepEqual(good.map(({ table }) => table).sort(), namesOf(tables).sort());
});

test('every index of a tenant table starts with the business, including unique indexes', () => {
  const others = indexes.filter(({ first }) => first !== 'business_id');
  assert.deepEqual(
    others.filter(({ isUnique }) => isUnique),
    [],
  );
  assert.deepEqual(
    namesOf(others).filter((name) => !(name in EXCEPTIONS)),
    [],
  );
});

test('every foreign key of a tenant table starts with the business on both sides', () => {
  const others = references.filter(({ first, firstThere }) => first !== 'business_id' || firstThere !== 'business_id');
  assert.deepEqual(
    namesOf(others).filter((name) => !(name in EXCEPTIONS)),
    [],
  );
});

test('no table has a foreign key to businesses: it would lock that row with every write and cascade', () => {
  assert.deepEqual(
    references.filter(({ to }) => to === 'businesses').map(({ from }) => from),
    [],
  );
});

test('distributed tables and local tables never reference each other', () => {
  const across = references.filter(({ from, to }) => isDistributed(from) !== isDistributed(to));
  assert.deepEqual(namesOf(across), []);
});

test('every exception is still needed', () => {
  const odd = [
    ...indexes.filter(({ first }) => first !== 'business_id'),
    ...references.filter(({ first }) => first !== 'business_id'),
  ];
  assert.deepEqual(Object.keys(EXCEPTIONS).sort(), namesOf(odd).sort());
});

/** Without the extensions of a cluster. */
const extensions = (db: typeof pool) => db<{ name: string }[]>`
  select extname as name from pg_extension where extname not like 'citus%' order by 1`;

test('there are no unused extensions', async () => {
  assert.deepEqual(namesOf(await extensions(pool)), ['btree_gin', 'plpgsql']);
});

test('docs/schema.sql and docs/schema.md are up to date', {
  skip: process.env.CITUS_BIN ? 'they describe a database that is not distributed' : false,
}, async () => {
  for (const [file, text] of await schemaFiles(pool))
    assert.equal(readFileSync(file, 'utf8'), text, 'Run npm run schema.');
});
