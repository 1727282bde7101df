import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '../config.ts';
import { backUpEmbedded } from '../db/embedded/backup.ts';
import type { Arguments } from './arguments.ts';
import { fileConfig, isInside, MANIFEST, type Manifest } from './backup-folder.ts';
import { version } from './version.ts';

/** Entries that are copied separately (the database) or belong to a running process. */
const LEFT_OUT = /^(postgres|postgres\.init-.*|postgres\.password\.new|souk-.*\.lock|secret\.key\.\d+)$/;
const SILENT = { info() {}, warn() {}, error() {} };

/** Writes to a `.partial` folder and renames it when the backup is complete. */
export async function runBackup({ file }: Arguments): Promise<void> {
  const config = fileConfig();
  const to = resolve(file ?? `souk-backup-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`);
  await checkFolders(config, to);
  const part = `${to}.partial`;
  await fs.rm(part, { recursive: true, force: true });
  await fs.mkdir(part, { mode: 0o700, recursive: true });
  try {
    if (!config.database) await backUpEmbedded(config.dataDir, join(part, 'postgres'), SILENT);
    // Files are copied after the database, so that every file that a row refers to is in the backup.
    await copyFiles(config, part);
    const manifest: Manifest = { souk: version(), database: config.database ? 'server' : 'embedded' };
    await fs.writeFile(join(part, MANIFEST), `${JSON.stringify(manifest)}\n`, { mode: 0o600 });
    await promisify(execFile)('sync', []).catch(() => {});
    await fs.rename(part, to);
  } catch (error) {
    await fs.rm(part, { recursive: true, force: true });
    throw error;
  }
  process.stdout.write(`${[`Backed up to ${to}.`, ...notes(config)].join('\n')}\n`);
}

async function checkFolders({ dataDir, database }: Config, to: string): Promise<void> {
  if (isInside(to, dataDir)) throw new Error(`${to} is inside the data folder. Choose a folder outside of it.`);
  if (await fs.stat(to).catch(() => null)) throw new Error(`${to} already exists. Choose another folder.`);
  const found = database || (await fs.stat(join(dataDir, 'postgres')).catch(() => null));
  if (!found) throw new Error(`${dataDir} has no database. Set DATA_DIR to the data folder of the service.`);
}

async function copyFiles({ dataDir, storage }: Config, part: string): Promise<void> {
  const media = storage.type === 'disk' ? storage.folder : null;
  for (const name of await fs.readdir(dataDir).catch(() => [])) {
    if (LEFT_OUT.test(name) || (media && isInside(media, join(dataDir, name)))) continue;
    await fs.cp(join(dataDir, name), join(part, name), { recursive: true });
  }
  for (const name of media ? await fs.readdir(media).catch(() => []) : []) {
    // `scraps` contains uploads in progress.
    if (name !== 'scraps') await fs.cp(join(media!, name), join(part, 'media', name), { recursive: true });
  }
}

/** Instructions for data that the operator has to back up separately. */
function notes({ database, storage }: Config): string[] {
  const all = [];
  if (database) {
    const url = database.directUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL';
    all.push(
      'The backup contains only files, because the database is on a PostgreSQL server. Before each backup of the files, dump the database, so that no file is missing:',
      `  pg_dump --format=custom --file=database.dump "$${url}"`,
    );
  }
  if (storage.type === 's3')
    all.push(`Media is in the bucket ${storage.bucket}. Back it up with your storage provider's tools.`);
  if (process.env.SECRET_KEY)
    all.push('SECRET_KEY is set in the environment and is not in the backup. Keep a copy of it.');
  return all;
}
