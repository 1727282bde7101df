/**
 * Copies the embedded database while it runs, with PostgreSQL's low-level backup API, because the binaries
 * don't include pg_basebackup. The copy contains the write-ahead log that PostgreSQL needs to recover to the end of the
 * backup.
 */
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, openClient } from '../client.ts';
import { unlessMissing } from './failures.ts';
import { startEmbedded } from './index.ts';
import { type Log, NAME } from './names.ts';

/** Files to omit: state of the running server, and files that PostgreSQL recreates. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label(\.old)?|pg_internal\.init.*|pgsql_tmp.*)$/;
/** Folders that must exist but be empty. The write-ahead log is copied last. */
const EMPTY = [
  ...['pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat_tmp', 'pg_subtrans', 'pg_wal'],
];
/** PostgreSQL updates it at each checkpoint, so it is copied after the files that it describes. */
const CONTROL = 'global/pg_control';

/** Uses the server running on the folder, or starts one for the duration of the backup. */
export async function backUpEmbedded(dataDir: string, to: string, log: Log): Promise<void> {
  const running = await connectToRunning(dataDir);
  if (running) return copyCluster(running, join(dataDir, 'postgres'), to).finally(() => running.end());
  const { stop, ...target } = await startEmbedded({ dataDir, log });
  try {
    const client = await openClient(target, 'souk-backup');
    await copyCluster(client, join(dataDir, 'postgres'), to).finally(() => client.end());
  } finally {
    await stop();
  }
}

/** Returns null if no server runs there, or it has just stopped. */
async function connectToRunning(dataDir: string): Promise<Client | null> {
  const [pidFile, password] = await Promise.all(
    ['postgres/postmaster.pid', 'postgres.password'].map((name) =>
      unlessMissing(fs.readFile(join(dataDir, name), 'utf8')),
    ),
  );
  const [, , , port, host] = pidFile?.split('\n') ?? [];
  if (!host || !password) return null;
  const target = { host, port: Number(port), user: NAME, password, database: NAME };
  return openClient(target, 'souk-backup').catch(() => null);
}

async function copyCluster(client: Client, folder: string, to: string): Promise<void> {
  client.silenceMs = Number.POSITIVE_INFINITY;
  await client.query('set statement_timeout = 0');
  // The slot exists only while this connection is open. Without it, a checkpoint could remove log segments that the copy
  // needs.
  await client.query("select pg_create_physical_replication_slot('souk_backup_' || pg_backend_pid(), true, true)");
  const { rows: started } = await client.query<{ wal: string }>(
    "select pg_walfile_name(pg_backup_start('souk', fast => true)) as wal",
  );
  await copyFolder(folder, to, '');
  await fs.copyFile(join(folder, CONTROL), join(to, CONTROL));
  const { rows: stopped } = await client.query<{ wal: string; label: string }>(
    'select pg_walfile_name(lsn) as wal, labelfile as label from pg_backup_stop(wait_for_archive => false)',
  );
  const [first, last] = [started[0]!.wal, stopped[0]!.wal];
  for (const name of await fs.readdir(join(folder, 'pg_wal'))) {
    const isNeeded = /^[0-9A-F]{24}$/.test(name) && first <= name && name <= last;
    if (isNeeded) await fs.copyFile(join(folder, 'pg_wal', name), join(to, 'pg_wal', name));
  }
  await fs.writeFile(join(to, 'backup_label'), stopped[0]!.label, { mode: 0o600 });
}

async function copyFolder(folder: string, to: string, path: string): Promise<void> {
  await fs.mkdir(join(to, path), { mode: 0o700 });
  if (EMPTY.includes(path)) return;
  const entries = (await unlessMissing(fs.readdir(join(folder, path), { withFileTypes: true }))) ?? [];
  for (const entry of entries) {
    const inner = join(path, entry.name);
    if (entry.isDirectory()) await copyFolder(folder, to, inner);
    else if (!LEFT_OUT.test(entry.name) && inner !== CONTROL)
      // A file dropped since the folder was listed is dropped again on recovery.
      await unlessMissing(fs.copyFile(join(folder, inner), join(to, inner), fs.constants.COPYFILE_FICLONE));
  }
}
