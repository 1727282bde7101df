import assert from 'node:assert/strict';
import test, { beforeEach } from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { last, openShop, passTime, tally, untilBlocked } from '../orders/shop.ts';
import { startStripe, stripeEvent } from './stripe-server.ts';

const stripe = await startStripe();
const h = await shareHarness({ STRIPE_API_BASE: stripe.url, CHECKOUT_TTL: '600', PUBLIC_URL: 'https://souk.example' });
const second = await h.secondNode();
const SECRET = 'whsec_of_this_shop';
const shop = await openShop(h, {
  paymentProvider: { type: 'STRIPE', publicKey: 'pk_1', secretKey: 'sk_test_of_this_shop', webhookSecret: SECRET },
});
const DOWN: [number, Json] = [500, { error: { message: 'down', type: 'api_error' } }];
const REFUSED: [number, Json] = [400, { error: { message: 'no', type: 'invalid_request_error' } }];

beforeEach(() => {
  stripe.state.intercept = async () => null;
});

/**
 * Holds the next requests to a path of the provider, one for each response given here, until the test lets them
 * continue. Null is the normal response. All later requests get the last response.
 */
function hold(path: string, responses: ([number, Json] | null)[]) {
  const held = responses.map((response) => ({
    response,
    arrived: Promise.withResolvers<void>(),
    released: Promise.withResolvers<void>(),
  }));
  let count = 0;
  stripe.state.intercept = async (call) => {
    if (call !== path) return null;
    const { response, arrived, released } = held[Math.min(count++, held.length - 1)]!;
    arrived.resolve();
    await released.promise;
    return response;
  };
  return held.map(({ arrived, released }) => ({ arrived: arrived.promise, release: released.resolve }));
}

const holdSessions = (...responses: ([number, Json] | null)[]) => hold('POST /v1/checkout/sessions', responses);

const statusesOf = async (id: string) => {
  const { statuses, paymentStatus } = await shop.order(id);
  return [last(statuses), last(paymentStatus)];
};

test('a retry that can’t reach the provider gets the session that the first request opened', async () => {
  const mug = await shop.product({ quantity: 5 });
  const [a, b] = holdSessions(null, DOWN);
  const first = shop.checkout(mug, { key: 'opened' });
  await a!.arrived;
  const repeat = shop.checkout(mug, { key: 'opened', call: second.call });
  await b!.arrived;
  a!.release();
  const { status, body } = await first;
  b!.release();
  assert.equal(status, 200);
  assert.deepEqual((await repeat).body, body);
  assert.deepEqual(await statusesOf(body.orderId), ['PENDING', 'PENDING']);
  assert.deepEqual((await shop.checkout(mug, { key: 'opened' })).body, body);
  assert.equal(await shop.stock(mug), 4);
});

test('a session that is opened after a retry canceled the order is closed, and no one gets its URL', async () => {
  const mug = await shop.product({ quantity: 5 });
  const [a, b] = holdSessions(null, DOWN);
  const first = shop.checkout(mug, { key: 'canceled' });
  await a!.arrived;
  b!.release();
  assert.equal((await shop.checkout(mug, { key: 'canceled', call: second.call })).status, 503);
  a!.release();
  assert.equal((await first).status, 503);
  const { id } = (await shop.orders()).at(-1)!;
  assert.equal(stripe.sessionOf(id).status, 'expired');
  stripe.state.intercept = async () => null;
  const again = await shop.checkout(mug, { key: 'canceled' });
  assert.equal(again.status, 200);
  assert.notEqual(again.body.orderId, id);
  assert.deepEqual(await statusesOf(id), ['CANCELLED', 'FAILED']);
  assert.equal(await shop.stock(mug), 4);
});

test('a session that is opened after the order has expired is closed, and no one gets its URL', async () => {
  const mug = await shop.product({ quantity: 5 });
  const [a] = holdSessions(null);
  const placed = shop.checkout(mug);
  await a!.arrived;
  await passTime(h, 610);
  await h.drain('payment-watch');
  a!.release();
  assert.equal((await placed).status, 503);
  const { id } = (await shop.orders()).at(-1)!;
  assert.equal(stripe.sessionOf(id).status, 'expired');
  assert.deepEqual(await statusesOf(id), ['CANCELLED', 'FAILED']);
});

test('an order that expires while its session is opened is canceled only after the session is closed', async () => {
  const mug = await shop.product({ quantity: 5 });
  const [a] = holdSessions(null);
  const placed = shop.checkout(mug, { call: second.call });
  await a!.arrived;
  await passTime(h, 610);
  const { id } = (await shop.orders()).at(-1)!;
  let watching: Promise<number> | undefined;
  let url = '';
  await h.pool.transaction(async (tx) => {
    await tx`select from orders where business_id = ${shop.businessId} and id = ${id} for update`;
    watching = h.drain('payment-watch');
    await untilBlocked(h);
    a!.release();
    url = (await placed).body.checkoutUrl!;
  });
  const session = stripe.sessionOf(id);
  assert.equal(url, session.url);
  stripe.pay(session);
  await watching;
  // The provider's event is lost.
  await passTime(h, 70);
  await h.drain('payment-watch');
  assert.deepEqual(await statusesOf(id), ['PROCESSING', 'PAID']);
});

test('a retry after a crash between canceling the order and releasing the key places a new order', async () => {
  const mug = await shop.product({ quantity: 5 });
  const { body } = await shop.checkout(mug, { key: 'cut' });
  await h.pool`update payments set status = 'CLOSED', session_id = null, doc = doc - 'url' where id = ${body.orderId}`;
  await h.pool`update idempotency_keys set answer = null where key = 'cut'`;
  const responses = [await shop.checkout(mug, { key: 'cut' }), await shop.checkout(mug, { key: 'cut' })];
  assert.deepEqual(tally(responses), { 200: 1, 503: 1 });
  assert.notEqual(responses[1]!.body.orderId, body.orderId);
});

test('a refund request whose job has already made the refund has the same outcome', async () => {
  const mug = await shop.product({ price: 1000 });
  const { orderId } = (await shop.checkout(mug)).body;
  const session = stripe.sessionOf(orderId);
  stripe.pay(session);
  const { payload, signature } = stripeEvent('checkout.session.completed', session, SECRET);
  await h.call('POST', `/v1/payments/webhooks/stripe/${shop.businessId}`, {
    body: payload,
    headers: { 'stripe-signature': signature, 'content-type': 'application/json; charset=utf-8' },
  });
  const [request, job] = hold('POST /v1/refunds', [REFUSED, null]);
  const refund = () => shop.refund(orderId, { amount: 400 }, { 'idempotency-key': 'refunded' });
  const first = refund();
  await request!.arrived;
  job!.release();
  await passTime(h, 70);
  await h.drain('payment-refund');
  request!.release();
  const { status, body } = await first;
  assert.deepEqual([status, last(body.paymentStatus)], [200, 'PARTIALLY_REFUNDED']);
  assert.deepEqual((await refund()).body, body);
  const refunds = await h.pool`select amount, status from refunds where reference = ${orderId}`;
  assert.deepEqual([...refunds], [{ amount: 400, status: 'SUCCEEDED' }]);
});
