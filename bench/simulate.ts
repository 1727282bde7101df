/**
 * `npm run simulate -- --businesses 10000 --days 365 --orders 1000000`: fills PostgreSQL with a year of orders and
 * prints what they cost: sizes, response times for the largest and an average business, idle CPU, retention, vacuum,
 * migrations, backup and restore. `--citus`: on a cluster from the binaries in CITUS_BIN, without backup and restore.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { START_FLAGS } from '../scripts/start-flags.ts';
import { startEmbedded } from '../src/db/embedded/index.ts';
import { createPool } from '../src/db/pool.ts';
import { deleteEventsBefore, listBusinessesWithEvents } from '../src/domains/events/queries.ts';
import { createCluster, startServers } from '../test/citus/servers.ts';
import { cpuOf, cpuOfPostgres, cpuOfServer } from './cpu-time.ts';
import { withoutTimeouts } from './seeds/without-timeouts.ts';
import { loadBusinesses } from './simulate/load.ts';

const { values } = parseArgs({
  options: {
    businesses: { type: 'string', default: '10000' },
    days: { type: 'string', default: '365' },
    orders: { type: 'string', default: '1000000' },
    folder: { type: 'string', default: tmpdir() },
    citus: { type: 'boolean', default: false },
  },
});
const size = { businesses: Number(values.businesses), days: Number(values.days), orders: Number(values.orders) };
const EVENTS_KEPT_DAYS = 90;
const CALLS = 200;
const REST_SECONDS = 60;

const folder = mkdtempSync(join(values.folder, 'souk-simulate-'));
const cluster = values.citus ? await startCluster() : null;
const settings = {
  ...(cluster && { DATABASE_URL: cluster.url }),
  PATH: process.env.PATH,
  PORT: '0',
  DATA_DIR: folder,
  SECRET_KEY: 'a-secret-for-the-benchmark-only-0123456789',
  LOG_LEVEL: 'error',
  LIMIT_ANONYMOUS: '9000000',
  LIMIT_CHECKOUT: '9000000/9000000',
};
const souk = (...args: string[]) =>
  execFileSync(process.execPath, ['src/main.ts', ...args], { env: settings, stdio: 'pipe' });

const results: { what: string; result: string }[] = [];
const print = (what: string, result: string) => {
  results.push({ what, result });
  console.log(`${what}: ${result}`);
};
async function timed(what: string, work: () => unknown): Promise<void> {
  const started = performance.now();
  await work();
  print(what, `${((performance.now() - started) / 1000).toFixed(1)} s`);
}

async function startCluster() {
  const servers = await startServers(process.env.CITUS_BIN!, { 'citus.shard_count': '32' });
  const target = await createCluster(servers, 'souk');
  return {
    target,
    url: `postgres://${target.user}@/${target.database}?host=${target.host}&port=${target.port}`,
    folders: servers.nodes.map((node) => join(node.target.host, 'data')),
    stop: servers.stop,
  };
}

async function startService() {
  const started = performance.now();
  const child = spawn(process.execPath, [...START_FLAGS, 'src/main.ts', 'start'], {
    env: { ...settings, DEMO: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data) => {
      printed += data;
      if (/^Souk is running at .*\n$/ms.test(printed)) resolve();
    });
    child.once('exit', () => reject(new Error(`The service did not start: ${printed}`)));
  });
  return {
    pid: child.pid!,
    seconds: (performance.now() - started) / 1000,
    url: /^Souk is running at +(\S+)$/m.exec(printed)![1]!,
    exported: (name: string) => new RegExp(`^export ${name}=(.*)$`, 'm').exec(printed)?.[1] ?? '',
    async stop(): Promise<void> {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

const first = await startService();
const [demo, key] = [first.exported('BUSINESS'), first.exported('KEY')];
await first.stop();

async function withDatabase(work: (pool: ReturnType<typeof createPool>) => Promise<void>): Promise<void> {
  const embedded = cluster ? null : await startEmbedded({ dataDir: folder, log: pino({ level: 'silent' }) });
  const pool = createPool(cluster?.target ?? embedded!, { max: 2 });
  try {
    await work(pool);
  } finally {
    await pool.end();
    await embedded?.stop();
  }
}

const SIZES = `
  select relname as name, reltuples::bigint as rows, pg_size_pretty(pg_table_size(oid)) as table, pg_size_pretty(pg_indexes_size(oid)) as indexes
  from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by pg_total_relation_size(oid) desc limit 15`;
const SIZES_ON_CITUS = `
  select logicalrelid as name, pg_size_pretty(citus_table_size(logicalrelid)) as table,
    pg_size_pretty(citus_total_relation_size(logicalrelid) - citus_table_size(logicalrelid)) as indexes
  from pg_dist_partition order by citus_total_relation_size(logicalrelid) desc limit 15`;
const TOTAL = 'select pg_size_pretty(pg_database_size(current_database())) as size';
const TOTAL_ON_CITUS = `
  select string_agg(pg_size_pretty(result::bigint), ', ' order by nodeid) as size
  from run_command_on_all_nodes('select pg_database_size(current_database())')`;

await withDatabase(async (pool) => {
  await withoutTimeouts(pool, async (connection) => {
    await timed('Load', () => loadBusinesses(connection, demo, size));
    if (cluster) await timed('Distribute', () => souk('distribute'));
    await timed('Vacuum and analyze everything', () => connection.client.query('vacuum analyze'));
    await timed('Index on orders, as a migration would add it', async () => {
      await connection.client.query('create index simulated on orders (business_id, updated_at)');
      await connection.client.query('drop index simulated');
    });
    await timed('Vacuum of orders after 1% changed', async () => {
      await connection.client.query('update orders set updated_at = updated_at + 1 where hashtext(id) % 100 = 0');
      await connection.client.query('vacuum orders');
    });
    await timed('Delete the events of five days, as every hour', async () => {
      const before = Math.floor(Date.now() / 1000) - EVENTS_KEPT_DAYS * 86_400;
      for (const businessId of await listBusinessesWithEvents(pool, '', size.businesses)) {
        while ((await pool.transaction((tx) => deleteEventsBefore(tx, businessId, before, 2000))).length === 2000);
      }
    });
    console.table((await connection.client.query(cluster ? SIZES_ON_CITUS : SIZES)).rows);
    print('Databases', (await connection.client.query(cluster ? TOTAL_ON_CITUS : TOTAL)).rows[0].size);
  });
});

await timed('Migrate with nothing to do', () => souk('migrate'));
const service = await startService();
print('Start', `${service.seconds.toFixed(1)} s`);

type Call = { method?: string; path: string; body?: object };
async function request({ method = 'GET', path, body }: Call): Promise<number> {
  const started = performance.now();
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return performance.now() - started;
}
const rows: Record<string, Record<string, string>> = {};
async function measure(name: string, callOf: (shop: string) => Call): Promise<void> {
  const row: Record<string, string> = {};
  for (const [label, number] of [
    ['largest', 1],
    ['average', Math.round(size.businesses / 2)],
  ] as const) {
    const id = `biz_${String(number).padStart(26, '0')}`;
    const times: number[] = [];
    for (let i = 0; i < CALLS; i++) times.push(await request(callOf(id)));
    times.sort((a, b) => a - b);
    row[`${label} p50`] = `${times[CALLS / 2]!.toFixed(1)} ms`;
    row[`${label} p99`] = `${times[Math.floor(CALLS * 0.99)]!.toFixed(1)} ms`;
  }
  rows[name] = row;
}
const shop = (id: string) => `/v1/businesses/${id}`;
const { items } = (await (
  await fetch(`${service.url}${shop(demo)}/products?limit=5`, { headers: { 'x-api-key': key } })
).json()) as {
  items: { id: string; variants: { id: string; inventory: { tracked: boolean } }[] }[];
};
const product = items[0]!;
await measure('One product', (id) => ({ path: `${shop(id)}/products/${product.id}` }));
await measure('List of 20 products', (id) => ({ path: `${shop(id)}/products?limit=20` }));
await measure('Newest 20 orders', (id) => ({ path: `${shop(id)}/orders?limit=20` }));
await measure('Orders to fulfill', (id) => ({ path: `${shop(id)}/orders?limit=20&statuses=PROCESSING` }));
await measure('Customers', (id) => ({ path: `${shop(id)}/customers?limit=20` }));
await measure('Events', (id) => ({ path: `${shop(id)}/events?limit=100` }));
const now = Math.floor(Date.now() / 1000);
const year = `from=${now - size.days * 86_400}&to=${now}`;
await measure('Sales, whole period', (id) => ({ path: `${shop(id)}/reports/sales?${year}` }));
await measure('Check out', (id) => ({
  method: 'POST',
  path: `${shop(id)}/orders/checkout`,
  body: {
    businessId: id,
    market: 'us',
    paymentMethod: 'CREDIT_CARD',
    shippingMethodId: 'standard',
    items: [{ productId: product.id, variantId: product.variants[0]!.id, quantity: 1 }],
  },
}));
console.table(rows);

const postgresCpu = () =>
  cluster ? cluster.folders.reduce((sum, each) => sum + cpuOfServer(each), 0) : cpuOfPostgres(folder);
const before = [cpuOf(service.pid), postgresCpu()] as const;
await pause(REST_SECONDS * 1000);
const percent = (microseconds: number) => `${(microseconds / REST_SECONDS / 10_000).toFixed(1)}%`;
print(
  'Idle CPU',
  `service ${percent(cpuOf(service.pid) - before[0])} of a core, PostgreSQL ${percent(postgresCpu() - before[1])}`,
);
print(
  'Memory of the service',
  `${Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))![1]) / 1024)} MB`,
);
const backup = `${folder}-backup`;
if (!cluster) await timed('Backup', () => souk('backup', backup));
await service.stop();
if (!cluster)
  await timed('Restore', () =>
    execFileSync(process.execPath, ['src/main.ts', 'restore', backup], {
      env: { ...settings, DATA_DIR: `${folder}-restored` },
      stdio: 'pipe',
    }),
  );
await cluster?.stop();
console.table(results);
for (const path of [folder, backup, `${folder}-restored`])
  if (existsSync(path)) rmSync(path, { recursive: true, force: true });
