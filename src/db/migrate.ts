import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Pool } from './connection.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);
const LOCK = 7_301_966_001;

type Migration = { name: string; sql: string; checksum: string };

/**
 * Brings the schema to this version: every file of `migrations/` that has not run yet, in the order of its name, each in a
 * transaction of its own. Forward only. Any number of processes may call this at once: they queue for one lock, and all but
 * the first find nothing to do. A file that was changed after it ran stops the start.
 */
export async function migrate(pool: Pool, folder: URL = FOLDER): Promise<string[]> {
  const migrations = readMigrations(folder);
  const connection = await pool.reserve();
  try {
    await connection`select pg_advisory_lock(${LOCK})`;
    await connection`
      create table if not exists migrations (
        name text primary key, checksum text not null, applied_at timestamptz not null default now()
      )`;
    const done = new Map(
      (await connection<{ name: string; checksum: string }[]>`select name, checksum from migrations`).map((row) => [
        row.name,
        row.checksum,
      ]),
    );
    refuseChanged(migrations, done);
    const applied: string[] = [];
    for (const { name, sql, checksum } of migrations) {
      if (done.has(name)) continue;
      await connection.unsafe(
        `begin; ${sql}\n; insert into migrations (name, checksum) values ('${name}', '${checksum}'); commit`,
      );
      applied.push(name);
    }
    return applied;
  } catch (error) {
    await connection.unsafe('rollback').catch(() => {});
    throw error;
  } finally {
    await connection`select pg_advisory_unlock(${LOCK})`.catch(() => {});
    connection.release();
  }
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
    if (!known.has(name)) throw new Error(`The database is newer than this version: it has run migration ${name}.`);
  }
  for (const { name, checksum } of migrations) {
    if (done.has(name) && done.get(name) !== checksum) {
      throw new Error(`Migration ${name} was changed after it ran. Restore the file and add a new one instead.`);
    }
  }
}
