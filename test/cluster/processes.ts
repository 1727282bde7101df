/** Two HTTP processes and two workers on their own PostgreSQL, all of which can be killed. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pino from 'pino';
import { openClient } from '../../src/db/client.ts';
import { distribute } from '../../src/db/distribute.ts';
import { startEmbedded } from '../../src/db/embedded/index.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createPool } from '../../src/db/pool.ts';
import { type CallOptions, caller } from '../call.ts';
import { createCluster, startServers } from '../citus/servers.ts';
import { eventually, type ServiceProcess, startService } from '../service.ts';

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

export async function startCluster(given: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'souk-nodes-'));
  const { target, stop, restart } = await (process.env.CITUS_BIN
    ? startCitus(process.env.CITUS_BIN)
    : startPlain(folder));
  const pool = createPool(target, { max: 2, applicationName: 'test' });
  const { user, password, host, port, database } = target;
  const environment = {
    PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    DATABASE_POOL: process.env.DATABASE_POOL ?? '10',
    DEMO: '1',
    SECRET_KEY: 'a-secret-for-tests-that-is-long-enough',
    LOG_LEVEL: 'error',
    LIMIT_ADDRESS: '1000000',
    ...given,
  };
  const processes: ServiceProcess[] = [];
  const victims = new Set<ServiceProcess>();
  after(async () => {
    await Promise.all(processes.map((each) => each.stop('SIGKILL')));
    await pool.end();
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(command: 'start' | 'worker'): Promise<ServiceProcess> {
    const service = await startService(command, environment);
    processes.push(service);
    return service;
  }
  const [one, two, ...workers] = await Promise.all([start('start'), start('start'), start('worker'), start('worker')]);
  const nodes = [one!, two!];

  /**
   * Kills a process and starts another in its place. Retries the start, because a process that finds no database
   * exits.
   */
  async function replace(group: ServiceProcess[], command: 'start' | 'worker'): Promise<void> {
    const victim = group.shift()!;
    victims.add(victim);
    await victim.stop('SIGKILL');
    group.push(await eventually('another process in its place', () => start(command)));
  }

  let turn = 0;
  return {
    pool,
    nodes,
    processes,
    /** The output of processes that exited without being killed. */
    fallen: () => processes.filter((each) => each.hasEnded() && !victims.has(each)).map((each) => each.output()),
    /** The secrets of the demo shop, which one of the nodes created. */
    exports: nodes.find((node) => node.exports.KEY)!.exports,
    killNode: () => replace(nodes, 'start'),
    killWorker: () => replace(workers, 'worker'),
    /** Kills the server, or a worker node of the cluster, and waits until it is back. */
    restartDatabase: restart,
    /** Tries one node after the other until one gives a definite response, like a good client. */
    ask: <M extends string, P extends string>(method: M, path: P, options: CallOptions = {}) =>
      eventually(`a response to ${method} ${path}`, async () => {
        const node = nodes[turn++ % nodes.length]!;
        const response = await caller(node.url!)(method, path, options);
        const isOpen =
          response.status === 503 || (response.status === 409 && 'idempotency-key' in (options.headers ?? {}));
        return isOpen ? null : response;
      }),
  };
}

// Commits survive a crash of the server without fsync; only a crash of the machine would require it.
const SETTINGS = { fsync: 'off', full_page_writes: 'off' };

async function startPlain(folder: string) {
  const log = pino({ level: 'silent' });
  const { stop, ...target } = await startEmbedded({ dataDir: folder, log, settings: SETTINGS });
  const postmaster = () => Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  async function restart(): Promise<void> {
    const previous = postmaster();
    process.kill(previous, 'SIGQUIT');
    await eventually('PostgreSQL is back', async () => {
      if (postmaster() === previous) return false;
      await (await openClient(target, 'test')).end();
      return true;
    });
  }
  return { target, stop, restart };
}

async function startCitus(bin: string) {
  const servers = await startServers(bin, SETTINGS);
  const target = await createCluster(servers, 'souk');
  await migrate(target);
  await distribute(target);
  return { target, stop: servers.stop, restart: () => servers.nodes[1]!.restart() };
}
