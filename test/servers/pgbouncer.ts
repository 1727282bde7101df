/** A real PgBouncer in front of a PostgreSQL server. `PGBOUNCER_BIN` is the path of its program. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { freePort, type Server, serverUser } from './postgres.ts';

export const PGBOUNCER_BIN = process.env.PGBOUNCER_BIN;

type PgBouncerOptions = {
  mode?: 'transaction' | 'session';
  poolSize?: number;
  settings?: Record<string, string>;
};

export async function startPgBouncer(
  server: Server,
  { mode = 'transaction', poolSize = 10, settings = {} }: PgBouncerOptions = {},
) {
  const user = await serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'souk-pgbouncer-'));
  const port = await freePort();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: poolSize,
    max_client_conn: 1000,
    unix_socket_dir: '',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]\n* = host=127.0.0.1 port=${server.port} user=souk\n[pgbouncer]\n${lines.join('\n')}\n`,
  );
  if (user) {
    await chown(folder, user.uid, user.gid);
    await chown(file, user.uid, user.gid);
  }
  // A process left by a failed test would keep the test file from ending.
  const child = spawn(PGBOUNCER_BIN!, [file], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  after(() => void child.kill('SIGINT'));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (data) => {
      output += data;
      if (output.includes('process up')) resolve();
    });
    child.once('exit', () => reject(new Error(`PgBouncer did not start: ${output}`)));
  });
  return {
    port,
    url: (database: string, role = 'souk') => `postgres://${role}@127.0.0.1:${port}/${database}`,
    output: () => output,
    async stop(): Promise<void> {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGINT');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
