import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import Stripe from 'stripe';
import { casesOf } from '../cases.ts';
import { type Json, shareHarness } from '../harness.ts';
import { last, openShop, passTime, problems, type Shop, tally } from '../orders/shop.ts';
import { startStripe, stripeEvent } from './stripe-server.ts';

const stripe = await startStripe();
const h = await shareHarness({ STRIPE_API_BASE: stripe.url, CHECKOUT_TTL: '600', PUBLIC_URL: 'https://souk.example' });
const second = await h.secondNode();
const SECRET = 'whsec_of_this_shop';
const configs = (webhookSecret: string) => ({
  paymentProvider: { type: 'STRIPE', publicKey: 'pk_1', secretKey: 'sk_test_of_this_shop', webhookSecret },
});
const shop = await openShop(h, configs(SECRET));

function deliver(of: Shop, { payload, signature }: { payload: string; signature: string }, call = h.call) {
  return call('POST', `/v1/payments/webhooks/stripe/${of.businessId}`, {
    body: payload,
    headers: { 'stripe-signature': signature, 'content-type': 'application/json; charset=utf-8' },
  });
}
const completed = (session: Json, options = {}) => stripeEvent('checkout.session.completed', session, SECRET, options);
const statusesOf = async (id: string) => {
  const { statuses, paymentStatus } = await shop.order(id);
  return [last(statuses), last(paymentStatus)];
};

test('checkout creates a session with the order total, using the API key of the business', async () => {
  const mug = await shop.product({ price: 1500 });
  const { body } = await shop.checkout(mug, { quantity: 2, returnUrl: 'https://shop.example/thanks' });
  const session = stripe.sessionOf(body.orderId);
  assert.equal(body.checkoutUrl, session.url);
  assert.equal(session.amount_total, 3000);
  assert.equal(session.authorization, 'Bearer sk_test_of_this_shop');
  assert.equal(session.success_url, 'https://shop.example/thanks');
  assert.match(session.cancel_url, /\/pay\//);
  assert.equal(session.customer_email, shop.customer.email);
  stripe.pay(session);
  assert.equal((await deliver(shop, completed(session))).status, 200);
  assert.deepEqual(await statusesOf(body.orderId), ['PROCESSING', 'PAID']);
});

test('the session of a discounted order has exactly its total', async () => {
  const mug = await shop.product({ price: 999 });
  await shop.promo('THIRD', [{ type: 'ITEMS_PERCENTAGE', bps: 3333 }]);
  const { body } = await shop.checkout(mug, { quantity: 3, promoCode: 'THIRD' });
  assert.equal(stripe.sessionOf(body.orderId).amount_total, (await shop.order(body.orderId)).total);
});

test('a payment link of the same account can’t pay for an order, even with its reference', async () => {
  const { body } = await shop.checkout(await shop.product({ price: 5000 }));
  const link = { ...stripe.sessionOf(body.orderId), id: 'cs_link', amount_total: 100, metadata: {} };
  stripe.pay(link);
  assert.equal((await deliver(shop, completed(link))).status, 200);
  assert.deepEqual(await statusesOf(body.orderId), ['PENDING', 'PENDING']);
});

test('a payment of the wrong amount or in the wrong currency is refunded, and the order returns its stock', async () => {
  const mug = await shop.product({ price: 5000, quantity: 2 });
  for (const wrong of [{ amount_total: 4999 }, { currency: 'huf' }]) {
    const { body } = await shop.checkout(mug);
    const session = stripe.sessionOf(body.orderId);
    stripe.pay(session);
    const reported = { ...session, ...wrong };
    await deliver(shop, completed(reported));
    await h.drain();
    assert.deepEqual(await statusesOf(body.orderId), ['CANCELLED', 'REFUNDED']);
    const refunds = await h.pool`select amount, status from refunds where reference = ${body.orderId}`;
    assert.deepEqual([...refunds], [{ amount: reported.amount_total, status: 'SUCCEEDED' }]);
    assert.deepEqual([await shop.stock(mug), await shop.ledger(mug)], [2, 2]);
  }
});

test('more lines than a session allows are combined into one', async () => {
  const taxed = await openShop(h, { ...configs(SECRET), markets: [{ id: 'us', currency: 'usd', taxBps: 1000 }] });
  const cup = await taxed.product({ price: 7, quantity: 1000 });
  const items = Array.from({ length: 100 }, () => ({ productId: cup, variantId: 'main', quantity: 1 }));
  const { status, body } = await taxed.checkout(cup, { items });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(stripe.sessionOf(body.orderId).amount_total, 770, 'a hundred lines and their tax');
});

test('a permanent rejection returns 422 with the reason to staff, and 503 without advice to retry to customers', async () => {
  const mug = await shop.product({ quantity: 3 });
  for (const state of ['locked', 'refusesSessions'] as const) {
    stripe.state[state] = true;
    const staff = await shop.checkout(mug, { token: shop.staff.token });
    const customer = await shop.checkout(mug);
    stripe.state[state] = false;
    assert.deepEqual(problems(staff), ['paymentMethod PROVIDER_REFUSED']);
    assert.match(staff.body.message, /Invalid API Key|No such currency/);
    assert.equal(customer.status, 503);
    assert.doesNotMatch(customer.body.message, /again|API Key|currency/i);
    assert.equal(await shop.stock(mug), 3);
  }
});

test('an email is not sent to the customer before the payment', async () => {
  const mug = await shop.product({ quantity: 3 });
  const customer = await h.user();
  const subjects = async () => {
    await h.drain('order-tasks');
    return (await h.mailbox()).flatMap((mail) => (mail.to === customer.email ? [String((mail as Json).subject)] : []));
  };
  stripe.state.down = true;
  assert.equal((await shop.checkout(mug, { token: customer.token })).status, 503);
  stripe.state.down = false;
  assert.deepEqual(await subjects(), []);
  stripe.state.beforeSessionResponse = async () =>
    assert.deepEqual(await subjects(), [], 'the provider has not responded yet');
  const { status, body } = await shop.checkout(mug, { token: customer.token });
  assert.equal(status, 200);
  stripe.state.beforeSessionResponse = async () => {};
  await passTime(h, 31);
  assert.deepEqual(await subjects(), []);
  const session = stripe.sessionOf(body.orderId);
  stripe.pay(session);
  await deliver(shop, completed(session));
  assert.match(String(await subjects()), /^Order #\d+ confirmed$/);
});

test('ten concurrent deliveries of an event to two nodes take effect once', async () => {
  const mug = await shop.product();
  const { body } = await shop.checkout(mug);
  const session = stripe.sessionOf(body.orderId);
  stripe.pay(session);
  const event = completed(session, { id: 'evt_same' });
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, i) => deliver(shop, event, i % 2 ? second.call : h.call)),
  );
  assert.deepEqual(tally(responses), { 200: 10 });
  const other = await Promise.all(Array.from({ length: 5 }, () => deliver(shop, completed(session))));
  assert.deepEqual(tally(other), { 200: 5 });
  const order = await shop.order(body.orderId);
  assert.deepEqual(
    order.paymentStatus.map((entry) => entry.status),
    ['PENDING', 'PAID'],
  );
  assert.deepEqual(
    order.statuses.map((entry) => entry.status),
    ['PENDING', 'PROCESSING'],
  );
  const refunds = await h.pool`select id from refunds where reference = ${body.orderId}`;
  assert.equal(refunds.length, 0, 'not treated as a second payment');
});

test('the payment event can arrive before the checkout response', async () => {
  const mug = await shop.product();
  stripe.state.beforeSessionResponse = async (session) => {
    stripe.pay(session);
    assert.equal((await deliver(shop, completed(session))).status, 200);
  };
  const { status, body } = await shop.checkout(mug);
  stripe.state.beforeSessionResponse = async () => {};
  assert.equal(status, 200);
  assert.deepEqual(await statusesOf(body.orderId), ['PROCESSING', 'PAID']);
});

test('forged and expired signatures and signatures of another account are rejected with 400 and have no effect', async () => {
  const mug = await shop.product();
  const other = await openShop(h, configs('whsec_of_another'));
  const unconfigured = await openShop(h);
  const { body } = await shop.checkout(mug);
  const session = { ...stripe.sessionOf(body.orderId), status: 'complete', payment_status: 'paid' };
  const stale = Math.floor(Date.now() / 1000) - 3600;
  const good = completed(session);
  const attempts = [
    stripeEvent('checkout.session.completed', session, 'whsec_of_another'),
    completed(session, { timestamp: stale }),
    completed(session, { timestamp: stale + 7200 }),
    { ...good, payload: `${good.payload} ` },
    { ...good, signature: good.signature.replace('v1=', 'v0=') },
    { ...good, signature: '' },
  ];
  for (const attempt of attempts) assert.equal((await deliver(shop, attempt)).status, 400);
  assert.equal((await deliver(other, good)).status, 400);
  assert.equal((await deliver(unconfigured, good)).status, 400);
  assert.equal((await h.call('POST', '/v1/payments/webhooks/stripe/biz_none', { body: good.payload })).status, 404);
  assert.deepEqual(await statusesOf(body.orderId), ['PENDING', 'PENDING']);
  const theirs = stripeEvent('checkout.session.completed', session, 'whsec_of_another');
  assert.equal((await deliver(other, theirs)).status, 200, 'authentic, but not about this business');
  assert.deepEqual(await statusesOf(body.orderId), ['PENDING', 'PENDING']);
});

test('a provider outage returns 503, deducts no stock, and the request can be retried with the same Idempotency-Key', async () => {
  const mug = await shop.product({ quantity: 3 });
  await shop.promo('DOWN', [{ type: 'ITEMS_FIXED', amount: 1 }], [{ type: 'MAX_USES', value: 1 }]);
  stripe.state.down = true;
  const options = { promoCode: 'DOWN', key: 'again' };
  const failed = await shop.checkout(mug, options);
  assert.deepEqual([failed.status, failed.body.error], [503, 'UNAVAILABLE']);
  assert.equal(await shop.stock(mug), 3);
  const [cancelled] = (await shop.orders()).slice(-1);
  assert.deepEqual(await statusesOf(cancelled!.id), ['CANCELLED', 'FAILED']);
  stripe.state.down = false;
  const again = await shop.checkout(mug, options);
  assert.equal(again.status, 200);
  assert.equal(await shop.stock(mug), 2);
  assert.deepEqual((await shop.checkout(mug, options)).body, again.body);
});

test('twenty concurrent retries create one order and one session', async () => {
  const mug = await shop.product({ quantity: 30 });
  const before = stripe.sessions.size;
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => shop.checkout(mug, { key: 'twenty', call: i % 2 ? second.call : h.call })),
  );
  assert.deepEqual(tally(responses), { 200: 20 });
  assert.equal(new Set(responses.map((response) => JSON.stringify(response.body))).size, 1);
  assert.equal(stripe.sessions.size, before + 1);
  assert.equal(await shop.stock(mug), 29);
});

test('a retry after a crash between commit and response finds the order and its session', async () => {
  const mug = await shop.product({ quantity: 5 });
  const { body } = await shop.checkout(mug, { key: 'crash' });
  const [payment] = await h.pool`select created_at from payments where id = ${body.orderId}`;
  assert.equal(stripe.sessionOf(body.orderId).expires_at, payment!.createdAt + 35 * 60);
  await h.pool`update payments set session_id = null, doc = doc - 'url' where id = ${body.orderId}`;
  await h.pool`update idempotency_keys set answer = null where key = 'crash'`;
  assert.deepEqual((await shop.checkout(mug, { key: 'crash' })).body, body);
  assert.equal(await shop.stock(mug), 4);
});

test('polling finds a payment whose event was lost and creates a missing session', async () => {
  const mug = await shop.product();
  const paid = (await shop.checkout(mug)).body.orderId;
  const lost = (await shop.checkout(mug)).body.orderId;
  stripe.pay(stripe.sessionOf(paid));
  await h.pool`update payments set session_id = null, doc = doc - 'url' where id = ${lost}`;
  await passTime(h, 70);
  await h.drain('payment-watch');
  assert.deepEqual(await statusesOf(paid), ['PROCESSING', 'PAID']);
  const [row] = await h.pool`select session_id, doc from payments where id = ${lost}`;
  assert.equal(row!.sessionId, stripe.sessionOf(lost).id);
  assert.ok(row!.doc.url);
});

test('the provider’s session of an unpaid order expires before the order is canceled', async () => {
  const mug = await shop.product({ quantity: 5 });
  const { body } = await shop.checkout(mug);
  const session = stripe.sessionOf(body.orderId);
  stripe.state.down = true;
  await passTime(h, 610);
  await h.drain('payment-watch');
  assert.deepEqual(await statusesOf(body.orderId), ['PENDING', 'PENDING'], 'unchanged until the session is closed');
  stripe.state.down = false;
  await passTime(h, 70);
  await h.drain('payment-watch');
  assert.equal(session.status, 'expired');
  assert.deepEqual(await statusesOf(body.orderId), ['CANCELLED', 'FAILED']);
  assert.equal(await shop.stock(mug), 5);
  await deliver(shop, stripeEvent('checkout.session.expired', session, SECRET));
  assert.equal(await shop.stock(mug), 5);
});

test('an order expires even if the provider no longer has its session', async () => {
  const mug = await shop.product({ quantity: 5 });
  const { orderId } = (await shop.checkout(mug)).body;
  stripe.sessions.delete(stripe.sessionOf(orderId).id);
  await passTime(h, 610);
  await h.drain('payment-watch');
  assert.deepEqual(await statusesOf(orderId), ['CANCELLED', 'FAILED']);
  assert.equal(await shop.stock(mug), 5);
});

test('an expired session cancels the order, and out-of-order events change nothing', async () => {
  const mug = await shop.product({ quantity: 5 });
  const [a, b] = [(await shop.checkout(mug)).body.orderId, (await shop.checkout(mug)).body.orderId];
  const other = { ...stripe.sessionOf(a), id: 'cs_other', status: 'expired' };
  await deliver(shop, stripeEvent('checkout.session.expired', other, SECRET));
  assert.deepEqual(await statusesOf(a), ['PENDING', 'PENDING'], 'events of other sessions are ignored');
  await deliver(shop, stripeEvent('checkout.session.expired', { ...stripe.sessionOf(a), status: 'expired' }, SECRET));
  assert.deepEqual(await statusesOf(a), ['CANCELLED', 'FAILED']);
  const session = stripe.sessionOf(b);
  stripe.pay(session);
  await deliver(shop, completed(session));
  await deliver(shop, stripeEvent('checkout.session.expired', { ...session, payment_status: 'unpaid' }, SECRET));
  await deliver(
    shop,
    stripeEvent('checkout.session.async_payment_failed', { ...session, payment_status: 'unpaid' }, SECRET),
  );
  assert.deepEqual(await statusesOf(b), ['PROCESSING', 'PAID']);
  assert.equal(await shop.stock(mug), 4);
  const before = stripe.refunded();
  assert.equal((await shop.refund(b)).status, 200);
  assert.equal(stripe.refunded() - before, session.amount_total, 'the payment still counts as paid');
});

test('an asynchronous payment that fails is FAILED and can still be paid', async () => {
  const mug = await shop.product();
  const { orderId } = (await shop.checkout(mug)).body;
  const session = stripe.sessionOf(orderId);
  await deliver(shop, stripeEvent('checkout.session.async_payment_failed', session, SECRET));
  assert.deepEqual(await statusesOf(orderId), ['PENDING', 'FAILED']);
  stripe.pay(session);
  await deliver(shop, stripeEvent('checkout.session.async_payment_succeeded', session, SECRET));
  assert.deepEqual(await statusesOf(orderId), ['PROCESSING', 'PAID']);
});

test('a payment for an expired order deducts the stock again', async () => {
  const mug = await shop.product({ quantity: 1 });
  const { orderId } = (await shop.checkout(mug)).body;
  const session = stripe.sessionOf(orderId);
  await deliver(shop, stripeEvent('checkout.session.expired', { ...session, status: 'expired' }, SECRET));
  assert.equal(await shop.stock(mug), 1);
  stripe.pay(session);
  await deliver(shop, completed(session));
  assert.deepEqual(await statusesOf(orderId), ['PROCESSING', 'PAID']);
  assert.equal(await shop.stock(mug), 0);
  assert.equal(await shop.ledger(mug), 0);
});

test('a payment for an expired order that is now sold out is refunded automatically, once', async () => {
  const mug = await shop.product({ quantity: 1, price: 700 });
  const { orderId } = (await shop.checkout(mug)).body;
  const session = stripe.sessionOf(orderId);
  await deliver(shop, stripeEvent('checkout.session.expired', { ...session, status: 'expired' }, SECRET));
  assert.equal((await shop.checkout(mug)).status, 200);
  const before = stripe.refunded();
  stripe.pay(session);
  await Promise.all([deliver(shop, completed(session)), deliver(shop, completed(session))]);
  await h.drain('payment-refund');
  assert.equal(stripe.refunded() - before, 700);
  assert.deepEqual(await statusesOf(orderId), ['CANCELLED', 'REFUNDED']);
  assert.equal(await shop.stock(mug), 0);
  assert.equal((await shop.refund(orderId)).status, 409);
});

test('a payment for an expired order whose promo code is now used up is refunded and deducts no stock', async () => {
  const mug = await shop.product({ quantity: 5, price: 700 });
  const promo = await shop.promo(
    'SCARCE',
    [{ type: 'ITEMS_FIXED', amount: 1 }],
    [{ type: 'MAX_USES_PER_USER', value: 1 }],
  );
  const { orderId } = (await shop.checkout(mug, { promoCode: 'SCARCE' })).body;
  const session = stripe.sessionOf(orderId);
  await deliver(shop, stripeEvent('checkout.session.expired', { ...session, status: 'expired' }, SECRET));
  assert.equal((await shop.checkout(mug, { promoCode: 'SCARCE' })).status, 200);
  stripe.pay(session);
  await deliver(shop, completed(session));
  await h.drain('payment-refund');
  assert.deepEqual(await statusesOf(orderId), ['CANCELLED', 'REFUNDED']);
  assert.deepEqual([await shop.stock(mug), await shop.ledger(mug)], [4, 4]);
  const { body } = await h.call('GET', `${shop.base}/promo-codes/${promo.id}`, { token: shop.staff.token });
  assert.equal(body.uses, 1);
});

test('canceling an order closes its session, and a payment that was already made is refunded', async () => {
  const mug = await shop.product({ quantity: 5, price: 300 });
  const [paid, open] = [(await shop.checkout(mug)).body.orderId, (await shop.checkout(mug)).body.orderId];
  await shop.setStatus(paid, 'CANCELLED');
  await shop.setStatus(open, 'CANCELLED');
  stripe.pay(stripe.sessionOf(paid));
  const before = stripe.refunded();
  await h.drain('payment-watch', 'payment-refund');
  assert.equal(stripe.sessionOf(open).status, 'expired');
  assert.equal(stripe.refunded() - before, 300);
  assert.deepEqual(await statusesOf(paid), ['CANCELLED', 'REFUNDED']);
  assert.equal(await shop.stock(mug), 5);
});

test('the amount of an order can’t change while the provider’s session is open', async () => {
  const mug = await shop.product();
  const { orderId } = (await shop.checkout(mug)).body;
  const lines = [{ productId: mug, variantId: 'main', quantity: 2 }];
  const response = await h.call('PUT', `${shop.base}/orders/update`, {
    token: shop.staff.token,
    body: { id: orderId, lines },
  });
  assert.equal(response.status, 409);
});

test('refunds go through the provider and never exceed the paid amount, even concurrently', async () => {
  const mug = await shop.product({ price: 1000 });
  const { orderId } = (await shop.checkout(mug)).body;
  assert.equal((await shop.refund(orderId)).status, 409, 'nothing was paid');
  const session = stripe.sessionOf(orderId);
  stripe.pay(session);
  await deliver(shop, completed(session));
  const before = stripe.refunded();
  assert.deepEqual(problems(await shop.refund(orderId, { amount: 1001 })), ['amount OUT_OF_RANGE']);
  const partial = await shop.refund(orderId, { amount: 300, reason: 'scratched' }, { 'idempotency-key': 'r1' });
  assert.equal(last(partial.body.paymentStatus), 'PARTIALLY_REFUNDED');
  const repeated = await shop.refund(orderId, { amount: 300, reason: 'scratched' }, { 'idempotency-key': 'r1' });
  assert.deepEqual(repeated.body, partial.body);
  const responses = await Promise.all(Array.from({ length: 6 }, () => shop.refund(orderId, { amount: 600 })));
  assert.deepEqual(tally(responses), { 200: 1, 422: 5 });
  const rest = await Promise.all([shop.refund(orderId), shop.refund(orderId), shop.refund(orderId)]);
  assert.deepEqual(tally(rest), { 200: 1, 409: 2 });
  assert.deepEqual(await statusesOf(orderId), ['PROCESSING', 'REFUNDED']);
  assert.equal(stripe.refunded() - before, 1000);
  assert.equal([...stripe.refunds.values()].at(-1)!.payment_intent, `pi_${session.id}`);
});

test('a refund that is retried concurrently and by its job is made once', async () => {
  const mug = await shop.product({ price: 1000 });
  const { orderId } = (await shop.checkout(mug)).body;
  const session = stripe.sessionOf(orderId);
  stripe.pay(session);
  await deliver(shop, completed(session));
  const before = stripe.refunded();
  const key = { 'idempotency-key': 'refund-once' };
  const responses = await Promise.all(Array.from({ length: 6 }, () => shop.refund(orderId, { amount: 400 }, key)));
  assert.deepEqual(tally(responses), { 200: 6 });
  await passTime(h, 70);
  await h.drain('payment-refund');
  assert.equal(stripe.refunded() - before, 400);
  const mails = await h.pool`
    select id from order_tasks where order_id = ${orderId} and kind = 'REFUNDED'`;
  assert.equal(mails.length, 1);
});

test('a rejected refund releases its amount, and a refund without a response is retried and issued once', async () => {
  const mug = await shop.product({ price: 1000 });
  const { orderId } = (await shop.checkout(mug)).body;
  const session = stripe.sessionOf(orderId);
  stripe.pay(session);
  await deliver(shop, completed(session));
  stripe.state.refuses = true;
  const refused = await shop.refund(orderId);
  assert.deepEqual(problems(refused), ['amount PROVIDER_REFUSED']);
  assert.match(refused.body.message, /^The refund failed: no$/);
  assert.deepEqual(await statusesOf(orderId), ['PROCESSING', 'PAID']);
  stripe.state.refuses = false;
  const before = stripe.refunded();
  stripe.state.down = true;
  assert.equal((await shop.refund(orderId)).status, 503);
  assert.equal((await shop.refund(orderId)).status, 409, 'the amount stays reserved');
  stripe.state.down = false;
  await passTime(h, 70);
  await h.drain('payment-refund');
  assert.deepEqual(await statusesOf(orderId), ['PROCESSING', 'REFUNDED']);
  assert.equal(stripe.refunded() - before, 1000);
});

test('a rejected refund of a canceled order does not return its items to stock again', async () => {
  const mug = await shop.product({ quantity: 10 });
  const { orderId } = (await shop.checkout(mug, { quantity: 2 })).body;
  const session = stripe.sessionOf(orderId);
  stripe.pay(session);
  await deliver(shop, completed(session));
  await shop.setStatus(orderId, 'CANCELLED');
  assert.equal(await shop.stock(mug), 10);
  stripe.state.refuses = true;
  const lines = [{ lineId: (await shop.order(orderId)).lines[0]!.id, quantity: 2, restock: true }];
  assert.deepEqual(problems(await shop.refund(orderId, { lines })), ['amount PROVIDER_REFUSED']);
  stripe.state.refuses = false;
  assert.equal(await shop.stock(mug), 10);
});

test('if a pending refund is rejected later, a retry reports the rejection and the next one tries a new refund', async () => {
  const { orderId } = (await shop.checkout(await shop.product({ price: 1000 }))).body;
  const session = stripe.sessionOf(orderId);
  stripe.pay(session);
  await deliver(shop, completed(session));
  const refund = async () => (await shop.refund(orderId, {}, { 'idempotency-key': 'refused-later' })).status;
  stripe.state.down = true;
  assert.equal(await refund(), 503);
  Object.assign(stripe.state, { down: false, refuses: true });
  await passTime(h, 70);
  await h.drain('payment-refund');
  assert.equal(await refund(), 422);
  stripe.state.refuses = false;
  assert.equal(await refund(), 200);
  assert.deepEqual(await statusesOf(orderId), ['PROCESSING', 'REFUNDED']);
});

test('the refund of a late payment is retried for days while the API key is rejected, and is made once', async () => {
  const mug = await shop.product({ quantity: 1, price: 700 });
  const { orderId } = (await shop.checkout(mug)).body;
  const session = stripe.sessionOf(orderId);
  await shop.setStatus(orderId, 'CANCELLED');
  stripe.pay(session);
  const before = stripe.refunded();
  stripe.state.locked = true;
  await deliver(shop, completed(session));
  for (let hour = 0; hour < 60; hour++) {
    await h.pool`update refunds set due_at = 0 where reference = ${orderId}`;
    await h.drain('payment-refund');
  }
  stripe.state.locked = false;
  await h.pool`update refunds set due_at = 0 where reference = ${orderId}`;
  await h.drain('payment-refund');
  assert.equal(stripe.refunded() - before, 700);
  assert.deepEqual(await statusesOf(orderId), ['CANCELLED', 'REFUNDED']);
});

test('staff see that the API key was rejected, and the refund is made automatically once the key works', async () => {
  const { orderId } = (await shop.checkout(await shop.product({ price: 1000 }))).body;
  const session = stripe.sessionOf(orderId);
  stripe.pay(session);
  await deliver(shop, completed(session));
  stripe.state.locked = true;
  const response = await shop.refund(orderId);
  stripe.state.locked = false;
  assert.deepEqual(problems(response), ['amount PROVIDER_REFUSED']);
  await passTime(h, 70);
  await h.drain('payment-refund');
  assert.deepEqual(await statusesOf(orderId), ['PROCESSING', 'REFUNDED']);
});

test('a refund whose response was lost is not made again after its idempotency key has expired', async () => {
  const { orderId } = (await shop.checkout(await shop.product({ price: 1000 }))).body;
  const session = stripe.sessionOf(orderId);
  stripe.pay(session);
  await deliver(shop, completed(session));
  assert.equal((await shop.refund(orderId, { amount: 400 })).status, 200);
  const refunded = stripe.refunded();
  // Simulates a lost response, one day later.
  await h.pool`update refunds set status = 'PENDING', provider_refund_id = null, created_at = created_at - 86400
    where reference = ${orderId}`;
  stripe.forgetKeys();
  await passTime(h, 70);
  await h.drain('payment-refund');
  assert.equal(stripe.refunded(), refunded);
  const rows =
    await h.pool`select status, provider_refund_id is not null as known from refunds where reference = ${orderId}`;
  assert.deepEqual([...rows], [{ status: 'SUCCEEDED', known: true }]);
});

test('no signed event causes a 5xx response or changes an unrelated payment', async () => {
  const { orderId } = (await shop.checkout(await shop.product())).body;
  const good = { ...stripe.sessionOf(orderId), status: 'complete', payment_status: 'paid', payment_intent: 'pi_fuzz' };
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(null, '', '\0', '\ud800', -1, 1.5, 1e300, {}, [], 'x'.repeat(5000), { toString: 1 }, { id: 7 }),
  );
  const fields = fc.constantFrom(
    'id',
    'metadata',
    'payment_status',
    'amount_total',
    'currency',
    'payment_intent',
    'status',
  );
  const type = fc
    .constantFrom('completed', 'expired', 'async_payment_failed', 'x')
    .map((name) => `checkout.session.${name}`);
  const event = fc.oneof(
    odd,
    fc.record({ id: odd, type: fc.oneof(type, odd), data: odd }, { requiredKeys: [] }),
    fc.record({
      id: fc.oneof(fc.uuid(), odd),
      type: fc.oneof(type, odd),
      data: fc.record({
        object: fc
          .tuple(fields, odd)
          // An entirely valid event would pay the order.
          .map(([field, value]) => ({ ...good, metadata: { paymentId: 'ord_none' }, [field]: value })),
      }),
    }),
    odd.map((paymentId) => ({
      id: 'evt',
      type: 'checkout.session.completed',
      data: { object: { ...good, metadata: { paymentId } } },
    })),
  );
  await fc.assert(
    fc.asyncProperty(event, async (sent) => {
      const payload = JSON.stringify(sent) ?? 'undefined';
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET });
      const { status } = await deliver(shop, { payload, signature });
      assert.ok(status === 200 || status === 400, `${status} for ${payload.slice(0, 200)}`);
    }),
    { numRuns: casesOf(60, 300) },
  );
  assert.deepEqual(await statusesOf(orderId), ['PENDING', 'PENDING']);
});

test('secrets appear neither in responses nor in plain text in the database', async () => {
  const [row] = await h.pool`select configs::text as configs from businesses where id = ${shop.businessId}`;
  assert.ok(!row!.configs.includes('sk_test_of_this_shop') && !row!.configs.includes(SECRET));
  const { body } = await h.call('GET', shop.base, { token: shop.staff.token });
  assert.ok(!JSON.stringify(body).includes('sk_test_of_this_shop'));
});
