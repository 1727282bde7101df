/** The backup format: a folder with the layout of DATA_DIR, plus a manifest. */
import { resolve, sep } from 'node:path';
import { type Config, loadConfig } from '../config.ts';

export const MANIFEST = 'souk-backup.json';

/** `server`: the database was not embedded and is not part of the backup. */
export type Manifest = { souk: string; database: 'embedded' | 'server' };

/** The settings of the service. Passes a placeholder secret, because `loadConfig` would otherwise create a key file. */
export const fileConfig = (): Config => loadConfig({ ...process.env, SECRET_KEY: 'unused'.repeat(6) });

export const isInside = (path: string, folder: string) =>
  `${resolve(path)}${sep}`.startsWith(`${resolve(folder)}${sep}`);
