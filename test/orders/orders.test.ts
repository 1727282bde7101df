import assert from 'node:assert/strict';
import test from 'node:test';
import { sendMail } from '../../src/domains/orders/mails/order-mails.ts';
import { listOrders } from '../../src/domains/orders/queries.ts';
import { type Json, shareHarness } from '../harness.ts';
import { last, openShop, passTime, press, problems, tally } from './shop.ts';

const h = await shareHarness();
const shop = await openShop(h);
const { token } = shop.staff;

const create = (body: object, headers: Record<string, string> = {}) =>
  h.call('POST', `${shop.base}/orders`, {
    token,
    headers,
    body: { customerId: shop.customer.userId, market: 'us', currency: 'usd', ...body },
  });
const update = (body: object, headers: Record<string, string> = {}) =>
  h.call('PUT', `${shop.base}/orders/update`, { token, body, headers });
const line = (productId: string, quantity = 1, more: object = {}) => ({
  type: 'PRODUCT_VARIANT',
  productId,
  variantId: 'main',
  quantity,
  ...more,
});

test('a manual order deducts stock, and omitted totals are computed', async () => {
  const mug = await shop.product({ price: 1000, quantity: 10 });
  const { status, body } = await create({ lines: [line(mug, 2)], shipping: 300 });
  assert.equal(status, 200, JSON.stringify(body));
  const { subtotal, tax, shipping, discount, total } = body;
  assert.deepEqual(
    { subtotal, tax, shipping, discount, total },
    { subtotal: 2000, tax: 0, shipping: 300, discount: 0, total: 2300 },
  );
  assert.deepEqual([last(body.statuses), last(body.paymentStatus)], ['PENDING', 'PENDING']);
  assert.equal(await shop.stock(mug), 8);
  assert.equal((await create({ lines: [line(mug, 9)] })).body.details[0]!.error, 'INSUFFICIENT_STOCK');
  assert.equal(await shop.stock(mug), 8);
});

test('a manual order can be for a customer record, with or without an account', async () => {
  const mug = await shop.product();
  const clerk = await h.member(shop.businessId, 'CUSTOMER_WRITE');
  const { body: record } = await h.call('POST', `${shop.base}/customers`, {
    token: clerk.token,
    body: { name: 'Ada', email: 'Ada@Letters.example' },
  });
  const { status, body: order } = await create({ customerId: record.id, lines: [line(mug)] });
  assert.equal(status, 200, JSON.stringify(order));
  assert.deepEqual([order.customerId, order.email], [record.id, 'ada@letters.example']);
  const listed = await h.call('GET', `${shop.base}/orders?customerId=${record.id}`, { token });
  assert.deepEqual(
    listed.body.items.map(({ id }) => id),
    [order.id],
  );
  assert.equal((await update({ ...order, id: order.id })).status, 200, 'it can be sent back');
  await shop.checkout(mug);
  const linked = await h.pool<{ id: string }[]>`
    select id from customers where business_id = ${shop.businessId} and user_id = ${shop.customer.userId}`;
  const moved = await update({ id: order.id, customerId: linked[0]!.id });
  assert.equal(moved.body.customerId, shop.customer.userId);
  const none = await create({ customerId: 'cust_01jd3x8q6kz5v0n4t7w2m9c1ab', lines: [line(mug)] });
  assert.deepEqual(problems(none), ['customerId NOT_FOUND']);
});

test('totals in a request must add up, and each wrong total is reported', async () => {
  const mug = await shop.product({ quantity: 100 });
  const lines = [line(mug, 2, { unitPrice: 500, totalPrice: 1000 })];
  const good = await create({ lines, subtotal: 1000, tax: 80, shipping: 20, total: 1100 });
  assert.equal(good.status, 200);
  assert.deepEqual(problems(await create({ lines, total: 999 })), ['total TOTAL_MISMATCH']);
  assert.deepEqual(problems(await create({ lines, subtotal: 900, tax: 0, shipping: 0, total: 1 })), [
    'subtotal TOTAL_MISMATCH',
    'total TOTAL_MISMATCH',
  ]);
  assert.deepEqual(problems(await create({ lines: [line(mug, 2, { unitPrice: 500, totalPrice: 999 })] })), [
    'lines[0].totalPrice TOTAL_MISMATCH',
  ]);
  assert.deepEqual(problems(await create({ lines, discount: 1001 })), ['discount OUT_OF_RANGE']);
  const huge = [line(mug, 1_000_000, { unitPrice: 1_000_000_000_000 })];
  assert.deepEqual(problems(await create({ lines: huge })), ['lines[0].quantity OUT_OF_RANGE']);
});

test('a manual order can be for a guest and in any market, and errors name unknown users, products and prices', async () => {
  const mug = await shop.product();
  const guest = await h.guest();
  const ok = await create({ customerId: guest.userId, market: 'mars', lines: [line(mug, 1, { unitPrice: 5 })] });
  assert.equal(ok.status, 200);
  const theirs = await (await openShop(h)).product();
  const bad = await create({
    customerId: 'usr_none',
    market: 'mars',
    lines: [line(mug), line(theirs, 1, { unitPrice: 1 })],
  });
  assert.deepEqual(problems(bad), [
    'customerId NOT_FOUND',
    'lines[0] NOT_AVAILABLE_IN_MARKET',
    'lines[1].productId NOT_FOUND',
  ]);
});

test('a manual order created as CANCELLED deducts no stock, and one created as PAID can be refunded', async () => {
  const mug = await shop.product({ quantity: 5, price: 400 });
  const cancelled = await create({ lines: [line(mug, 5)], statuses: [{ status: 'CANCELLED' }] });
  assert.equal(cancelled.status, 200);
  assert.equal(await shop.stock(mug), 5);
  const paid = await create({ lines: [line(mug)], paymentStatus: [{ id: 'a', status: 'PAID' }] });
  assert.equal(last(paid.body.paymentStatus), 'PAID');
  assert.equal(last((await shop.refund(paid.body.id)).body.paymentStatus), 'REFUNDED');
  assert.equal((await create({ lines: [line(mug)], statuses: [{ status: 'LOST' }] })).status, 422);
});

test('manual orders with the same Idempotency-Key create one order', async () => {
  const mug = await shop.product({ quantity: 5 });
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => create({ lines: [line(mug)] }, { 'idempotency-key': 'manual' })),
  );
  assert.deepEqual(tally(responses), { 200: 5 });
  assert.equal(new Set(responses.map((response) => response.body.id)).size, 1);
  assert.equal(await shop.stock(mug), 4);
});

test('changing lines adjusts stock by the difference', async () => {
  const [a, b] = [await shop.product({ quantity: 10, price: 100 }), await shop.product({ quantity: 10, price: 50 })];
  const { body: order } = await create({ lines: [line(a, 4)] });
  const changed = await update({ id: order.id, lines: [line(a, 1), line(b, 3)] });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  assert.equal(changed.body.total, 250);
  assert.deepEqual([await shop.stock(a), await shop.stock(b)], [9, 7]);
  const rejected = await update({ id: order.id, lines: [line(b, 11)] });
  assert.deepEqual(problems(rejected), ['lines[0].quantity INSUFFICIENT_STOCK']);
  assert.deepEqual([await shop.stock(a), await shop.stock(b)], [9, 7]);
  assert.deepEqual(problems(await update({ id: order.id, lines: [line(a, 2)], subtotal: 200, total: 300 })), [
    'total TOTAL_MISMATCH',
  ]);
  assert.deepEqual(problems(await update({ id: order.id, total: 1 })), ['total TOTAL_MISMATCH']);
  await shop.setStatus(order.id, 'CANCELLED');
  assert.deepEqual([await shop.stock(a), await shop.stock(b)], [10, 10]);
});

test('sending an order back unchanged changes nothing', async () => {
  const inclusive = await openShop(h, { markets: [{ id: 'us', currency: 'usd', taxMode: 'INCLUSIVE', taxBps: 1900 }] });
  const mug = await inclusive.product({ price: 1190 });
  const { body } = await inclusive.checkout(mug);
  const order = await inclusive.order(body.orderId);
  assert.deepEqual([order.subtotal, order.tax, order.total], [1000, 190, 1190]);
  const { status, body: after } = await h.call('PUT', `${inclusive.base}/orders/update`, {
    token: inclusive.staff.token,
    body: order,
  });
  assert.equal(status, 200, JSON.stringify(after));
  assert.deepEqual({ ...after, updatedAt: 0 }, { ...order, updatedAt: 0 });
});

test("a paid order's lines can't change, but other fields can", async () => {
  const mug = await shop.product();
  const { body } = await shop.checkout(mug);
  await press(body.checkoutUrl!, 'pay');
  const lines = [line(mug, 2)];
  assert.equal((await update({ id: body.orderId, lines })).status, 409);
  assert.equal(
    (await update({ id: body.orderId, total: 5, subtotal: 5, lines: [line(mug, 1, { unitPrice: 5 })] })).status,
    409,
  );
  assert.equal((await update({ id: body.orderId, lines: [line(mug, 1)] })).status, 200, 'the same lines');
  const blocks = [{ id: 'note', type: 'TEXT', value: 'ring twice' }];
  assert.equal((await update({ id: body.orderId, blocks })).body.blocks[0]!.value, 'ring twice');
});

test('the sandbox page charges the new total after an order changes', async () => {
  const mug = await shop.product({ price: 1000 });
  const { body } = await shop.checkout(mug);
  await update({ id: body.orderId, lines: [line(mug, 3)] });
  assert.match(await (await fetch(body.checkoutUrl!)).text(), /\$30\.00/);
  await press(body.checkoutUrl!, 'pay');
  assert.equal((await shop.refund(body.orderId, { amount: 3001 })).status, 422);
  assert.equal((await shop.refund(body.orderId, { amount: 3000 })).status, 200);
});

test('a promo code use stays with the user who used it, even if the order is assigned to another customer', async () => {
  const mug = await shop.product({ quantity: 10 });
  const [ada, bob] = [await h.user(), await h.user()];
  const promo = await shop.promo(
    'OWN',
    [{ type: 'ITEMS_FIXED', amount: 1 }],
    [{ type: 'MAX_USES_PER_USER', value: 1 }],
  );
  const uses = async () => (await h.call('GET', `${shop.base}/promo-codes/${promo.id}`, { token })).body.uses;
  const buy = (customer: { token: string }) => shop.checkout(mug, { promoCode: 'OWN', token: customer.token });
  const { orderId } = (await buy(ada)).body;
  assert.equal((await buy(bob)).status, 200);
  assert.equal((await update({ id: orderId, customerId: bob.userId })).body.customerId, bob.userId);
  assert.deepEqual(problems(await buy(ada)), ['promoCode PROMO_USED_UP'], 'the order still has Ada’s use');
  await shop.setStatus(orderId, 'CANCELLED');
  assert.deepEqual(problems(await buy(bob)), ['promoCode PROMO_USED_UP'], 'Bob’s use belongs to another order');
  assert.equal(await uses(), 1);
  assert.equal((await shop.setStatus(orderId, 'PENDING')).status, 200, 'Ada’s use is taken again');
  await shop.setStatus(orderId, 'CANCELLED');
  assert.equal((await buy(ada)).status, 200);
  assert.deepEqual(problems(await shop.setStatus(orderId, 'PENDING')), ['status PROMO_USED_UP']);
  assert.equal(await uses(), 2);
});

test('an update with an outdated ETag fails with 412', async () => {
  const mug = await shop.product();
  const { body: order } = await create({ lines: [line(mug)] });
  const read = await h.call('GET', `${shop.base}/orders/${order.id}`, { token });
  const ifMatch = { 'if-match': read.headers.get('etag') ?? '' };
  assert.equal((await update({ id: order.id, shippingMethodId: 'x' }, ifMatch)).status, 200);
  assert.equal((await update({ id: order.id, shippingMethodId: 'y' }, ifMatch)).status, 412);
  const status = await h.call('PUT', `${shop.base}/orders/${order.id}/status`, {
    token,
    headers: ifMatch,
    body: { status: 'SHIPPED' },
  });
  assert.equal(status.status, 412);
});

test('the order status accepts exactly the allowed values and records who changed it', async () => {
  const mug = await shop.product({ quantity: 3 });
  const { body: order } = await create({ lines: [line(mug)] });
  for (const status of ['PROCESSING', 'SHIPPED', 'DELIVERED', 'REFUNDED', 'CANCELLED', 'PENDING']) {
    const { body } = await shop.setStatus(order.id, status);
    assert.equal(last(body.statuses), status);
    assert.equal(body.statuses.at(-1)!.userId, shop.staff.userId);
    assert.equal(body.statuses.at(-1)!.changedBy, 'USER');
    assert.equal(await shop.stock(mug), 2, 'canceling returns no shipped items');
  }
  for (const status of ['LOST', 'pending', 'PAID']) {
    assert.deepEqual(problems(await shop.setStatus(order.id, status)), ['status INVALID_VALUE']);
  }
  const path = `${shop.base}/orders/${order.id}/status` as const;
  const named = await h.call('PUT', path, {
    token,
    body: { id: 'entry-7', status: 'SHIPPED', changedBy: 'SYSTEM', userId: 'usr_other' },
  });
  const entry = named.body.statuses.at(-1);
  assert.deepEqual([entry!.id, entry!.changedBy, entry!.userId], ['entry-7', 'USER', shop.staff.userId]);
  assert.deepEqual(problems(await h.call('PUT', path, { token, body: { id: 'entry-7', status: 'PENDING' } })), [
    'id DUPLICATE',
  ]);
  const ahead = { status: 'PENDING', timestamp: Math.floor(Date.now() / 1000) + 86_400 };
  assert.deepEqual(problems(await h.call('PUT', path, { token, body: ahead })), ['timestamp OUT_OF_RANGE']);
  assert.deepEqual(problems(await h.call('PUT', path, { token, body: {} })), ['status REQUIRED']);
});

test('setting the same status again changes nothing, and concurrent cancellations return stock once', async () => {
  const mug = await shop.product({ quantity: 3 });
  const { body: order } = await create({ lines: [line(mug, 2)] });
  const responses = await Promise.all(Array.from({ length: 8 }, () => shop.setStatus(order.id, 'CANCELLED')));
  assert.deepEqual(tally(responses), { 200: 8 });
  assert.equal(await shop.stock(mug), 3);
  assert.equal((await shop.order(order.id)).statuses.length, 2);
});

test('leaving CANCELLED deducts the stock again, or fails with 422 if it is sold out', async () => {
  const mug = await shop.product({ quantity: 2 });
  const { body: order } = await create({ lines: [line(mug, 2)] });
  await shop.setStatus(order.id, 'CANCELLED');
  await create({ lines: [line(mug, 1)] });
  assert.deepEqual(problems(await shop.setStatus(order.id, 'PENDING')), ['status INSUFFICIENT_STOCK']);
  assert.equal(last((await shop.order(order.id)).statuses), 'CANCELLED');
  assert.equal(await shop.stock(mug), 1);
});

test('the payment status accepts every allowed value, and PAID moves a PENDING order to PROCESSING', async () => {
  const mug = await shop.product();
  const { body: order } = await create({ lines: [line(mug)] });
  const paid = await h.call('PUT', `${shop.base}/orders/${order.id}/payment-status`, {
    token,
    body: { paymentStatus: 'PAID' },
  });
  assert.deepEqual([last(paid.body.statuses), last(paid.body.paymentStatus)], ['PROCESSING', 'PAID']);
  assert.equal(paid.body.statuses.at(-1)!.changedBy, 'SYSTEM');
  for (const status of ['FAILED', 'PENDING', 'PAID', 'PARTIALLY_REFUNDED', 'REFUNDED']) {
    assert.equal(last((await shop.setPayment(order.id, status)).body.paymentStatus), status);
  }
  assert.equal((await shop.refund(order.id)).status, 409, 'already refunded');
  assert.deepEqual(problems(await shop.setPayment(order.id, 'SHIPPED')), ['status INVALID_VALUE']);
});

test('a card order that staff marked as paid does not expire and can’t be paid twice', async () => {
  const mug = await shop.product({ quantity: 2 });
  const { body } = await shop.checkout(mug);
  const unpaid = (await shop.checkout(mug)).body.orderId;
  await shop.setPayment(body.orderId, 'PAID');
  await shop.setPayment(unpaid, 'PAID');
  await press(body.checkoutUrl!, 'pay');
  await passTime(h, 310);
  await h.drain();
  assert.equal(last((await shop.order(unpaid)).statuses), 'PROCESSING');
  const order = await shop.order(body.orderId);
  assert.equal(last(order.statuses), 'PROCESSING');
  assert.equal((await shop.refund(body.orderId, { amount: 1001 })).status, 422);
});

test('lists can be filtered by status, payment status, customer, number, email and time, and paginated', async () => {
  const other = await openShop(h);
  const mug = await other.product({ quantity: 100 });
  const second = await h.user();
  const ids: string[] = [];
  for (let i = 0; i < 7; i++) {
    ids.push((await other.checkout(mug, { token: i < 3 ? second.token : other.customer.token })).body.orderId);
    if (i === 3) await passTime(h, 20);
  }
  await other.setStatus(ids[0]!, 'SHIPPED');
  await other.setPayment(ids[1]!, 'PAID');
  const list = async (query: string, as = other.staff.token) =>
    (await h.call('GET', `${other.base}/orders?${query}`, { token: as })).body;
  const idsOf = async (query: string, as?: string) => (await list(query, as)).items.map((order) => order.id);
  assert.deepEqual(await idsOf(''), [...ids].reverse());
  assert.deepEqual(await idsOf('status=SHIPPED'), [ids[0]]);
  assert.deepEqual(await idsOf('paymentStatus=PAID'), [ids[1]]);
  assert.deepEqual(await idsOf(`customerId=${second.userId}`), [ids[2], ids[1], ids[0]]);
  assert.deepEqual(await idsOf('query=4'), [ids[3]]);
  assert.deepEqual(await idsOf(`query=${second.email!.slice(0, 12).toUpperCase()}`), [ids[2], ids[1], ids[0]]);
  assert.deepEqual(await idsOf('query=%25'), []);
  const fifth = (await other.order(ids[4]!)).createdAt;
  assert.deepEqual(await idsOf(`createdFrom=${fifth}`), [ids[6], ids[5], ids[4]]);
  assert.deepEqual(await idsOf(`createdTo=${fifth - 1}`), [ids[3], ids[2], ids[1], ids[0]]);
  const walked: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await list(`limit=2&cursor=${cursor}`);
    walked.push(...page.items.map((order) => order.id));
    if (page.cursor === null) break;
    cursor = page.cursor;
  }
  assert.deepEqual(walked, [...ids].reverse());
  assert.equal((await h.call('GET', `${other.base}/orders?status=LOST`, { token: other.staff.token })).status, 422);
  assert.equal((await h.call('GET', `${other.base}/orders?cursor=abc`, { token: other.staff.token })).status, 400);

  assert.deepEqual(await idsOf('statuses=SHIPPED,PROCESSING'), [ids[1], ids[0]]);
  assert.deepEqual(await idsOf('statuses=SHIPPED&statuses=PENDING&limit=3'), [ids[6], ids[5], ids[4]]);
  assert.deepEqual(await idsOf('statuses=SHIPPED,PROCESSING&status=SHIPPED'), [ids[0]]);
  assert.deepEqual(await idsOf(`userId=${second.userId}`), [ids[2], ids[1], ids[0]]);
  assert.deepEqual(await idsOf(`createdAtFrom=${fifth}`), [ids[6], ids[5], ids[4]]);
  assert.deepEqual(await idsOf(`createdAtTo=${fifth - 1}`), [ids[3], ids[2], ids[1], ids[0]]);
  assert.deepEqual(await idsOf('sortField=createdAt&sortDirection=asc'), ids);
  const ascending = await list('sortDirection=ASC&limit=4');
  assert.deepEqual(await idsOf(`sortDirection=asc&cursor=${ascending.cursor}`), ids.slice(4));
  const { items, cursor } = await list('limit=1');
  const read = await h.call('GET', `${other.base}/orders/${items[0]!.id}`, { token: other.staff.token });
  assert.equal(items[0]!.etag, read.headers.get('etag'), 'usable in If-Match');
  assert.equal(
    (await h.call('GET', `${shop.base}/orders?cursor=${cursor}`, { token })).status,
    400,
    'a cursor from another business',
  );

  assert.deepEqual(await idsOf('', second.token), [ids[2], ids[1], ids[0]], 'customers see their own orders');
  assert.deepEqual(await idsOf(`userId=${other.customer.userId}`, second.token), []);
  assert.deepEqual(await idsOf(`customerId=${other.customer.userId}`, second.token), []);
});

test('pages of orders have a byte limit, and together contain every order', async () => {
  const other = await openShop(h);
  const mug = await other.product({ quantity: 100 });
  const ids = await Promise.all(Array.from({ length: 6 }, async () => (await other.checkout(mug)).body.orderId));
  const blocks = [{ id: 'note', type: 'TEXT', value: 'x'.repeat(900_000) }];
  await h.pool`update orders set doc = doc || ${h.pool.json({ blocks } as never)}, doc_bytes = 900000 where business_id = ${other.businessId}`;
  const walked: string[] = [];
  for (let cursor = ''; ; ) {
    const path = `${other.base}/orders?limit=100&cursor=${cursor}` as const;
    const { body } = await h.call('GET', path, { token: other.staff.token });
    assert.equal(body.items.length, 2);
    walked.push(...body.items.map((order) => order.id));
    if (body.cursor === null) break;
    cursor = body.cursor;
  }
  assert.deepEqual(walked.sort(), ids.sort());
  const all = { oldestFirst: false, after: null, limit: 101 };
  const read = await listOrders(h.pool.db, other.businessId, all);
  assert.equal(read.length, 3, 'documents beyond the page are not read');
  await h.pool`update orders set doc = doc || ${h.pool.json({ blocks: [...blocks, ...blocks, ...blocks] } as never)}, doc_bytes = 2700000
    where business_id = ${other.businessId}`;
  const { body } = await h.call('GET', `${other.base}/orders?limit=100`, { token: other.staff.token });
  assert.equal(body.items.length, 1, 'a page has at least one order');
});

test('members see who changed a status, and customers see only their own changes', async () => {
  const { orderId } = (await shop.checkout(await shop.product())).body;
  await shop.setStatus(orderId, 'PROCESSING');
  await shop.setPayment(orderId, 'PAID');
  const asCustomer = { token: shop.customer.token };
  const { body } = await h.call('GET', `${shop.base}/orders/${orderId}`, asCustomer);
  const users = ({ statuses, paymentStatus }: Json) => [...statuses, ...paymentStatus].map((entry) => entry.userId);
  const own = shop.customer.userId;
  assert.deepEqual(users(body), [own, undefined, own, undefined]);
  const { items } = (await h.call('GET', `${shop.base}/orders?limit=1`, asCustomer)).body;
  assert.deepEqual(users(items[0]), [own, undefined, own, undefined]);
  assert.deepEqual(users(await shop.order(orderId)), [own, shop.staff.userId, own, shop.staff.userId]);
});

test('a canceled order that is changed again returns its stock once', async () => {
  const mug = await shop.product({ quantity: 5 });
  const { body: order } = await create({ lines: [line(mug, 2)] });
  await shop.setStatus(order.id, 'CANCELLED');
  await shop.setPayment(order.id, 'FAILED');
  await update({ id: order.id, blocks: [{ id: 'note', type: 'TEXT', value: 'gone' }] });
  assert.deepEqual([await shop.stock(mug), await shop.ledger(mug)], [5, 5]);
});

test('orders of other customers and businesses are not found', async () => {
  const mug = await shop.product();
  const { orderId } = (await shop.checkout(mug)).body;
  const other = await openShop(h);
  const stranger = await h.user();
  const read = (base: string, as: string) => h.call('GET', `${base}/orders/${orderId}`, { token: as });
  assert.equal((await read(shop.base, stranger.token)).status, 404);
  assert.equal((await read(shop.base, shop.customer.token)).status, 200);
  assert.equal((await read(other.base, other.staff.token)).status, 404);
  for (const [method, path, body] of [
    ['PUT', `orders/${orderId}/status`, { status: 'SHIPPED' }],
    ['PUT', `orders/${orderId}/payment-status`, { status: 'PAID' }],
    ['PUT', 'orders/update', { id: orderId }],
    ['POST', `orders/${orderId}/refund`, {}],
  ] as const) {
    assert.equal((await h.call(method, `${other.base}/${path}`, { token: other.staff.token, body })).status, 404, path);
    assert.equal(
      (await h.call(method, `${shop.base}/${path}`, { token: shop.customer.token, body })).status,
      403,
      path,
    );
  }
});

test('customers get an email when an order is paid, shipped, refunded and canceled', async () => {
  const mug = await shop.product({ name: 'Blue mug', price: 1250 });
  const customer = await h.user();
  const { body } = await shop.checkout(mug, { token: customer.token });
  await press(body.checkoutUrl!, 'pay');
  await shop.setStatus(body.orderId, 'SHIPPED');
  await shop.refund(body.orderId, { amount: 250 });
  await shop.setStatus(body.orderId, 'CANCELLED');
  const { number } = await shop.order(body.orderId);
  await h.drain('order-tasks');
  const mails = (await h.mailbox()).filter((mail) => mail.to === customer.email) as Json[];
  assert.deepEqual(mails.map((mail) => mail.subject).sort(), [
    `Order #${number} canceled`,
    `Order #${number} confirmed`,
    `Order #${number} is on its way`,
    `Refund for order #${number}`,
  ]);
  assert.match(mails.find((mail) => mail.subject.includes('Refund')).text, /\$2\.50/);
  assert.match(mails.at(-1).text, /1 × Blue mug \(Main\) {3}\$12\.50/);
});

test('two workers that run the same email task, because the first lost its lease, send one email', async () => {
  const customer = await h.user();
  const { body } = await shop.checkout(await shop.product(), { token: customer.token });
  await press(body.checkoutUrl!, 'pay');
  const [task] = await h.pool<[Parameters<typeof sendMail>[1]]>`
    select business_id, id, order_id, kind, amount from order_tasks
    where business_id = ${shop.businessId} and order_id = ${body.orderId} and kind = 'PAID'`;
  const ctx = () => h.service.contexts.system().within(shop.businessId) as Parameters<typeof sendMail>[0];
  await Promise.all([sendMail(ctx(), task), sendMail(ctx(), task)]);
  await sendMail(ctx(), task);
  assert.equal((await h.mailbox()).filter((mail) => mail.to === customer.email).length, 1);
});

test('each status sends one email per order, however often it is set, and refunds send at most five', async () => {
  const mug = await shop.product({ quantity: 100 });
  const { body } = await shop.checkout(mug);
  await press(body.checkoutUrl!, 'pay');
  for (let i = 0; i < 3; i++) {
    for (const status of ['SHIPPED', 'CANCELLED']) await shop.setStatus(body.orderId, status);
    for (const status of ['PENDING', 'PAID']) await shop.setPayment(body.orderId, status);
  }
  for (let i = 0; i < 7; i++) await shop.refund(body.orderId, { amount: 1 });
  const tasks = await h.pool<{ kind: string }[]>`select kind from order_tasks where order_id = ${body.orderId}`;
  const sent = tasks.map(({ kind }) => kind).sort();
  assert.deepEqual(sent, ['CANCELLED', 'PAID', ...Array(5).fill('REFUNDED'), 'SHIPPED']);
});

test('emails go to the address entered at checkout, and the order still belongs to the guest', async () => {
  const guest = await h.guest();
  const email = `Someone+shop@${guest.userId.replace('_', '-')}.example`;
  const mug = await shop.product({ quantity: 100 });
  const buy = async (more: object) => (await shop.checkout(mug, { token: guest.token, ...more })).body.orderId;
  const orderId = await buy({ email });
  const { body } = await h.call('GET', `${shop.base}/orders/${orderId}`, { token: guest.token });
  assert.deepEqual([body.email, body.customerId], [email.toLowerCase(), guest.userId]);
  for (const bad of ['nobody', 'a@b.example\r\nBcc: c@d.example', '']) {
    assert.deepEqual(
      problems(await shop.checkout(mug, { email: bad })).map((each) => each.split(' ')[0]),
      ['email'],
      bad,
    );
  }
});

test('refunds are listed with their amount, reason and status, and members also see who requested them', async () => {
  const customer = await h.user();
  const { body } = await shop.checkout(await shop.product({ price: 3000 }), { token: customer.token });
  await press(body.checkoutUrl!, 'pay');
  for (const [amount, reason] of [[500, 'Scratched'], [700]])
    assert.equal((await shop.refund(body.orderId, { amount, reason })).status, 200);
  const list = async (by: string) =>
    (await h.call('GET', `${shop.base}/orders/${body.orderId}/refunds`, { token: by })) as Json;
  const { items } = (await list(token)).body;
  assert.deepEqual(
    items.map(({ amount, reason, status, userId }: Json) => [amount, reason, status, userId]),
    [
      [500, 'Scratched', 'SUCCEEDED', shop.staff.userId],
      [700, null, 'SUCCEEDED', shop.staff.userId],
    ],
  );
  const own = (await list(customer.token)).body.items;
  assert.deepEqual(
    own.map(({ amount, userId }: Json) => [amount, userId]),
    [
      [500, undefined],
      [700, undefined],
    ],
  );
  assert.equal((await list((await h.user()).token)).status, 404);
});

test('emails to an unverified address are limited per hour, and the order shows staff which one was withheld', async () => {
  const guest = await h.guest();
  const domain = `${guest.userId.replace('_', '-')}.example`;
  const mug = await shop.product({ quantity: 100 });
  const buy = async (more: object) => (await shop.checkout(mug, { token: guest.token, ...more })).body;
  const orderIds: string[] = [];
  for (let i = 0; i < 7; i++)
    orderIds.push((await buy({ email: `someone+${i}@${domain}`, paymentMethod: 'CASH' })).orderId);
  const mailed = async () => {
    await h.drain('order-tasks');
    return (await h.mailbox()).filter((mail) => String(mail.to).endsWith(domain)).length;
  };
  assert.equal(await mailed(), 5);
  const orders = await Promise.all(orderIds.map((id) => shop.order(id)));
  const withheld = orders.flatMap((order) => order.withheldMails ?? []);
  assert.deepEqual(
    withheld.map(({ kind }: Json) => kind),
    ['RECEIVED', 'RECEIVED'],
  );
  const { id } = orders.find((order) => order.withheldMails)!;
  const asGuest = await h.call('GET', `${shop.base}/orders/${id}`, { token: guest.token });
  assert.deepEqual([asGuest.status, asGuest.body.withheldMails], [200, undefined]);
  const events = await h.pool<{ type: string }[]>`
    select type from event_outbox where business_id = ${shop.businessId} and entity = ${`order:${id}`}
    union all select type from events where business_id = ${shop.businessId} and entity = ${`order:${id}`}`;
  assert.ok(events.some(({ type }) => type === 'order.mail_withheld'));

  const paid = await buy({ email: `someone@${domain}` });
  await press(paid.checkoutUrl!, 'pay');
  await shop.setStatus(paid.orderId, 'SHIPPED');
  assert.equal(await mailed(), 7, 'emails about paid orders are not limited');
  assert.equal((await shop.order(paid.orderId)).withheldMails, undefined);
});

test('a card order is confirmed once it is paid, a cash or free order immediately, and an abandoned one never', async () => {
  const mug = await shop.product({ quantity: 100 });
  const free = await shop.product({ price: 0 });
  const customer = await h.user();
  const buy = async (product: string, more: object = {}) =>
    (await shop.checkout(product, { token: customer.token, ...more })).body;
  const subjects = async () => {
    await h.drain('order-tasks');
    const mails = (await h.mailbox()).filter((mail) => mail.to === customer.email) as Json[];
    return mails.map(({ subject }) => subject.replace(/ #\d+/, '')).sort();
  };
  const card = await buy(mug);
  const abandoned = await buy(mug);
  await press(abandoned.checkoutUrl!, 'cancel');
  assert.deepEqual(await subjects(), []);
  await press(card.checkoutUrl!, 'pay');
  assert.deepEqual(await subjects(), ['Order confirmed']);
  await buy(free);
  const cash = await buy(mug, { paymentMethod: 'CASH' });
  assert.deepEqual(await subjects(), Array(3).fill('Order confirmed'));
  await shop.setPayment(cash.orderId, 'PAID');
  assert.deepEqual(await subjects(), [...Array(3).fill('Order confirmed'), 'Payment received for order']);
});

test('staff can set the email of an order and resend emails, up to a rate limit', async () => {
  const guest = await h.guest();
  const mug = await shop.product({ quantity: 100 });
  const domain = `${guest.userId.replace('_', '-')}.example`;
  const order = (await create({ customerId: guest.userId, email: `Bo@${domain}`, lines: [line(mug)] })).body;
  assert.deepEqual([order.email, order.paid, order.refunded], [`bo@${domain}`, 0, 0]);
  const resend = (body?: object, as = token) =>
    h.call('POST', `${shop.base}/orders/${order.id}/resend`, { token: as, body });
  const mailed = async () => {
    await h.drain('order-tasks');
    const mails = (await h.mailbox()).filter((mail) => String(mail.to).endsWith(domain)) as Json[];
    return mails.map(({ to, subject }) => `${to}: ${subject.replace(/ #\d+/, '')}`).sort();
  };
  const received = `bo@${domain}: Order confirmed`;
  assert.deepEqual(await mailed(), [received]);
  assert.deepEqual((await resend()).body, { success: true, kind: 'RECEIVED', email: `bo@${domain}` });
  assert.deepEqual(await mailed(), [received, received]);
  assert.deepEqual(problems(await resend({ kind: 'SHIPPED' })), ['kind INVALID_VALUE']);
  assert.equal((await resend({}, guest.token)).status, 403);

  const moved = await update({ ...order, email: `ada@${domain}` });
  assert.equal(moved.body.email, `ada@${domain}`);
  await shop.setStatus(order.id, 'SHIPPED');
  await mailed();
  assert.equal((await resend()).body.kind, 'SHIPPED');
  for (let i = 0; i < 4; i++) assert.equal((await resend()).status, 200);
  assert.equal((await resend()).status, 429, 'limited per address');
  const shipped = `ada@${domain}: Order is on its way`;
  assert.deepEqual(await mailed(), [...Array(6).fill(shipped), received, received]);

  await update({ id: order.id, email: null });
  assert.equal((await resend()).status, 409);
  const other = await update({ id: order.id, customerId: shop.customer.userId, email: `last@${domain}` });
  assert.equal(other.body.email, `last@${domain}`);
  const back = await update({ ...other.body, customerId: guest.userId });
  assert.equal(back.body.email, null, 'the previous customer’s email is not kept');
});

test('the status SHIPPED can include tracking, which appears in the order and in the email', async () => {
  const mug = await shop.product();
  const customer = await h.user();
  const { orderId } = (await shop.checkout(mug, { token: customer.token })).body;
  const tracking = { carrier: 'DHL', number: '0034', url: 'https://dhl.example/0034' };
  const ship = (body: object) => h.call('PUT', `${shop.base}/orders/${orderId}/status`, { token, body });
  assert.deepEqual(problems(await ship({ status: 'DELIVERED', tracking })), ['tracking INVALID_VALUE']);
  for (const url of ['javascript:alert(1)', 'https://a b', 'ftp://x']) {
    assert.deepEqual(
      problems(await ship({ status: 'SHIPPED', tracking: { url } })),
      ['tracking.url INVALID_FORMAT'],
      url,
    );
  }
  assert.deepEqual((await ship({ status: 'SHIPPED', tracking })).body.tracking, tracking);
  const corrected = { ...tracking, number: '0035' };
  const again = await ship({ status: 'SHIPPED', tracking: corrected });
  assert.deepEqual([again.body.tracking, again.body.statuses.length], [corrected, 2]);
  await h.drain('order-tasks');
  const mails = (await h.mailbox()).filter((mail) => mail.to === customer.email) as Json[];
  assert.match(
    mails.find((mail) => mail.subject.includes('on its way')).text,
    /Track your shipment: https:\/\/dhl\.example\/0034\n[\s\S]*Tracking:\n {2}DHL 0035\n/,
  );
});

test('an order whose transaction is rolled back sends no email', async () => {
  const mug = await shop.product({ quantity: 0 });
  const customer = await h.user();
  await shop.checkout(mug, { token: customer.token });
  await h.drain('order-tasks');
  assert.deepEqual(
    (await h.mailbox()).filter((mail) => mail.to === customer.email),
    [],
  );
});
