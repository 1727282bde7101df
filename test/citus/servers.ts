/** A coordinator and two worker nodes of Citus, from the binaries in CITUS_BIN, each reached through a private socket. */
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Runtime, run, spawnTied } from '../../src/db/embedded/programs.ts';
import { userFor } from '../../src/db/embedded/runtime.ts';
import { createPool } from '../../src/db/pool.ts';

export type Target = { host: string; port: number; user: string; password: string; database: string };

const USER = 'souk';
const PORT = 5432;

const SETTINGS: Record<string, string> = {
  shared_preload_libraries: 'citus',
  listen_addresses: '',
  max_connections: '300',
  max_prepared_transactions: '600',
  max_locks_per_transaction: '512',
  max_worker_processes: '64',
  shared_buffers: '128MB',
  timezone: 'UTC',
  'citus.max_client_connections': '-1',
  // Shards are tables: 32 of each, as a real cluster has them, make every test database slow to clone.
  'citus.shard_count': '4',
  'citus.enable_statistics_collection': 'off',
  'citus.stat_statements_track': 'none',
};

type Node = { target: Target; restart(): Promise<void>; stop(): Promise<void> };

export type Servers = { nodes: Node[]; stop(): Promise<void> };

/** `settings` are those of PostgreSQL. The first node is the coordinator. */
export async function startServers(
  bin: string,
  settings: Record<string, string> = {},
  names = ['coordinator', 'worker1', 'worker2'],
): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'souk-citus-'));
  const runtime: Runtime = { bin, user: await userFor(folder) };
  const nodes = await Promise.all(
    names.map((name) => startNode(runtime, join(folder, name), { ...SETTINGS, ...settings })),
  );
  return {
    nodes,
    async stop() {
      await Promise.all(nodes.map((node) => node.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startNode(runtime: Runtime, folder: string, settings: Record<string, string>): Promise<Node> {
  mkdirSync(folder, { mode: 0o700 });
  if (runtime.user) chownSync(folder, runtime.user.uid, runtime.user.gid);
  await run(runtime, folder, 'initdb', [
    '-D',
    join(folder, 'data'),
    '-U',
    USER,
    '--auth=trust',
    '--no-sync',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
  ]);
  const start = () => startServer(runtime, folder, settings);
  let server = await start();
  return {
    target: { host: folder, port: PORT, user: USER, password: '', database: 'postgres' },
    /** Restarts the server without notifying clients, as after a power failure. */
    async restart() {
      await server.end('SIGQUIT');
      server = await start();
    },
    stop: () => server.end('SIGINT'),
  };
}

async function startServer(runtime: Runtime, folder: string, settings: Record<string, string>) {
  const all = {
    ...settings,
    unix_socket_directories: folder,
    port: String(PORT),
    'citus.local_hostname': folder,
  };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawnTied(runtime, folder, 'postgres', ['-D', join(folder, 'data'), ...flags]);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = Promise.withResolvers<void>();
  const output: string[] = [];
  createInterface({ input: child.stderr }).on('line', (text) => {
    if (output.push(text) > 100) output.shift();
    if (text.includes('ready to accept connections')) ready.resolve();
  });
  void ended.then(() => ready.reject(new Error(output.join('\n'))));
  await ready.promise;
  return {
    async end(signal: NodeJS.Signals) {
      child.kill(signal);
      await ended;
    },
  };
}

/** An empty database on every node, joined into a cluster. */
export async function createCluster({ nodes }: { nodes: { target: Target }[] }, database: string): Promise<Target> {
  for (const { target } of nodes) {
    const admin = createPool(target, { max: 1 });
    await admin.text(`create database ${database}`);
    await admin.end();
    const pool = createPool({ ...target, database }, { max: 1 });
    await pool.text('create extension citus');
    await pool.end();
  }
  const [coordinator, ...workers] = nodes.map(({ target }) => target);
  const pool = createPool({ ...coordinator!, database }, { max: 1 });
  await pool`select citus_set_coordinator_host(${coordinator!.host}, ${coordinator!.port}::int)`;
  for (const { host, port } of workers) await pool`select citus_add_node(${host}, ${port}::int)`;
  await pool.end();
  return { ...coordinator!, database };
}

/** Runs these statements on each node. */
export async function onNodes(nodes: readonly Target[], ...statements: string[]): Promise<void> {
  const run = async (node: Target) => {
    const admin = createPool(node, { max: 1 });
    try {
      for (const statement of statements) await admin.text(statement);
    } finally {
      await admin.end();
    }
  };
  await Promise.all(nodes.map(run));
}
