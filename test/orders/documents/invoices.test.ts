import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../../harness.ts';
import { openShop, press } from '../shop.ts';

const h = await shareHarness();
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

type Shop = Awaited<ReturnType<typeof openShop>>;

const documentsOf = async ({ base, staff }: Shop, orderId: string): Promise<Json[]> =>
  (await h.call('GET', `${base}/orders/${orderId}/documents`, { token: staff.token })).body.items;

const numbersOf = async (shop: Shop, orderId: string): Promise<string[]> =>
  (await documentsOf(shop, orderId)).map(({ number, total }) => `${number} ${total}`);

async function setInvoicing({ base }: Shop, owner: { token: string }, invoicing: object) {
  return h.call('PUT', base, { token: owner.token, body: { configs: { invoicing } } });
}

async function openOwned(configs: object = {}) {
  const shop = await openShop(h, configs);
  const owner = await h.member(shop.businessId, 'BUSINESS_WRITE');
  return { shop, owner };
}

async function paidOrder(shop: Shop, product: string, options: Json = {}): Promise<string> {
  const { body } = await shop.checkout(product, options);
  await press(body.checkoutUrl!, 'pay');
  return body.orderId;
}

/** Invoices minus credit notes of each order, alongside the money that the business keeps. */
const sumsOf = ({ businessId }: Shop) => h.pool<{ id: string; invoiced: number; kept: number; invoices: number }[]>`
  select o.id, o.paid - o.refunded as kept,
    coalesce(sum(case d.type when 'INVOICE' then d.total else -d.total end), 0)::bigint as invoiced,
    count(d.id) filter (where d.type = 'INVOICE')::int as invoices
  from orders o left join documents d on d.business_id = o.business_id and d.order_id = o.id
  where o.business_id = ${businessId} group by o.id, o.paid, o.refunded order by o.id`;

test('an order gets one invoice when it is paid, and none before', async (t) => {
  const now = h.clock.stop(t);
  const { shop } = await openOwned();
  const product = await shop.product();
  const { body } = await shop.checkout(product);
  assert.deepEqual(await documentsOf(shop, body.orderId), []);
  await press(body.checkoutUrl!, 'pay');
  await press(body.checkoutUrl!, 'pay');
  const [invoice, ...others] = await documentsOf(shop, body.orderId);
  assert.deepEqual(others, []);
  const { id, urls, issuedAt, ...shown } = invoice!;
  assert.deepEqual(shown, { type: 'INVOICE', number: 'INV-1', total: 1000, currency: 'usd' });
  assert.match(id, /^doc_/);
  assert.equal(urls.xml, null);
  assert.ok(urls.pdf.endsWith(`/orders/${body.orderId}/documents/${id}/pdf`));
  assert.equal(issuedAt, now);
});

test('free orders, cash orders and orders created as paid get an invoice', async () => {
  const { shop } = await openOwned();
  const [product, free] = [await shop.product(), await shop.product({ price: 0 })];
  const { body: nothing } = await shop.checkout(free, { paymentMethod: 'FREE' });
  assert.deepEqual(await numbersOf(shop, nothing.orderId), ['INV-1 0']);
  const { body: cash } = await shop.checkout(product, { paymentMethod: 'CASH' });
  assert.deepEqual(await numbersOf(shop, cash.orderId), []);
  await shop.setPayment(cash.orderId, 'PAID');
  assert.deepEqual(await numbersOf(shop, cash.orderId), ['INV-2 1000']);
  const { body: manual } = await h.call('POST', `${shop.base}/orders`, {
    token: shop.staff.token,
    body: {
      customerId: shop.customer.userId,
      market: 'us',
      lines: [{ productId: product, variantId: 'main', quantity: 2 }],
      paymentStatus: [{ status: 'PAID' }],
    },
  });
  assert.deepEqual(await numbersOf(shop, manual.id), ['INV-3 2000']);
  const [stored] = await h.pool<{ number: number }[]>`
    select (snapshot ->> 'orderNumber')::int as number from documents where order_id = ${nothing.orderId}`;
  assert.equal(stored!.number, 1);
});

test('the email about a payment links to the invoice, and the one about a refund to its credit note', async () => {
  const { shop } = await openOwned();
  const email = `${crypto.randomUUID()}@example.com`;
  const { token } = await h.guest();
  const id = await paidOrder(shop, await shop.product(), { email, token });
  await shop.refund(id, { amount: 100 });
  await h.drain('order-tasks');
  const documents = await documentsOf(shop, id);
  const mails = (await h.mailbox()).filter(({ to }) => to === email) as Json[];
  const links = [/ confirmed$/, /^Refund/].map((subject) => {
    const { text } = mails.find((mail) => subject.test(mail.subject))!;
    return /(.+) \(PDF\): (\S+)\/documents\/(\w+)\/pdf/.exec(text)!;
  });
  assert.deepEqual(
    links.map(([, name, , documentId]) => `${name} ${documentId}`),
    [`Invoice INV-1 ${documents[0]!.id}`, `Credit note CN-1 ${documents[1]!.id}`],
  );
  const url = links[1]![0].split(': ')[1]!;
  assert.equal((await fetch(url)).headers.get('content-type'), 'application/pdf');
});

test('50 orders paid at once are numbered without gaps', async () => {
  const { shop } = await openOwned();
  const product = await shop.product({ quantity: 100 });
  const urls = await Promise.all(times(50, async () => (await shop.checkout(product)).body.checkoutUrl as string));
  await Promise.all(urls.map((url) => press(url, 'pay')));
  const rows = await h.pool<{ sequence: number; orderId: string }[]>`
    select sequence, order_id from documents where business_id = ${shop.businessId} order by sequence`;
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    times(50, (i) => i + 1),
  );
  assert.equal(new Set(rows.map(({ orderId }) => orderId)).size, 50);
});

test('each refund gets a credit note, and invoices minus credit notes equal the money kept', async () => {
  const { shop } = await openOwned();
  const product = await shop.product({ quantity: 100 });
  const orders = await Promise.all(times(6, () => paidOrder(shop, product, { quantity: 3 })));
  await Promise.all(orders.flatMap((id) => [shop.refund(id, { amount: 700 }), shop.refund(id, { amount: 800 })]));
  await shop.refund(orders[0]!);
  for (const { invoiced, kept, invoices } of await sumsOf(shop)) assert.deepEqual([invoiced, invoices], [kept, 1]);
  const rows = await h.pool<{ sequence: number }[]>`
    select sequence from documents where business_id = ${shop.businessId} and series = 'CN-' order by sequence`;
  assert.deepEqual(
    rows.map(({ sequence }) => sequence),
    times(13, (i) => i + 1),
  );
  const first = await documentsOf(shop, orders[0]!);
  assert.deepEqual(first.map(({ type, total }) => `${type} ${total}`).toSorted(), [
    'CREDIT_NOTE 1500',
    'CREDIT_NOTE 700',
    'CREDIT_NOTE 800',
    'INVOICE 3000',
  ]);
});

test('a credit note names the invoice, the refunded lines and their tax', async () => {
  const { shop } = await openOwned({ markets: [{ id: 'us', currency: 'usd', taxMode: 'INCLUSIVE', taxBps: 1900 }] });
  const product = await shop.product();
  const id = await paidOrder(shop, product, { quantity: 2 });
  await shop.refund(id, { lines: [{ lineId: 'line_1', quantity: 1 }], reason: 'Too small' });
  const [{ snapshot }] = (await h.pool`
    select snapshot from documents where order_id = ${id} and type = 'CREDIT_NOTE'`) as [Json];
  assert.equal(snapshot.corrects.number, 'INV-1');
  assert.equal(snapshot.reason, 'Too small');
  assert.deepEqual(
    snapshot.lines.map(({ quantity, share }: Json) => [quantity, share]),
    [[1, { bps: 1900, net: 840, tax: 160 }]],
  );
});

test('the number of the next invoice can only be raised, and a new series starts at 1', async () => {
  const { shop, owner } = await openOwned();
  const product = await shop.product({ quantity: 100 });
  await paidOrder(shop, product);
  assert.equal((await setInvoicing(shop, owner, { nextNumber: 100 })).status, 200);
  assert.deepEqual(await numbersOf(shop, await paidOrder(shop, product)), ['INV-100 1000']);
  const { body } = await h.call('GET', shop.base, { token: owner.token });
  assert.equal((body.configs as Json).invoicing.nextNumber, 101);
  const lowered = await setInvoicing(shop, owner, { nextNumber: 50 });
  assert.equal(lowered.status, 422);
  assert.deepEqual(
    lowered.body.details.map(({ field, error }: Json) => [field, error]),
    [['configs.invoicing.nextNumber', 'OUT_OF_RANGE']],
  );
  assert.equal((await setInvoicing(shop, owner, { series: 'RE-2026-', creditSeries: 'GS-' })).status, 200);
  const id = await paidOrder(shop, product);
  await shop.refund(id, { amount: 400 });
  assert.deepEqual(await numbersOf(shop, id), ['RE-2026-1 1000', 'GS-1 400']);
  assert.equal((await setInvoicing(shop, owner, { nextNumber: 101 })).status, 200);
  assert.deepEqual(await numbersOf(shop, await paidOrder(shop, product)), ['INV-101 1000']);
});

test('sending settings back unchanged has no effect, even while invoices are issued', async () => {
  const { shop, owner } = await openOwned({ invoicing: { legalText: 'Thanks' } });
  const product = await shop.product();
  const { body, headers } = await h.call('GET', shop.base, { token: owner.token });
  const { body: later } = await paidOrder(shop, product).then(() => h.call('GET', shop.base, { token: owner.token }));
  assert.deepEqual([body.configs.invoicing!.nextNumber, later.configs.invoicing!.nextNumber], [1, 2]);
  for (const { configs } of [body, later]) {
    const sent = await h.call('PUT', shop.base, { token: owner.token, body: { configs } });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    assert.equal(sent.headers.get('etag'), headers.get('etag'));
    assert.equal(sent.body.configs.invoicing!.nextNumber, 2);
  }
  assert.deepEqual(await numbersOf(shop, await paidOrder(shop, product)), ['INV-2 1000']);
});

test('with issueAt SHIPMENT, an order gets its invoice when it is paid and its first items are shipped', async () => {
  const { shop } = await openOwned({ invoicing: { issueAt: 'SHIPMENT' } });
  const product = await shop.product({ quantity: 100 });
  const id = await paidOrder(shop, product, { quantity: 2 });
  assert.deepEqual(await numbersOf(shop, id), []);
  const ship = (orderId: string) =>
    h.call('POST', `${shop.base}/orders/${orderId}/shipments`, {
      token: shop.staff.token,
      body: { lines: [{ lineId: 'line_1', quantity: 1 }] },
    });
  await ship(id);
  assert.deepEqual(await numbersOf(shop, id), ['INV-1 2000']);
  await ship(id);
  assert.deepEqual(await numbersOf(shop, id), ['INV-1 2000']);
  const { body: cash } = await shop.checkout(product, { paymentMethod: 'CASH' });
  await ship(cash.orderId);
  assert.deepEqual(await numbersOf(shop, cash.orderId), []);
  await shop.setPayment(cash.orderId, 'PAID');
  assert.deepEqual(await numbersOf(shop, cash.orderId), ['INV-2 1000']);
});

test('an invoice stores when its items were supplied, or that they were paid in advance', async () => {
  const supplyOf = async (orderId: string) => {
    const [row] = await h.pool<{ supply: Json }[]>`
      select jsonb_build_object('open', snapshot -> 'isSupplyOpen', 'isNow', (snapshot ->> 'suppliedAt')::bigint = issued_at,
        'at', snapshot -> 'suppliedAt') as supply
      from documents where order_id = ${orderId} and type = 'INVOICE'`;
    return row!.supply;
  };
  const { shop } = await openOwned();
  const product = await shop.product({ quantity: 100 });
  const paid = await paidOrder(shop, product);
  const advance = { open: true, isNow: null, at: null };
  assert.deepEqual(await supplyOf(paid), advance);
  await shop.setStatus(paid, 'SHIPPED');
  assert.deepEqual(await supplyOf(paid), advance);
  const { shop: later } = await openOwned({ invoicing: { issueAt: 'SHIPMENT' } });
  const shipped = await paidOrder(later, await later.product());
  await later.setStatus(shipped, 'SHIPPED');
  const { open, isNow } = await supplyOf(shipped);
  assert.deepEqual([open, isNow], [false, true]);
});

test('a refund before the first shipment issues the invoice and its credit note', async () => {
  const { shop } = await openOwned({ invoicing: { issueAt: 'SHIPMENT' } });
  const product = await shop.product();
  const id = await paidOrder(shop, product);
  await shop.refund(id, { amount: 300 });
  assert.deepEqual(await numbersOf(shop, id), ['INV-1 1000', 'CN-1 300']);
  await shop.setStatus(id, 'SHIPPED');
  assert.deepEqual(await numbersOf(shop, id), ['INV-1 1000', 'CN-1 300']);
});

test('payment statuses set by staff issue documents: refunded, unpaid and paid again', async () => {
  const { shop } = await openOwned();
  const product = await shop.product();
  const { body } = await shop.checkout(product, { paymentMethod: 'CASH' });
  for (const status of ['PAID', 'PENDING', 'PAID', 'REFUNDED']) await shop.setPayment(body.orderId, status);
  assert.deepEqual(await numbersOf(shop, body.orderId), ['INV-1 1000', 'CN-1 1000', 'INV-2 1000', 'CN-2 1000']);
});

test('no documents are issued for an order that was paid before invoices existed', async () => {
  const { shop } = await openOwned();
  const product = await shop.product();
  const id = await paidOrder(shop, product);
  await h.pool`delete from documents where order_id = ${id}`;
  await h.pool`update orders set doc = doc - 'hasDocuments' where id = ${id}`;
  await shop.setStatus(id, 'SHIPPED');
  await shop.refund(id, { amount: 300 });
  assert.deepEqual(await numbersOf(shop, id), []);
});
