import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { last, openShop } from '../orders/shop.ts';
import { startStripe, stripeEvent } from './stripe-server.ts';

const stripe = await startStripe();
const h = await shareHarness({ STRIPE_API_BASE: stripe.url });
const SECRET = 'whsec_of_this_shop';
const shop = await openShop(h, {
  paymentProvider: { type: 'STRIPE', publicKey: 'pk_1', secretKey: 'sk_test_of_this_shop', webhookSecret: SECRET },
});
const admin = await h.member(shop.businessId, 'ADMIN');

async function deliver(type: string, object: Json, id?: string) {
  const { payload, signature } = stripeEvent(type, object, SECRET, id ? { id } : {});
  return h.call('POST', `/v1/payments/webhooks/stripe/${shop.businessId}`, {
    body: payload,
    headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
  });
}
async function ok(type: string, object: Json, id?: string) {
  const { status, body } = await deliver(type, object, id);
  assert.equal(status, 200, JSON.stringify(body));
}

/** A paid order of 3,000. `isKnown`: Stripe's event about the payment has arrived. */
async function paidOrder({ isKnown = true } = {}) {
  const customer = await h.user();
  const { body } = await shop.checkout(await shop.product({ price: 3000 }), { token: customer.token });
  const session = stripe.sessionOf(body.orderId);
  stripe.pay(session);
  const paid = () => ok('checkout.session.completed', session);
  if (isKnown) await paid();
  const state = async () => {
    const { statuses, paymentStatus, paid, refunded } = await shop.order(body.orderId);
    return [last(statuses), last(paymentStatus), paid, refunded];
  };
  const events = async () => {
    const entity = `order:${body.orderId}`;
    const rows = await h.pool<{ type: string }[]>`
      select type from event_outbox where business_id = ${shop.businessId} and entity = ${entity}
      union all select type from events where business_id = ${shop.businessId} and entity = ${entity}`;
    const types = rows.map(({ type }) => type.slice('order.'.length)).sort();
    return types.filter((type) => ['refunded', 'disputed', 'payment_changed'].includes(type)).join(' ');
  };
  const mails = async (to: string | null) => {
    await h.drain('order-tasks');
    const { number } = await shop.order(body.orderId);
    const about = new RegExp(`#${number}\\b`);
    return (await h.mailbox())
      .map((mail) => mail as Json)
      .filter((mail) => mail.to === to && about.test(mail.subject))
      .map((mail) => mail.subject.replace(about, '#'))
      .sort();
  };
  return { orderId: body.orderId as string, session, customer, paid, state, events, mails };
}

const chargeOf = ({ payment_intent }: Json) => ({ id: 'ch_1', object: 'charge', payment_intent });

test('a refund in the Stripe dashboard updates the order once, however often and in whatever order it is reported', async () => {
  const { orderId, session, customer, state, events, mails } = await paidOrder();
  const partial = stripe.refundInDashboard(session, 1000);
  await Promise.all([
    ok('charge.refunded', chargeOf(session)),
    ok('refund.created', partial),
    ok('refund.updated', partial),
    ok('charge.refund.updated', partial),
  ]);
  await ok('refund.created', partial);
  assert.deepEqual(await state(), ['PROCESSING', 'PARTIALLY_REFUNDED', 3000, 1000]);
  const rest = stripe.refundInDashboard(session, 2000);
  await ok('refund.updated', rest, 'evt_rest');
  await ok('refund.updated', rest, 'evt_rest');
  await ok('refund.created', partial);
  assert.deepEqual(await state(), ['PROCESSING', 'REFUNDED', 3000, 3000]);
  assert.equal(await events(), 'payment_changed payment_changed payment_changed refunded refunded');
  const staff = 'Shop: Order # refunded through the payment provider';
  assert.deepEqual(await mails(admin.email), [staff, staff]);
  assert.deepEqual(await mails(customer.email), ['Order # confirmed', 'Refund for order #', 'Refund for order #']);
  assert.equal((await shop.refund(orderId)).status, 409, 'nothing is left to refund');
  const { body } = await h.call('GET', `${shop.base}/orders/${orderId}/refunds`, { token: shop.staff.token });
  assert.deepEqual(
    body.items.map(({ amount, reason, status, userId }: Json) => [amount, reason, status, userId]),
    [1000, 2000].map((amount) => [amount, 'Requested by customer', 'SUCCEEDED', undefined]),
  );
});

test('a refund reported before its payment marks the order as paid first', async () => {
  const { session, paid, state } = await paidOrder({ isKnown: false });
  assert.deepEqual(await state(), ['PENDING', 'PENDING', 0, 0]);
  await ok('charge.refunded', { ...chargeOf(session), amount_refunded: stripe.refundInDashboard(session, 500).amount });
  assert.deepEqual(await state(), ['PROCESSING', 'PARTIALLY_REFUNDED', 3000, 500]);
  await paid();
  assert.deepEqual(await state(), ['PROCESSING', 'PARTIALLY_REFUNDED', 3000, 500]);
});

test('a refund requested here is counted once, even if Stripe reports it before its response arrives', async () => {
  const { orderId, session, state, mails } = await paidOrder();
  assert.equal((await shop.refund(orderId, { amount: 700 })).status, 200);
  const [made] = [...stripe.refunds.values()].filter(({ payment_intent }) => payment_intent === session.payment_intent);
  await ok('refund.created', made!);
  await ok('charge.refunded', chargeOf(session));
  assert.deepEqual(await state(), ['PROCESSING', 'PARTIALLY_REFUNDED', 3000, 700]);
  assert.deepEqual(await mails(admin.email), [], 'staff requested it');
});

test('a refund that fails later returns the amount to the order, once', async () => {
  const { orderId, session, state, mails } = await paidOrder();
  assert.equal((await shop.refund(orderId)).status, 200);
  const [made] = [...stripe.refunds.values()].filter(({ payment_intent }) => payment_intent === session.payment_intent);
  made!.status = 'failed';
  for (const type of ['refund.failed', 'refund.updated', 'charge.refund.updated']) await ok(type, made!);
  assert.deepEqual(await state(), ['PROCESSING', 'PAID', 3000, 0]);
  assert.deepEqual(await mails(admin.email), ['Shop: Refund for order # failed']);
  assert.equal((await shop.refund(orderId)).status, 200, 'it can be refunded again');
});

test('a dispute is shown to staff, and counts as a refund only if it is lost', async () => {
  const { orderId, session, customer, state, events, mails } = await paidOrder();
  const dispute = stripe.dispute(session);
  const opened = { ...dispute };
  for (const type of ['created', 'funds_withdrawn', 'created']) await ok(`charge.dispute.${type}`, opened);
  const [shown] = (await shop.order(orderId)).disputes!;
  assert.deepEqual([shown!.id, shown!.amount, shown!.status], [dispute.id, 3000, 'OPEN']);
  assert.deepEqual(await state(), ['PROCESSING', 'PAID', 3000, 0]);
  dispute.status = 'lost';
  for (let i = 0; i < 2; i++) await ok('charge.dispute.closed', { ...dispute });
  await ok('charge.dispute.updated', opened);
  assert.equal((await shop.order(orderId)).disputes![0]!.status, 'LOST');
  assert.deepEqual(await state(), ['PROCESSING', 'REFUNDED', 3000, 3000]);
  assert.equal(await events(), 'disputed disputed payment_changed payment_changed refunded');
  assert.deepEqual(await mails(admin.email), ['Shop: Dispute lost for order #', 'Shop: Dispute opened for order #']);
  assert.deepEqual(await mails(customer.email), ['Order # confirmed']);
  const asCustomer = await h.call('GET', `${shop.base}/orders/${orderId}`, { token: customer.token });
  assert.equal(asCustomer.body.disputes, undefined);
});

test('a dispute that is won leaves the order paid', async () => {
  const { orderId, session, state } = await paidOrder();
  const dispute = stripe.dispute(session);
  dispute.status = 'won';
  await ok('charge.dispute.closed', { ...dispute });
  await ok('charge.dispute.created', { ...dispute, status: 'needs_response' });
  assert.equal((await shop.order(orderId)).disputes![0]!.status, 'WON');
  assert.deepEqual(await state(), ['PROCESSING', 'PAID', 3000, 0]);
});

test('while Stripe is unreachable the event gets 503, so that Stripe sends it again', async () => {
  const { session, state } = await paidOrder();
  const refund = stripe.refundInDashboard(session, 100);
  stripe.state.down = true;
  assert.equal((await deliver('refund.created', refund, 'evt_again')).status, 503);
  stripe.state.down = false;
  await ok('refund.created', refund, 'evt_again');
  assert.deepEqual(await state(), ['PROCESSING', 'PARTIALLY_REFUNDED', 3000, 100]);
});

test('refunds of charges that belong to no payment are ignored', async () => {
  await ok('charge.refunded', { id: 'ch_2', object: 'charge', payment_intent: 'pi_of_another_app' });
  await ok('refund.created', { id: 're_2', object: 'refund', payment_intent: null });
});

test('refunds made in Stripe, failed refunds and lost disputes get their documents', async () => {
  const rows = await h.pool<{ id: string; kept: number; invoiced: number; documents: number; paymentStatus: string }[]>`
    select o.id, o.paid - o.refunded as kept, count(d.id)::int as documents, o.payment_status,
      coalesce(sum(case d.type when 'INVOICE' then d.total else -d.total end), 0)::bigint as invoiced
    from orders o left join documents d on d.business_id = o.business_id and d.order_id = o.id
    where o.business_id = ${shop.businessId} group by o.id, o.paid, o.refunded, o.payment_status`;
  const paid = rows.filter(({ paymentStatus }) => paymentStatus !== 'PENDING');
  assert.ok(paid.length > 4);
  for (const { invoiced, kept } of paid) assert.equal(invoiced, kept);
  assert.ok(
    paid.some(({ documents }) => documents === 4),
    'an invoice, a credit note, the invoice that takes it back, and another credit note',
  );
});
