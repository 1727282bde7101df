/**
 * `node bench/facets.ts [DIR] [--rounds N]`: CPU time of PostgreSQL and elapsed time of a product list with facets, one request at a
 * time, in a catalog of 1,000,000 products. DIR keeps the catalog for the next run.
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { startEmbedded } from '../src/db/embedded/index.ts';
import { migrate } from '../src/db/migrate.ts';
import { createPool } from '../src/db/pool.ts';
import { cpuOfPostgres } from './cpu-time.ts';
import { baseEnv } from './env.ts';
import { startProcess } from './processes.ts';
import { seedProducts } from './seeds/products.ts';
import { createShop } from './shop.ts';

const PRODUCTS = 1_000_000;
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '20' } },
});
const rounds = Number(flags.rounds);

const category = 'categoryId=cat_00000000000000000000000003';
const all = 'categoryId=category-all';
const price = 'minPrice=20000&maxPrice=60000';
const variant = 'block:color=red&option:size=S';
const FILTERS: Record<string, string> = {
  none: '',
  category,
  'category with 20 categories below it': all,
  color: 'block:color=red',
  'narrow price range': 'minPrice=20000&maxPrice=20100',
  'price range of 1% of products': 'minPrice=20000&maxPrice=21000',
  'wide price range': price,
  available: 'available=true',
  'category, color': `${category}&block:color=red`,
  'category, color, size': `${category}&${variant}`,
  'category, price': `${category}&${price}`,
  'category with 20 categories below it, price range of 1%': `${all}&minPrice=20000&maxPrice=21000`,
  'category, color, size, price, availability': `${category}&${variant}&${price}&available=true`,
  'category, color, size, narrow price range, availability': `${category}&${variant}&minPrice=20000&maxPrice=20500&available=true`,
  'category with 20 categories below it, color, size, price, availability': `${all}&${variant}&${price}&available=true`,
  'category, two colors, two sizes, price, availability': `${category}&${variant}&block:color=blue&option:size=L&${price}&available=true`,
  'sold out': 'available=false',
  'category, color, size, price, sold out': `${category}&${variant}&${price}&available=false`,
  'search sorted by age, color, size, price, availability': `query=linen&sort=newest&${variant}&${price}&available=true`,
};

const [kept] = positionals;
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'souk-facets-')));
const isNew = !existsSync(join(folder, 'postgres'));
const { stop, ...target } = await startEmbedded({ dataDir: folder, log: pino({ level: 'warn' }) });
await migrate(target);
const pool = createPool(target);
const env = baseEnv(target, folder);
try {
  if (isNew) await seedProducts(pool, (await createShop(env)).businessId, PRODUCTS);
  const [business] = await pool<{ id: string }[]>`select id from businesses limit 1`;
  const souk = await startProcess('souk.ts', env);
  const guest = await fetch(`${souk.url}/v1/users/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'GUEST' }),
  });
  const { accessToken } = (await guest.json()) as { accessToken: string };
  const read = async (filter: string) => {
    const counted = 'market=us&limit=24&facets=price,availability,options,block:color';
    const response = await fetch(`${souk.url}/v1/businesses/${business!.id}/products?${counted}&${filter}`, {
      headers: { authorization: `Bearer ${accessToken}` },
    });
    await response.text();
    return response.ok;
  };
  console.log('| Filters, 1,000,000 products | CPU time of PostgreSQL | p50 | p99 | Failed |\n|---|---|---|---|---|');
  for (const [name, filter] of Object.entries(FILTERS)) {
    await read(filter);
    const times: number[] = [];
    let failed = 0;
    const before = cpuOfPostgres(folder);
    for (let i = 0; i < rounds; i++) {
      const startedAt = performance.now();
      if (!(await read(filter))) failed++;
      times.push(performance.now() - startedAt);
    }
    const cpu = (cpuOfPostgres(folder) - before) / 1000 / rounds;
    times.sort((a, b) => a - b);
    const at = (share: number) => `${times[Math.min(Math.floor(rounds * share), rounds - 1)]!.toFixed(0)} ms`;
    console.log(`| ${name} | ${cpu.toFixed(0)} ms | ${at(0.5)} | ${at(0.99)} | ${failed} |`);
  }
  souk.child.disconnect();
} finally {
  await pool.end();
  await stop();
  if (kept === undefined) await rm(folder, { recursive: true, force: true });
}
