import { readFileSync } from 'node:fs';
import { startProcess, ask } from './processes.ts'; import type { GuestFigures } from './guests.ts';
const { target, shop, ids } = JSON.parse(readFileSync('/tmp/perf-scratch.json', 'utf8'));
const env = { ...process.env, SOUK_BENCH_TARGET: JSON.stringify(target), PORT: '0', DATA_DIR: '/tmp/perf-prof-data', DATABASE_URL: 'postgres://given', DEMO: '0', PAYMENT_SANDBOX: '1', SECRET_KEY: 'a-secret-for-the-benchmark-only-0123456789', LIMIT_ADDRESS: '10000000', LIMIT_CHECKOUT: '10000000/10000000', LIMIT_QUOTE: '10000000/10000000', NODE_ENV: 'production' };
const souk = await startProcess('scratch-souk.ts', env);
const guests = await startProcess('guests.ts', process.env, { silentStart: true });
const G = 3000;
const run = async () => {
  let k = 0; const names = ['login', 'quote', 'checkout', 'pay', 'read'];
  await new Promise<void>((resolve) => {
    guests.child.on('message', async (m: any) => {
      if (m.step) { await ask(souk.child, { stop: `/tmp/prof-${names[k]}.json` }); k++; await ask(souk.child, { start: 1 }); }
      if (m.steps) { guests.child.removeAllListeners('message'); resolve(); }
    });
    void ask(souk.child, { start: 1 }).then(() => guests.child.send({ url: souk.url, server: 'souk', businessId: shop.businessId, productIds: ids, play: { steps: { guests: G, pausesMs: 300 } } }));
  });
};
await run(); await run();
for (const [name, path] of [['product', `/v1/businesses/${shop.businessId}/products/${ids[0]}`], ['list', `/v1/businesses/${shop.businessId}/products?limit=20`]] as const) {
  const load = await startProcess('load.ts', process.env, { silentStart: true });
  await ask(souk.child, { stop: '/tmp/prof-x.json' }); await ask(souk.child, { start: 1 });
  await ask(load.child, { url: souk.url, load: { server: 'souk', once: true, requests: Array.from({ length: 10000 }, () => ({ method: 'GET', path, headers: { authorization: `Bearer ${shop.guestToken}` } })) }, seconds: 0 });
  await ask(souk.child, { stop: `/tmp/prof-${name}.json` }); await ask(souk.child, { start: 1 }); load.child.disconnect();
}
process.exit(0);
