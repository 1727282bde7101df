import assert from 'node:assert/strict';
import test from 'node:test';
import { SMTP_CONNECTIONS } from '../../src/providers/mail/smtp.ts';
import { eventually } from '../service.ts';
import { startSink } from '../smtp-sink.ts';
import { openCrowd } from './crowd.ts';
import { startCluster } from './processes.ts';

const RECIPIENTS = 1500;
const SCARCE = 30;
const PLENTY = 100_000;
const BUYERS = 8;
/** After this many newsletter emails … */
const KILL_WORKER_AT = 300;
const RESTART_DATABASE_AT = 900;
/** … and after this many orders. */
const KILL_NODE_AT = 40;
const ENOUGH_ORDERS = 120;

test('with two nodes and two workers, kill -9 on one of each and a PostgreSQL crash neither lose nor duplicate anything', {
  timeout: 300_000,
}, async (t) => {
  let onMessage = () => {};
  const sink = await startSink({ onMessage: () => onMessage() });
  t.after(() => sink.close());
  const cluster = await startCluster({ SMTP_URL: sink.url, MAIL_LEASE: '2', PUBLIC_URL: 'http://shop.example' });
  const { pool, exports, nodes } = cluster;
  const businessId = exports.BUSINESS!;
  const shop = `/v1/businesses/${businessId}` as const;
  const staff = { 'x-api-key': exports.KEY! };
  const call = async <M extends string, P extends string>(method: M, path: P, body?: object) => {
    const response = await cluster.ask(method, path, { headers: staff, body });
    assert.equal(response.status, 200, JSON.stringify(response.body));
    return response.body;
  };

  const [newsletter] = (await call('GET', `${shop}/collections?type=NEWSLETTER`)).items;
  const [entry] = (await call('GET', `${shop}/entries?collectionId=${newsletter!.id}`)).items;
  await pool`
    insert into subscriptions (business_id, id, collection_id, email, email_key, plan_id, status, created_at, updated_at)
    select ${businessId}, 'sub_' || lpad(n::text, 26, '0'), ${newsletter!.id}, 'reader' || n || '@example.com',
      'reader' || n || '@example.com', 'free', 'ACTIVE', 1, 1
    from generate_series(1, ${RECIPIENTS}::int) n`;
  const stocked = async (name: string, quantity: number): Promise<string> => {
    const pricing = { markets: [{ marketId: 'us', currency: 'usd', price: 1000 }] };
    const variants = [{ id: 'main', name: 'Main', pricing, inventory: { tracked: true, quantity } }];
    return (await call('POST', `${shop}/products`, { name, variants })).id;
  };
  const goods = { plenty: await stocked('Plenty', PLENTY), scarce: await stocked('Scarce', SCARCE) };
  const [{ count: seeded }] = await pool<[{ count: number }]>`select count(*) from orders`;

  const crowd = openCrowd(cluster, businessId, newsletter!.id, goods);
  const password = nodes.map((node) => /^Password +(\S+)$/m.exec(node.output())?.[1]).find(Boolean);
  const member = await crowd.login({ provider: 'EMAIL', email: 'admin@example.com', password });

  const events: Promise<void>[] = [];
  const plan = [
    { isDue: () => sink.messages.length >= KILL_WORKER_AT, act: cluster.killWorker },
    { isDue: () => crowd.orders.size >= KILL_NODE_AT, act: cluster.killNode },
    { isDue: () => sink.messages.length >= RESTART_DATABASE_AT, act: cluster.restartDatabase },
  ];
  const look = () => {
    for (const event of plan.filter(({ isDue }) => isDue())) {
      plan.splice(plan.indexOf(event), 1);
      events.push(event.act());
    }
  };
  onMessage = look;
  let isOver = false;
  t.after(() => {
    isOver = true;
  });
  const repeat = async (act: () => Promise<void>) => {
    while (!isOver) await act();
  };
  let next = 0;
  const buy = async () => {
    const i = next++;
    await crowd.browseAndBuy(i, i % 5 === 0 ? member : undefined);
    look();
  };

  const send = await call('POST', `${shop}/entries/${entry!.id}/send`, {});
  const load = Promise.all([...Array.from({ length: BUYERS }, () => repeat(buy)), repeat(crowd.revoke)]);
  await Promise.race([load, eventually('all has happened', async () => plan.length === 0, 120_000)]);
  await Promise.all(events);
  await Promise.race([load, eventually('enough orders', async () => crowd.orders.size >= ENOUGH_ORDERS)]);
  isOver = true;
  await load;

  await t.test('every confirmed order exists, and there is one per Idempotency-Key', async () => {
    const rows = await pool<{ id: string; number: number }[]>`select id, number from orders order by number`;
    const confirmed = [...crowd.orders.values()].flatMap((ids) => [...ids]);
    assert.equal(confirmed.length, crowd.orders.size);
    const ids = new Set(rows.map(({ id }) => id));
    assert.deepEqual(
      confirmed.filter((id) => !ids.has(id)),
      [],
    );
    assert.equal(rows.length, confirmed.length + seeded);
    assert.deepEqual(
      rows.map(({ number }) => number),
      rows.map((_, i) => i + 1),
    );
  });

  await t.test('sold and remaining stock add up to the initial stock, and the ledger agrees', async () => {
    for (const [id, had] of [
      [goods.plenty, PLENTY],
      [goods.scarce, SCARCE],
    ] as const) {
      const [row] = await pool<[{ left: number; ledger: number; sold: number }]>`
        select quantity as left,
          (select sum(change)::bigint from stock_ledger where business_id = ${businessId} and product_id = ${id}) as ledger,
          (select coalesce(sum((line ->> 'quantity')::bigint), 0)::bigint
           from orders, jsonb_array_elements(doc -> 'lines') line
           where business_id = ${businessId} and holds and line ->> 'productId' = ${id}) as sold
        from stock where business_id = ${businessId} and product_id = ${id}`;
      assert.equal(row.left + row.sold, had);
      assert.equal(row.ledger, row.left);
    }
    const scarce = [...crowd.orders.keys()].filter((key) => key.startsWith('scarce'));
    assert.equal(scarce.length, SCARCE);
    assert.ok(scarce.every((key) => !crowd.soldOut.has(key)));
  });

  await t.test('an order is PAID and PROCESSING if and only if it was paid', async () => {
    const rows = await pool<{ id: string; status: string; paymentStatus: string }[]>`
      select id, status, payment_status from orders order by number`;
    const wrong = rows.slice(seeded).filter(({ id, status, paymentStatus }) => {
      const expected = crowd.paid.has(id) ? 'PROCESSING PAID' : 'PENDING PENDING';
      return `${status} ${paymentStatus}` !== expected;
    });
    assert.deepEqual(wrong, []);
    assert.ok(crowd.paid.size > ENOUGH_ORDERS / 3);
  });

  await t.test(
    'every subscriber got the newsletter, and only in-flight emails twice, with one Message-ID',
    async () => {
      const path = `${shop}/entries/${entry!.id}/sends/${send.id}` as const;
      // If the job was lost with the database, the sweep that runs every minute resumes it.
      const readSend = async () => {
        const now = await call('GET', path);
        return now.status === 'SENT' && now;
      };
      const done = await eventually('the newsletter is sent', readSend, 120_000);
      assert.equal(done.total, done.sent);
      const readers = new Map([...sink.byAddress()].filter(([to]) => to.startsWith('reader')));
      assert.equal(readers.size, RECIPIENTS);
      const twice = [...readers.values()].filter((ids) => ids.length > 1);
      assert.ok(twice.every((ids) => new Set(ids).size === 1));
      // Two processes were killed and four lost their database.
      assert.ok(twice.length <= 6 * SMTP_CONNECTIONS, `${twice.length} came twice`);
    },
  );

  await t.test('order emails arrive once, or again with the same Message-ID', async () => {
    const mails = await Promise.all(
      sink.messages.filter(({ to }) => to === 'admin@example.com').map((message) => sink.parse(message)),
    );
    const idsBySubject = Map.groupBy(mails, ({ subject }) => subject);
    assert.ok(idsBySubject.size > 0);
    for (const [subject, same] of idsBySubject) {
      assert.equal(new Set(same.map(({ messageId }) => messageId)).size, 1, `${subject}`);
    }
  });

  await t.test('confirmed subscriptions exist once', async () => {
    const rows = await pool<{ email: string }[]>`select email from subscriptions where email like 'customer%'`;
    assert.deepEqual(new Set(rows.map(({ email }) => email)), crowd.subscribed);
    assert.equal(rows.length, crowd.subscribed.size);
  });

  await t.test('sessions were revoked throughout, and each ended on both nodes', () => {
    assert.ok(crowd.revoked() > 2, `${crowd.revoked()}`);
  });

  await t.test('only killed processes exited, and none logged an unexpected error', () => {
    assert.deepEqual(cluster.fallen(), []);
    for (const each of cluster.processes) assert.doesNotMatch(each.output(), /Unexpected error/);
  });
});
