/**
 * `node bench/cpu.ts [DIR] [--only a,b] [--rounds N] [--statements]`: the CPU time of a request in the service and
 * PostgreSQL, alternately here and in another checkout. Other load on the machine affects these figures far less than
 * requests per second. `--statements` adds PostgreSQL's time per statement and slows everything down.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import pino from 'pino';
import type * as embedded from '../src/db/embedded/index.ts';
import type * as migrations from '../src/db/migrate.ts';
import { cpuOf, cpuOfPostgres } from './cpu-time.ts';
import { baseEnv } from './env.ts';
import type { GuestFigures } from './guests.ts';
import { ask, startProcess } from './processes.ts';
import { STEPS } from './purchase.ts';
import { productBody } from './rows/catalog.ts';
import type * as shops from './shop.ts';
import type { Load, Measured } from './types.ts';

const HERE = fileURLToPath(new URL('..', import.meta.url));
const REQUESTS = 2000;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    statements: { type: 'boolean', default: false },
  },
});

type Side = Awaited<ReturnType<typeof openSide>>;
type Cost = { service: number; postgres: number };

/** A checkout with its own database and service. */
async function openSide(checkout: string) {
  const from = <T>(path: string) => import(pathToFileURL(join(checkout, path)).href) as Promise<T>;
  const { startEmbedded } = await from<typeof embedded>('src/db/embedded/index.ts');
  const { migrate } = await from<typeof migrations>('src/db/migrate.ts');
  const { createShop } = await from<typeof shops>('bench/shop.ts');
  const settings: Record<string, string> = flags.statements ? { shared_preload_libraries: 'pg_stat_statements' } : {};
  const folder = await mkdtemp(join(tmpdir(), 'souk-cpu-'));
  const { stop, ...target } = await startEmbedded({ dataDir: folder, log: pino({ level: 'warn' }), settings });
  await migrate(target);
  const env = {
    ...baseEnv(target, folder),
    PAYMENT_SANDBOX: '1',
    LIMIT_CHECKOUT: '10000000/10000000',
    LIMIT_QUOTE: '10000000/10000000',
    NODE_ENV: 'production',
  };
  const souk = await startProcess(join(checkout, 'bench/souk.ts'), env);
  const shop = await createShop(env);
  const productIds = await seedProducts(souk.url, shop.businessId, shop.adminToken);
  await run(target, 'analyze');
  if (flags.statements) await run(target, 'create extension pg_stat_statements');
  return {
    url: souk.url,
    shop,
    productIds,
    statements: () => run(target, STATEMENTS),
    cpu: (): Cost => ({ service: cpuOf(souk.child.pid!), postgres: cpuOfPostgres(folder) }),
    async close() {
      souk.child.disconnect();
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function seedProducts(url: string, businessId: string, token: string): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < 200; i++) {
    const response = await fetch(`${url}/v1/businesses/${businessId}/products`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(productBody(i)),
    });
    ids.push(((await response.json()) as { id: string }).id);
  }
  return ids;
}

async function run(target: pg.ClientConfig, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(target);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

const STATEMENTS = `
  select calls, round((total_exec_time * 1000 / calls)::numeric, 1) as us, round(total_exec_time) as ms,
    left(regexp_replace(query, '\\s+', ' ', 'g'), 150) as text
  from pg_stat_statements where calls > 50 order by total_exec_time desc limit 30`;

const load = await startProcess('load.ts', process.env, { silentStart: true });
const guests = await startProcess('guests.ts', process.env, { silentStart: true });

const read = (path: (side: Side) => string) => async (side: Side) => {
  const headers = { authorization: `Bearer ${side.shop.guestToken}` };
  const requests = Array.from({ length: 2 * REQUESTS }, () => ({ method: 'GET', path: path(side), headers }));
  const spec: Load = { server: 'souk', requests, once: true };
  const { errors } = await ask<Measured>(load.child, { url: side.url, load: spec, seconds: 0 });
  if (errors > 0) throw new Error(`${errors} requests failed.`);
  return requests.length;
};

const any = ({ productIds }: Side) => productIds[Math.floor(Math.random() * productIds.length)];

const WORK: Record<string, (side: Side) => Promise<number>> = {
  product: read((side) => `/v1/businesses/${side.shop.businessId}/products/${any(side)}`),
  list: read((side) => `/v1/businesses/${side.shop.businessId}/products?limit=20`),
};

/** All guests take the first step, then all take the second, so that each step has its own figures. */
async function takeSteps(side: Side, note: (step: string, cost: Cost) => void): Promise<void> {
  const order = {
    url: side.url,
    server: 'souk' as const,
    businessId: side.shop.businessId,
    productIds: side.productIds,
  };
  const pausing = { steps: { guests: REQUESTS, pausesMs: 700 } };
  let before = side.cpu();
  const onStep = (message: { step?: string }) => {
    if (!message.step) return;
    const after = side.cpu();
    note(message.step, per(REQUESTS, before, after));
    before = side.cpu();
  };
  guests.child.on('message', onStep);
  const done = new Promise<GuestFigures>((resolvePromise) => {
    const listen = (message: GuestFigures) => {
      if (!message.steps) return;
      guests.child.off('message', listen);
      resolvePromise(message);
    };
    guests.child.on('message', listen);
  });
  guests.child.send({ ...order, play: pausing });
  const { steps } = await done;
  guests.child.off('message', onStep);
  const errors = STEPS.reduce((sum, step) => sum + steps![step].errors, 0);
  if (errors > 0) throw new Error(`${errors} steps failed.`);
}

const per = (count: number, before: Cost, after: Cost): Cost => ({
  service: (after.service - before.service) / count,
  postgres: (after.postgres - before.postgres) / count,
});

const sides = await Promise.all([HERE, ...positionals.map((path) => resolve(path))].map(openSide));
const costs = new Map<string, Cost[][]>();
const note = (name: string, i: number, cost: Cost) => {
  const ofName = costs.get(name) ?? sides.map(() => []);
  costs.set(name, ofName);
  ofName[i]!.push(cost);
};
const isChosen = (name: string) => !flags.only || flags.only.split(',').includes(name);
const rounds = Number(flags.rounds);
for (let round = 0; round <= rounds; round++) {
  for (const [i, side] of sides.entries()) {
    for (const [name, work] of Object.entries(WORK).filter(([name]) => isChosen(name))) {
      const before = side.cpu();
      const count = await work(side);
      if (round > 0) note(name, i, per(count, before, side.cpu()));
    }
    if (isChosen('steps')) await takeSteps(side, (step, cost) => round > 0 && note(step, i, cost));
  }
}
const median = (numbers: number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
const shown = (ofSide: Cost[]) => {
  const [service, postgres] = [median(ofSide.map((c) => c.service)), median(ofSide.map((c) => c.postgres))];
  return `${Math.round(service)} + ${Math.round(postgres)} = ${Math.round(service + postgres)}`;
};
process.stdout.write(`| µs of CPU, service + PostgreSQL | here | ${positionals.join(' | ')} |\n| --- | --- | --- |\n`);
for (const [name, ofName] of costs) process.stdout.write(`| ${name} | ${ofName.map(shown).join(' | ')} |\n`);
if (flags.statements) {
  for (const side of sides) {
    for (const { calls, us, ms, text } of await side.statements())
      process.stdout.write(`${calls} × ${us} µs = ${ms} ms ${text}\n`);
  }
}
for (const { child } of [load, guests]) child.disconnect();
for (const side of sides) await side.close();
process.exit();
