/**
 * `npm run attack`: measures a normal client of one business while others misbehave, with each attack in `attacks/` and with all at
 * once. Fails if the normal client's p99 reaches 200 ms, one of its requests fails, an attack causes a 500, or the process uses 600 MB.
 *
 *   node bench/attack.ts [--seconds 40] [--only documents,texts] [--each] [--profile FOLDER]
 *
 * Without `--each`, only all at once. `--profile` writes a CPU profile of the service. The attackers use different loopback addresses
 * from the normal client, and the service has its usual limits.
 */
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { globalSetup, globalTeardown } from '../test/setup.ts';
import { ADDRESSES, type Attack, type Victim } from './attacks/clients.ts';
import { ATTACKS } from './attacks/index.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '40' },
    only: { type: 'string' },
    each: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
});
const [MAX_P99_MS, MAX_MEMORY_MB] = [200, 600];
/** Free accounts of the attackers. */
const ACCOUNTS = 80;

await globalSetup();
const { startHarness } = await import('../test/harness.ts');
const { startService } = await import('../test/service.ts');
const { openShop } = await import('../test/orders/shop.ts');

const h = await startHarness();
const shop = await openShop(h, { storefront: { enabled: true } });
const productIds: string[] = [];
for (let i = 0; i < 100; i++) {
  const body = { name: `Mug ${i}`, description: 'A mug. '.repeat(2800) };
  const response = await h.call('POST', `${shop.base}/products`, { token: shop.staff.token, body });
  productIds.push(response.body.id);
}
const own = await openShop(h, { storefront: { enabled: true }, profile: { legalName: 'Evil' } });
const { token, userId } = await h.member(own.businessId, 'ADMIN');
const { body: me } = await h.call('GET', '/v1/users/me', { token });
const collection = await h.call('POST', `${own.base}/collections`, {
  token,
  body: {
    name: 'Notes',
    statuses: [{ status: 'PUBLISHED' }],
    blocks: [
      { id: 'title', type: 'TEXT' },
      { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
    ],
  },
});
const soldProductId = await own.product({ quantity: null });
const accounts = await Promise.all(
  Array.from({ length: ACCOUNTS }, async () => {
    const businessId = await h.business({});
    return { base: `/v1/businesses/${businessId}`, token: (await h.member(businessId, 'ADMIN')).token };
  }),
);
const { host, user, password, database } = h.target;
if (flags.profile) mkdirSync(flags.profile, { recursive: true });
const service = await startService('start', {
  PORT: '0',
  DATA_DIR: h.config.dataDir,
  SECRET_KEY: h.config.secretKey,
  DEMO: '0',
  LOG_LEVEL: 'silent',
  DATABASE_URL: `postgres://${user}:${password}@localhost:5432/${database}?host=${encodeURIComponent(host)}`,
  ...(flags.profile && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${flags.profile}` }),
});
const url = new URL(service.url!);
const storefront = `/s/${shop.businessId}`;
const victim: Victim = {
  url,
  base: own.base,
  ownStorefront: `/s/${own.businessId}`,
  storefront,
  token,
  userId,
  roleId: me.roleIds[0]!,
  collectionId: collection.body.id,
  customerToken: own.customer.token,
  soldProductId,
  accounts,
};

const normal = new Worker(new URL('attacks/normal-client.ts', import.meta.url), {
  workerData: {
    url: service.url,
    token: shop.staff.token,
    paths: [
      `${shop.base}/products?limit=5`,
      storefront,
      ...productIds.slice(0, 8).map((id) => `${shop.base}/products/${id}`),
    ],
  },
});

type Seen = { took: number[]; failed: Record<string, number> };
const readNormal = () =>
  new Promise<Seen>((resolve) => {
    normal.once('message', resolve);
    normal.postMessage('read');
  });

type Usage = { cpuSeconds: number; memoryMb: number; lagMs: number };
async function readUsage(): Promise<Usage> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return {
    cpuSeconds: metric('process_cpu_seconds_total'),
    memoryMb: metric('process_resident_memory_bytes') / 1_048_576,
    lagMs: metric('nodejs_eventloop_lag_p99_seconds') * 1000,
  };
}

type Result = { p99: number; failures: number; memoryMb: number };

/** Prints one line. */
async function measure(name: string, attacks: readonly Attack[], seconds: number): Promise<Result> {
  const counts: Record<string, number> = {};
  let over = false;
  const before = await readUsage();
  await readNormal();
  const clients = attacks.flatMap((attack) =>
    Array.from({ length: attack.clients }, (_, index) =>
      attack.run({
        ...victim,
        index,
        localAddress: `127.0.1.${(index % ADDRESSES) + 1}`,
        isOver: () => over,
        count(what) {
          const key = `${attack.name} ${what}`;
          counts[key] = (counts[key] ?? 0) + 1;
        },
      }),
    ),
  );
  const startedAt = performance.now();
  let memoryMb = 0;
  let lagMs = 0;
  while (performance.now() - startedAt < seconds * 1000) {
    await pause(1000);
    const usage = await readUsage();
    memoryMb = Math.max(memoryMb, usage.memoryMb);
    lagMs = Math.max(lagMs, usage.lagMs);
  }
  const after = await readUsage();
  const elapsed = (performance.now() - startedAt) / 1000;
  const { took, failed } = await readNormal();
  over = true;
  await Promise.all(clients);
  took.sort((a, b) => a - b);
  const at = (part: number) => Math.round(took[Math.min(took.length - 1, Math.floor(took.length * part))] ?? 0);
  const [p50, p99, worst] = [at(0.5), at(0.99), at(1)];
  const cpu = Math.round((100 * (after.cpuSeconds - before.cpuSeconds)) / elapsed);
  process.stdout.write(
    `${name}: ${took.length} requests from the normal client: p50 ${p50} ms, p99 ${p99} ms; peak memory ${Math.round(memoryMb)} MB; longest ${worst} ms, CPU ${cpu} %, event loop p99 ${Math.round(lagMs)} ms, failures ${JSON.stringify(failed)}, attackers ${JSON.stringify(counts)}\n`,
  );
  const errors = Object.keys(counts).filter((key) => key.endsWith(' 500'));
  return { p99, failures: Object.keys(failed).length + errors.length, memoryMb };
}

const names = flags.only?.split(',');
const chosen = ATTACKS.filter(({ name }) => !names || names.includes(name));
const seconds = Number(flags.seconds);
await pause(2000);
if (flags.each) {
  await measure('none', [], Math.min(seconds, 10));
  for (const attack of chosen) await measure(attack.name, [attack], Math.min(seconds, 10));
}
const { p99, failures, memoryMb } = await measure('all', chosen, seconds);
await normal.terminate();
await service.stop(flags.profile ? 'SIGTERM' : 'SIGKILL');
await globalTeardown();
process.exit(p99 < MAX_P99_MS && failures === 0 && memoryMb < MAX_MEMORY_MB ? 0 : 1);
