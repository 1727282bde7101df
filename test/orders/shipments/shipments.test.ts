import assert from 'node:assert/strict';
import test from 'node:test';
import { type ApiResponse, type Json, shareHarness } from '../../harness.ts';
import { last, openShop, press, problems } from '../shop.ts';

const h = await shareHarness();
const shop = await openShop(h);
const { token } = shop.staff;
const line = (productId: string, quantity = 1) => ({ productId, variantId: 'main', quantity });

async function create(lines: object[], more: object = {}): Promise<Json> {
  const body = { customerId: shop.customer.userId, market: 'us', currency: 'usd', lines, ...more };
  const response = await h.call('POST', `${shop.base}/orders`, { token, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}
const ship = (id: string, body: object = {}, by = token): Promise<ApiResponse> =>
  h.call('POST', `${shop.base}/orders/${id}/shipments`, { token: by, body });
const setTracking = (id: string, shipmentId: string, body: object) =>
  h.call('PUT', `${shop.base}/orders/${id}/shipments/${shipmentId}`, { token, body });
const takeBack = (id: string, shipmentId: string) =>
  h.call('DELETE', `${shop.base}/orders/${id}/shipments/${shipmentId}`, { token });
const part = (...quantities: number[]) => ({
  lines: quantities.flatMap((quantity, i) => (quantity > 0 ? [{ lineId: `line_${i + 1}`, quantity }] : [])),
});
const stateOf = ({ fulfillment, statuses, shipments }: Json) => [fulfillment, last(statuses), shipments.length];
const state = async (id: string) => stateOf(await shop.order(id));

async function mailsTo(email: string): Promise<Json[]> {
  await h.drain('order-tasks');
  const mails = (await h.mailbox()) as Json[];
  return mails.filter(({ to, subject }) => to === email && subject.includes('on its way'));
}

test('an order ships in parts and becomes SHIPPED with the last one', async () => {
  const [mug, tea] = [await shop.product({ name: 'Mug' }), await shop.product({ name: 'Tea' })];
  const order = await create([line(mug, 2), line(tea)]);
  assert.deepEqual(stateOf(order), ['UNFULFILLED', 'PENDING', 0]);
  const tracking = { carrier: 'DHL', number: '0034' };
  const { body: first } = await ship(order.id, { ...part(1), tracking });
  assert.deepEqual([first.lines, first.tracking, first.userId], [part(1).lines, tracking, shop.staff.userId]);
  assert.deepEqual(await state(order.id), ['PARTIAL', 'PROCESSING', 1]);
  assert.deepEqual((await shop.order(order.id)).tracking, tracking);
  const { body: second } = await ship(order.id);
  assert.deepEqual(second.lines, [
    { lineId: 'line_1', quantity: 1 },
    { lineId: 'line_2', quantity: 1 },
  ]);
  const shipped = await shop.order(order.id);
  assert.deepEqual(stateOf(shipped), ['FULFILLED', 'SHIPPED', 2]);
  assert.deepEqual(shipped.shipments, [first, second]);
  const list = await h.call('GET', `${shop.base}/orders/${order.id}/shipments`, { token });
  assert.deepEqual(list.body, { items: [first, second], cursor: null });
  assert.equal((await ship(order.id)).status, 409);
});

test('a shipment contains only lines of the order, each at most once and up to its unshipped quantity', async () => {
  const order = await create([line(await shop.product(), 2)]);
  await ship(order.id, part(1));
  const lines = (...items: object[]) => ship(order.id, { lines: items });
  assert.deepEqual(problems(await lines({ lineId: 'line_1', quantity: 2 })), ['lines[0].quantity OUT_OF_RANGE']);
  assert.deepEqual(problems(await lines({ lineId: 'line_9', quantity: 1 })), ['lines[0].lineId NOT_FOUND']);
  const one = { lineId: 'line_1', quantity: 1 };
  assert.deepEqual(problems(await lines(one, one)), ['lines[1].lineId DUPLICATE']);
  assert.deepEqual(problems(await lines()), ['lines TOO_SHORT']);
  assert.equal((await ship('ord_none')).status, 404);
  assert.deepEqual(await state(order.id), ['PARTIAL', 'PROCESSING', 1]);
});

test('the status SHIPPED ships the rest as one shipment with its tracking, in bulk requests too', async () => {
  const mug = await shop.product({ quantity: 100 });
  const tracking = { carrier: 'DHL', number: '0034' };
  const [one, two] = [await create([line(mug, 3)]), await create([line(mug, 3)])];
  for (const { id } of [one, two]) await ship(id, { ...part(1), tracking: { number: 'first' } });
  await h.call('PUT', `${shop.base}/orders/${one.id}/status`, { token, body: { status: 'SHIPPED', tracking } });
  await h.call('PUT', `${shop.base}/orders/status`, {
    token,
    body: { items: [{ orderId: two.id, status: 'SHIPPED', tracking }] },
  });
  for (const { id } of [one, two]) {
    const order = await shop.order(id);
    assert.deepEqual(stateOf(order), ['FULFILLED', 'SHIPPED', 2]);
    assert.deepEqual([order.shipments[1]!.lines, order.shipments[1]!.tracking], [part(2).lines, tracking]);
    assert.deepEqual(order.shipments[0]!.tracking, { number: 'first' });
  }
  const created = await create([line(mug)], { status: 'DELIVERED' });
  assert.deepEqual(stateOf(created), ['FULFILLED', 'DELIVERED', 1]);
});

test('undoing a shipment restores the previous status, and the status PROCESSING undoes all shipments', async () => {
  const order = await create([line(await shop.product(), 2)]);
  const [{ body: first }, { body: second }] = [await ship(order.id, part(1)), await ship(order.id, part(1))];
  assert.deepEqual((await takeBack(order.id, second.id)).body, { success: true });
  assert.deepEqual(await state(order.id), ['PARTIAL', 'PROCESSING', 1]);
  assert.equal((await takeBack(order.id, second.id)).status, 404);
  await ship(order.id);
  await shop.setStatus(order.id, 'DELIVERED');
  await takeBack(order.id, first.id);
  assert.deepEqual(await state(order.id), ['PARTIAL', 'PROCESSING', 1]);
  await ship(order.id);
  await shop.setStatus(order.id, 'PROCESSING');
  assert.deepEqual(await state(order.id), ['UNFULFILLED', 'PROCESSING', 0]);
});

test('the tracking of a shipment can be changed and removed, and the order shows the latest', async () => {
  const order = await create([line(await shop.product(), 2)]);
  const { body: first } = await ship(order.id, part(1));
  const { body: second } = await ship(order.id, part(1));
  const [a, b] = [{ number: 'A' }, { number: 'B', url: 'https://dhl.example/B' }];
  assert.deepEqual((await setTracking(order.id, second.id, { tracking: b })).body.tracking, b);
  assert.deepEqual((await setTracking(order.id, first.id, { tracking: a })).body.tracking, a);
  const read = await shop.order(order.id);
  assert.deepEqual([read.tracking, read.shipments.map((each: Json) => each.tracking)], [b, [a, b]]);
  await setTracking(order.id, second.id, { tracking: null });
  assert.deepEqual((await shop.order(order.id)).tracking, a);
  assert.deepEqual(problems(await setTracking(order.id, first.id, { tracking: { url: 'javascript:alert(1)' } })), [
    'tracking.url INVALID_FORMAT',
  ]);
  assert.equal((await setTracking(order.id, 'shp_none', {})).status, 404);
});

test('canceling restocks only unshipped items, and undoing a shipment later restocks its items', async () => {
  const mug = await shop.product({ quantity: 10 });
  const order = await create([line(mug, 4)]);
  const { body: shipment } = await ship(order.id, part(3));
  await shop.setStatus(order.id, 'CANCELLED');
  assert.equal(await shop.stock(mug), 7);
  assert.equal((await ship(order.id)).status, 409);
  await shop.setStatus(order.id, 'PROCESSING');
  assert.equal(await shop.stock(mug), 6, 'only the canceled unit is deducted again');
  assert.deepEqual(await state(order.id), ['PARTIAL', 'PROCESSING', 1]);
  await shop.setStatus(order.id, 'CANCELLED');
  await takeBack(order.id, shipment.id);
  assert.equal(await shop.stock(mug), 10);
  assert.deepEqual(await state(order.id), ['UNFULFILLED', 'CANCELLED', 0]);
  await shop.setStatus(order.id, 'SHIPPED');
  assert.equal(await shop.stock(mug), 6);
  await shop.setStatus(order.id, 'CANCELLED');
  assert.equal(await shop.stock(mug), 6);
  await shop.setStatus(order.id, 'PENDING');
  assert.equal(await shop.stock(mug), 6);
  assert.deepEqual(await state(order.id), ['UNFULFILLED', 'PENDING', 0]);
  assert.equal(await shop.ledger(mug), 6);
});

test('a line cannot be changed below its shipped quantity, and the status follows its new quantity', async () => {
  const [mug, tea] = [await shop.product({ quantity: 10 }), await shop.product()];
  const order = await create([line(mug, 3), line(tea)]);
  await ship(order.id, part(2));
  const update = (...lines: object[]) =>
    h.call('PUT', `${shop.base}/orders/update`, { token, body: { id: order.id, lines } });
  assert.deepEqual(problems(await update(line(mug), line(tea))), ['lines[0].quantity ALREADY_SHIPPED']);
  assert.deepEqual(problems(await update(line(tea))), ['lines ALREADY_SHIPPED']);
  assert.deepEqual(stateOf((await update(line(mug, 2))).body), ['FULFILLED', 'SHIPPED', 1]);
  assert.deepEqual(stateOf((await update(line(mug, 3))).body), ['PARTIAL', 'PROCESSING', 1]);
  assert.equal(await shop.stock(mug), 7);
});

test('each shipment emails its contents to the customer, unless `notify` is false', async () => {
  const customer = await h.user();
  const [mug, tea] = [await shop.product({ name: 'Mug' }), await shop.product({ name: 'Tea' })];
  const items = [line(mug, 2), line(tea)];
  const { body } = await shop.checkout(mug, { token: customer.token, items });
  await press(body.checkoutUrl!, 'pay');
  const { number } = await shop.order(body.orderId);
  await ship(body.orderId, { ...part(1), tracking: { carrier: 'DHL', url: 'https://dhl.example/1' } });
  const [first] = await mailsTo(customer.email!);
  assert.equal(first!.subject, `A shipment from order #${number} is on its way`);
  assert.match(
    first!.text,
    /Track your shipment: https:\/\/dhl\.example\/1\n[\s\S]*In this shipment:\n {2}1 × Mug \(Main\)\n\nStill to come:\n {2}1 × Mug \(Main\)\n {2}1 × Tea/,
  );
  await ship(body.orderId, { ...part(1), notify: false });
  assert.equal((await mailsTo(customer.email!)).length, 1);
  const { body: mistake } = await ship(body.orderId);
  await takeBack(body.orderId, mistake.id);
  assert.equal((await mailsTo(customer.email!)).length, 1, 'a shipment undone before its email sends none');
  await shop.setStatus(body.orderId, 'SHIPPED');
  const mails = await mailsTo(customer.email!);
  assert.equal(mails.length, 2);
  const { text } = mails.find((mail) => mail.text !== first!.text)!;
  assert.match(text, /In this shipment:\n {2}1 × Tea \(Main\)\n\nInvoice INV-1 \(PDF\): \S+\n\nShop\n$/);
});

test('an order with many shipments sends at most 20 emails about them', async () => {
  const lines = [line(await shop.product({ quantity: 30 }), 25)];
  const order = await create(lines, { email: 'many@example.com' });
  for (let i = 0; i < 25; i++) assert.equal((await ship(order.id, part(1))).status, 200);
  const tasks = await h.pool`select from order_tasks where order_id = ${order.id} and kind = 'SHIPPED'`;
  assert.equal(tasks.length, 20);
});

test('customers see their shipments without the member who shipped them, and others see none', async () => {
  const customer = await h.user();
  const { body } = await shop.checkout(await shop.product(), { token: customer.token, paymentMethod: 'CASH' });
  await ship(body.orderId);
  const path = `${shop.base}/orders/${body.orderId}/shipments` as const;
  const own = await h.call('GET', path, { token: customer.token });
  assert.deepEqual([own.body.items.length, own.body.items[0]!.userId], [1, undefined]);
  const { shipments } = (await h.call('GET', `${shop.base}/orders/${body.orderId}`, { token: customer.token })).body;
  assert.deepEqual(shipments, own.body.items);
  assert.equal((await h.call('GET', path, { token: (await h.user()).token })).status, 404);
  assert.equal((await ship(body.orderId, {}, customer.token)).status, 403);
});

test('lists filter by fulfillment, and count orders from older versions by their status', async () => {
  const other = await openShop(h);
  const mug = await other.product({ quantity: 100 });
  const ids: string[] = [];
  for (let i = 0; i < 4; i++)
    ids.push((await other.checkout(mug, { quantity: 2, paymentMethod: 'CASH' })).body.orderId);
  const send = (path: string, body: object) =>
    h.call('POST', `${other.base}/orders/${path}/shipments`, { token: other.staff.token, body });
  await send(ids[0]!, part(1));
  await send(ids[1]!, {});
  await other.setStatus(ids[2]!, 'SHIPPED');
  await h.pool`update orders set doc = doc - 'shipments' - 'fulfillment' where id = ${ids[2]!}`;
  const idsOf = async (fulfillment: string) =>
    (
      await h.call('GET', `${other.base}/orders?fulfillment=${fulfillment}`, { token: other.staff.token })
    ).body.items.map((order: Json) => {
      assert.equal(order.fulfillment, fulfillment);
      return order.id;
    });
  assert.deepEqual(await idsOf('UNFULFILLED'), [ids[3]]);
  assert.deepEqual(await idsOf('PARTIAL'), [ids[0]]);
  assert.deepEqual(await idsOf('FULFILLED'), [ids[2], ids[1]]);
  const old = await other.order(ids[2]!);
  assert.deepEqual(old.shipments[0]!.lines, part(2).lines);
  await other.setStatus(ids[2]!, 'CANCELLED');
  assert.deepEqual((await other.order(ids[2]!)).shipments, old.shipments, 'canceling keeps what was shipped');
  assert.equal(await other.stock(mug), 92);
});

test('shipments emit their own events before those of the order', async () => {
  const order = await create([line(await shop.product(), 2)]);
  const { body: first } = await ship(order.id, part(1));
  await setTracking(order.id, first.id, { tracking: { number: 'A' } });
  await takeBack(order.id, first.id);
  await shop.setStatus(order.id, 'SHIPPED');
  await h.numberEvents(shop.businessId);
  const events = await h.pool<{ type: string; data: Json }[]>`
    select type, data from events where business_id = ${shop.businessId} and entity = ${`order:${order.id}`} order by position`;
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      'order.created',
      ...['shipment.created', 'order.updated', 'order.status_changed'],
      ...['shipment.updated', 'order.updated'],
      ...['shipment.deleted', 'order.updated'],
      ...['shipment.created', 'order.updated', 'order.status_changed'],
    ],
  );
  assert.deepEqual(events[1]!.data, { ...first, orderId: order.id, number: order.number });
});

test('an unpaid order with a shipment does not expire', async () => {
  const { body } = await shop.checkout(await shop.product(), { quantity: 2, paymentMethod: 'CASH' });
  await ship(body.orderId, part(1));
  h.clock.advance(8 * 86_400);
  await h.drain('order-tasks');
  const [order] = await h.pool`select status from orders where id = ${body.orderId}`;
  assert.deepEqual(order, { status: 'PROCESSING' });
});
