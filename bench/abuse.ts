/**
 * Measures a normal client while others misbehave: 60 clients that never read their responses, 200 that never finish their requests,
 * and 20 that check out with deliberately expensive text. Fails if the normal client's p99 reaches 200 ms or the process 400 MB.
 *
 *   node bench/abuse.ts [seconds]
 *
 * `ABUSE=60,200,0` skips the checkouts.
 */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { globalSetup, globalTeardown } from '../test/setup.ts';

const SECONDS = Number(process.argv[2] ?? 40);
const [STALLED, SLOW, HOSTILE] = (process.env.ABUSE ?? '60,200,20').split(',').map(Number) as [number, number, number];
const [MAX_P99_MS, MAX_MEMORY_MB] = [200, 400];

await globalSetup();
const { startHarness } = await import('../test/harness.ts');
const { startService } = await import('../test/service.ts');
const { openShop } = await import('../test/orders/shop.ts');

const h = await startHarness();
const shop = await openShop(h);
const { token } = shop.staff;
const productIds: string[] = [];
for (let i = 0; i < 100; i++) {
  const body = { name: `Mug ${i}`, description: 'A mug. '.repeat(2800) };
  const response = await h.call('POST', `${shop.base}/products`, { token, body });
  productIds.push(response.body.id);
}
const sold = await shop.product({ quantity: null });
const { host, user, password, database } = h.target;
const service = await startService('start', {
  PORT: '0',
  DATA_DIR: h.config.dataDir,
  SECRET_KEY: h.config.secretKey,
  DEMO: '0',
  LOG_LEVEL: 'silent',
  DATABASE_URL: `postgres://${user}:${password}@localhost:5432/${database}?host=${encodeURIComponent(host)}`,
  LIMIT_ADDRESS: '1000000',
  LIMIT_ANONYMOUS: '1000000',
});
const url = new URL(service.url!);
const port = Number(url.port);

let running = true;
const counts = { cut: 0, checkouts: 0 };

/** Sends `head`, then `drip` once a second, and never reads. Reconnects when disconnected. */
async function misbehave(head: string, drip: string): Promise<void> {
  while (running) {
    const socket = connect(port, url.hostname).pause();
    const closed = new Promise((resolve) => socket.once('close', resolve).on('error', resolve));
    socket.write(head);
    let open = true;
    void closed.then(() => {
      open = false;
      counts.cut++;
    });
    while (running && open) {
      await pause(1000);
      if (open && drip) socket.write(drip);
    }
    socket.destroy();
  }
}

const lists = `GET ${shop.base}/products?limit=100 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`;
const upload = `POST ${shop.base}/products HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n{"name":"${'x'.repeat(900_000)}`;
const blocks = [{ id: 'a', type: 'TEXT', settings: { variant: 'HTML' }, value: '<tr><td>'.repeat(60_000) }];

const items = [{ productId: sold, variantId: 'main', quantity: 1 }];
const body = Buffer.from(JSON.stringify({ market: 'us', paymentMethod: 'CASH', items, blocks }));

async function checkOut(): Promise<void> {
  while (running) {
    const headers = { authorization: `Bearer ${shop.customer.token}`, 'content-type': 'application/json' };
    await fetch(`${service.url}${shop.base}/orders/checkout`, { method: 'POST', headers, body })
      .then((response) => response.text())
      .catch(() => pause(100));
    counts.checkouts++;
  }
}

const took: number[] = [];
async function behave(): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  for (let i = 0; running; i++) {
    const path = i % 5 === 0 ? `${shop.base}/products?limit=5` : `${shop.base}/products/${productIds[i % 100]}`;
    const startedAt = performance.now();
    const response = await fetch(`${service.url}${path}`, { headers });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`The normal client got ${response.status}.`);
    took.push(performance.now() - startedAt);
    await pause(10);
  }
}

let memoryMb = 0;
async function watchMemory(): Promise<void> {
  while (running) {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    memoryMb = Math.max(memoryMb, Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 1_048_576);
    await pause(500);
  }
}

const work = [
  ...Array.from({ length: STALLED }, () => misbehave(lists, '')),
  ...Array.from({ length: SLOW / 2 }, () => misbehave('GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: ', 'x')),
  ...Array.from({ length: SLOW / 2 }, () => misbehave(upload, 'x')),
  ...Array.from({ length: HOSTILE }, checkOut),
  behave(),
  watchMemory(),
];
await Promise.race([pause(SECONDS * 1000), Promise.all(work)]);
running = false;
await service.stop('SIGKILL');

took.sort((a, b) => a - b);
const [p50, p99] = [0.5, 0.99].map((part) => Math.round(took[Math.floor(took.length * part)] ?? 0));
process.stdout.write(
  `${took.length} requests from the normal client: p50 ${p50} ms, p99 ${p99} ms; peak memory ${Math.round(memoryMb)} MB; ${counts.cut} connections closed, ${counts.checkouts} checkouts.\n`,
);
await globalTeardown();
process.exit(p99! < MAX_P99_MS && memoryMb < MAX_MEMORY_MB ? 0 : 1);
