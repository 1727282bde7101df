/** A business export contains refunds, returns and documents as history. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { openReturnShop } from '../orders/returns/shop.ts';
import { completed, openShop } from './shop.ts';

const h = await shareHarness();

const CONFIGS = { invoicing: { series: 'R-' } };

/** A shop with a refund, a closed return, an open one and an exchange. */
async function openSoldShop() {
  const shop = await openReturnShop(h, CONFIGS);
  const mug = await shop.product({ quantity: 20 });
  const refunded = await shop.sold(mug, 3, 1);
  await shop.refund(refunded.id, { lines: [{ lineId: refunded.lineId, quantity: 2, restock: true }], reason: 'Late' });
  const returned = await shop.sold(mug, 2);
  const { body: back } = await shop.request(returned, 1);
  await shop.step(back.id, 'approve');
  await shop.step(back.id, 'receive', { restock: true });
  await shop.step(back.id, 'close', { refund: true });
  await shop.request(returned, 1);
  const exchanged = await shop.sold(mug, 1);
  const { body: exchange } = await shop.request(exchanged, 1, { type: 'EXCHANGE' });
  await shop.step(exchange.id, 'approve');
  const lines = [{ type: 'PRODUCT_VARIANT', productId: mug, variantId: 'main', quantity: 2 }];
  await shop.step(exchange.id, 'close', { refund: true, exchange: { lines } });
  const admin = await h.member(shop.businessId, 'ADMIN');
  const headers = { authorization: `Bearer ${admin.token}` };
  const download = async () => (await fetch(`${h.url}${shop.base}/export`, { headers })).text();
  return { ...shop, mug, refunded, returned, admin, download };
}

type Reader = { base: `/v1/businesses/${string}`; token: string };

/** Every order as members see it, without business-specific values. */
async function historyOf({ base, token }: Reader) {
  const get = async (path: string) => (await h.call('GET', `${base}${path}`, { token })).body as Json;
  const orders = (await get('/orders?limit=100')).items as Json[];
  return Promise.all(
    orders.map(async ({ businessId: _, etag: __, ...order }) => ({
      order,
      refunds: (await get(`/orders/${order.id}/refunds`)).items,
      returns: (await get(`/returns?orderId=${order.id}`)).items,
      documents: (await get(`/orders/${order.id}/documents`)).items.map(({ urls: _, ...document }: Json) => document),
    })),
  );
}

/** An import invites the members of the business. */
const orderMails = async () =>
  (await h.mailbox()).filter(({ subject }: Json) => !subject.startsWith('Invitation')).length;

const recordsIn = (text: string): Json[] => ordersOf(text).map((line) => JSON.parse(line));
const ordersOf = (text: string) => text.split('\n').filter((line) => /^{"kind":"(order|document)"/.test(line));

test('importing an export recreates refunds, returns and documents, and issues nothing', async () => {
  const shop = await openSoldShop();
  const out = await shop.download();
  const empty = await openShop(h, { configs: {} });
  await h.drain();
  const mails = await orderMails();
  const done = await empty.run('type=business', out, 'application/x-ndjson');
  assert.deepEqual([done.status, done.errors], ['DONE', []]);
  const before = await historyOf({ base: shop.base, token: shop.admin.token });
  assert.deepEqual(await historyOf({ base: empty.base, token: empty.token }), before);
  const numbers = before.flatMap(({ documents }) => documents.map(({ number }: Json) => number)).sort();
  assert.deepEqual(numbers, ['CN-1', 'CN-2', 'CN-3', 'R-1', 'R-2', 'R-3']);
  assert.equal((await empty.get(`/products/${shop.mug}`)).variants[0]!.inventory.quantity, await shop.stock(shop.mug));
  await h.drain();
  assert.equal(await orderMails(), mails, 'no email about an order');
  assert.deepEqual(recordsIn(await empty.download('/export')), recordsIn(out));

  // Work continues where it stopped: numbering continues, and nothing is refunded twice.
  const refund = await empty.call('POST', `/orders/${shop.refunded.id}/refund`, {});
  assert.deepEqual([refund.status, refund.body.refunded], [200, refund.body.paid], JSON.stringify(refund.body));
  const documents = await empty.get(`/orders/${shop.refunded.id}/documents`);
  assert.deepEqual(documents.items.map(({ number }: Json) => number).sort(), ['CN-1', 'CN-4', 'R-1']);
  const pdf = await fetch(`${h.url}${new URL(documents.items[0]!.urls.pdf).pathname}`, {
    headers: { authorization: `Bearer ${empty.token}` },
  });
  assert.match(await pdf.text(), /^%PDF/);
  const open = (await empty.get(`/returns?orderId=${shop.returned.id}&status=REQUESTED`)).items;
  assert.equal((await empty.call('POST', `/returns/${open[0]!.id}/approve`, {})).status, 200);
});

test('an imported order keeps its refundable quantities, even from an orders file', async () => {
  const shop = await openSoldShop();
  const headers = { authorization: `Bearer ${shop.admin.token}` };
  for (const format of ['csv', 'ndjson']) {
    const file = await (await fetch(`${h.url}${shop.base}/exports?type=orders&format=${format}`, { headers })).text();
    const other = await openShop(h);
    const done = await other.run('type=orders', file);
    assert.deepEqual([done.status, done.errors], ['DONE', []]);
    const order = await other.get(`/orders/${shop.refunded.id}`);
    assert.deepEqual(order.refundable, (await shop.order(shop.refunded.id)).refundable, format);
    assert.equal(order.fulfillment, 'FULFILLED');
    assert.deepEqual((await other.get(`/orders/${shop.refunded.id}/documents`)).items, []);
  }
});

test('a document whose number is taken, or whose order is missing, is reported and not written', async () => {
  const shop = await openSoldShop();
  const lines = (await shop.download()).trim().split('\n');
  const at = lines.findIndex((line) => line.startsWith('{"kind":"document"'));
  const document = JSON.parse(lines[at]!);
  const change = (data: object) => JSON.stringify({ ...document, data: { ...document.data, ...data } });
  const edited = [
    ...lines.slice(0, at + 1),
    change({ id: 'doc_00000000000000000000000001', refundId: null }),
    change({ id: 'doc_00000000000000000000000002', sequence: 90, orderId: 'ord_missing' }),
    change({ id: 'doc_00000000000000000000000003', sequence: 91, snapshot: { ...document.data.snapshot, lines: 1 } }),
  ];
  const empty = await openShop(h, { configs: {} });
  const done = await empty.run('type=business', completed(edited));
  assert.deepEqual(
    done.errors.map(({ field, error }: Json) => `${field} ${error}`),
    ['sequence DUPLICATE', 'orderId NOT_FOUND', 'snapshot.lines INVALID_TYPE'],
  );
  const rows = await h.pool`select id from documents where business_id = ${empty.businessId}`;
  assert.deepEqual(rows, [{ id: document.data.id }]);
});
