import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { unlessMissing } from './failures.ts';
import { NAME, type Settings } from './names.ts';
import { type Runtime, run, workingDirectory } from './programs.ts';

/** Creates the cluster on the first run. Returns the password of its only role. */
export async function prepareCluster(
  runtime: Runtime,
  dataDir: string,
  folder: string,
  settings: Settings,
): Promise<string> {
  const path = join(dataDir, 'postgres.password');
  const kept = await unlessMissing(fs.readFile(path, 'utf8'));
  const password = kept ?? randomBytes(24).toString('base64url');
  const setPassword = `alter role ${NAME} password '${password}'`;
  if (kept === undefined) {
    await fs.writeFile(`${path}.new`, password, { mode: 0o600, flush: true });
    await fs.rename(`${path}.new`, path);
  }
  if ((await unlessMissing(fs.stat(join(folder, 'PG_VERSION')))) === undefined) {
    await initialize(runtime, dataDir, folder, setPassword, settings.fsync !== 'off');
  } else if (kept === undefined) await runSql(runtime, folder, [setPassword], []);
  return password;
}

/**
 * Creates the cluster in a temporary folder and moves it when complete, so that an interrupted start leaves no
 * partial cluster.
 */
async function initialize(runtime: Runtime, dataDir: string, folder: string, setPassword: string, durable: boolean) {
  for (const name of await fs.readdir(dataDir)) {
    if (name.startsWith('postgres.init-')) await fs.rm(join(dataDir, name), { recursive: true });
  }
  const draft = await fs.mkdtemp(join(dataDir, 'postgres.init-'));
  try {
    if (runtime.user) await fs.lchown(draft, runtime.user.uid, runtime.user.gid);
    const at = workingDirectory(draft, runtime);
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    await run(runtime, draft, 'initdb', ['-D', at, '-U', NAME, '--auth=trust', '--no-sync', ...locale]);
    // No connections are possible yet. The server itself writes the file, so that root need not write to another
    // user's folder.
    const access = `copy (select 'local all all scram-sha-256') to '${at.replaceAll("'", "''")}/pg_hba.conf'`;
    await runSql(runtime, draft, [setPassword, `create database ${NAME}`, access], ['-c', 'fsync=off']);
    if (durable) await run(runtime, draft, 'initdb', ['-D', at, '--sync-only']);
    await fs.rename(draft, folder);
  } catch (error) {
    await fs.rm(draft, { recursive: true, force: true });
    throw error;
  }
  const parent = await fs.open(dataDir);
  await parent.sync().finally(() => parent.close());
}

/** Runs statements on a cluster without a running server. */
async function runSql(runtime: Runtime, folder: string, statements: string[], flags: string[]): Promise<void> {
  const strict = ['-c', 'exit_on_error=on', '-c', 'log_line_prefix='];
  const args = ['--single', '-D', workingDirectory(folder, runtime), ...strict, ...flags, 'postgres'];
  await run(runtime, folder, 'postgres', args, `${statements.join('\n')}\n`);
}
