/** The previous version and this one on one database, as during an upgrade: `npm run test:upgrade`. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pino from 'pino';
import { caller, type Json } from '../call.ts';
import { startHarness } from '../harness.ts';
import { makeNewsletter, ok } from '../newsletters/fixture.ts';
import { openShop, press } from '../orders/shop.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const h = await startHarness({ WEBHOOK_RETRY: '0' });
const previous = await startPrevious();

async function startPrevious() {
  const folder = process.env.SOUK_PREVIOUS;
  if (!folder) throw new Error('Run it with npm run test:upgrade.');
  const { createService } = await import(join(folder, 'src/app.ts'));
  const { testConfig } = await import(join(folder, 'test/config.ts'));
  const dataDir = mkdtempSync(join(tmpdir(), 'souk-previous-data-'));
  const { target, clock } = h;
  const log = pino({ level: 'error' });
  const service = await createService({ config: testConfig({}, dataDir), target, log, works: false, clock });
  after(async () => {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const url: string = await service.listen();
  return { url, call: caller(url), drain: (...queues: string[]): Promise<void> => service.jobs.drain(...queues) };
}

/** A shop with two products. `side.call` sends its requests to either version. */
async function openBoth() {
  const side = { ...h };
  const shop = await openShop(side);
  const { token } = await h.member(shop.businessId, 'ADMIN');
  return {
    ...shop,
    side,
    token,
    products: [await shop.product(), await shop.product({ name: 'Pen', price: 300 })] as const,
    place: async (productId: string, more: Json = {}) => (await ok(shop.checkout(productId, more))) as Json,
    read: (path: string): Promise<Json> => ok(h.call('GET', `${shop.base}/${path}`, { token })),
  };
}

test('this version finishes the work that an order placed by the previous version still needs', async () => {
  const { place, products, customer } = await openBoth();
  await place(products[0], { paymentMethod: 'CASH', call: previous.call });
  await h.drain('order-tasks');
  assert.deepEqual(
    ((await h.mailbox()) as Json[]).map(({ to, subject }) => [to, subject]),
    [[customer.email, 'Order #1 confirmed']],
  );
});

/** Places, pays, ships, refunds and cancels orders. Returns what this version reads from the columns of these orders. */
async function figuresOf(call: typeof h.call): Promise<object> {
  const { side, businessId, base, token, products, place, read, ...shop } = await openBoth();
  const [mug, pen] = products;
  side.call = call;
  const [shipped, refunded, abandoned] = [await place(mug, { quantity: 2 }), await place(pen), await place(mug)];
  for (const { checkoutUrl } of [shipped, refunded]) await press(checkoutUrl, 'pay');
  await press(abandoned.checkoutUrl, 'cancel');
  await ok(shop.setStatus(shipped.orderId, 'SHIPPED'));
  await ok(shop.refund(refunded.orderId, { amount: 100 }));
  await ok(shop.setStatus((await place(mug, { paymentMethod: 'CASH' })).orderId, 'CANCELLED'));
  await place(mug, { paymentMethod: 'CASH' });

  await h.pool.transaction((tx) => h.service.jobs.enqueue(tx, '', 'best-sellers', {}));
  await h.drain('best-sellers');
  const list = async (query: string) =>
    ((await read(`orders?${query}`)).items as Json[]).map(({ number, fulfillment }) => [number, fulfillment]);
  const count = async (field: string, value: unknown) => {
    const body = { filter: { field, op: 'is', value } };
    return ((await ok(h.call('POST', `${base}/segments/count`, { token, body }))) as Json).count;
  };
  const [bestSellers, sales, stats] = [
    await read('products?sort=best-selling'),
    await read('reports/sales'),
    await read('stats'),
  ];
  return {
    columns: await h.pool`
      select number, status, payment_status, total, market, currency, paid, paid_at is not null as is_paid, is_abandoned, country,
        bought = jsonb_build_array(${mug}::text) as has_mug, doc_bytes > 0.8 * octet_length(doc::text) as has_size
      from orders where business_id = ${businessId} order by number`,
    lists: await Promise.all(['', 'abandoned=true', 'fulfillment=FULFILLED', 'paymentStatus=PAID'].map(list)),
    sales: sales.totals,
    stats: [stats.totals, stats.markets, (stats.products as Json[]).map(({ productId: _, ...sold }) => sold)],
    bestSellers: (bestSellers.items as Json[]).map(({ name }) => name),
    people: [await count('customer.orders', 2), await count('customer.spent', 2200), await count('order.product', mug)],
  };
}

test('orders of the previous version count in lists, reports, best sellers and segments like those of this version', async () => {
  const [ofPrevious, ofThis] = [await figuresOf(previous.call), await figuresOf(h.call)];
  assert.deepEqual(ofPrevious, ofThis);
  assert.deepEqual((ofThis as Json).people, [1, 1, 1]);
});

for (const [name, first, second] of [
  ['the previous version', previous, h],
  ['this version', h, previous],
] as const) {
  test(`an order of ${name} is paid, shipped and refunded by the other, which also returns the same order for a retried checkout`, async () => {
    const { side, products, place, read, customer, ...shop } = await openBoth();
    const { orderId, checkoutUrl } = await place(products[0], { call: first.call, key: 'one' });
    side.call = second.call;
    const again = await place(products[0], { key: 'one' });
    assert.equal(again.orderId, orderId);
    await press(checkoutUrl.replace(first.url, second.url), 'pay');
    await ok(shop.setStatus(orderId, 'SHIPPED'));
    const shipped = (await read(`orders/${orderId}`)) as Json;
    assert.deepEqual(
      [shipped.paymentStatus, shipped.statuses].map((history) => history.at(-1).status),
      ['PAID', 'SHIPPED'],
    );
    assert.deepEqual(
      ((await read('orders?fulfillment=FULFILLED')).items as Json[]).map(({ id }) => id),
      [orderId],
    );
    side.call = first.call;
    await ok(shop.refund(orderId));
    assert.equal(((await read(`orders/${orderId}`)) as Json).paymentStatus.at(-1).status, 'REFUNDED');
    assert.equal(await shop.ledger(products[0]), await shop.stock(products[0]));
    const types = ((await read(`orders/${orderId}/documents`)).items as Json[]).map(({ type }) => type);
    assert.deepEqual(types, second === h ? ['INVOICE'] : []);
  });

  test(`a plan bought from ${name} is canceled, resumed and renewed by both`, async () => {
    const newsletter = await makeNewsletter({ ...h, call: first.call });
    const act = (url: string, action: string, fields = {}) =>
      fetch(url, { method: 'POST', body: new URLSearchParams({ action, ...fields }), redirect: 'manual' });
    const { checkoutUrl } = await ok(newsletter.subscribe('ada@example.com', { planId: 'club' }));
    await act(checkoutUrl, 'pay');
    const requests = async () => {
      for (const version of [second, first]) await version.drain('agreement-sync');
      const [row] =
        await h.pool`select wanted, last_sent, told from agreements where business_id = ${newsletter.businessId}`;
      return Object.values(row!).join();
    };
    assert.equal(await requests(), 'RENEW,RENEW,RENEW');
    const [{ id }] = (await newsletter.subscribers()) as [Json];
    const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribers/${id}` as const;
    const { url } = await ok(h.call('POST', `${path}/portal`, { token: newsletter.token }));
    const pages = [second, first].map((version) => url.replace(h.url, version.url));
    await act(pages[0]!, 'cancel');
    assert.equal(await requests(), 'CANCEL,CANCEL,CANCEL');
    await act(pages[1]!, 'resume');
    assert.equal(await requests(), 'RENEW,RENEW,RENEW');
    for (const page of pages) {
      const [, paidUntil] = /name="paidUntil" value="(\d+)"/.exec(await (await fetch(page)).text())!;
      await act(page, 'renew', { paidUntil });
    }
    const { billing } = await ok(h.call('GET', path, { token: newsletter.token }));
    assert.equal(billing!.charges.length, 3);
  });
}

test('events of both versions are numbered once, appear in the feed of this version and reach webhooks', async () => {
  const { base, token, products, place, read } = await openBoth();
  const receiver = await startReceiver();
  await ok(h.call('POST', `${base}/webhooks`, { token, body: { url: receiver.url, events: ['order.created'] } }));
  for (const call of [previous.call, h.call, previous.call]) await place(products[0], { paymentMethod: 'CASH', call });
  for (const version of [previous, h]) await version.drain('number-events', 'webhooks');
  const calls = await receiver.received(3);
  assert.deepEqual(calls.map(({ event }) => event.data.number).sort(), [1, 2, 3]);
  const events = (await read('events?limit=100&after=0')).items as Json[];
  assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
  assert.equal(events.filter(({ type }) => type === 'order.created').length, 3);
});
