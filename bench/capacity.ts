/**
 * `node bench/capacity.ts`: measures the constants of the capacity model in docs/operate/scale.md. Bytes per row with all indexes,
 * and the CPU time of the service and of PostgreSQL per operation, which other load on the machine hardly affects.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { START_FLAGS } from '../scripts/start-flags.ts';
import { startEmbedded } from '../src/db/embedded/index.ts';
import { createPool } from '../src/db/pool.ts';

const COUNT = Number(process.argv[2] ?? 3000);
const AT_ONCE = 16;
const TICKS_PER_SECOND = 100;

const folder = mkdtempSync(join(tmpdir(), 'souk-capacity-'));
const { stop, ...target } = await startEmbedded({ dataDir: folder, log: pino({ level: 'silent' }) });
const pool = createPool(target, { max: 1 });
const { user, password, host, port, database } = target;
const service = spawn(process.execPath, [...START_FLAGS, 'src/main.ts', 'start'], {
  env: {
    PATH: process.env.PATH,
    PORT: '0',
    DATA_DIR: join(folder, 'service'),
    DATABASE_URL: `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    SECRET_KEY: 'a-secret-for-the-benchmark-only-0123456789',
    DEMO: '1',
    LOG_LEVEL: 'error',
    ...Object.fromEntries(['CHECKOUT', 'SUBSCRIBE'].map((name) => [`LIMIT_${name}`, '9000000/9000000'])),
    LIMIT_ADDRESS: '9000000',
    LIMIT_ANONYMOUS: '9000000',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let printed = '';
await new Promise<void>((resolve) => {
  service.stdout.on('data', (data) => {
    printed += data;
    if (printed.includes('export KEY=')) resolve();
  });
});
const given = (name: string) => new RegExp(`^export ${name}=(.*)$`, 'm').exec(printed)![1]!;
const [url, businessId, key] = [given('SOUK'), given('BUSINESS'), given('KEY')];
const shop = `/v1/businesses/${businessId}`;

type Call = { method?: string; path: string; body?: object; token?: string; headers?: Record<string, string> };

async function call({ method = 'GET', path, body, token, headers = {} }: Call) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : { 'x-api-key': key }),
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

function cpuOf(pid: number, withChildren: boolean): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number);
  const ticks = fields[11]! + fields[12]! + (withChildren ? fields[13]! + fields[14]! : 0);
  return (ticks / TICKS_PER_SECOND) * 1000;
}

const postmaster = Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);

function databaseCpu(): number {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ');
  return children.reduce((sum, pid) => sum + cpuOf(Number(pid), false), cpuOf(postmaster, true));
}

const report: Record<string, Record<string, string | number>> = {};

async function measure(name: string, count: number, work: (i: number) => Promise<unknown>): Promise<void> {
  const before = [cpuOf(service.pid!, true), databaseCpu()] as const;
  const startedAt = performance.now();
  let next = 0;
  const one = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  const seconds = (performance.now() - startedAt) / 1000;
  const [own, database] = [cpuOf(service.pid!, true) - before[0], databaseCpu() - before[1]];
  report[name] = {
    'service, ms': Number((own / count).toFixed(3)),
    'PostgreSQL, ms': Number((database / count).toFixed(3)),
    'per second': Math.round(count / seconds),
  };
}

async function sizes(): Promise<Map<string, number>> {
  await pool.text('checkpoint');
  const rows = await pool<{ name: string; bytes: number }[]>`
    select n.nspname || '.' || c.relname as name, pg_total_relation_size(c.oid) as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ('public', 'jobs')`;
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

async function measureGrowth(what: string, count: number, work: () => Promise<void>): Promise<void> {
  const before = await sizes();
  await work();
  const after = await sizes();
  const grew = [...after].map(
    ([name, bytes]) => [name.replace('public.', ''), bytes - (before.get(name) ?? 0)] as const,
  );
  const kept = grew.filter(([, bytes]) => bytes / count >= 8).sort(([, a], [, b]) => b - a);
  bytesOf[what] = Object.fromEntries(kept.map(([name, bytes]) => [name, Math.round(bytes / count)]));
}
const bytesOf: Record<string, Record<string, number>> = {};

const product = (i: number) => ({
  name: `Striped linen shirt ${i}`,
  description: 'A shirt for every day of the year. Ships in two days from our workshop, wrapped in recycled paper.',
  category: `category-${i % 20}`,
  variants: ['s', 'l'].map((id) => ({
    id,
    name: id.toUpperCase(),
    sku: `SKU-${i}-${id}`,
    inventory: { tracked: true, quantity: 100_000 },
    pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 1000 + (i % 900) }] },
  })),
});
const ids: string[] = [];
await measureGrowth('product with two variants', COUNT, () =>
  measure('create a product', COUNT, async (i) => {
    ids.push((await call({ method: 'POST', path: `${shop}/products`, body: product(i) })).id);
  }),
);
const { accessToken: token } = await fetch(`${url}/v1/users/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ provider: 'GUEST' }),
}).then((response) => response.json() as Promise<{ accessToken: string }>);
await pool.text('analyze');
await measure('read a product', COUNT * 4, (i) => call({ path: `${shop}/products/${ids[i % ids.length]}`, token }));
await measure('list 20 products', COUNT, () => call({ path: `${shop}/products?limit=20`, token }));
const order = (i: number) => ({
  businessId,
  market: 'us',
  paymentMethod: 'CREDIT_CARD',
  shippingMethodId: 'standard',
  items: [{ productId: ids[i % ids.length], variantId: 's', quantity: 1 }],
});
await measureGrowth('order with one item', COUNT, () =>
  measure('check out', COUNT, (i) =>
    call({
      method: 'POST',
      path: `${shop}/orders/checkout`,
      token,
      body: order(i),
      headers: { 'idempotency-key': `bench-${i}` },
    }),
  ),
);
const { items } = await call({ path: `${shop}/collections?type=NEWSLETTER`, token });
await measureGrowth('subscriber', COUNT, () =>
  measure('subscribe', COUNT, (i) =>
    call({
      method: 'POST',
      path: `${shop}/collections/${items[0].id}/subscribe`,
      token,
      body: { email: `reader-${i}@example.com`, planId: 'free' },
    }),
  ),
);
const [events] = await pool<[{ bytes: number; count: number }]>`
  select pg_total_relation_size('events') as bytes, count(*) as count from events`;
console.table(report);
process.stdout.write(
  `${JSON.stringify({ bytes: bytesOf, bytesPerEvent: Math.round(events.bytes / events.count) }, null, 2)}\n`,
);
service.kill('SIGTERM');
await new Promise((resolve) => service.once('exit', resolve));
await pool.end();
await stop();
rmSync(folder, { recursive: true, force: true });
