/** Rules of the house that the database's own catalogue can tell, so that a tenant's rows can be moved to a server of its own. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test, { after } from 'node:test';
import { LOCAL_TABLES } from '../../src/db/distribute.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createPool } from '../../src/db/pool.ts';
import { cloneDatabase, dropDatabase } from '../harness.ts';

const target = await cloneDatabase();
const pool = createPool(target, { max: 1 });
after(async () => {
  await pool.end();
  await dropDatabase(target);
});

/** Indexes and foreign keys that do not begin with the business, and why that is right. */
const EXCEPTIONS: Record<string, string> = {
  members_user_id_fkey: 'Users are global. It removes the memberships of a deleted account.',
  members_user: 'Answers which businesses a user belongs to.',
  product_search_words: 'Its first column, places, begins with the business.',
  idempotency_keys_expires_at: 'Upkeep looks for what has expired in all businesses.',
  payments_due: 'Workers look for what is due in all businesses.',
  refunds_due: 'Workers look for what is due in all businesses.',
  order_tasks_due: 'Workers look for what is due in all businesses.',
  webhook_queues_due: 'The sender looks for what is due in all businesses.',
  agreements_due: 'A job looks for what is due in all businesses.',
  planned_due: 'The sweep looks for what is due in all businesses.',
  quotes_expires_at: 'Upkeep looks for what has expired in all businesses.',
  payment_events_received_at: 'Upkeep looks for what is old in all businesses.',
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

const isSpread = (table: string) => !LOCAL_TABLES.includes(table) && indexes.some((index) => index.table === table);

const namesOf = (things: { name: string }[]) => things.map(({ name }) => name);

test('every table of businesses has a primary key that begins with the business', async () => {
  const tables = await pool<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'business_id' order by 1`;
  const good = indexes.filter(({ isPrimary, first }) => isPrimary && first === 'business_id');
  assert.ok(tables.length > 20);
  assert.deepEqual(good.map(({ table }) => table).sort(), namesOf(tables).sort());
});

test('every index of such a table begins with the business, above all every unique one', () => {
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

test('every foreign key of such a table begins with the business on both sides', () => {
  const others = references.filter(({ first, firstThere }) => first !== 'business_id' || firstThere !== 'business_id');
  assert.deepEqual(
    namesOf(others).filter((name) => !(name in EXCEPTIONS)),
    [],
  );
});

test('no table refers to the row of its business: a reference locks that row with every write and cascades', () => {
  assert.deepEqual(
    references.filter(({ to }) => to === 'businesses').map(({ from }) => from),
    [],
  );
});

test('no table that a cluster spreads by business refers to one that it does not spread, nor the other way round', () => {
  const across = references.filter(({ from, to }) => isSpread(from) !== isSpread(to));
  assert.deepEqual(namesOf(across), []);
});

test('every exception is one still', () => {
  const odd = [
    ...indexes.filter(({ first }) => first !== 'business_id'),
    ...references.filter(({ first }) => first !== 'business_id'),
  ];
  assert.deepEqual(Object.keys(EXCEPTIONS).sort(), namesOf(odd).sort());
});

/** Without those that make the database a cluster. */
const extensions = (db: typeof pool) => db<{ name: string }[]>`
  select extname as name from pg_extension where extname not like 'citus%' order by 1`;

test('extensions that nothing uses are not there', async () => {
  assert.deepEqual(namesOf(await extensions(pool)), ['btree_gin', 'plpgsql']);
});

/** The extensions that are left when the service has been set up in a database that was prepared like this. */
async function extensionsAfter(
  prepare: (admin: typeof pool, database: string) => Promise<unknown>,
  role?: string,
): Promise<string[]> {
  const empty = await cloneDatabase('template1');
  const admin = createPool(empty, { max: 1 });
  try {
    await prepare(admin, empty.database);
    await migrate(role ? { ...empty, user: role, password: role } : empty);
    return namesOf(await extensions(admin));
  } finally {
    await admin.end();
    await dropDatabase(empty);
  }
}

test('an extension that something else in the database uses stays', async () => {
  const left = await extensionsAfter((admin) =>
    admin.text(`
      create extension pg_trgm; create table names (name text);
      create index on names using gin (name gin_trgm_ops)`),
  );
  assert.deepEqual(left, ['btree_gin', 'pg_trgm', 'plpgsql']);
});

test('an extension that belongs to somebody else stays', async () => {
  const role = `souk_${randomUUID().replaceAll('-', '')}`;
  const left = await extensionsAfter(
    (admin, database) =>
      admin.text(`
        create extension unaccent; create role ${role} login password '${role}';
        grant create on database ${database} to ${role}; grant create on schema public to ${role}`),
    role,
  );
  assert.deepEqual(left, ['btree_gin', 'plpgsql', 'unaccent']);
});
