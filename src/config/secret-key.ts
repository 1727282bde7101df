import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingError } from './read.ts';

/** Returns the given key or, outside production, a key that is generated once and stored in `dataDir`. */
export function secretKey(given: string | undefined, production: boolean, dataDir: string): string {
  if (given !== undefined) {
    if (given.length < 32) throw new SettingError('SECRET_KEY must have at least 32 characters.');
    return given;
  }
  if (production) throw new SettingError('SECRET_KEY is required when NODE_ENV=production.');
  const file = join(dataDir, 'secret.key');
  let stored: string;
  try {
    if (!existsSync(file)) createSecretFile(dataDir, file);
    stored = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new SettingError(`DATA_DIR can't be used: ${(error as Error).message}.`);
  }
  if (stored.length < 32)
    throw new SettingError(
      `SECRET_KEY is not set, and the key stored in ${file} is damaged. Restore the file from a backup, or set SECRET_KEY.`,
    );
  return stored;
}

/** Creates the file atomically. If two processes start at once, the first file wins. */
function createSecretFile(dataDir: string, file: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const part = `${file}.${process.pid}`;
  writeFileSync(part, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    linkSync(part, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(part);
  }
}
