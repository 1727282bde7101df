import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingError } from './read.ts';

/** Given, or outside production made once and stored in `dataDir`. */
export function secretKey(given: string | undefined, production: boolean, dataDir: string): string {
  if (given !== undefined) {
    if (given.length < 32) throw new SettingError('SECRET_KEY must have 32 characters or more.');
    return given;
  }
  if (production) throw new SettingError('SECRET_KEY is required when NODE_ENV=production.');
  const file = join(dataDir, 'secret.key');
  let kept: string;
  try {
    if (!existsSync(file)) makeSecretFile(dataDir, file);
    kept = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new SettingError(`DATA_DIR cannot be used: ${(error as Error).message}.`);
  }
  if (kept.length < 32) throw new SettingError(`SECRET_KEY is not set, and the one kept in ${file} is damaged.`);
  return kept;
}

/** Appears with all its content or not at all; of two processes that start together the first one's stays. */
function makeSecretFile(dataDir: string, file: string): void {
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
