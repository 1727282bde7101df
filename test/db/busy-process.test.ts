import assert from 'node:assert/strict';
import test from 'node:test';
import { divideConnections } from '../../src/db/connections.ts';
import { PERMISSIONS } from '../../src/shared/security/caller.ts';
import { type ApiResponse, type Harness, startHarness } from '../harness.ts';
import { listWaiting } from '../locks.ts';
import { openShop, tally } from '../orders/shop.ts';
import { eventually } from '../service.ts';

const options = { timeout: 120_000 };
const TOTAL = 10;
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Both start before the first test, because services stop when the tests defined so far have ended. */
const busy = await startHarness({ DATABASE_POOL: String(TOTAL) });
const smallest = await startHarness({ DATABASE_POOL: '1' });
for (const { service } of [busy, smallest]) await service.work();

/** Counts the connections of the service until `stop` is called, which returns the highest count. */
function watchConnections({ pool }: Harness) {
  let isOver = false;
  let highest = 0;
  const watching = (async () => {
    while (!isOver) {
      const [row] = await pool<[{ count: number }]>`
        select count(*) from pg_stat_activity where datname = current_database() and application_name like 'souk%'`;
      highest = Math.max(highest, row.count);
    }
  })();
  return {
    highest: () => highest,
    async stop(): Promise<number> {
      isOver = true;
      await watching;
      return highest;
    },
  };
}

async function openBusyShop(h: Harness) {
  const shop = await openShop(h);
  const owner = await h.member(shop.businessId, ...PERMISSIONS);
  const product = await shop.product({ quantity: null });
  const get = (path: string) => h.call('GET', `${shop.base}${path}`, { token: owner.token });
  const stream = () =>
    fetch(`${h.url}${shop.base}/events/stream`, { headers: { authorization: `Bearer ${owner.token}` } });
  /** A running export fails if the lock is held for longer than `lock_timeout`. */
  const runExport = () => get('/exports?type=customers').catch(() => ({ status: 503 }) as ApiResponse);
  /** One of each: an export, a quick read, a list, and a checkout with its email and event. The export starts first. */
  const each = (): Promise<ApiResponse>[] => [
    runExport(),
    get(`/products/${product}`),
    get('/orders'),
    shop.checkout(product, { paymentMethod: 'CASH', email: 'buyer@example.com' }),
  ];
  return { ...shop, stream, runExport, each };
}

test(
  'requests, exports, jobs and event streams together never open more than DATABASE_POOL connections',
  options,
  async () => {
    const shops = await Promise.all(times(5, () => openBusyShop(busy)));
    const streams = await Promise.all(shops.map((shop) => shop.stream()));
    const connections = watchConnections(busy);
    const { pool, exports } = divideConnections(TOTAL);
    const rounds: Promise<ApiResponse[]>[] = [];
    await busy.pool.transaction(async (tx) => {
      await tx`lock table orders, customers in access exclusive mode`;
      // Requests that have waited for `lock_timeout` end, so others follow until all connections wait at the same time. Exports start
      // first: they use a connection of the pool before their own.
      let isOver = true;
      await eventually('pool and exports are taken', async () => {
        if (isOver) {
          isOver = false;
          const running = shops.map((shop) => shop.runExport());
          const round = Promise.all([...running, ...times(5, () => shops.flatMap((shop) => shop.each())).flat()]);
          rounds.push(
            round.finally(() => {
              isOver = true;
            }),
          );
        }
        return (await listWaiting(tx)).length >= pool + exports;
      });
      await eventually('all connections are open', async () => connections.highest() >= TOTAL);
    });
    await Promise.all(rounds);
    for (let round = 0; round < 5; round++) {
      const round = await Promise.all(shops.flatMap((shop) => shop.each()));
      assert.deepEqual(
        Object.keys(tally(round)).filter((status) => !['200', '503'].includes(status)),
        [],
      );
    }
    for (const { body } of streams) await body!.cancel();
    assert.equal(await connections.stop(), TOTAL);
  },
);

test("with the smallest pool, requests and jobs don't block each other", options, async () => {
  const MAILS = 10;
  const shop = await openBusyShop(smallest);
  const system = smallest.service.contexts.system();
  const mail = (i: number) =>
    system.transaction((ctx) => ctx.mail({ to: `${i}@example.com`, subject: 'Hi', text: '' }));
  const responses: ApiResponse[] = [];
  let isOver = false;
  const requests = times(8, async () => {
    while (!isOver) responses.push(...(await Promise.all(shop.each().slice(1, 3))));
  });
  await Promise.all(times(MAILS, mail));
  const before = responses.length;
  await eventually('all emails are sent', async () => {
    const { body } = await smallest.call('GET', '/dev/mailbox', { headers: { accept: 'application/json' } });
    return body.items.filter(({ subject }: { subject: string }) => subject === 'Hi').length === MAILS;
  });
  isOver = true;
  await Promise.all(requests);
  assert.deepEqual(tally(responses), { 200: responses.length });
  assert.ok(responses.length > before);
});
