import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { startHarness } from '../../harness.ts';
import { createRandom } from '../../random.ts';
import { openShop, passTime, press } from '../shop.ts';
import { openVictims } from './victim.ts';

/** `npm run test:kills -- --count 1000` kills 1,000 times, at random statements. `SEED` repeats a run. */
const RANDOM_KILLS = Number(process.env.KILLS ?? 0);
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);
/** Ends a long run early, without an error: Unix seconds. */
const KILL_UNTIL = Number(process.env.KILL_UNTIL ?? Number.POSITIVE_INFINITY);
/** More statements than a payment or a refund has. */
const MOST_STATEMENTS = 60;
/** Requests that a random kill interrupts, and the statements they send together. */
const AT_ONCE = 6;
const STATEMENTS_AT_ONCE = 70;
const KILLS_PER_CHECK = 10;

const h = await startHarness({ CHECKOUT_TTL: '86400' });
const shop = await openShop(h);
const product = await shop.product({ quantity: 1_000_000 });
let sessions = { customer: shop.customer.token, staff: shop.staff.token };

const { killedAt, end } = openVictims(h);
after(end);

type Request = (url: string) => Promise<unknown>;

/** Places an order. A busy machine may reject it at first. */
async function place(quantity: number) {
  for (;;) {
    const { status, body } = await shop.checkout(product, { quantity, token: sessions.customer });
    if (status === 200) return { orderId: body.orderId as string, checkoutUrl: body.checkoutUrl as string };
    assert.equal(status, 503, JSON.stringify(body));
  }
}

async function payment(): Promise<Request> {
  const { checkoutUrl } = await place(1);
  return (url) => press(`${url}${new URL(checkoutUrl).pathname}`, 'pay');
}

async function refund(): Promise<Request> {
  const { orderId, checkoutUrl } = await place(3);
  while ((await press(checkoutUrl, 'pay')).status === 503);
  return async (url) => {
    const response = await fetch(`${url}${shop.base}/orders/${orderId}/refund`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sessions.staff}`, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: 1234 }),
    });
    await response.arrayBuffer();
  };
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
  type Row = { paymentStatus: string; kept: number; received: number; invoices: number; invoiced: number };
  // Each table is read once, because this runs after every few kills on a growing database.
  await h.pool`analyze orders, documents, payments, refunds`;
  const orders = await h.pool<Row[]>`
    select o.payment_status, o.paid - o.refunded as kept, coalesce(d.invoices, 0) as invoices,
      coalesce(d.invoiced, 0) as invoiced, coalesce(p.paid, 0) - coalesce(r.refunded, 0) as received
    from orders o
    left join (
      select order_id, count(*) filter (where type = 'INVOICE')::int as invoices,
        sum(case type when 'INVOICE' then total else -total end)::bigint as invoiced
      from documents where business_id = ${shop.businessId} group by order_id
    ) d on d.order_id = o.id
    left join (
      select reference, sum(paid)::bigint as paid from payments where business_id = ${shop.businessId} group by reference
    ) p on p.reference = o.id
    left join (
      select reference, sum(amount)::bigint as refunded from refunds
      where business_id = ${shop.businessId} and status <> 'FAILED' group by reference
    ) r on r.reference = o.id
    where o.business_id = ${shop.businessId}`;
  for (const { paymentStatus, kept, received, invoices, invoiced } of orders) {
    assert.equal(invoices, paymentStatus === 'PENDING' ? 0 : 1);
    assert.equal(invoiced, kept);
    assert.equal(received, kept);
  }
  const [pending] = await h.pool<{ count: number }[]>`
    select count(*)::int as count from refunds where business_id = ${shop.businessId} and status = 'PENDING'`;
  assert.equal(pending!.count, 0, 'every refund was made');
}

/** Refunds that were cut off are completed by their job. Sessions end while the clock advances. */
async function finish(): Promise<void> {
  await passTime(h, 300);
  await h.drain();
  await assertDocumented();
  const staff = await h.member(shop.businessId, 'ORDER_READ', 'ORDER_WRITE');
  sessions = { customer: (await h.user()).token, staff: staff.token };
}

test('a process killed at any statement of a payment or refund leaves no gaps and no missing or duplicate documents', {
  skip: RANDOM_KILLS > 0,
  timeout: 600_000,
}, async () => {
  for (const prepare of [payment, refund]) {
    let kills = 0;
    while (kills < MOST_STATEMENTS && (await killedAt(kills, await prepare()))) kills++;
    assert.ok(kills > 5 && kills < MOST_STATEMENTS, `killed at each of ${kills} statements`);
  }
  await finish();
});

test('random kills leave no gaps and no missing or duplicate documents', {
  skip: RANDOM_KILLS === 0,
  timeout: 4 * 3_600_000,
}, async () => {
  const random = createRandom(SEED);
  const report = (text: string) => process.stderr.write(`${new Date().toISOString()} seed ${SEED}: ${text}\n`);
  let [kills, interrupted, checked] = [0, 0, 0];
  while (kills < RANDOM_KILLS && Date.now() / 1000 < KILL_UNTIL) {
    const requests: Request[] = [];
    for (let i = 0; i < AT_ONCE; i++) requests.push(await (random(2) === 0 ? payment() : refund()));
    let answered = 0;
    const isKilled = await killedAt(random(STATEMENTS_AT_ONCE), (url) =>
      Promise.all(
        requests.map((send) =>
          send(url).then(
            () => answered++,
            () => {},
          ),
        ),
      ),
    );
    if (!isKilled) continue;
    kills++;
    interrupted += AT_ONCE - answered;
    if (kills % KILLS_PER_CHECK !== 0) continue;
    await finish();
    checked = kills;
    report(`${kills} of ${RANDOM_KILLS} kills, ${interrupted} requests interrupted, all documented`);
  }
  if (checked < kills) await finish();
  report(`done: ${kills} kills, ${interrupted} requests interrupted, no finding`);
});
