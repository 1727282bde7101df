import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startHarness } from '../../harness.ts';
import { openShop, passTime, press } from '../shop.ts';
import { startCuttingProxy } from './cutting-proxy.ts';

const h = await startHarness({ CHECKOUT_TTL: '86400' });
const shop = await openShop(h);
const product = await shop.product({ quantity: 1_000_000 });
const proxy = await startCuttingProxy(h.target as { host: string; port: number });
after(() => proxy.stop());

/** `npm run test:kills -- --count 1000` kills at random statements, this often. */
const RANDOM_KILLS = Number(process.env.KILLS ?? 0);
/** More statements than a payment or a refund has. */
const MOST_STATEMENTS = 60;

let child: ChildProcess | null = null;
let url = '';

async function startChild(): Promise<void> {
  proxy.uncut();
  const target = { ...h.target, host: proxy.host };
  child = fork(fileURLToPath(new URL('../service-process.ts', import.meta.url)), {
    env: { ...process.env, SOUK_TEST_DATABASE: JSON.stringify(target), DATA_DIR: h.config.dataDir },
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
  });
  [url] = (await once(child, 'message')) as [string];
}

after(() => void child?.kill('SIGKILL'));

/** Sends a request to the child and kills it at statement `at`. Returns whether it was killed. */
async function killedAt(at: number, request: () => Promise<unknown>): Promise<boolean> {
  if (!child) await startChild();
  const victim = child!;
  let isKilled = false;
  proxy.cutAfter(at, () => {
    isKilled = true;
    victim.kill('SIGKILL');
  });
  await request().catch(() => {});
  proxy.uncut();
  if (isKilled) {
    if (victim.exitCode === null && victim.signalCode === null) await once(victim, 'exit');
    child = null;
  }
  return isKilled;
}

const onChild = (address: string) => `${url}${new URL(address).pathname}`;

async function pay(at: number): Promise<boolean> {
  const { body } = await shop.checkout(product);
  return killedAt(at, () => press(onChild(body.checkoutUrl!), 'pay'));
}

async function refund(at: number): Promise<boolean> {
  const { body } = await shop.checkout(product, { quantity: 3 });
  await press(body.checkoutUrl!, 'pay');
  return killedAt(at, () =>
    fetch(`${url}${shop.base}/orders/${body.orderId}/refund`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.staff.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 1234 }),
    }),
  );
}

async function assertDocumented(): Promise<void> {
  const documents = await h.pool<{ series: string; sequence: number }[]>`
    select series, sequence from documents where business_id = ${shop.businessId} order by series, sequence`;
  for (const [series, rows] of Map.groupBy(documents, (row) => row.series)) {
    const expected = Array.from(rows, (_, i) => i + 1);
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      expected,
      `${series} has no gap and no number twice`,
    );
  }
  const orders = await h.pool<{ paymentStatus: string; kept: number; invoices: number; invoiced: number }[]>`
    select o.payment_status, o.paid - o.refunded as kept,
      count(d.id) filter (where d.type = 'INVOICE')::int as invoices,
      coalesce(sum(case d.type when 'INVOICE' then d.total else -d.total end), 0)::bigint as invoiced
    from orders o left join documents d on d.business_id = o.business_id and d.order_id = o.id
    where o.business_id = ${shop.businessId} group by o.id, o.payment_status, o.paid, o.refunded`;
  for (const { paymentStatus, kept, invoices, invoiced } of orders) {
    assert.equal(invoices, paymentStatus === 'PENDING' ? 0 : 1);
    assert.equal(invoiced, kept);
  }
}

/** Refunds that were cut off are completed by their job. */
async function finish(): Promise<void> {
  await passTime(h, 300);
  await h.drain();
  await assertDocumented();
}

test('a process killed at any statement of a payment or refund leaves no gaps and no missing or duplicate documents', {
  timeout: 600_000,
}, async () => {
  for (const action of [pay, refund]) {
    let kills = 0;
    while (kills < MOST_STATEMENTS && (await action(kills))) kills++;
    assert.ok(kills > 5 && kills < MOST_STATEMENTS, `killed at each of ${kills} statements`);
  }
  await finish();
});

test('random kills leave no gap, no missing and no second document', {
  skip: RANDOM_KILLS === 0,
  timeout: 4 * 3_600_000,
}, async () => {
  for (let kills = 0; kills < RANDOM_KILLS; ) {
    const action = Math.random() < 0.5 ? pay : refund;
    if (await action(Math.floor(Math.random() * 30))) kills++;
    if (kills % 50 === 0) await finish();
  }
  await finish();
});
