import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { type Client, type ConnectionTarget, openClient } from './client.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const MIGRATION_LOCK = 7_301_966_001;

const CONTRACTS = /^\d{4}_contract_/;

/** The second is for a Citus cluster, where a migration may change a table and its rows; to others it means nothing. */
const BEGIN = "begin; set local citus.multi_shard_modify_mode = 'sequential'";

type Migration = { name: string; sql: string; checksum: string };

/**
 * Brings the schema to this version: every file of `migrations/` that has not run yet, in the order of its name, each in a
 * transaction of its own. Forward only. Any number of processes may call this at once: they queue for one lock, and all but
 * the first find nothing to do. A file that was changed after it ran stops the start.
 *
 * The database may be newer than we are, while an upgrade is under way or after it was taken back: what a migration adds serves
 * the versions before it too. One that takes away what they used says so by its name, and they do not start any more.
 */
export async function migrate(target: ConnectionTarget, folder: URL = FOLDER): Promise<string[]> {
  const migrations = readMigrations(folder);
  return withMigrationLock(target, 'souk-migrate', async (client) => {
    await client.query(
      `create table if not exists migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now()
      )`,
    );
    const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migrations');
    const done = new Map(rows.map((row) => [row.name, row.checksum]));
    refuseChanged(migrations, done);
    const applied: string[] = [];
    for (const { name, sql, checksum } of migrations) {
      if (done.has(name)) continue;
      const note = `insert into migrations (name, checksum) values ('${name}', '${checksum}')`;
      for (const statement of [BEGIN, ...statementsOf(sql), note, 'commit'])
        await client.query(statement).catch(sayWhatIsMissing);
      applied.push(name);
    }
    return applied;
  });
}

/** Runs `work` on a connection without time limits: the others wait for as long as the first one takes. */
export async function withMigrationLock<T>(
  target: ConnectionTarget,
  applicationName: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = await openClient(target, applicationName);
  try {
    client.silenceMs = Number.POSITIVE_INFINITY;
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0');
    await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    return await work(client);
  } finally {
    // With the connection go its lock and what failed half way.
    await client.end();
  }
}

/** What has no semicolon that ends a statement: quoted, in dollars, or a comment. */
const PARTS = /\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^;'"$/-]+|[\s\S]/g;

/** One by one, because Citus hands a text on to its nodes as it came, and there it must be one statement. */
function statementsOf(sql: string): string[] {
  const statements = [''];
  for (const [part] of sql.matchAll(PARTS)) {
    if (part === ';') statements.push('');
    else if (!part.startsWith('--')) statements[statements.length - 1] += part;
  }
  return statements.filter((statement) => statement.trim() !== '');
}

/** Of rights: an administrator has to make what the role may not. */
function sayWhatIsMissing(error: Error & { code?: string }): never {
  if (error.code !== '42501') throw error;
  throw new Error(`${error.message}: the role lacks a right. docs/operations.md says what an administrator prepares.`);
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
    throw new Error(`The database is too new for this version: it has run migration ${name}.`);
  }
  for (const { name, checksum } of migrations) {
    if (done.has(name) && done.get(name) !== checksum) {
      throw new Error(`Migration ${name} was changed after it ran. Restore the file and add a new one instead.`);
    }
  }
}
