import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';
import { fixture, openShop } from './shop.ts';

const h = await shareHarness();

type Shop = Awaited<ReturnType<typeof openShop>>;

const warningsOf = async (shop: Shop, id: string) =>
  (await shop.get(`/imports/${id}/warnings?limit=100`)).items.map(({ row, field, error }: Json) => [row, field, error]);

const countsOf = ({ created, updated, unchanged, skipped, failed, errors }: Json) => {
  assert.deepEqual(errors, []);
  return { created, updated, unchanged, skipped, failed };
};

const CREATED = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0 };

async function ordersOf(shop: Shop) {
  const { items } = await shop.get('/orders?limit=100&sortDirection=asc');
  return new Map<string, Json>(items.map((order: Json) => [order.source?.number ?? `own ${order.number}`, order]));
}

const statusOf = (order: Json) => [order.statuses.at(-1).status, order.paymentStatus.at(-1).status, order.fulfillment];

async function withMug(shop: Shop) {
  const pricing = { markets: [{ marketId: 'us', currency: 'usd', price: 1000 }] };
  const variant = { id: 'blue', name: 'Blue', sku: 'MUG', pricing, inventory: { tracked: true, quantity: 7 } };
  const { body } = await shop.call('POST', '/products', { name: 'Mug', variants: [variant] });
  return body.id as string;
}

test('Shopify orders keep their numbers, dates, amounts, items and statuses', async () => {
  const shop = await openShop(h);
  const done = await shop.run('type=orders', fixture('shopify-orders-history.csv'));
  assert.deepEqual([done.format, countsOf(done)], ['shopify-orders', { ...CREATED, created: 5 }]);
  const orders = await ordersOf(shop);
  const shirt = orders.get('#1001')!;
  assert.deepEqual(
    [shirt.number, shirt.createdAt, shirt.currency, shirt.market, shirt.email],
    [1001, Date.parse('2024-01-15T15:32:10Z') / 1000, 'usd', 'us', 'ada@example.com'],
  );
  assert.deepEqual(
    shirt.lines.map(({ name, sku, quantity, unitPrice }: Json) => [name, sku, quantity, unitPrice]),
    [
      ['Linen shirt - S', 'SHIRT-S', 2, 4000],
      ['Wool hat', 'HAT', 1, 2000],
    ],
  );
  assert.deepEqual(
    [shirt.subtotal, shirt.tax, shirt.shipping, shirt.discount, shirt.total, shirt.paid, shirt.promoCode],
    [10_000, 720, 500, 1000, 10_220, 10_220, 'TEN'],
  );
  assert.deepEqual(
    [shirt.shippingAddress.zip, shirt.shippingAddress.country, shirt.tags, shirt.notes[0].text],
    ['02110', 'US', ['gift', 'vip'], 'Please wrap.\nSecond line.'],
  );
  assert.deepEqual(statusOf(shirt), ['SHIPPED', 'PAID', 'FULFILLED']);
  const coat = orders.get('#1002')!;
  assert.deepEqual(
    [coat.market, coat.tax, coat.display.taxIncluded, coat.display.subtotal, coat.paid, coat.refunded],
    ['eu', 1900, true, 11_900, 11_900, 5000],
  );
  assert.deepEqual(statusOf(coat), ['SHIPPED', 'PARTIALLY_REFUNDED', 'FULFILLED']);
  assert.deepEqual(statusOf(orders.get('#1003')!), ['PROCESSING', 'PAID', 'UNFULFILLED']);
  assert.deepEqual(statusOf(orders.get('#1004')!), ['CANCELLED', 'REFUNDED', 'UNFULFILLED']);
  const book = orders.get('EN-1005-A')!;
  assert.deepEqual([book.number, statusOf(book)], [1005, ['PENDING', 'PENDING', 'PARTIAL']]);
  assert.deepEqual(
    (await shop.get('/orders?query=en-1005-a')).items.map(({ id }: Json) => id),
    [book.id],
  );
});

test('a dry run saves nothing and reports every change and loss with its row', async () => {
  const shop = await openShop(h);
  const tried = await shop.run('type=orders&dryRun=true', fixture('shopify-orders-history.csv'));
  assert.deepEqual(countsOf(tried), { ...CREATED, created: 5 });
  assert.deepEqual(await warningsOf(shop, tried.id), [
    [7, 'Total', 'ADJUSTED'],
    [7, 'Name', 'NUMBER_CHANGED'],
  ]);
  assert.ok(
    tried.notes.join().includes('Tax 1 Name') || tried.notes.join().includes('Payment Method'),
    tried.notes.join(),
  );
  assert.deepEqual((await shop.get('/orders')).items, []);
  assert.deepEqual((await shop.get('/customers')).items, []);
});

test('importing orders again changes nothing, and reports what differs in a newer file', async () => {
  const shop = await openShop(h);
  const file = fixture('shopify-orders-history.csv').toString();
  await shop.run('type=orders', file);
  const before = await ordersOf(shop);
  const last = () => h.pool`select last from order_counters where business_id = ${shop.businessId}`;
  const counter = await last();
  assert.deepEqual(countsOf(await shop.run('type=orders', file)), { ...CREATED, unchanged: 5 });
  const again = await shop.run(
    'type=orders',
    file.replace('50.00,Acme', '119.00,Acme').replace('partially_refunded', 'refunded'),
  );
  assert.deepEqual(countsOf(again), { ...CREATED, unchanged: 5 });
  const differs = (await warningsOf(shop, again.id)).filter(([, , error]) => error === 'KEPT');
  assert.deepEqual(differs, [
    [4, 'Financial Status', 'KEPT'],
    [4, 'Refunded Amount', 'KEPT'],
  ]);
  assert.deepEqual(await ordersOf(shop), before);
  assert.deepEqual(await last(), counter);
});

test('an imported order has no side effects: no email, no stock, no event, no promo use', async () => {
  const shop = await openShop(h);
  const mug = await withMug(shop);
  const discounts = [{ type: 'ITEMS_FIXED', marketId: 'us', amount: 100 }];
  const conditions = [{ type: 'MAX_USES', value: 1 }];
  const promo = await shop.call('POST', '/promo-codes', { code: 'FIVE', discounts, conditions });
  assert.equal(promo.status, 200, JSON.stringify(promo.body));
  await h.numberEvents(shop.businessId);
  const mails = (await h.mailbox()).length;
  const done = await shop.run('type=orders&market=eu', fixture('woocommerce-orders.csv'));
  assert.deepEqual(countsOf(done), { ...CREATED, created: 4, skipped: 1 });
  const orders = await ordersOf(shop);
  assert.deepEqual([orders.get('2103')!.lines[0].productId, orders.get('2103')!.lines[0].variantId], [mug, 'blue']);
  assert.equal((await shop.get(`/products/${mug}`)).variants[0]!.inventory.quantity, 7);
  await h.drain();
  assert.equal((await h.mailbox()).length, mails);
  await h.numberEvents(shop.businessId);
  const types = await h.pool<{ type: string }[]>`
    select distinct type from events where business_id = ${shop.businessId} and type not like 'product%' and type not like 'promo%'`;
  assert.deepEqual(types.map(({ type }) => type).sort(), ['import.completed', 'import.created']);
  const lines = [{ type: 'PRODUCT_VARIANT', productId: mug, variantId: 'blue', quantity: 1 }];
  const used = { customerId: shop.userId, market: 'us', promoCode: 'FIVE', lines };
  assert.equal((await shop.call('POST', '/orders', used)).status, 200);
  const cancelled = await shop.call('PUT', `/orders/${orders.get('2103')!.id}/status`, { status: 'CANCELLED' });
  assert.equal(cancelled.status, 200);
  const again = await shop.call('POST', '/orders', used);
  assert.equal(again.body.details?.[0]?.error, 'PROMO_USED_UP', JSON.stringify(again.body));
});

test("WooCommerce orders are read from a plugin's CSV file, in English or German, with the plugin's date formats", async () => {
  const shop = await openShop(h);
  const { body } = await shop.post('type=orders', fixture('woocommerce-orders.csv'));
  assert.equal(
    body.message,
    'The file does not state the currency of its orders, so a market is required. Choose one of: us (USD), eu (EUR).',
  );
  const done = await shop.run('type=orders&market=eu', fixture('woocommerce-orders.csv'));
  const orders = await ordersOf(shop);
  const at = (number: string) => new Date(orders.get(number)!.createdAt * 1000).toISOString().slice(0, 16);
  assert.deepEqual(['2101', '2102', '2103', '2105'].map(at), [
    '2024-03-01T12:34',
    '2024-03-02T09:05',
    '2024-03-13T09:05',
    '2024-03-04T09:05',
  ]);
  assert.deepEqual(
    ['2101', '2102', '2103', '2105'].map((number) => statusOf(orders.get(number)!).slice(0, 2)),
    [
      ['DELIVERED', 'PAID'],
      ['CANCELLED', 'FAILED'],
      ['PROCESSING', 'PARTIALLY_REFUNDED'],
      ['PENDING', 'PENDING'],
    ],
  );
  const { total, tax, shipping, discount, subtotal, refunded, paid } = orders.get('2103')!;
  assert.deepEqual([total, tax, shipping, discount, subtotal, refunded, paid], [2500, 0, 0, 500, 3000, 1000, 2500]);
  assert.deepEqual(
    (await warningsOf(shop, done.id)).map(([row, field, error]: unknown[]) => [row, field, error]),
    [
      [6, 'status', 'SKIPPED'],
      [7, 'date', 'AMBIGUOUS'],
      [7, 'status', 'UNKNOWN_STATUS'],
      [7, 'total', 'ADJUSTED'],
    ],
  );
});

test('WooCommerce orders are read from its REST API and from files with items in cells', async () => {
  const shop = await openShop(h);
  const json = await shop.run('type=orders', fixture('woocommerce-orders.json'), 'application/json');
  assert.deepEqual(countsOf(json), { ...CREATED, created: 2, skipped: 1 });
  const cells = await shop.run('type=orders', fixture('woocommerce-orders-cells.csv'));
  assert.deepEqual(countsOf(cells), { ...CREATED, created: 2 });
  const orders = await ordersOf(shop);
  const mug = orders.get('W-727')!;
  assert.deepEqual(
    mug.lines.map(({ name, quantity, unitPrice }: Json) => [name, quantity, unitPrice]),
    [
      ['Mug - Blue', 2, 684],
      ['Mug - Blue', 1, 685],
      ['Gift wrap', 1, 100],
    ],
  );
  assert.deepEqual(
    [mug.total, mug.paid, mug.refunded, statusOf(mug).slice(0, 2)],
    [2824, 2824, 2824, ['REFUNDED', 'REFUNDED']],
  );
  const tea = orders.get('729')!;
  assert.deepEqual([tea.currency, tea.market], ['gbp', 'us']);
  const warnings = await warningsOf(shop, json.id);
  assert.ok(
    warnings.some(([row, , error]: unknown[]) => row === 3 && error === 'NO_MARKET'),
    JSON.stringify(warnings),
  );
  assert.deepEqual(
    orders.get('3001')!.lines.map(({ name, totalPrice }: Json) => [name, totalPrice]),
    [
      ['Mug', 2000],
      ['Hat', 1000],
      ['Fees', 200],
    ],
  );
  assert.deepEqual(statusOf(orders.get('3002')!).slice(0, 2), ['CANCELLED', 'FAILED']);
});

test('orders of one person belong to one customer record, and existing records stay as they are', async () => {
  const shop = await openShop(h);
  const { body: ada } = await shop.call('POST', '/customers', { email: 'ADA@example.com', name: 'Countess' });
  await shop.run('type=orders', fixture('shopify-orders-history.csv'));
  const orders = await ordersOf(shop);
  assert.equal(orders.get('#1001')!.customerId, ada.id);
  assert.equal((await shop.get(`/customers/${ada.id}`)).name, 'Countess');
  const guest = await shop.get(`/customers/${orders.get('#1003')!.customerId}`);
  assert.deepEqual([guest.phone, guest.email], ['+49 30 1234567', null]);
  const [bo] = (await shop.get('/customers?query=bo@example.com')).items as Json[];
  assert.deepEqual([bo!.name, bo!.shippingAddress.city, bo!.consent], ['Bo Becker', 'Berlin', null]);
});

test('an order whose number is taken gets the next free one and is found by both numbers', async () => {
  const shop = await openShop(h);
  const mug = await withMug(shop);
  const line = { type: 'PRODUCT_VARIANT', productId: mug, variantId: 'blue', quantity: 1 };
  const place = async () =>
    (await shop.call('POST', '/orders', { customerId: shop.userId, market: 'us', lines: [line] })).body;
  await place();
  await h.pool`update orders set number = 1002 where business_id = ${shop.businessId}`;
  await h.pool`update order_counters set last = 1002 where business_id = ${shop.businessId}`;
  const done = await shop.run('type=orders', fixture('shopify-orders-history.csv'));
  assert.deepEqual(countsOf(done), { ...CREATED, created: 5 });
  const coat = (await ordersOf(shop)).get('#1002')!;
  assert.deepEqual((await shop.get('/orders?query=%231002')).items.map(({ number }: Json) => number).sort(), [
    1002,
    coat.number,
  ]);
  assert.notEqual(coat.number, 1002);
  assert.ok(
    (await warningsOf(shop, done.id)).some(([row, , error]: unknown[]) => row === 4 && error === 'NUMBER_CHANGED'),
  );
  const next = await place();
  assert.equal(next.number, Math.max(...[...(await ordersOf(shop)).values()].map(({ number }) => number)));
});

test('an order placed during an import keeps its number, and the imported one gets the next', async () => {
  const shop = await openShop(h);
  const mug = await withMug(shop);
  const line = { type: 'PRODUCT_VARIANT', productId: mug, variantId: 'blue', quantity: 1 };
  const { body: first } = await shop.call('POST', '/orders', { customerId: shop.userId, market: 'us', lines: [line] });
  const header = 'number,lineName,unitPrice,total,subtotal,tax,shipping,discount,currency,status,payment,paid';
  const { body } = await shop.post(
    'type=orders&market=us',
    `${header}\n2,Hat,10.00,10.00,10.00,0,0,0,usd,DELIVERED,PAID,10.00\n`,
  );
  const running = Promise.withResolvers<number>();
  await h.pool.transaction(async (tx) => {
    // An order that is being placed: it has its number, and is not committed yet.
    await tx`update order_counters set last = 2 where business_id = ${shop.businessId}`;
    await tx`
      insert into orders (business_id, id, number, status, payment_status, customer_id, holds, doc, doc_bytes, total, market, currency, is_abandoned, created_at, updated_at)
      select business_id, 'ord_placed', 2, status, payment_status, customer_id, holds, doc, doc_bytes, total, market, currency, is_abandoned, created_at, updated_at
      from orders where business_id = ${shop.businessId} and id = ${first.id}`;
    const importing = h.drain('run-import');
    importing.then(running.resolve, running.reject);
    await whenWaitingForLock(h.pool.db, importing);
  });
  await running.promise;
  assert.deepEqual(countsOf(await shop.get(`/imports/${body.id}`)), { ...CREATED, created: 1 });
  const rows = await h.pool<{ number: number; name: string }[]>`
    select number, doc #>> '{lines,0,name}' as name from orders where business_id = ${shop.businessId} order by number`;
  assert.deepEqual(
    rows.map(({ number, name }) => [number, name]),
    [
      [1, rows[0]!.name],
      [2, rows[0]!.name],
      [3, 'Hat'],
    ],
  );
});

test('imported orders count in sales on their date', async () => {
  const shop = await openShop(h);
  await shop.run('type=orders', fixture('shopify-orders-history.csv'));
  const [from, to] = ['2024-01-01', '2024-02-01'].map((day) => Date.parse(day) / 1000);
  const { series } = await shop.get(`/stats?from=${from}&to=${to}`);
  assert.deepEqual(
    series.map(({ at, currency, sales, orders }: Json) => [
      new Date(at * 1000).toISOString().slice(0, 10),
      currency,
      sales,
      orders,
    ]),
    [['2024-01-15', 'usd', 10_220, 1]],
  );
});

test('an export of orders as CSV or NDJSON is imported unchanged, here and in another business', async () => {
  const shop = await openShop(h);
  await shop.run('type=orders', fixture('shopify-orders-history.csv'));
  await shop.run('type=orders&market=eu', fixture('woocommerce-orders.csv'));
  const first = (await shop.get('/orders?limit=1')).items[0]!;
  await shop.call('PUT', '/orders/update', { id: first.id, tags: ['=1+1', 'a, b'], assignee: shop.userId });
  await shop.call('POST', `/orders/${first.id}/notes`, { text: 'Ours', mentions: [] });
  const count = (await shop.get('/orders?limit=100')).items.length;
  for (const format of ['csv', 'ndjson']) {
    const file = await shop.download(`/exports?type=orders&format=${format}`);
    const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
    assert.deepEqual(countsOf(await shop.run('type=orders', file, type)), { ...CREATED, unchanged: count });
    const other = await openShop(h);
    assert.deepEqual(countsOf(await other.run('type=orders', file, type)), { ...CREATED, created: count });
    const comparable = async (each: Shop) =>
      (await each.get('/orders?limit=100')).items.map(
        ({ businessId: _, etag: __, assignee: ___, ...order }: Json) => order,
      );
    assert.deepEqual(await comparable(other), await comparable(shop));
    assert.deepEqual(
      (await other.get('/orders?tag=a,%20b')).items.map(({ id }: Json) => id),
      [first.id],
    );
  }
});

test('importing and exporting orders requires ORDER_WRITE', async () => {
  const shop = await openShop(h, { permissions: ['ORDER_READ', 'CATALOG_WRITE'] });
  assert.equal((await shop.post('type=orders', fixture('shopify-orders-history.csv'))).status, 403);
  assert.equal((await h.call('GET', `${shop.base}/exports?type=orders`, { token: shop.token })).status, 403);
});
