import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { join } from 'node:path';
import { unlessMissing } from './failures.ts';
import { NAME, type Settings } from './names.ts';
import { run, type Seat, seenFrom } from './programs.ts';

/** Makes the cluster on the first start. Returns the password of its only role. */
export async function prepareCluster(seat: Seat, dataDir: string, folder: string, settings: Settings): Promise<string> {
  const path = join(dataDir, 'postgres.password');
  const kept = await unlessMissing(fs.readFile(path, 'utf8'));
  const password = kept ?? randomBytes(24).toString('base64url');
  const setPassword = `alter role ${NAME} password '${password}'`;
  if (kept === undefined) {
    await fs.writeFile(`${path}.new`, password, { mode: 0o600, flush: true });
    await fs.rename(`${path}.new`, path);
  }
  if ((await unlessMissing(fs.stat(join(folder, 'PG_VERSION')))) === undefined) {
    await initialise(seat, dataDir, folder, setPassword, settings.fsync !== 'off');
  } else if (kept === undefined) await runSql(seat, folder, [setPassword], []);
  return password;
}

/** Made beside its place and moved there when complete, so that an interrupted start leaves nothing half done. */
async function initialise(seat: Seat, dataDir: string, folder: string, setPassword: string, durable: boolean) {
  for (const name of await fs.readdir(dataDir)) {
    if (name.startsWith('postgres.init-')) await fs.rm(join(dataDir, name), { recursive: true });
  }
  const draft = await fs.mkdtemp(join(dataDir, 'postgres.init-'));
  try {
    if (seat.user) await fs.lchown(draft, seat.user.uid, seat.user.gid);
    const at = seenFrom(draft, seat);
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    await run(seat, draft, 'initdb', ['-D', at, '-U', NAME, '--auth=trust', '--no-sync', ...locale]);
    // Nobody can connect yet. The server itself writes the file, so that root need not write where another user may.
    const access = `copy (select 'local all all scram-sha-256') to '${at.replaceAll("'", "''")}/pg_hba.conf'`;
    await runSql(seat, draft, [setPassword, `create database ${NAME}`, access], ['-c', 'fsync=off']);
    if (durable) await run(seat, draft, 'initdb', ['-D', at, '--sync-only']);
    await fs.rename(draft, folder);
  } catch (error) {
    await fs.rm(draft, { recursive: true, force: true });
    throw error;
  }
  const parent = await fs.open(dataDir);
  await parent.sync().finally(() => parent.close());
}

/** Runs statements on a cluster that no server runs on. */
async function runSql(seat: Seat, folder: string, statements: string[], flags: string[]): Promise<void> {
  const strict = ['-c', 'exit_on_error=on', '-c', 'log_line_prefix='];
  const args = ['--single', '-D', seenFrom(folder, seat), ...strict, ...flags, 'postgres'];
  await run(seat, folder, 'postgres', args, `${statements.join('\n')}\n`);
}
