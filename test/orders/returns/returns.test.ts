import assert from 'node:assert/strict';
import test from 'node:test';
import { type ApiResponse, type Json, shareHarness } from '../../harness.ts';
import { last, problems } from '../shop.ts';
import { openReturnShop } from './shop.ts';

const h = await shareHarness();
const DAY = 86_400;

test('a return goes from request to refund, and the customer gets an email at each step', async () => {
  const shop = await openReturnShop(h, { returns: { instructions: 'Use the box.', address: '1 Main Street' } });
  const product = await shop.product({ quantity: 10 });
  const order = await shop.sold(product, 2, 2, { email: 'return@example.com' });
  const { body: requested } = await shop.request(order, 1);
  assert.equal(requested.status, 'REQUESTED');
  assert.deepEqual(requested.lines, [
    { lineId: order.lineId, name: 'Mug (Main)', quantity: 1, unshipped: 0, reason: 'Too small' },
  ]);
  const { body: approved } = await shop.step(requested.id, 'approve', { labelUrl: 'https://label.example/1' });
  assert.equal(approved.instructions, 'Use the box.\n\n1 Main Street');
  assert.equal((await shop.step(requested.id, 'receive', { restock: true })).body.status, 'RECEIVED');
  assert.equal(await shop.stock(product), 9);
  const closed = await shop.step(requested.id, 'close', { refund: true });
  assert.equal(closed.body.status, 'CLOSED');
  assert.deepEqual(
    closed.body.statuses.map(({ status }) => status),
    ['REQUESTED', 'APPROVED', 'RECEIVED', 'CLOSED'],
  );
  const [refund] = await shop.refunds(order.id);
  assert.deepEqual([refund!.id, refund!.amount, refund!.status], [closed.body.refundId, 1000, 'SUCCEEDED']);
  assert.equal(await shop.stock(product), 9, 'the stock returned once');
  assert.equal((await shop.step(requested.id, 'close', { refund: true })).status, 409);

  await h.drain('order-tasks');
  const mails = (await h.mailbox()).filter(({ to }) => to === 'return@example.com') as Json[];
  const subjects = mails.map(({ subject }) => subject.replace(/ for order #\d+/, ''));
  for (const subject of ['Return requested', 'Return approved', 'Return received', 'Refund'])
    assert.ok(subjects.includes(subject), `${subject} is missing from ${subjects}`);
  const approval = mails.find(({ subject }) => /approved/.test(subject))!;
  assert.match(approval.text, /1 × Mug \(Main\)\n\nHow to return your items:\n {2}Use the box\.\n\s+1 Main Street/);
  assert.match(approval.text, /Print the return label: https:\/\/label\.example\/1/);
  const received = mails.find(({ subject }) => /received/.test(subject))!;
  assert.doesNotMatch(received.text, /label\.example|Use the box/);
  await h.numberEvents(shop.businessId);
  const types = (
    await h.pool<{ type: string }[]>`
    select type from events where business_id = ${shop.businessId} and entity = ${`order:${order.id}`}`
  ).map(({ type }) => type);
  for (const step of ['requested', 'approved', 'received', 'closed']) assert.ok(types.includes(`return.${step}`), step);
});

test('only shipped items can be returned, and no item twice', async () => {
  const shop = await openReturnShop(h);
  const order = await shop.sold(await shop.product(), 3, 2);
  assert.deepEqual(problems(await shop.request(order, 3)), ['lines[0].quantity OUT_OF_RANGE']);
  const { body: first } = await shop.request(order, 2);
  assert.deepEqual(problems(await shop.request(order, 1)), ['lines[0].quantity OUT_OF_RANGE']);
  const refund = { lines: [{ lineId: order.lineId, quantity: 2 }] };
  assert.deepEqual(problems(await shop.refund(order.id, refund)), ['lines[0].quantity OUT_OF_RANGE']);
  await shop.step(first.id, 'reject', { reason: 'Worn' });
  assert.equal((await shop.request(order, 1)).status, 200);
});

test('a withdrawal within the withdrawal period cannot be rejected, and covers items that were not shipped', async () => {
  const shop = await openReturnShop(h);
  const product = await shop.product({ quantity: 10 });
  const order = await shop.sold(product, 2, 1);
  const { body: withdrawal } = await shop.request(order, 2, { type: 'WITHDRAWAL' });
  assert.equal(withdrawal.rejectable, false);
  assert.equal(withdrawal.lines[0]!.unshipped, 1);
  assert.equal((await shop.step(withdrawal.id, 'reject', { reason: 'No' })).status, 409);
  const shipment = await h.call('POST', `${shop.base}/orders/${order.id}/shipments`, {
    token: shop.staff.token,
    body: {},
  });
  assert.equal(shipment.status, 409, 'withdrawn items are not shipped');
  await shop.step(withdrawal.id, 'receive', { restock: false });
  assert.equal(await shop.stock(product), 9, 'the unshipped item returns, the other is written off');
  await shop.step(withdrawal.id, 'close', { refund: true });
  const { refunded, paymentStatus } = await shop.order(order.id);
  assert.equal(refunded, 2000);
  assert.equal(last(paymentStatus), 'REFUNDED');
});

test('a withdrawal before the shipment cancels the order and returns its stock once', async () => {
  const shop = await openReturnShop(h);
  const product = await shop.product({ quantity: 10 });
  const order = await shop.sold(product, 2, 0);
  const { body: withdrawal } = await shop.request(order, 2, { type: 'WITHDRAWAL' });
  assert.equal(await shop.stock(product), 8);
  assert.equal((await shop.step(withdrawal.id, 'close', { refund: true })).status, 200);
  const { statuses, refunded } = await shop.order(order.id);
  assert.deepEqual([last(statuses), refunded], ['CANCELLED', 2000]);
  assert.equal(await shop.stock(product), 10);
  assert.equal(await shop.ledger(product), 10);
});

test('withdrawing from a whole order refunds its shipping', async () => {
  const shop = await openReturnShop(h, {
    shippingMethods: [{ id: 'post', name: 'Post', taxable: false, prices: [{ market: 'us', amount: 490 }] }],
  });
  const order = await shop.sold(await shop.product(), 1, 1, { shippingMethodId: 'post' });
  const { body: withdrawal } = await shop.request(order, 1, { type: 'WITHDRAWAL' });
  await shop.step(withdrawal.id, 'receive', { restock: true });
  const { body: read } = await h.call('GET', `${shop.base}/returns/${withdrawal.id}`, { token: shop.staff.token });
  assert.equal(read.value, 1490);
  await shop.step(withdrawal.id, 'close', { refund: true });
  assert.equal((await shop.order(order.id)).refunded, 1490);
});

test('after the period, customers can return nothing, and staff can reject a withdrawal', async () => {
  const shop = await openReturnShop(h, { returns: { periodDays: 14 } });
  const order = await shop.sold(await shop.product(), 2);
  const deliver = (daysAgo: number) =>
    h.call('PUT', `${shop.base}/orders/${order.id}/status`, {
      token: shop.staff.token,
      body: { status: 'DELIVERED', timestamp: h.clock.seconds() - daysAgo * DAY },
    });
  await deliver(14);
  assert.equal((await shop.request(order, 1, { type: 'WITHDRAWAL' })).body.rejectable, false);
  await shop.setStatus(order.id, 'SHIPPED');
  await deliver(15);
  for (const type of ['RETURN', 'WITHDRAWAL', 'EXCHANGE'])
    assert.equal((await shop.request(order, 1, { type })).status, 409, type);
  const { body } = await shop.request(order, 1, { type: 'WITHDRAWAL', token: shop.staff.token });
  assert.equal((await shop.step(body.id, 'reject', { reason: 'Too late' })).body.status, 'REJECTED');
});

test('without a known delivery, the period starts two weeks after the shipment', async () => {
  const shop = await openReturnShop(h);
  const order = await shop.sold(await shop.product(), 2);
  const shipped = (daysAgo: number) => h.pool`
    update orders set doc = jsonb_set(doc, '{shipments,0,createdAt}', to_jsonb(${h.clock.seconds() - daysAgo * DAY}::bigint))
    where business_id = ${shop.businessId} and id = ${order.id}`;
  await shipped(28);
  assert.equal((await shop.request(order, 1, { type: 'WITHDRAWAL' })).status, 200);
  await shipped(29);
  assert.equal((await shop.request(order, 1, { type: 'WITHDRAWAL' })).status, 409);
});

test('the period of an order that is shipped again after its delivery runs from the new shipment', async () => {
  const shop = await openReturnShop(h);
  const order = await shop.sold(await shop.product(), 1);
  await h.call('PUT', `${shop.base}/orders/${order.id}/status`, {
    token: shop.staff.token,
    body: { status: 'DELIVERED', timestamp: h.clock.seconds() - 20 * DAY },
  });
  assert.equal((await shop.request(order, 1)).status, 409);
  await shop.setStatus(order.id, 'PROCESSING');
  await shop.setStatus(order.id, 'SHIPPED');
  assert.equal((await shop.request(order, 1)).status, 200);
});

test('customers see and request returns of their own orders only, and cannot approve or reject them', async () => {
  const shop = await openReturnShop(h);
  const order = await shop.sold(await shop.product(), 1);
  const stranger = await h.user();
  assert.equal((await shop.request(order, 1, { token: stranger.token })).status, 404);
  const { body } = await shop.request(order, 1);
  const path = `${shop.base}/returns/${body.id}` as const;
  assert.equal((await h.call('GET', path, { token: stranger.token })).status, 404);
  assert.deepEqual(await shop.returns('', stranger.token), []);
  assert.equal((await h.call('GET', path, { token: shop.customer.token })).body.value, undefined);
  assert.deepEqual(
    (await shop.returns('?status=REQUESTED', shop.customer.token)).map(({ id }) => id),
    [body.id],
  );
  const { body: customers } = await h.call('GET', `${shop.base}/customers`, {
    token: (await h.member(shop.businessId, 'ADMIN')).token,
  });
  const record = customers.items.find(({ userId }) => userId === shop.customer.userId)!;
  const idsFor = async (customerId: string, token?: string) =>
    (await shop.returns(`?customerId=${customerId}`, token)).map(({ id }) => id);
  assert.deepEqual(await idsFor(record.id), [body.id], 'staff filter by customer record');
  assert.deepEqual(await idsFor(shop.customer.userId), [body.id], 'staff filter by user');
  assert.deepEqual(await idsFor(stranger.userId), []);
  assert.deepEqual(await idsFor(shop.customer.userId, stranger.token), []);
  for (const step of ['approve', 'reject', 'receive', 'close'] as const) {
    const input = { reason: 'x', restock: true, refund: true };
    assert.equal((await shop.step(body.id, step, input, shop.customer.token)).status, 403, step);
  }
});

test('an exchange creates an order that the returned value pays for, and refunds the rest', async () => {
  const shop = await openReturnShop(h);
  const [old, cheap, expensive] = [
    await shop.product({ price: 2000 }),
    await shop.product({ price: 1500, quantity: 5 }),
    await shop.product({ price: 2600 }),
  ];
  const lines = (productId: string) => [{ type: 'PRODUCT_VARIANT', productId, variantId: 'main', quantity: 1 }];
  const first = await shop.sold(old, 1);
  const { body: exchange } = await shop.request(first, 1, { type: 'EXCHANGE' });
  await shop.step(exchange.id, 'receive', { restock: true });
  const closed = await shop.step(exchange.id, 'close', { refund: true, exchange: { lines: lines(cheap) } });
  assert.equal(closed.status, 200, JSON.stringify(closed.body));
  assert.equal(closed.body.status, 'CLOSED');
  const paid = await shop.order(closed.body.exchangeOrderId!);
  assert.deepEqual([paid.paid, last(paid.paymentStatus), paid.exchange!.credit], [1500, 'PAID', 1500]);
  assert.deepEqual(
    (await shop.refunds(first.id)).map(({ amount, status }) => [amount, status]),
    [
      [1500, 'SUCCEEDED'],
      [500, 'SUCCEEDED'],
    ],
  );
  assert.equal(await shop.stock(cheap), 4);

  const second = await shop.sold(old, 1);
  const { body: other } = await shop.request(second, 1, { type: 'EXCHANGE' });
  await shop.step(other.id, 'approve');
  const { body: done } = await shop.step(other.id, 'close', { refund: true, exchange: { lines: lines(expensive) } });
  const open = await shop.order(done.exchangeOrderId!);
  assert.deepEqual([open.paid, open.total, last(open.paymentStatus)], [2000, 2600, 'PENDING']);
  await shop.setPayment(open.id, 'PAID');
  assert.equal((await shop.order(open.id)).paid, 2600);
});

test('the refunded difference of an exchange covers the returned items only', async () => {
  const shop = await openReturnShop(h);
  const [old, kept, cheap] = [
    await shop.product({ price: 2000 }),
    await shop.product({ price: 8000 }),
    await shop.product({ price: 500 }),
  ];
  const item = (productId: string) => ({ type: 'PRODUCT_VARIANT', productId, variantId: 'main', quantity: 1 });
  const sold = await shop.sold(old, 1, 1, { items: [item(old), item(kept)] });
  const { body: exchange } = await shop.request(sold, 1, { type: 'EXCHANGE' });
  await shop.step(exchange.id, 'approve');
  await shop.step(exchange.id, 'close', { refund: true, exchange: { lines: [item(cheap)] } });
  const parts = (await shop.refunds(sold.id)).map((refund) => refund.parts!.lines);
  assert.deepEqual(
    parts.map((lines) => lines.map(({ lineId, quantity, amount }) => [lineId, quantity, amount])),
    [[[sold.lineId, 1, 500]], [[sold.lineId, 0, 1500]]],
  );
  const { refundable, lines } = await shop.order(sold.id);
  assert.deepEqual(refundable!.lines, [{ lineId: lines[1]!.id, quantity: 1, amount: 8000 }]);
});

test('a return that never arrives can be closed, and its items can be returned again', async () => {
  const shop = await openReturnShop(h);
  const order = await shop.sold(await shop.product(), 1);
  const { body: lost } = await shop.request(order, 1);
  await shop.step(lost.id, 'approve');
  assert.equal((await shop.step(lost.id, 'close', { refund: false })).body.status, 'CLOSED');
  assert.equal((await shop.request(order, 1)).status, 200);
});

/** Retries a request that a busy process rejects. */
async function untilAvailable(call: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const response = await call();
  return response.status === 503 ? untilAvailable(call) : response;
}

test('200 parallel returns, withdrawals and refunds of one order never exceed its quantities and money', async () => {
  const shop = await openReturnShop(h);
  const product = await shop.product({ price: 333, quantity: 20 });
  const order = await shop.sold(product, 12, 8);
  const types = ['RETURN', 'WITHDRAWAL', 'EXCHANGE'];
  const token = shop.staff.token;
  const responses = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const lines = [{ lineId: order.lineId, quantity: 1, restock: true }];
      if (i % 4 === 3) return untilAvailable(() => shop.refund(order.id, { lines }));
      const response = await untilAvailable(() => shop.request(order, 1, { type: types[i % 4]!, token }));
      if (response.status !== 200) return response;
      await untilAvailable(() => shop.step(response.body.id, 'receive', { restock: true }));
      return untilAvailable(() => shop.step(response.body.id, 'close', { refund: true }));
    }),
  );
  assert.ok(responses.every(({ status }) => [200, 409, 422].includes(status)));
  const made = responses.filter(({ status }) => status === 200).length;
  assert.equal(made, 12);
  const refunds = await shop.refunds(order.id);
  assert.equal(refunds.length, 12);
  assert.equal(
    refunds.reduce((sum, { amount }) => sum + amount, 0),
    (await shop.order(order.id)).paid,
  );
  assert.equal(await shop.stock(product), 20);
  assert.equal(await shop.ledger(product), 20);
});

test('an erasure removes the messages of customers and staff from returns', async () => {
  const shop = await openReturnShop(h);
  const order = await shop.sold(await shop.product(), 1);
  const { body } = await shop.request(order, 1);
  await shop.step(body.id, 'approve', { instructions: 'Dear Ada', labelUrl: 'https://label.example/ada' });
  await shop.step(body.id, 'reject', { reason: 'Ada called' });
  const admin = await h.member(shop.businessId, 'ADMIN');
  const path = `${shop.base}/customers/${shop.customer.userId}/personal-data` as const;
  const { body: data } = await h.call('GET', path, { token: admin.token });
  assert.ok(JSON.stringify(data).includes('Too small'));
  assert.equal((await h.call('DELETE', path, { token: admin.token })).status, 200);
  await h.drain();
  const [row] = await h.pool<{ doc: string }[]>`select doc::text as doc from returns where id = ${body.id}`;
  assert.doesNotMatch(row!.doc, /Too small|ada/i);
});
