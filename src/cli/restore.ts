import * as fs from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { lockFolder } from '../db/embedded/lock.ts';
import type { Arguments } from './arguments.ts';
import { fileConfig, isInside, MANIFEST, type Manifest } from './backup-folder.ts';

const PART = 'restore.partial';

/** Copies everything before it replaces anything, so that a failed copy changes nothing. */
export async function runRestore({ file, has }: Arguments): Promise<void> {
  if (!file) throw new Error('Specify the backup folder. Run souk restore --help.');
  const from = resolve(file);
  const config = fileConfig();
  const { database } = await readManifest(from);
  if (database === 'embedded' && config.database) {
    throw new Error('The backup contains an embedded database. Unset DATABASE_URL to restore it.');
  }
  const folders = foldersOf(config);
  if (folders.some((folder) => isInside(from, folder)))
    throw new Error(`${from} is inside the folder that the restore replaces. Move it elsewhere first.`);
  await fs.mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const release = await lockFolder(await fs.realpath(config.dataDir));
  try {
    await refuseNonEmpty(folders, has('force'));
    await replace(from, config);
  } finally {
    await release();
  }
  process.stdout.write(`Restored ${from} to ${folders.join(' and ')}.\n`);
  if (database === 'server') {
    process.stdout.write(
      'Restore the database dump into a new database, prepared as in docs/operate/backup.md:\n' +
        '  pg_restore --exit-on-error --single-transaction --no-owner --strict-names --schema=souk --schema=jobs --dbname="$NEW_DATABASE_URL" database.dump\n',
    );
  }
}

async function readManifest(from: string): Promise<Manifest> {
  try {
    return JSON.parse(await fs.readFile(join(from, MANIFEST), 'utf8')) as Manifest;
  } catch {
    throw new Error(`${from} is not a backup: it has no ${MANIFEST}.`);
  }
}

/** The data folder, and the media folder if it is outside the data folder. */
function foldersOf({ dataDir, storage }: Config): string[] {
  if (storage.type !== 'disk' || isInside(storage.folder, dataDir)) return [dataDir];
  return [dataDir, storage.folder];
}

const isOwn = (name: string) => name === PART || /^souk-.*\.lock$/.test(name);

async function refuseNonEmpty(folders: string[], isForced: boolean): Promise<void> {
  for (const folder of folders) {
    const names = await fs.readdir(folder).catch(() => []);
    if (isForced || names.every(isOwn)) continue;
    throw new Error(`${folder} is not empty. Use --force to replace its contents.`);
  }
}

/** Copies the files to a subfolder. The returned function replaces the folder's contents with them. */
async function stage(folder: string, from: string, names: string[], isKept: (path: string) => boolean) {
  const part = join(folder, PART);
  await fs.rm(part, { recursive: true, force: true });
  await fs.mkdir(part, { recursive: true, mode: 0o700 });
  try {
    for (const name of names) await fs.cp(join(from, name), join(part, name), { recursive: true });
  } catch (error) {
    await fs.rm(part, { recursive: true, force: true });
    throw error;
  }
  return async () => {
    for (const name of await fs.readdir(folder)) {
      if (!isOwn(name) && !isKept(join(folder, name))) await fs.rm(join(folder, name), { recursive: true });
    }
    for (const name of names) await fs.rename(join(part, name), join(folder, name));
    await fs.rm(part, { recursive: true });
  };
}

async function replace(from: string, { dataDir, storage }: Config): Promise<void> {
  const mediaFolder = storage.type === 'disk' ? storage.folder : null;
  const files = (await fs.readdir(from)).filter((name) => name !== MANIFEST && name !== 'media');
  const media = await fs.readdir(join(from, 'media')).catch(() => []);
  const steps = [await stage(dataDir, from, files, (path) => mediaFolder !== null && isInside(mediaFolder, path))];
  if (mediaFolder) steps.push(await stage(mediaFolder, join(from, 'media'), media, () => false));
  for (const step of steps) await step();
}
