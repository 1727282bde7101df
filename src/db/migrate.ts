import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Client, ConnectionTarget } from './client.ts';
import { distributeNew, orderDistributed } from './distribute.ts';
import { withMigrationLock } from './migration-lock.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);

const CONTRACTS = /^\d{4}_contract_/;

/** The setting lets a migration change a table and its rows on a Citus cluster. Plain PostgreSQL ignores it. */
const BEGIN = "begin; set local citus.multi_shard_modify_mode = 'sequential'";

const CREATES_TABLE = /^\s*create (?:unlogged )?table (\w+)/;

/** Checksums of previous versions of files. A database that ran them has the same schema after the last migration. */
const EARLIER: Record<string, readonly string[]> = {
  '0017_catalog_sold_as.sql': ['f672a014cea577d5a6e506cb09985cf1f9861f77e9f74bb52a302cbcb5945072'],
  '0018_import_warnings.sql': ['a6b0d8d3971ef3dea7c9b7a87f702729c3a19634d420e8e6d4da959d3fea2d49'],
  '0037_send_figures.sql': ['9cd7299aa5b3ad0af9b1bcd25144e0ca01eb9d242c49e8d321b36b9b3df3ff12'],
  '0050_plain_columns.sql': [
    'dba422994c668e1ba329b655ab436a4b140b4854ffb802972a335b74047fc2bf',
    '1c180424f2b2aa13b3a07c6da42aa6ea10e7b912ada6872bb8f897a5ade1b403',
  ],
};

type Migration = { name: string; sql: string; checksum: string };

/**
 * Migrates the schema to this version: runs every new file of `migrations/` in name order, each in its own transaction. Forward only.
 * Several processes can call this at once: they wait for one lock, and all but the first find nothing to do. Throws if a file was changed
 * after it ran.
 *
 * The database can be newer than this process, during an upgrade or after a rollback of the code: additions work with the previous version
 * too. A migration that removes something has `contract` in its name, and the previous version refuses to start.
 */
export async function migrate(target: ConnectionTarget, folder: URL = FOLDER): Promise<string[]> {
  const migrations = readMigrations(folder);
  return withMigrationLock(target, 'souk-migrate', async (client) => {
    await client.query(
      `create table if not exists migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now()
      )`,
    );
    const applied: string[] = [];
    const run = async (name: string, ...statements: string[]) => {
      for (const statement of [BEGIN, ...statements, 'commit']) {
        await client.query(statement).catch(explainDenied);
        const [, created] = CREATES_TABLE.exec(statement) ?? [];
        if (created) await distributeNew(client, created);
      }
      applied.push(name);
    };
    if (isVersion01(await listApplied(client))) {
      const sql = readFileSync(new URL(FROM_0_1, folder), 'utf8');
      await run(FROM_0_1, ...statementsOf(sql), 'delete from migrations', ...migrations.filter(isBaseline).map(noteOf));
    }
    const done = await listApplied(client);
    refuseChanged(migrations, done);
    for (const migration of migrations) {
      if (!done.has(migration.name)) await run(migration.name, ...statementsOf(migration.sql), noteOf(migration));
    }
    await orderDistributed(client);
    return applied;
  });
}

/** Version 0.1 had 42 migrations. Version 0.2 replaced them with a baseline, one file per domain. */
const FIRST_OF_0_1 = '0001_foundation.sql';
const LAST_OF_0_1 = '0142_picture_details.sql';
const FROM_0_1 = 'upgrades/from-0.1.sql';
const isBaseline = ({ name }: Migration) => name < '0016';

function isVersion01(done: ReadonlyMap<string, string>): boolean {
  if (done.has(FIRST_OF_0_1) && !done.has(LAST_OF_0_1))
    throw new Error(
      'This database is older than version 0.1.0. Run version 0.1.0 on it once, then start this version.',
    );
  return done.has(FIRST_OF_0_1);
}

const noteOf = ({ name, checksum }: Migration) =>
  `insert into migrations (name, checksum) values ('${name}', '${checksum}')`;

async function listApplied(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations');
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/** Tokens whose semicolons don't end a statement: quoted, dollar-quoted, or a comment. */
const PARTS = /\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^;'"$/-]+|[\s\S]/g;

/** Statements one by one, because Citus forwards the text to its nodes, which accept only a single statement. */
function statementsOf(sql: string): string[] {
  const statements = [''];
  for (const [part] of sql.matchAll(PARTS)) {
    if (part === ';') statements.push('');
    else if (!part.startsWith('--')) statements[statements.length - 1] += part;
  }
  return statements.filter((statement) => statement.trim() !== '');
}

function explainDenied(error: Error & { code?: string }): never {
  if (error.code !== '42501') throw error;
  throw new Error(`${error.message}. The role lacks a privilege; see docs/operate/database.md.`);
}

function readMigrations(folder: URL): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, folder), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

function refuseChanged(migrations: Migration[], done: Map<string, string>): void {
  const known = new Set(migrations.map((migration) => migration.name));
  for (const name of done.keys()) {
    if (known.has(name) || !CONTRACTS.test(name)) continue;
    throw new Error(`The database is too new for this version: it already has migration ${name}.`);
  }
  for (const { name, checksum } of migrations) {
    const applied = done.get(name);
    if (applied !== undefined && applied !== checksum && !EARLIER[name]?.includes(applied)) {
      throw new Error(`Migration ${name} was changed after it ran. Restore the file and add a new migration instead.`);
    }
  }
}
