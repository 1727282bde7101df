/**
 * `npm run bench:citus`: the service on a Citus cluster compared with the service on plain PostgreSQL, both from the
 * binaries in CITUS_BIN and on the same machine, measured alternately: A B A B. `--short`: two rounds of three
 * seconds each. Also reports the CPU time per request in the service and in all servers, which depends less on other
 * load on the machine.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { distribute } from '../src/db/distribute.ts';
import { migrate } from '../src/db/migrate.ts';
import { createPool } from '../src/db/pool.ts';
import { createCluster, type Servers, startServers, type Target } from '../test/citus/servers.ts';
import { cpuOf, cpuOfServer } from './cpu-time.ts';
import { ask, startProcess } from './processes.ts';
import { productBody } from './rows/catalog.ts';
import { createShop } from './shop.ts';
import { type Load, type Measured, medianOf } from './types.ts';

const { CITUS_BIN } = process.env;
if (!CITUS_BIN)
  throw new Error('Set CITUS_BIN to the bin folder of a PostgreSQL with Citus. See docs/operate/citus.md.');
const isShort = process.argv.includes('--short');
const [seconds, rounds] = isShort ? [3, 2] : [4, 5];
const BUSINESSES = 100;
const PRODUCTS = 5;
const UNITS = 1_000_000;

type Side = {
  url: string;
  requests: Record<Name, Load['requests']>;
  cpu(): [service: number, postgres: number];
  stop(): Promise<void>;
};
type Costed = Measured & { serviceMs: number; postgresMs: number };
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
    ...process.env,
    SOUK_BENCH_TARGET: JSON.stringify(target),
    PORT: '0',
    DATA_DIR: folder,
    DATABASE_URL: 'postgres://given',
    SECRET_KEY: 'a-secret-for-the-benchmark-only-0123456789',
    DEMO: '0',
    LIMIT_ADDRESS: '10000000',
    LIMIT_ANONYMOUS: '10000000',
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
  await pool.end();
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
    requests: {
      checkouts: each.map(({ business, product }) => checkout(business, product)),
      reads: each.map(({ business, product }) => ({
        method: 'GET',
        path: `/v1/businesses/${business}/products/${product}`,
        headers,
      })),
      oneBusiness: products.map((product) => checkout(businessId, product)),
    },
    cpu: () => [cpuOf(child.pid!), nodes.reduce((sum, node) => sum + cpuOfServer(join(node.target.host, 'data')), 0)],
    async stop() {
      child.disconnect();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// A separate server alongside the cluster, with a plain database.
const servers = await startServers(CITUS_BIN, { 'citus.shard_count': '32' });
const plainServers = await startServers(CITUS_BIN, { shared_preload_libraries: '' }, ['plain']);
const load = await startProcess('load.ts', process.env, { silentStart: true });
try {
  const cluster = await createCluster(servers, 'souk');
  const plain = { ...plainServers.nodes[0]!.target };
  await migrate(plain);
  await migrate(cluster);
  await distribute(cluster);
  const sides = { plain: await openSide(plain, plainServers), citus: await openSide(cluster, servers) };
  const measure = async ({ url, requests, cpu }: Side, name: Name): Promise<Costed> => {
    const before = cpu();
    const measured = await ask<Measured>(load.child, {
      url,
      load: { server: 'souk', requests: requests[name] },
      seconds,
    });
    const [service, postgres] = cpu().map((us, i) => (us - before[i]!) / 1000 / (measured.perSecond * seconds));
    return { ...measured, serviceMs: service!, postgresMs: postgres! };
  };
  for (const name of Object.keys(NAMES) as Name[]) {
    const measured: { plain: Costed[]; citus: Costed[] } = { plain: [], citus: [] };
    for (let round = -1; round < rounds; round++) {
      for (const side of ['plain', 'citus'] as const) {
        const result = await measure(sides[side], name);
        if (round >= 0) measured[side].push(result);
      }
    }
    const [one, other] = [medianOf(measured.plain), medianOf(measured.citus)];
    const figure = ({ perSecond, p50, p99, errors, serviceMs, postgresMs }: Costed) =>
      `${Math.round(perSecond)}/s, p50 ${p50} ms, p99 ${p99} ms, ${errors} errors, CPU ${serviceMs.toFixed(2)} + ${postgresMs.toFixed(2)} ms`;
    process.stdout.write(
      `${NAMES[name]}: plain ${figure(one)}; Citus ${figure(other)}; ${Math.round((100 * other.perSecond) / one.perSecond)} %\n`,
    );
  }
  for (const side of Object.values(sides)) await side.stop();
} finally {
  load.child.disconnect();
  await Promise.all([servers.stop(), plainServers.stop()]);
}
