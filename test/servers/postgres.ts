/** PostgreSQL servers on TCP, with the settings and access rules a test needs, which can be killed and copied. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runnableBinaries } from '../../src/db/embedded/binaries.ts';
import { run, spawnTied } from '../../src/db/embedded/programs.ts';
import { temporaryRoots, userFor } from '../../src/db/embedded/runtime.ts';

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };
const FAST = { fsync: 'off', full_page_writes: 'off', max_connections: '300', shared_buffers: '64MB' };

export type Server = Awaited<ReturnType<typeof createPostgres>>;

/** A free port on 127.0.0.1. If another program takes it first, startup fails. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** The user that runs PostgreSQL, which refuses to run as root. */
export const serverUser = () => userFor(join(tmpdir(), 'does-not-exist'));

/**
 * Creates data files in a folder that only the server's user can access. `copyOf`: copies the files of a stopped server.
 * `bin`: the programs of another version of PostgreSQL.
 */
export async function createPostgres({ copyOf, hba, bin }: { copyOf?: string; hba?: string; bin?: string } = {}) {
  await using cleanup = new AsyncDisposableStack();
  const user = await serverUser();
  const home = mkdtempSync(join((await temporaryRoots(user))[0]!, 'souk-server-'));
  cleanup.defer(() => rmSync(home, { recursive: true, force: true }));
  const afterStop = (step: () => Promise<void>) => cleanup.defer(step);
  const runtime = { user, bin: bin ?? (await runnableBinaries(user, await temporaryRoots(user), afterStop, SILENT)) };
  if (user) await chown(home, user.uid, user.gid);
  const folder = join(home, 'data');
  if (copyOf) await run({ bin: '/bin', user }, home, 'cp', ['-a', copyOf, folder]);
  else
    await run(runtime, home, 'initdb', [
      '-D',
      folder,
      '-U',
      'postgres',
      '--auth=trust',
      '--no-sync',
      '--locale=C',
      '-E',
      'UTF8',
    ]);
  if (hba) writeFileSync(join(folder, 'pg_hba.conf'), hba);
  const port = await freePort();
  let child: ReturnType<typeof spawnTied> | null = null;
  const ended = () => new Promise<void>((resolve) => (child ? child.once('exit', () => resolve()) : resolve()));
  const rest = cleanup.move();

  return {
    port,
    folder,
    home,
    url: (role = 'postgres', database = 'postgres') => `postgres://${role}@127.0.0.1:${port}/${database}`,
    /** Adds a file next to the data, owned by the server's user. */
    async addFile(name: string, content: string): Promise<string> {
      const path = join(home, name);
      writeFileSync(path, content, { mode: 0o600 });
      if (user) await chown(path, user.uid, user.gid);
      return path;
    },
    async start(settings: Record<string, string> = {}): Promise<void> {
      const all = {
        ...FAST,
        listen_addresses: '127.0.0.1',
        port: String(port),
        unix_socket_directories: '',
        ...settings,
      };
      const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
      const started = spawnTied(runtime, home, 'postgres', ['-D', folder, ...flags]);
      child = started;
      started.stdin.on('error', () => {}).end();
      let output = '';
      await new Promise<void>((resolve, reject) => {
        started.stderr.on('data', (data) => {
          output += data;
          if (/ready to accept (read-only )?connections/.test(output)) resolve();
        });
        started.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)));
      });
    },
    /** SIGINT stops gracefully. SIGKILL kills the postmaster, and its children exit when they notice. */
    async stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const gone = ended();
      if (signal === 'SIGKILL') killAll(child.pid!);
      else child.kill(signal);
      await gone;
    },
    async remove(): Promise<void> {
      await this.stop();
      await rest.disposeAsync();
    },
  };
}

/** Kills the postmaster and all its children, like a power failure. */
function killAll(postmaster: number): void {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number);
  for (const pid of [postmaster, ...children]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {}
  }
}
