/**
 * `npm run bench:citus`: the service on Citus clusters with one, two and three workers compared with the service on plain PostgreSQL, all
 * from the binaries in CITUS_BIN and on the same machine, measured alternately: A B A B. Reports CPU time per request, because other load on
 * the machine affects it less than elapsed time. `--short`: fewer requests.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { distribute } from '../src/db/distribute.ts';
import { migrate } from '../src/db/migrate.ts';
import { createPool, type Pool } from '../src/db/pool.ts';
import { createCluster, type Servers, startServers, type Target } from '../test/citus/servers.ts';
import { cpuOf, cpuOfServer } from './cpu-time.ts';
import { baseEnv } from './env.ts';
import { ask, startProcess } from './processes.ts';
import { productBody } from './rows/catalog.ts';
import { createShop } from './shop.ts';
import { type Load, type Measured, medianOf } from './types.ts';

const { CITUS_BIN } = process.env;
if (!CITUS_BIN)
  throw new Error('Set CITUS_BIN to the bin folder of a PostgreSQL with Citus. See docs/operate/citus.md.');
const isShort = process.argv.includes('--short');
const [amount, rounds] = isShort ? [500, 2] : [2000, 5];
/** Citus plans a statement for each connection and shard, the first five times it runs there. */
const WARM_UP = 3000;
const BUSINESSES = 100;
const PRODUCTS = 5;
const UNITS = 1_000_000;

type Side = {
  url: string;
  requests: Record<Name, Load['requests']>;
  pool: Pool;
  businesses: string[];
  /** The CPU time of the service and of each server, the coordinator first. */
  cpu(): { service: number; servers: number[] };
  stop(): Promise<void>;
};
/** CPU time per request. */
type Costed = Measured & { serviceMs: number; coordinatorMs: number; serversMs: number };
type Name = 'checkouts' | 'reads' | 'oneBusiness';
const NAMES: Record<Name, string> = {
  checkouts: `Checkouts over ${BUSINESSES} businesses`,
  reads: `Product reads across ${BUSINESSES} businesses`,
  oneBusiness: 'Checkouts in one business',
};

/** Copies the first business and its products under other IDs. */
async function copyBusinesses(target: Target, from: string): Promise<string[]> {
  const pool = createPool(target, { max: 1 });
  const ids = Array.from({ length: BUSINESSES }, (_, i) => `biz_${String(i).padStart(26, '0')}`);
  const columns = async (table: string) => {
    const rows = await pool<{ name: string }[]>`
      select column_name as name from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER' and column_name <> 'business_id'`;
    return rows.map(({ name }) => name).join(', ');
  };
  for (const id of ids) {
    await pool`insert into businesses (id, name, slug, configs, created_at, updated_at)
      select ${id}, name, ${id}, configs, created_at, updated_at from businesses where id = ${from}`;
    for (const table of ['products', 'stock', 'product_prices'])
      await pool.text(
        `insert into ${table} (business_id, ${await columns(table)})
         select '${id}', ${await columns(table)} from ${table} where business_id = '${from}'`,
      );
  }
  await pool.text('vacuum analyze');
  await pool.end();
  return ids;
}

async function openSide(target: Target, { nodes }: Servers): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'souk-bench-'));
  const env = {
    ...baseEnv(target, folder),
    LIMIT_CHECKOUT: '10000000/10000000',
    NODE_ENV: 'production',
    PAYMENT_SANDBOX: '1',
    ALLOWED_ORIGINS: 'https://shop.example',
  };
  const { businessId, adminToken, guestToken } = await createShop(env);
  const { child, url } = await startProcess('souk.ts', env);
  const products: string[] = [];
  for (let i = 0; i < PRODUCTS; i++) {
    const response = await fetch(`${url}/v1/businesses/${businessId}/products`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(productBody(i)),
    });
    products.push(((await response.json()) as { id: string }).id);
  }
  const pool = createPool(target, { max: 1 });
  await pool`update stock set quantity = ${UNITS} where business_id = ${businessId}`;
  const businesses = await copyBusinesses(target, businessId);
  const headers = { authorization: `Bearer ${guestToken}` };
  const checkout = (business: string, productId: string) => ({
    method: 'POST',
    path: `/v1/businesses/${business}/orders/checkout`,
    headers,
    body: {
      businessId: business,
      market: 'us',
      paymentMethod: 'CREDIT_CARD',
      shippingMethodId: 'standard',
      items: [{ productId, variantId: 'small', quantity: 1 }],
    },
  });
  const each = products.flatMap((product) => businesses.map((business) => ({ business, product })));
  return {
    url,
    pool,
    businesses,
    requests: {
      checkouts: each.map(({ business, product }) => checkout(business, product)),
      reads: each.map(({ business, product }) => ({
        method: 'GET',
        path: `/v1/businesses/${business}/products/${product}`,
        headers,
      })),
      oneBusiness: products.map((product) => checkout(businessId, product)),
    },
    cpu: () => ({
      service: cpuOf(child.pid!),
      servers: nodes.map((node) => cpuOfServer(join(node.target.host, 'data'))),
    }),
    async stop() {
      child.disconnect();
      await pool.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const load = await startProcess('load.ts', process.env, { silentStart: true });

const send = (side: Side, name: Name, count: number) => {
  const requests = Array.from({ length: count }, (_, i) => side.requests[name][i % side.requests[name].length]!);
  return ask<Measured>(load.child, { url: side.url, load: { server: 'souk', requests, once: true } });
};

const REST_MS = 5000;

/** The share of a core that each idle server uses to poll for work. */
async function measureRest(side: Side): Promise<number[]> {
  const [before, startedAt] = [side.cpu(), performance.now()];
  await pause(REST_MS);
  const us = (performance.now() - startedAt) * 1000;
  return side.cpu().servers.map((each, i) => (each - before.servers[i]!) / us);
}

/** Excludes the time that idle servers use. */
async function measure(side: Side, name: Name, rest: number[]): Promise<Costed> {
  const [before, startedAt] = [side.cpu(), performance.now()];
  const measured = await send(side, name, amount);
  const [after, ms] = [side.cpu(), performance.now() - startedAt];
  const servers = after.servers.map((us, i) => ((us - before.servers[i]!) / 1000 - rest[i]! * ms) / amount);
  return {
    ...measured,
    serviceMs: (after.service - before.service) / 1000 / amount,
    coordinatorMs: servers[0]!,
    serversMs: servers.reduce((sum, each) => sum + each, 0),
  };
}

const percent = (part: number, whole: number) => `${Math.round((100 * part) / whole)} %`;

const figure = ({ perSecond, p50, p99, errors, serviceMs, serversMs }: Costed) =>
  `${Math.round(perSecond)}/s, p50 ${p50} ms, p99 ${p99} ms, ${errors} errors, CPU ${serviceMs.toFixed(2)} + ${serversMs.toFixed(2)} ms`;

/** Measures the sides alternately and returns the median of each. */
async function compare<S extends string>(sides: Record<S, Side>, name: Name): Promise<Record<S, Costed>> {
  const names = Object.keys(sides) as S[];
  const measured = Object.fromEntries(names.map((side) => [side, [] as Costed[]])) as Record<S, Costed[]>;
  for (const side of names) await send(sides[side], name, WARM_UP);
  for (let round = 0; round < rounds; round++)
    for (const side of names) measured[side].push(await measure(sides[side], name, await measureRest(sides[side])));
  return Object.fromEntries(names.map((side) => [side, medianOf(measured[side])])) as Record<S, Costed>;
}

const EXECUTIONS = 10_000;
const WARM_EXECUTIONS = 1000;

/** Writes and numbers events of one business over one connection to `target`, which has its rows. */
async function numberEvents({ businesses: [businessId], cpu }: Side, target: Target) {
  const pool = createPool(target, { max: 1 });
  const memory = async () => {
    const [row] = await pool<
      [{ kb: number }]
    >`select sum(total_bytes)::bigint / 1024 as kb from pg_backend_memory_contexts`;
    return row.kb;
  };
  const run = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await pool`insert into event_outbox (business_id, type, entity, actor, address, data, created_at)
        values (${businessId!}, 'order.created', ${`order:${i}`}, '{}', '', '{}', 1)`;
      await pool`select position from number_events(${businessId!}, 500)`;
    }
  };
  const total = () => cpu().servers.reduce((sum, each) => sum + each);
  await run(WARM_EXECUTIONS);
  const [kbBefore, before] = [await memory(), total()];
  await run(EXECUTIONS);
  const [kbAfter, after] = [await memory(), total()];
  await pool.end();
  return { ms: (after - before) / 1000 / EXECUTIONS, kbBefore, kbAfter };
}

/** The server with the rows of a business. */
async function nodeOf({ pool, businesses: [businessId] }: Side, { nodes }: Servers): Promise<Target> {
  const [found] = await pool<[{ host: string }]>`
    select nodename as host from pg_dist_placement join pg_dist_node using (groupid)
    where shardid = get_shard_id_for_distribution_column('orders', ${businessId!}::text)`;
  return nodes.find(({ target }) => target.host === found.host)!.target;
}

const write = (line: string) => process.stdout.write(`${line}\n`);

/** A cluster with this many workers. */
async function openCluster(workers: number) {
  const names = ['coordinator', ...Array.from({ length: workers }, (_, i) => `worker${i + 1}`)];
  const servers = await startServers(CITUS_BIN!, { 'citus.shard_count': '32' }, names);
  const cluster = await createCluster(servers, 'souk');
  await migrate(cluster);
  await distribute(cluster);
  return { servers, side: await openSide(cluster, servers) };
}

// A separate server alongside the clusters, with a plain database.
const plainServers = await startServers(CITUS_BIN, { shared_preload_libraries: '' }, ['plain']);
const stops = [() => plainServers.stop()];
try {
  const plainTarget = plainServers.nodes[0]!.target;
  await migrate(plainTarget);
  const plain = await openSide(plainTarget, plainServers);
  for (const workers of [2, 1, 3]) {
    const { servers, side: citus } = await openCluster(workers);
    stops.push(() => servers.stop());
    const isCompared = workers === 2;
    for (const name of (isCompared ? Object.keys(NAMES) : ['checkouts', 'reads']) as Name[]) {
      const sides: { citus: Side; plain?: Side } = isCompared ? { plain, citus } : { citus };
      const { citus: ours, plain: theirs } = await compare(sides as Record<'citus' | 'plain', Side>, name);
      if (theirs)
        write(
          `${NAMES[name]}: plain ${figure(theirs)}; Citus ${figure(ours)}; ${percent(theirs.serversMs, ours.serversMs)} in CPU of the servers, ` +
            `${percent(theirs.serversMs + theirs.serviceMs, ours.serversMs + ours.serviceMs)} of all processes`,
        );
      write(
        `${NAMES[name]}, ${workers} worker nodes: the coordinator takes ${percent(ours.coordinatorMs, ours.serversMs)} of the CPU of the servers`,
      );
    }
    const rest = (await measureRest(citus)).map((share) => `${(share * 100).toFixed(1)} %`);
    write(`At rest, ${workers} worker nodes: the coordinator and the workers take ${rest.join(', ')} of a core`);
    if (isCompared) {
      const [one, other] = [
        await numberEvents(plain, { ...plainTarget }),
        await numberEvents(citus, { ...(await nodeOf(citus, servers)), database: 'souk' }),
      ];
      write(
        `Write and number one event: plain ${one.ms.toFixed(2)} ms of CPU, Citus ${other.ms.toFixed(2)} ms. ` +
          `Memory of the backend before and after ${EXECUTIONS} times: ${other.kbBefore} and ${other.kbAfter} kB`,
      );
    }
    await citus.stop();
    await servers.stop();
    stops.pop();
  }
  await plain.stop();
} finally {
  load.child.disconnect();
  await Promise.all(stops.map((stop) => stop()));
}
