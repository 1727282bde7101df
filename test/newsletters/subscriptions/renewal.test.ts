import assert from 'node:assert/strict';
import test from 'node:test';
import { addInterval } from '../../../src/domains/payments/agreements/periods.ts';
import { syncAgreement, syncDue } from '../../../src/domains/payments/agreements/sync-agreement.ts';
import { type Json, startHarness } from '../../harness.ts';
import { startStripe, stripeEvent } from '../../payments/stripe-server.ts';
import { jobContext, makeNewsletter, type Newsletter, ok } from '../fixture.ts';

const stripe = await startStripe();
const h = await startHarness({ STRIPE_API_BASE: stripe.url, LIMIT_MESSAGES: '20' });
const SECRET = 'whsec_of_these_letters';
const DAY = 86_400;
let people = 0;

const form = (url: string, action: string, fields: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { accept: 'text/html' },
    body: new URLSearchParams({ action, ...fields }),
    redirect: 'manual',
  });

/** Opens the page of a plan and plays what it offers. */
const play = async (page: string, action: 'renew' | 'fail' | 'end') => form(page, action, await seenOn(page));

/** What the form of the page says of the period. */
async function seenOn(page: string): Promise<Record<string, string>> {
  const paidUntil = /name="paidUntil" value="(\d+)"/.exec(await (await fetch(page)).text())?.[1];
  return paidUntil === undefined ? {} : { paidUntil };
}

async function detailOf(letters: Newsletter, email: string): Promise<Json> {
  const [{ id }] = (await letters.subscribers(`?email=${email}`)) as [Json];
  const path = `${letters.base}/collections/${letters.collectionId}/subscribers/${id}`;
  return ok(h.call('GET', path, { token: letters.token }));
}

const mailsTo = async (email: string) => (await h.mailbox()).filter(({ to }) => to === email) as Json[];

/** The page of a plan, from the address that a member gets for the reader. */
async function planPage(letters: Newsletter, id: string): Promise<string> {
  const path = `${letters.base}/collections/${letters.collectionId}/subscribers/${id}/portal`;
  return (await ok(h.call('POST', path, { token: letters.token }))).url;
}

/** A reader of the sandbox who has paid. */
async function sandboxReader() {
  const letters = await makeNewsletter(h);
  const email = `reader${++people}@example.com`;
  const { checkoutUrl } = await ok(letters.subscribe(email, { planId: 'club' }));
  await form(checkoutUrl, 'pay');
  await h.drain('agreement-sync');
  const { id } = await detailOf(letters, email);
  return { letters, email, id: id as string, page: await planPage(letters, id) };
}

/** A reader who has paid through Stripe, and how Stripe tells of what happens. */
async function stripeReader(collection: object = {}) {
  const keys = { publicKey: 'pk_1', secretKey: 'sk_test_1', webhookSecret: SECRET };
  const letters = await makeNewsletter(h, collection, { paymentProvider: { type: 'STRIPE', ...keys } });
  const email = `reader${++people}@example.com`;
  const { checkoutUrl } = await ok(letters.subscribe(email, { planId: 'club' }));
  const session = [...stripe.sessions.values()].find(({ url }) => url === checkoutUrl);
  stripe.pay(session);
  const tell = async (
    type: string,
    object: Json,
    { secret = SECRET, businessId = letters.businessId, ...more }: Json = {},
  ) => {
    const event = stripeEvent(type, object, secret, more);
    const headers = { 'stripe-signature': event.signature, 'content-type': 'application/json' };
    const { status } = await h.call('POST', `/v1/payments/webhooks/stripe/${businessId}`, {
      body: event.payload,
      headers,
    });
    await h.drain('agreement-sync');
    return status;
  };
  assert.equal(await tell('checkout.session.completed', session), 200);
  const askedOf = () => stripe.state.calls.filter((call) => call.endsWith(session.subscription)).length;
  return { letters, email, session, tell, askedOf };
}

/** Our own page of a plan, whoever takes the money. */
const ownPage = (businessId: string, id: string): string =>
  (h.service.contexts.system() as Json).newsletters.planTokens.url(h.url, { businessId, id }, h.clock.seconds());

test('in the sandbox renewal, failure and cancellation are played on the page of the plan', async () => {
  const { letters, email, page } = await sandboxReader();
  const first = await detailOf(letters, email);
  assert.deepEqual([first.status, first.billing.interval, first.billing.amount], ['ACTIVE', 'MONTHLY', 500]);
  assert.ok(first.billing.paidUntil > h.clock.seconds() + 27 * DAY);
  const shown = await (await fetch(page)).text();
  assert.match(shown, /renews by itself/);
  assert.deepEqual((await detailOf(letters, email)).billing, first.billing, 'to look changes nothing');

  await play(page, 'renew');
  const renewed = (await detailOf(letters, email)).billing;
  assert.ok(renewed.paidUntil > first.billing.paidUntil + 27 * DAY);
  assert.equal(renewed.charges.length, 2);

  assert.match(await (await play(page, 'fail')).text(), /last payment has failed/);
  await play(page, 'fail');
  assert.equal((await detailOf(letters, email)).status, 'PAST_DUE');
  const mails = (await mailsTo(email)).filter(({ subject }) => /has failed/.test(subject));
  assert.equal(mails.length, 1, 'one mail for one failed renewal');
  const own = /http\S+\/plan\/\S+/.exec(mails[0].text)![0];
  assert.match(await (await fetch(own)).text(), /last payment has failed/);
  const send = await ok(letters.send(await letters.entry()));
  assert.equal(send.recipients, 0, 'who has not paid is sent nothing');

  await play(page, 'renew');
  assert.equal((await detailOf(letters, email)).status, 'ACTIVE');
  await form(page, 'cancel');
  const cancelled = await detailOf(letters, email);
  assert.deepEqual([cancelled.status, cancelled.billing.cancelAtPeriodEnd], ['ACTIVE', true]);
  await form(page, 'resume');
  assert.equal((await detailOf(letters, email)).billing.cancelAtPeriodEnd, false);
  await form(page, 'cancel');
  await play(page, 'renew');
  assert.equal((await detailOf(letters, email)).billing.cancelAtPeriodEnd, false, 'what is renewed goes on');
  await form(page, 'cancel');
  await h.drain('agreement-sync');
  assert.equal((await detailOf(letters, email)).status, 'ACTIVE', 'until the period ends');
  await play(page, 'end');
  const ended = await detailOf(letters, email);
  assert.deepEqual([ended.status, ended.billing.status], ['UNSUBSCRIBED', 'ENDED']);
  const paidUntil = String(ended.billing.paidUntil);
  for (const action of ['renew', 'fail', 'end']) await form(page, action, { paidUntil });
  assert.deepEqual(await detailOf(letters, email), ended);
});

test('a second click plays nothing: what is played names the period that the page has shown', async () => {
  const { letters, email, page } = await sandboxReader();
  const seen = await seenOn(page);
  const pages = await Promise.all(Array.from({ length: 8 }, async () => (await form(page, 'renew', seen)).text()));
  const { billing } = await detailOf(letters, email);
  assert.equal(billing.charges.length, 2);
  assert.match(
    pages.at(-1)!,
    new RegExp(`value="${billing.paidUntil}"`),
    'the second click is shown what the first did',
  );
  await form(page, 'cancel');
  for (const action of ['renew', 'fail', 'end']) await form(page, action, seen);
  for (const action of ['renew', 'fail', 'end']) await form(page, action);
  assert.deepEqual((await detailOf(letters, email)).billing, { ...billing, cancelAtPeriodEnd: true });

  const cancelled = await seenOn(page);
  await form(page, 'resume');
  await form(page, 'end', cancelled);
  assert.deepEqual((await detailOf(letters, email)).billing, billing, 'what renews again does not end');
});

test('a plan of the sandbox renews by itself at the end of each period, once, and ends then when it is cancelled', async () => {
  const { letters, email, id } = await sandboxReader();
  const { billing } = await detailOf(letters, email);
  h.clock.advance(billing.paidUntil - h.clock.seconds() + 1);
  await Promise.all([syncDue(jobContext(h.service)), syncDue(jobContext(h.service))]);
  await syncDue(jobContext(h.service));
  await letters.login();
  const renewed = (await detailOf(letters, email)).billing;
  assert.equal(renewed.charges.length, 2);
  await form(await planPage(letters, id), 'cancel');
  h.clock.advance(renewed.paidUntil - h.clock.seconds() + 1);
  await syncDue(jobContext(h.service));
  await letters.login();
  assert.equal((await detailOf(letters, email)).status, 'UNSUBSCRIBED');
});

test('a period ends on the day that it began on, or on the last of a shorter month', () => {
  const from = (day: string, interval: 'WEEKLY' | 'MONTHLY' | 'YEARLY') =>
    new Date(addInterval(Date.parse(`${day}T10:00:00Z`) / 1000, interval) * 1000).toISOString();
  assert.equal(from('2027-01-31', 'MONTHLY'), '2027-02-28T10:00:00.000Z');
  assert.equal(from('2027-12-31', 'MONTHLY'), '2028-01-31T10:00:00.000Z');
  assert.equal(from('2028-02-29', 'YEARLY'), '2029-02-28T10:00:00.000Z');
  assert.equal(from('2027-01-31', 'WEEKLY'), '2027-02-07T10:00:00.000Z');
});

test('what could not be charged in the sandbox is not charged by itself', async () => {
  const { letters, email, page } = await sandboxReader();
  await play(page, 'fail');
  h.clock.advance(32 * DAY);
  await syncDue(jobContext(h.service));
  await letters.login();
  assert.equal((await detailOf(letters, email)).billing.status, 'PAST_DUE');
});

test('each period that could not be charged is mailed of, and who is PAST_DUE already is not changed again', async () => {
  const { letters, email, session, tell } = await stripeReader();
  const { id } = await detailOf(letters, email);
  const versionOf = async () => (await h.pool`select version from subscriptions where id = ${id}`)[0]!.version;
  await tell('invoice.payment_failed', stripe.renew(session, 1, { paid: false }));
  const version = await versionOf();
  await tell('invoice.payment_failed', stripe.renew(session, 2, { paid: false }));
  assert.equal((await mailsTo(email)).filter(({ subject }) => /has failed/.test(subject)).length, 2);
  assert.deepEqual([await letters.statusOf(email), await versionOf()], ['PAST_DUE', version]);
});

test('the page of a plan opens for 30 days', async () => {
  const { page } = await sandboxReader();
  assert.equal((await fetch(page)).status, 200);
  h.clock.advance(30 * DAY);
  assert.equal((await fetch(page)).status, 404);
});

test('with Stripe nothing is played', async () => {
  const { letters, email } = await stripeReader();
  const before = await detailOf(letters, email);
  const [page, paidUntil] = [ownPage(letters.businessId, before.id), String(before.billing.paidUntil)];
  for (const action of ['renew', 'fail', 'end']) await form(page, action, { paidUntil });
  assert.deepEqual(await detailOf(letters, email), before);
});

test('the link of a newsletter cancels at the end of the period or at once; a GET does neither, and it opens no payments', async () => {
  const { letters, email, id } = await sandboxReader();
  const { newsletters } = h.service.contexts.system() as Json;
  const link = newsletters.tokens.url(h.url, letters.businessId, id);
  const shown = await (await fetch(link, { headers: { accept: 'text/html' } })).text();
  assert.match(shown, /has paid for this newsletter until/);
  assert.doesNotMatch(shown, /5\.00|Payments/);
  assert.equal((await detailOf(letters, email)).billing.cancelAtPeriodEnd, false);
  assert.equal((await fetch(`${h.url}/plan/${link.split('/').at(-1)}`)).status, 404, 'not the token of the page');

  assert.match(await (await form(link, 'cancel')).text(), /You get every issue until/);
  const cancelled = await detailOf(letters, email);
  assert.deepEqual([cancelled.status, cancelled.billing.cancelAtPeriodEnd], ['ACTIVE', true]);
  const [told] = await mailsTo(email);
  assert.match(told.subject, /is cancelled$/);
  await form(link, 'cancel');
  for (const action of ['resume', 'cancel']) await form(/http\S+\/plan\/\S+/.exec(told.text)![0], action);
  assert.equal((await mailsTo(email)).filter(({ subject }) => /is cancelled/.test(subject)).length, 1);
  assert.equal((await detailOf(letters, email)).billing.cancelAtPeriodEnd, true);
  await form(link, 'manage');
  assert.match((await mailsTo(email))[0].text, /has asked for the page/);

  const oneClick = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  assert.equal((await fetch(link, { method: 'POST', body: oneClick })).status, 200);
  const left = await detailOf(letters, email);
  assert.deepEqual([left.status, left.billing.cancelAtPeriodEnd], ['UNSUBSCRIBED', true]);
  await play(ownPage(letters.businessId, id), 'end');
  assert.doesNotMatch(await (await form(link, 'cancel')).text(), /You get every issue until/);
});

test('with Stripe a renewal extends the period once, however often, late and in whatever order its news comes', async () => {
  const { letters, email, session, tell, askedOf } = await stripeReader();
  assert.deepEqual([session.mode, session.interval], ['subscription', 'month']);
  const asked = askedOf();
  for (let i = 0; i < 2; i++)
    await tell('customer.subscription.updated', { id: session.subscription }, { id: 'evt_u' });
  assert.equal(askedOf(), asked + 1, 'an event that comes twice has one effect');
  const first = await detailOf(letters, email);
  assert.deepEqual([first.status, first.billing.status, first.billing.charges.length], ['ACTIVE', 'ACTIVE', 1]);
  const failed = stripe.renew(session, 1, { paid: false });
  const invoice = { ...failed, status: 'paid', amount_paid: 500 };
  assert.equal(await tell('invoice.payment_failed', failed, { id: 'evt_f' }), 200);
  assert.equal(await tell('invoice.payment_failed', failed, { id: 'evt_f' }), 200);
  await tell('invoice.payment_failed', failed, { id: 'evt_second_try' });
  assert.equal((await detailOf(letters, email)).status, 'PAST_DUE');
  assert.equal((await mailsTo(email)).filter(({ subject }) => /has failed/.test(subject)).length, 1);

  Object.assign(stripe.subscriptions.get(session.subscription), { status: 'active', latest_invoice: invoice });
  for (let i = 0; i < 3; i++) await tell('invoice.paid', invoice, { id: `evt_p${i}` });
  await tell('invoice.payment_failed', failed, { id: 'evt_late' });
  await tell('customer.subscription.updated', { id: session.subscription, status: 'past_due' });
  const paid = await detailOf(letters, email);
  assert.deepEqual([paid.status, paid.billing.charges.length], ['ACTIVE', 2]);
  assert.equal(paid.billing.paidUntil, invoice.lines.data[0].period.end);
});

test('late news of an earlier period changes neither how long is paid nor what has failed since', async () => {
  const { letters, email, session, tell } = await stripeReader();
  const [first, second] = [stripe.renew(session, 1), stripe.renew(session, 2)];
  const failed = stripe.renew(session, 3, { paid: false });
  const stateOf = async () => {
    const { status, billing } = await detailOf(letters, email);
    return [status, billing.status, billing.paidUntil];
  };
  const endOf = (invoice: Json): number => invoice.lines.data[0].period.end;
  await tell('invoice.paid', first);
  await tell('invoice.payment_failed', failed);
  await tell('invoice.paid', second);
  await tell('invoice.paid', first);
  assert.deepEqual(await stateOf(), ['PAST_DUE', 'PAST_DUE', endOf(second)]);
  await tell('invoice.paid', { ...failed, status: 'paid', amount_paid: 500 });
  await tell('invoice.paid', { ...first, id: 'in_older' });
  await tell('invoice.payment_failed', { ...second, id: 'in_old', status: 'open', amount_paid: 0 });
  assert.deepEqual(await stateOf(), ['ACTIVE', 'ACTIVE', endOf(failed)]);
});

test('what has ended stays so, and Stripe is not asked about it any more', async () => {
  const { letters, email, session, tell, askedOf } = await stripeReader();
  const { id } = await detailOf(letters, email);
  const invoice = stripe.renew(session, 1);
  stripe.subscriptions.get(session.subscription).status = 'canceled';
  await tell('customer.subscription.deleted', { id: session.subscription });
  const [ended, asked] = [await detailOf(letters, email), askedOf()];
  await tell('invoice.paid', invoice);
  const late = await detailOf(letters, email);
  assert.deepEqual([late.status, late.billing.status], [ended.status, 'ENDED']);
  await h.service.events.sequence(h.service.contexts.system().within(letters.businessId));
  const told = await h.pool`
    select from events where business_id = ${letters.businessId} and type = 'subscription.renewed'`;
  assert.equal(told.length, 0);
  const path = `${letters.base}/collections/${letters.collectionId}/subscribers/${id}`;
  assert.equal((await h.call('POST', `${path}/portal`, { token: letters.token })).status, 409);

  await tell('customer.subscription.updated', { id: session.subscription });
  const [{ id: agreementId }] = (await h.pool`select id from agreements where business_id = ${letters.businessId}`) as [
    Json,
  ];
  const { businessId } = letters;
  await syncAgreement(jobContext(h.service, businessId), { businessId, agreementId });
  const collection = `${letters.base}/collections/${letters.collectionId}?cascade=true`;
  await ok(h.call('DELETE', collection, { token: letters.token }));
  await h.drain();
  await syncDue(jobContext(h.service));
  assert.equal(askedOf(), asked);
});

test('a reader who moves to another plan pays for that one alone, whatever they wish meanwhile', async () => {
  const price = { currency: 'eur', interval: 'MONTHLY' };
  const plans = [
    { id: 'club', name: 'Club', price: { ...price, amount: 500 } },
    { id: 'gold', name: 'Gold', price: { ...price, amount: 900 } },
  ];
  const { letters, email, session, tell } = await stripeReader({ plans });
  const { checkoutUrl } = await ok(letters.subscribe(email, { planId: 'gold' }));
  const gold = [...stripe.sessions.values()].find(({ url }) => url === checkoutUrl);
  stripe.pay(gold);
  stripe.state.down = true;
  await tell('checkout.session.completed', gold);
  const { id, planId } = await detailOf(letters, email);
  assert.equal(planId, 'gold');
  for (const action of ['cancel', 'resume']) await form(ownPage(letters.businessId, id), action);
  await tell('invoice.payment_failed', stripe.renew(session, 1, { paid: false }));
  const failures = (await mailsTo(email)).filter(({ subject }) => /has failed/.test(subject));
  assert.deepEqual([await letters.statusOf(email), failures.length], ['ACTIVE', 0]);
  const failed = stripe.renew(gold, 1, { paid: false });
  await tell('invoice.payment_failed', failed);
  await tell('invoice.paid', stripe.renew(session, 2));
  assert.equal(await letters.statusOf(email), 'PAST_DUE');
  await tell('invoice.paid', { ...failed, status: 'paid', amount_paid: 900 });
  stripe.state.down = false;
  h.clock.advance(601);
  await syncDue(jobContext(h.service));
  assert.equal(stripe.subscriptions.get(session.subscription).status, 'canceled');
  assert.notEqual(stripe.subscriptions.get(gold.subscription).status, 'canceled');
  assert.equal(await letters.statusOf(email), 'ACTIVE');
  assert.equal((await detailOf(letters, email)).billing.planId, 'gold');
});

test('who has unsubscribed hears no more of their plan, whatever becomes of it', async () => {
  const { letters, email, session, tell } = await stripeReader();
  const { id } = await detailOf(letters, email);
  const { newsletters } = h.service.contexts.system() as Json;
  await fetch(newsletters.tokens.url(h.url, letters.businessId, id), {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  });
  await tell('invoice.payment_failed', stripe.renew(session, 1, { paid: false }));
  assert.deepEqual([await letters.statusOf(email), (await mailsTo(email)).length], ['UNSUBSCRIBED', 0]);
  await tell('invoice.paid', stripe.renew(session, 2));
  const { version } = (await h.pool`select version from subscriptions where id = ${id}`)[0] as Json;
  stripe.subscriptions.get(session.subscription).status = 'canceled';
  await tell('customer.subscription.deleted', { id: session.subscription });
  assert.equal(await letters.statusOf(email), 'UNSUBSCRIBED');
  assert.equal((await h.pool`select version from subscriptions where id = ${id}`)[0]!.version, version);
});

test('each mail that somebody can cause on the pages of a plan counts', async () => {
  const [failing, asking] = [await sandboxReader(), await sandboxReader()];
  const { newsletters } = h.service.contexts.system() as Json;
  const link = newsletters.tokens.url(h.url, asking.letters.businessId, asking.id);
  for (const [address, action] of [
    [failing.page, 'fail'],
    [link, 'manage'],
  ] as const) {
    const [statuses, seen] = [[] as number[], await seenOn(address)];
    for (let i = 0; i <= 20; i++) statuses.push((await form(address, action, seen)).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429], action);
  }
});

test('a wish that comes while Stripe is being told of another one is told after it', async () => {
  const { letters, email, session } = await stripeReader();
  const page = ownPage(letters.businessId, (await detailOf(letters, email)).id);
  stripe.state.beforeChanged = async () => {
    stripe.state.beforeChanged = async () => {};
    await form(page, 'resume');
  };
  await form(page, 'cancel');
  await h.drain('agreement-sync');
  assert.equal(stripe.subscriptions.get(session.subscription).cancel_at_period_end, false);
  assert.equal((await detailOf(letters, email)).billing.cancelAtPeriodEnd, false);
});

test('forged news, news of another business, another currency or too little money extend nothing', async () => {
  const { letters, email, session, tell } = await stripeReader();
  const other = await stripeReader();
  const before = await detailOf(letters, email);
  const invoice = stripe.renew(session, 1);
  stripe.subscriptions.get(session.subscription).latest_invoice = { ...invoice, amount_paid: 499 };
  assert.equal(await tell('invoice.paid', invoice, { secret: 'whsec_of_a_stranger' }), 400);
  await tell('invoice.paid', invoice, { businessId: other.letters.businessId });
  await tell('invoice.paid', { ...invoice, currency: 'huf' });
  await tell('invoice.paid', { ...invoice, amount_paid: 499 });
  const odd = { ...invoice, lines: { data: 'x' }, parent: null, subscription: 7 };
  assert.equal(await tell('invoice.paid', odd), 200, 'a form that is not known has no effect');
  assert.equal(await tell('invoice.paid', { ...odd, subscription: session.subscription }), 200);
  assert.deepEqual((await detailOf(letters, email)).billing, before.billing);
});

test('a cancellation reaches Stripe as soon as it answers again, and its end is the end of the subscription', async () => {
  const { letters, email, session, tell } = await stripeReader();
  const { id } = await detailOf(letters, email);
  const path = `${letters.base}/collections/${letters.collectionId}/subscribers/${id}`;
  stripe.state.down = true;
  const { body } = await h.call('PUT', path, { token: letters.token, body: { cancelAtPeriodEnd: true } });
  assert.deepEqual([body.status, body.billing.cancelAtPeriodEnd], ['ACTIVE', true]);
  await h.drain('agreement-sync');
  stripe.state.down = false;
  const subscription = stripe.subscriptions.get(session.subscription);
  assert.equal(subscription.cancel_at_period_end, false);
  h.clock.advance(601);
  await syncDue(jobContext(h.service));
  assert.equal(subscription.cancel_at_period_end, true);
  subscription.status = 'canceled';
  await tell('customer.subscription.deleted', { id: session.subscription });
  const ended = await detailOf(letters, email);
  assert.deepEqual([ended.status, ended.billing.status], ['UNSUBSCRIBED', 'ENDED']);
});

test('what the reader chooses in Stripe’s portal counts here, and the portal is opened for their customer', async () => {
  const { letters, email, session, tell } = await stripeReader();
  const { id } = await detailOf(letters, email);
  assert.equal(await planPage(letters, id), `https://billing.stripe.example/${session.customer}`);
  const path = `${letters.base}/collections/${letters.collectionId}/subscribers/${id}/portal`;
  for (const [trouble, status] of [
    ['locked', 409],
    ['down', 503],
  ] as const) {
    stripe.state[trouble] = true;
    assert.equal((await h.call('POST', path, { token: letters.token })).status, status);
    stripe.state[trouble] = false;
  }
  stripe.subscriptions.get(session.subscription).cancel_at_period_end = true;
  await tell('customer.subscription.updated', { id: session.subscription });
  assert.equal((await detailOf(letters, email)).billing.cancelAtPeriodEnd, true);
});

test('news that never came is made up for by looking, by one process', async () => {
  const { letters, email, session, askedOf } = await stripeReader();
  const invoice = stripe.renew(session, 1);
  const asked = askedOf();
  h.clock.advance(31 * DAY);
  await Promise.all([syncDue(jobContext(h.service)), syncDue(jobContext(h.service))]);
  assert.equal(askedOf(), asked + 1);
  await letters.login();
  assert.equal((await detailOf(letters, email)).billing.paidUntil, invoice.lines.data[0].period.end);
});

test('a second payment for the same plan is refunded and ends at Stripe; so does the plan of a reader who was deleted', async () => {
  const { letters, email, session, tell } = await stripeReader();
  await h.pool`update subscriptions set status = 'UNSUBSCRIBED' where business_id = ${letters.businessId}`;
  const { checkoutUrl } = await ok(letters.subscribe(email, { planId: 'club' }));
  await h.pool`update subscriptions set status = 'ACTIVE' where business_id = ${letters.businessId}`;
  const second = [...stripe.sessions.values()].find(({ url }) => url === checkoutUrl);
  stripe.pay(second);
  await tell('checkout.session.completed', second);
  await h.drain();
  assert.equal(stripe.subscriptions.get(second.subscription).status, 'canceled');
  assert.equal(stripe.subscriptions.get(session.subscription).status, 'active');
  assert.equal((await detailOf(letters, email)).billing.status, 'ACTIVE');
  const [refund] = [...stripe.refunds.values()].filter(({ intent }) => intent === `pi_${second.invoice}`);
  assert.equal(refund.amount, 500);

  const { id } = await detailOf(letters, email);
  await ok(
    h.call('DELETE', `${letters.base}/collections/${letters.collectionId}/subscribers/${id}`, { token: letters.token }),
  );
  await syncDue(jobContext(h.service));
  assert.equal(stripe.subscriptions.get(session.subscription).status, 'canceled');
});

test('who is erased is not charged again, and the erasure waits until Stripe has heard', async () => {
  const { letters, email, session } = await stripeReader();
  const { id } = await detailOf(letters, email);
  const admin = await h.member(letters.businessId, 'ADMIN');
  stripe.state.down = true;
  const erasure = await ok(h.call('DELETE', `${letters.base}/customers/${id}/personal-data`, { token: admin.token }));
  await h.drain('erase-person').catch(() => {});
  stripe.state.down = false;
  const read = () => ok(h.call('GET', `${letters.base}/erasures/${erasure.id}`, { token: admin.token }));
  assert.equal((await read()).status, 'RUNNING');
  h.clock.advance(1000);
  await h.service.jobs.drain('erase-person');
  const { resumeErasures } = await import('../../../src/domains/privacy/resume-erasures.ts');
  await resumeErasures(jobContext(h.service) as never);
  assert.equal(stripe.subscriptions.get(session.subscription).status, 'canceled');
  const done = await read();
  assert.equal(done.status, 'DONE');
  assert.ok(done.report.kept.some(({ reason }: Json) => reason === 'PAYMENT_PROVIDER'));
});

test('who is erased although Stripe takes no key any more is told of as kept there', async () => {
  const { letters, email } = await stripeReader();
  const { id } = await detailOf(letters, email);
  const admin = await h.member(letters.businessId, 'ADMIN');
  stripe.state.locked = true;
  const erasure = await ok(h.call('DELETE', `${letters.base}/customers/${id}/personal-data`, { token: admin.token }));
  await h.drain('erase-person');
  stripe.state.locked = false;
  const { body } = await h.call('GET', `${letters.base}/erasures/${erasure.id}`, { token: admin.token });
  assert.equal(body.status, 'DONE');
});

test('a business that has taken its keys away has no portal, and who is erased does not wait for it', async () => {
  const { letters, email } = await stripeReader();
  const { id } = await detailOf(letters, email);
  const admin = await h.member(letters.businessId, 'ADMIN');
  const { token } = admin;
  const configs = { paymentProvider: { type: 'SANDBOX' } };
  await ok(h.call('PUT', letters.base, { token, body: { configs } }));
  const path = `${letters.base}/collections/${letters.collectionId}/subscribers/${id}/portal`;
  assert.equal((await h.call('POST', path, { token: letters.token })).status, 409);
  const erasure = await ok(h.call('DELETE', `${letters.base}/customers/${id}/personal-data`, { token }));
  await h.drain('erase-person');
  assert.equal((await ok(h.call('GET', `${letters.base}/erasures/${erasure.id}`, { token }))).status, 'DONE');
});

test('who pays for a plan of a business that is deleted is not charged again, as soon as Stripe answers', async () => {
  const { letters, session } = await stripeReader();
  const { checkoutUrl } = await ok(letters.subscribe(`reader${++people}@example.com`, { planId: 'club' }));
  const open = [...stripe.sessions.values()].find(({ url }) => url === checkoutUrl);
  const admin = await h.member(letters.businessId, 'ADMIN');
  stripe.state.down = true;
  await ok(h.call('DELETE', letters.base, { token: admin.token }));
  await h.drain('clear-businesses');
  stripe.state.down = false;
  const rowsOf = async () => {
    const [row] = await h.pool`
      select (select count(*)::int from agreements where business_id = ${letters.businessId}) as agreements,
        (select count(*)::int from subscriptions where business_id = ${letters.businessId}) as subscriptions,
        (select configs::text from businesses where id = ${letters.businessId}) as configs`;
    return row!;
  };
  const waiting = await rowsOf();
  assert.deepEqual([waiting.agreements, waiting.subscriptions], [1, 0], 'all else is gone');
  assert.doesNotMatch(waiting.configs, /sk_test_1|webhookSecret/);
  h.clock.advance(2 * 3600);
  const { clearBusinesses } = await import('../../../src/domains/businesses/clear-businesses.ts');
  await clearBusinesses(jobContext(h.service) as never, {});
  assert.equal(stripe.subscriptions.get(session.subscription).status, 'canceled');
  assert.equal(open.status, 'expired', 'nor can somebody begin one');
  assert.deepEqual(
    await rowsOf(),
    { agreements: 0, subscriptions: 0, configs: null },
    'the key went with the business',
  );
});

test('a deleted business whose key Stripe does not take any more is deleted all the same', async () => {
  const { letters } = await stripeReader();
  const admin = await h.member(letters.businessId, 'ADMIN');
  await ok(h.call('DELETE', letters.base, { token: admin.token }));
  stripe.state.locked = true;
  h.clock.advance(2 * 3600);
  await h.drain('clear-businesses');
  stripe.state.locked = false;
  assert.equal((await h.pool`select from businesses where id = ${letters.businessId}`).length, 0);
});
