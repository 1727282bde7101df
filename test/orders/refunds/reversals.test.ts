import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type Json, shareHarness } from '../../harness.ts';
import { startStripe, stripeEvent } from '../../payments/stripe-server.ts';
import { last, openShop, passTime } from '../shop.ts';

const stripe = await startStripe();
const h = await shareHarness({ STRIPE_API_BASE: stripe.url });
const SECRET = 'whsec_of_this_shop';
const shop = await openShop(h, {
  paymentProvider: { type: 'STRIPE', publicKey: 'pk_1', secretKey: 'sk_test_of_this_shop', webhookSecret: SECRET },
});
const [STOCK, ORDERED] = [10, 3];

async function deliver(type: string, object: Json): Promise<void> {
  const { payload, signature } = stripeEvent(type, object, SECRET);
  const { status } = await h.call('POST', `/v1/payments/webhooks/stripe/${shop.businessId}`, {
    body: payload,
    headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
  });
  assert.equal(status, 200);
}

/** A paid order of three items at 1,000. */
async function paidOrder() {
  const product = await shop.product({ price: 1000, quantity: STOCK });
  const { body } = await shop.checkout(product, { quantity: ORDERED });
  const id: string = body.orderId;
  const session = stripe.sessionOf(id);
  stripe.pay(session);
  await deliver('checkout.session.completed', session);
  const lineId = (await shop.order(id)).lines[0]!.id;
  const get = async (path: string) =>
    (await h.call('GET', `${shop.base}/orders/${id}/${path}`, { token: shop.staff.token })).body.items as Json[];
  return {
    id,
    product,
    stock: () => shop.stock(product),
    status: (status: string) => shop.setStatus(id, status),
    pay: (status: string) => shop.setPayment(id, status),
    refund: (quantity: number, restock: boolean) => shop.refund(id, { lines: [{ lineId, quantity, restock }] }),
    ship: (quantity: number) =>
      h.call('POST', `${shop.base}/orders/${id}/shipments`, {
        token: shop.staff.token,
        body: { lines: [{ lineId, quantity }] },
      }),
    /** The latest refund fails at the bank. */
    async reverse() {
      const own = [...stripe.refunds.values()].filter((each) => each.payment_intent === session.payment_intent);
      const made = own.findLast(({ status }) => status !== 'failed');
      if (!made) return;
      made.status = 'failed';
      await deliver('refund.failed', made);
    },
    refunds: () => get('refunds'),
    documents: () => get('documents'),
  };
}

type Order = Awaited<ReturnType<typeof paidOrder>>;

/** Checks that stock, documents, fulfillment and money of the order agree. */
async function check(order: Order, done: readonly string[]): Promise<void> {
  const about = done.join(', ');
  const view = await shop.order(order.id);
  const refunds = await h.pool<{ status: string; parts: Json }[]>`
    select status, parts from refunds where business_id = ${shop.businessId} and reference = ${order.id}`;
  const lines = refunds.flatMap(({ status, parts }) =>
    parts.lines.map((line: Json) => ({ unshipped: 0, returned: 0, ...line, status })),
  );
  const sum = (count: (line: Json) => number) => lines.reduce((whole: number, line: Json) => whole + count(line), 0);
  const shipped = view.shipments
    .flatMap((each: Json) => each.lines)
    .reduce((all: number, each: Json) => all + each.quantity, 0);
  const removed = sum(({ status, unshipped }) => (status === 'FAILED' ? 0 : unshipped));
  const lost = sum(({ status, restock, unshipped, returned }) =>
    status === 'FAILED' || restock ? 0 : unshipped - returned,
  );
  const restocked = sum(({ restock, quantity, unshipped }) => (restock ? quantity - unshipped : 0));
  const isCancelled = last(view.statuses) === 'CANCELLED';
  const held = isCancelled ? 0 : ORDERED - shipped - removed;
  assert.equal(await order.stock(), STOCK - shipped - held - lost + restocked, `stock after ${about}`);
  assert.equal(await shop.ledger(order.product), await order.stock(), `ledger after ${about}`);

  const documents = await order.documents();
  const invoiced = documents.reduce((whole, { type, total }) => whole + (type === 'INVOICE' ? total : -total), 0);
  assert.equal(invoiced, view.paid - view.refunded, `documents after ${about}`);
  const toShip = ORDERED - shipped - removed;
  const fulfillment = toShip === 0 ? 'FULFILLED' : shipped > 0 ? 'PARTIAL' : 'UNFULFILLED';
  assert.equal(view.fulfillment, fulfillment, `fulfillment after ${about}`);
  const status = last(view.paymentStatus);
  const expected = view.refunded === 0 ? 'PAID' : view.refunded < view.paid ? 'PARTIALLY_REFUNDED' : 'REFUNDED';
  assert.equal(status, expected, `payment status after ${about}`);
}

const ACTIONS: Record<string, (order: Order) => Promise<unknown>> = {
  'ship one': (order) => order.ship(1),
  'refund one': (order) => order.refund(1, false),
  'refund and restock one': (order) => order.refund(1, true),
  'refund and restock all': (order) => order.refund(ORDERED, true),
  'refund 500': (order) => shop.refund(order.id, { amount: 500 }),
  'refund fails at the bank': (order) => order.reverse(),
  cancel: (order) => order.status('CANCELLED'),
  reopen: (order) => order.status('PROCESSING'),
  'ship all': (order) => order.status('SHIPPED'),
};
const MARKS: typeof ACTIONS = {
  'mark as refunded': (order) => order.pay('REFUNDED'),
  'mark as paid': (order) => order.pay('PAID'),
};

async function run(...steps: string[]): Promise<Order> {
  const order = await paidOrder();
  for (const [i, step] of steps.entries()) {
    await { ...ACTIONS, ...MARKS }[step]!(order);
    await check(order, steps.slice(0, i + 1));
  }
  return order;
}

for (const steps of [
  ['cancel', 'refund and restock all', 'reopen'],
  ['cancel', 'refund and restock one', 'reopen', 'refund fails at the bank', 'cancel'],
  ['refund and restock one', 'refund fails at the bank', 'cancel', 'reopen'],
  ['refund and restock all', 'refund fails at the bank', 'reopen', 'ship all'],
  ['mark as refunded', 'mark as paid', 'cancel', 'refund and restock all'],
  ['ship one', 'cancel', 'refund and restock all', 'refund fails at the bank', 'reopen', 'ship all'],
]) {
  test(`stock, documents, money and fulfillment agree: ${steps.join(', ')}`, () => run(...steps).then(() => {}));
}

/** An order of three items. One was refunded and sold to someone else before the refund failed, so the shop has none left. */
async function orderWithUnstocked(): Promise<Order> {
  const order = await paidOrder();
  await order.refund(1, true);
  assert.equal((await shop.checkout(order.product, { quantity: STOCK - ORDERED + 1 })).status, 200);
  await order.reverse();
  const { lines, unstocked, fulfillment } = await shop.order(order.id);
  assert.deepEqual(unstocked, [{ lineId: lines[0]!.id, quantity: 1 }]);
  assert.equal(fulfillment, 'UNFULFILLED');
  return order;
}

async function withdraw({ id }: Order, quantity: number) {
  const lineId = (await shop.order(id)).lines[0]!.id;
  const { token } = shop.staff;
  const { body } = await h.call('POST', `${shop.base}/orders/${id}/returns`, {
    token,
    body: { type: 'WITHDRAWAL', lines: [{ lineId, quantity }] },
  });
  const step = async (name: string, sent: object) => {
    const { status } = await h.call('POST', `${shop.base}/returns/${body.id}/${name}`, { token, body: sent });
    assert.equal(status, 200, name);
  };
  return { id: body.id as string, step };
}

const ENDS: Record<string, (order: Order) => Promise<unknown>> = {
  'a cancellation': (order) => order.status('CANCELLED'),
  'a refund': (order) => order.refund(ORDERED, true),
  'a withdrawal': async (order) => (await withdraw(order, ORDERED)).step('close', { refund: true }),
  'a withdrawal that is received': async (order) => {
    const { step } = await withdraw(order, ORDERED);
    await step('receive', { restock: true });
    await step('close', { refund: true });
  },
  'a rejected withdrawal and a cancellation': async (order) => {
    const { id, step } = await withdraw(order, ORDERED);
    await h.pool`update returns set doc = doc || '{"rejectable": true}' where business_id = ${shop.businessId} and id = ${id}`;
    await step('reject', { reason: 'Made to order' });
    assert.equal((await shop.order(order.id)).unstocked![0]!.quantity, 1);
    await order.status('CANCELLED');
  },
  'a cancellation during a withdrawal': async (order) => {
    const { step } = await withdraw(order, 2);
    await order.status('CANCELLED');
    await step('close', { refund: true });
  },
};

for (const [end, act] of Object.entries(ENDS)) {
  test(`items sold to others before their refund failed don't return to stock a second time with ${end}`, async () => {
    const order = await orderWithUnstocked();
    const forCustomer = await h.call('GET', `${shop.base}/orders/${order.id}`, { token: shop.customer.token });
    assert.equal('unstocked' in forCustomer.body, false);
    await act(order);
    assert.equal(await order.stock(), ORDERED - 1);
    assert.equal('unstocked' in (await shop.order(order.id)), false);
    assert.equal(await shop.ledger(order.product), ORDERED - 1);
  });
}

test('reducing a line first removes the items that were sold to others before their refund failed', async () => {
  const order = await orderWithUnstocked();
  await order.pay('PENDING');
  const shorten = async (quantity: number) => {
    const { id, lines } = await shop.order(order.id);
    const { status } = await h.call('PUT', `${shop.base}/orders/update`, {
      token: shop.staff.token,
      body: { id, lines: [{ ...lines[0], quantity, totalPrice: undefined }] },
    });
    assert.equal(status, 200);
    return { stock: await order.stock(), unstocked: (await shop.order(order.id)).unstocked };
  };
  assert.deepEqual(await shorten(2), { stock: 0, unstocked: undefined });
  assert.deepEqual(await shorten(1), { stock: 1, unstocked: undefined });
  await order.status('CANCELLED');
  assert.equal(await order.stock(), ORDERED - 1);
});

test('a return whose refund waits for the provider cannot be closed or rejected, and is refunded once', async () => {
  const order = await paidOrder();
  const { id, step } = await withdraw(order, ORDERED);
  const post = async (name: string, body: object) =>
    (await h.call('POST', `${shop.base}/returns/${id}/${name}`, { token: shop.staff.token, body })).status;
  await h.pool`update returns set doc = doc || '{"rejectable": true}' where business_id = ${shop.businessId} and id = ${id}`;
  stripe.state.down = true;
  assert.equal(await post('close', { refund: true }), 503);
  stripe.state.down = false;
  for (const body of [{ refund: true }, { refund: false }]) assert.equal(await post('close', body), 409);
  assert.equal(await post('reject', { reason: 'Too late' }), 409);
  await passTime(h, 300);
  await h.drain();
  const amounts = (await order.refunds()).map(({ amount, status }) => [amount, status]);
  assert.deepEqual(amounts, [[3000, 'SUCCEEDED']]);
  await assert.rejects(step('close', { refund: true }), 'it is closed');
});

test('stock, documents, money and fulfillment agree after any sequence of refunds, cancellations and reversals', async () => {
  const steps = fc.array(fc.constantFrom(...Object.keys(ACTIONS)), { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(steps, (each) => run(...each).then(() => {})),
    { numRuns: 15 },
  );
});
