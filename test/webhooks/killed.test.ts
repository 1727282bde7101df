import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { createPool } from '../../src/db/pool.ts';
import { caller, cloneDatabase, dropDatabase, type Json } from '../harness.ts';
import { eventually, type ServiceProcess, startService } from '../service.ts';
import { startReceiver } from './receiver.ts';

/** `KILLED_ORDERS=500 npm test -- test/webhooks/killed.test.ts` for more. */
const ORDERS = Number(process.env.KILLED_ORDERS ?? 60);
const BUYERS = 8;
const KILLS = 3;

const folder = mkdtempSync(join(tmpdir(), 'souk-killed-'));
const target = await cloneDatabase();
const pool = createPool(target, { max: 2, applicationName: 'test' });
after(async () => {
  await service.stop('SIGKILL');
  await pool.end();
  await dropDatabase(target);
  rmSync(folder, { recursive: true, force: true });
});

const { user, password, host, port, database } = target;
const environment = {
  PORT: '0',
  DATA_DIR: folder,
  DATABASE_URL: `postgres://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
  DATABASE_POOL: process.env.DATABASE_POOL ?? '6',
  DEMO: '1',
  SECRET_KEY: 'a-secret-for-tests-that-is-long-enough',
  LOG_LEVEL: 'error',
  WEBHOOK_RETRY: Array.from({ length: 40 }, () => 0).join(),
  WEBHOOK_TIMEOUT: '1',
  WEBHOOK_LEASE: '2',
};
let service: ServiceProcess = await startService('start', environment);
const { KEY, BUSINESS } = service.exports;

/** As a good client does: again, with the same key, until there is an answer. */
const ask = (method: string, path: string, body: object, key: string): Promise<Json> =>
  eventually(`${method} ${path}`, async () => {
    const headers = { 'x-api-key': KEY!, 'idempotency-key': key };
    const answer = await caller(service.url!)(method, `/v1/businesses/${BUSINESS}${path}`, { headers, body });
    assert.ok(answer.status === 200 || answer.status >= 500 || answer.status === 409, JSON.stringify(answer.body));
    return answer.status === 200 && answer.body;
  });

test('a sender that is killed three times, and a receiver that fails a third of the calls and never answers a tenth: every event arrives, per order in sequence, and the log adds up', {
  timeout: 300_000,
}, async (t) => {
  /** What the receiver has taken, by order: the sequences in the order in which they came. */
  const taken = new Map<string, number[]>();
  const ids = new Set<string>();
  let calls = 0;
  const receiver = await startReceiver(({ event }, response) => {
    calls++;
    if (calls % 10 === 7) return;
    if (calls % 3 === 0) return void response.writeHead(500).end();
    ids.add(event.id);
    taken.set(event.entity, [...(taken.get(event.entity) ?? []), event.sequence]);
    response.end();
  });
  const { id: webhookId } = await ask('POST', '/webhooks', { url: receiver.url, events: ['order.*'] }, 'hook');
  const pricing = { markets: [{ marketId: 'us', currency: 'usd', price: 1000 }] };
  const variants = [{ id: 'main', name: 'Main', pricing, inventory: { tracked: true, quantity: ORDERS } }];
  const { id: productId } = await ask('POST', '/products', { name: 'Mug', variants }, 'mug');

  let begun = 0;
  let killed = 0;
  let restarted: Promise<void> = Promise.resolve();
  async function replaceSender(): Promise<void> {
    await service.stop('SIGKILL');
    service = await startService('start', environment);
  }
  async function buy(): Promise<void> {
    while (begun < ORDERS) {
      begun++;
      const items = [{ productId, variantId: 'main', quantity: 1 }];
      const body = { market: 'us', paymentMethod: 'CREDIT_CARD', shippingMethodId: 'standard', items };
      const { orderId } = await ask('POST', '/orders/checkout', body, randomUUID());
      await ask('PUT', `/orders/${orderId}/status`, { status: 'PROCESSING' }, randomUUID());
      if (killed < KILLS && begun > ((killed + 1) * ORDERS) / (KILLS + 1)) {
        killed++;
        restarted = restarted.then(replaceSender);
      }
    }
  }
  await Promise.all(Array.from({ length: BUYERS }, buy));
  await restarted;
  assert.equal(killed, KILLS);

  const events = await eventually('everything is numbered and delivered', async () => {
    const [open] = await pool<[{ count: number }]>`
      select (select count(*) from event_outbox) + (select count(*) from webhook_deliveries where status = 'PENDING') as count`;
    if (open.count > 0) return null;
    return pool<{ position: number; entity: string; sequence: number }[]>`
      select position, entity, sequence from events
      where business_id = ${BUSINESS} and type like 'order.%' and data like ${`%${productId}%`} order by position`;
  });
  assert.equal(events.length, 2 * ORDERS);
  const prefix = `evt_${BUSINESS!.replace(/^biz_/, '')}_`;
  assert.deepEqual(
    events.filter(({ position }) => !ids.has(`${prefix}${position}`)),
    [],
    'events that never arrived',
  );
  for (const [entity, sequences] of taken) {
    assert.deepEqual([...new Set(sequences)], [1, 2], entity);
    assert.deepEqual(sequences, sequences.toSorted(), `${entity}: a repeat comes before what follows`);
  }
  const deliveries = await pool<{ status: string; attempts: string; attemptCount: number }[]>`
    select status, attempts, attempt_count from webhook_deliveries where webhook_id = ${webhookId}`;
  const attempts = deliveries.map((row) => JSON.parse(row.attempts) as Json[]);
  assert.equal(deliveries.length, events.length);
  assert.ok(deliveries.every(({ status }) => status === 'SUCCEEDED'));
  assert.ok(attempts.every((each) => each.at(-1).status === 200));
  const logged = attempts.flat().length;
  t.diagnostic(`${ORDERS} orders, ${calls} calls, ${logged} of them in the log`);
  // A killed process takes the outcomes of what was under way with it: 20 calls at most, and what was not written yet.
  assert.ok(logged <= calls && calls - logged <= KILLS * 40, `${logged} attempts in the log, ${calls} calls`);
});
