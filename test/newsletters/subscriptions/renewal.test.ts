import assert from 'node:assert/strict';
import test from 'node:test';
import { addInterval } from '../../../src/domains/payments/agreements/periods.ts';
import { syncAgreement } from '../../../src/domains/payments/agreements/sync-agreement.ts';
import { type Json, shareHarness } from '../../harness.ts';
import { startStripe, stripeEvent } from '../../payments/stripe-server.ts';
import { jobContext, makeNewsletter, type Newsletter, ok } from '../fixture.ts';

const stripe = await startStripe();
const h = await shareHarness({ STRIPE_API_BASE: stripe.url });
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

/** Opens the plan page and simulates the end of the period. */
const simulate = async (page: string, action: 'renew' | 'fail' | 'end') => form(page, action, await periodOn(page));

/** The period in the form of the page. */
async function periodOn(page: string): Promise<Record<string, string>> {
  const paidUntil = /name="paidUntil" value="(\d+)"/.exec(await (await fetch(page)).text())?.[1];
  return paidUntil === undefined ? {} : { paidUntil };
}

async function detailOf(newsletter: Newsletter, email: string) {
  const [{ id }] = (await newsletter.subscribers(`?email=${email}`)) as [Json];
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribers/${id}` as const;
  return ok(h.call('GET', path, { token: newsletter.token }));
}

const mailsTo = async (email: string) => (await h.mailbox()).filter(({ to }) => to === email) as Json[];

/** The URL of the plan page, as a member gets it for the subscriber. */
async function planPage(newsletter: Newsletter, id: string): Promise<string> {
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribers/${id}/portal` as const;
  return (await ok(h.call('POST', path, { token: newsletter.token }))).url;
}

/** A subscriber who has paid in the sandbox. */
async function sandboxSubscriber(configs: object = {}) {
  const newsletter = await makeNewsletter(h, {}, configs);
  const email = `reader${++people}@example.com`;
  const { checkoutUrl } = await ok(newsletter.subscribe(email, { planId: 'club' }));
  await form(checkoutUrl, 'pay');
  await h.drain('agreement-sync');
  const { id } = await detailOf(newsletter, email);
  return { newsletter, email, id: id as string, page: await planPage(newsletter, id) };
}

/** A subscriber who has paid through Stripe, with a function to deliver Stripe events. */
async function stripeSubscriber(collection: object = {}) {
  const keys = { publicKey: 'pk_1', secretKey: 'sk_test_1', webhookSecret: SECRET };
  const newsletter = await makeNewsletter(h, collection, { paymentProvider: { type: 'STRIPE', ...keys } });
  const email = `reader${++people}@example.com`;
  const { checkoutUrl } = await ok(newsletter.subscribe(email, { planId: 'club' }));
  const session = [...stripe.sessions.values()].find(({ url }) => url === checkoutUrl);
  stripe.pay(session);
  const deliver = async (
    type: string,
    object: Json,
    { secret = SECRET, businessId = newsletter.businessId, ...more }: Json = {},
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
  assert.equal(await deliver('checkout.session.completed', session), 200);
  const countCalls = () => stripe.state.calls.filter((call) => call.endsWith(session.subscription)).length;
  return { newsletter, email, session, deliver, countCalls };
}

/** Our own plan page, for any provider. */
const ownPage = (businessId: string, id: string): string =>
  (h.service.contexts.system() as Json).newsletters.planTokens.url(h.url, { businessId, id }, h.clock.seconds());

test('in the sandbox, the plan page simulates renewal, failure and cancellation', async () => {
  const { newsletter, email, page } = await sandboxSubscriber();
  const first = await detailOf(newsletter, email);
  assert.deepEqual([first.status, first.billing!.interval, first.billing!.amount], ['ACTIVE', 'MONTHLY', 500]);
  assert.ok(first.billing!.paidUntil > h.clock.seconds() + 27 * DAY);
  const shown = await (await fetch(page)).text();
  assert.match(shown, /Your plan renews on/);
  assert.deepEqual((await detailOf(newsletter, email)).billing, first.billing, 'viewing changes nothing');

  await simulate(page, 'renew');
  const renewed = (await detailOf(newsletter, email)).billing;
  assert.ok(renewed!.paidUntil > first.billing!.paidUntil + 27 * DAY);
  assert.equal(renewed!.charges.length, 2);

  assert.match(await (await simulate(page, 'fail')).text(), /last payment failed/);
  await simulate(page, 'fail');
  assert.equal((await detailOf(newsletter, email)).status, 'PAST_DUE');
  const mails = (await mailsTo(email)).filter(({ subject }) => /failed$/.test(subject));
  assert.equal(mails.length, 1, 'one email per failed renewal');
  const own = /http\S+\/plan\/\S+/.exec(mails[0].text)![0];
  assert.match(await (await fetch(own)).text(), /last payment failed/);
  const send = await ok(newsletter.send(await newsletter.entry()));
  assert.equal(send.recipients, 0, 'unpaid subscribers get no issues');

  await simulate(page, 'renew');
  assert.equal((await detailOf(newsletter, email)).status, 'ACTIVE');
  await form(page, 'cancel');
  const cancelled = await detailOf(newsletter, email);
  assert.deepEqual([cancelled.status, cancelled.billing!.cancelAtPeriodEnd], ['ACTIVE', true]);
  await form(page, 'resume');
  assert.equal((await detailOf(newsletter, email)).billing!.cancelAtPeriodEnd, false);
  await form(page, 'cancel');
  await simulate(page, 'renew');
  assert.equal(
    (await detailOf(newsletter, email)).billing!.cancelAtPeriodEnd,
    false,
    'a renewal undoes the cancellation',
  );
  await form(page, 'cancel');
  await h.drain('agreement-sync');
  assert.equal((await detailOf(newsletter, email)).status, 'ACTIVE', 'active until the period ends');
  await simulate(page, 'end');
  const ended = await detailOf(newsletter, email);
  assert.deepEqual([ended.status, ended.billing!.status], ['UNSUBSCRIBED', 'ENDED']);
  const paidUntil = String(ended.billing!.paidUntil);
  for (const action of ['renew', 'fail', 'end']) await form(page, action, { paidUntil });
  assert.deepEqual(await detailOf(newsletter, email), ended);
  const subjects = (await mailsTo(email))
    .map(({ subject }) => /renewed$|has ended$/.exec(subject)?.[0])
    .filter(Boolean);
  assert.deepEqual(
    subjects.sort(),
    ['has ended', 'renewed', 'renewed', 'renewed'],
    'one email per renewal and one at the end',
  );
});

test('when the sandbox is switched off, a plan can no longer be renewed for free and ends with its period', async () => {
  const { newsletter, email, page } = await sandboxSubscriber();
  const seen = await periodOn(page);
  const { billing } = await detailOf(newsletter, email);
  const { service, url } = await h.startNode({ paymentSandbox: false });
  const there = url + new URL(page).pathname;
  for (const action of ['renew', 'fail', 'end']) await form(there, action, seen);
  assert.deepEqual((await detailOf(newsletter, email)).billing, billing);
  assert.doesNotMatch(await (await fetch(there)).text(), /Renew now/);
  h.clock.advance(32 * DAY);
  await service.jobs.drain('agreement-sync');
  await newsletter.login();
  const ended = await detailOf(newsletter, email);
  assert.deepEqual([ended.status, ended.billing!.status], ['UNSUBSCRIBED', 'ENDED']);
  assert.equal(ended.billing!.charges.length, 1);
});

test('a sandbox plan ends with its period when the business changes to another provider', async () => {
  const { newsletter, email, page } = await sandboxSubscriber();
  const seen = await periodOn(page);
  const { token } = await h.member(newsletter.businessId, 'ADMIN');
  const keys = { publicKey: 'pk_1', secretKey: 'sk_test_1', webhookSecret: SECRET };
  const body = { configs: { paymentProvider: { type: 'STRIPE', ...keys } } };
  await ok(h.call('PUT', `/v1/businesses/${newsletter.businessId}`, { token, body }));
  await form(page, 'renew', seen);
  assert.doesNotMatch(await (await fetch(page)).text(), /Renew now/);
  h.clock.advance(32 * DAY);
  await h.drain('agreement-sync');
  await newsletter.login();
  const ended = await detailOf(newsletter, email);
  assert.deepEqual([ended.status, ended.billing!.status, ended.billing!.charges.length], ['UNSUBSCRIBED', 'ENDED', 1]);
});

test('a second click has no effect, because the form names the period', async () => {
  const { newsletter, email, page } = await sandboxSubscriber();
  const seen = await periodOn(page);
  const pages = await Promise.all(Array.from({ length: 8 }, async () => (await form(page, 'renew', seen)).text()));
  const { billing } = await detailOf(newsletter, email);
  assert.equal(billing!.charges.length, 2);
  assert.match(
    pages.at(-1)!,
    new RegExp(`value="${billing!.paidUntil}"`),
    'the second click sees the result of the first',
  );
  await form(page, 'cancel');
  for (const action of ['renew', 'fail', 'end']) await form(page, action, seen);
  for (const action of ['renew', 'fail', 'end']) await form(page, action);
  assert.deepEqual((await detailOf(newsletter, email)).billing, { ...billing, cancelAtPeriodEnd: true });

  const cancelled = await periodOn(page);
  await form(page, 'resume');
  await form(page, 'end', cancelled);
  assert.deepEqual((await detailOf(newsletter, email)).billing, billing, 'a resumed plan does not end');
});

test('a sandbox plan renews automatically once per period, and a canceled one ends with its period', async () => {
  const { newsletter, email, id } = await sandboxSubscriber();
  const { billing } = await detailOf(newsletter, email);
  h.clock.advance(billing!.paidUntil - h.clock.seconds() + 1);
  await Promise.all([h.drain('agreement-sync'), h.drain('agreement-sync')]);
  await h.drain('agreement-sync');
  await newsletter.login();
  const renewed = (await detailOf(newsletter, email)).billing;
  assert.equal(renewed!.charges.length, 2);
  await form(await planPage(newsletter, id), 'cancel');
  h.clock.advance(renewed!.paidUntil - h.clock.seconds() + 1);
  await h.drain('agreement-sync');
  await newsletter.login();
  assert.equal((await detailOf(newsletter, email)).status, 'UNSUBSCRIBED');
});

test('a period ends on the day of the month on which it started, or on the last day of a shorter month', () => {
  const from = (day: string, interval: 'WEEKLY' | 'MONTHLY' | 'YEARLY') =>
    new Date(addInterval(Date.parse(`${day}T10:00:00Z`) / 1000, interval) * 1000).toISOString();
  assert.equal(from('2027-01-31', 'MONTHLY'), '2027-02-28T10:00:00.000Z');
  assert.equal(from('2027-12-31', 'MONTHLY'), '2028-01-31T10:00:00.000Z');
  assert.equal(from('2028-02-29', 'YEARLY'), '2029-02-28T10:00:00.000Z');
  assert.equal(from('2027-01-31', 'WEEKLY'), '2027-02-07T10:00:00.000Z');
});

test('a failed sandbox charge is not retried automatically', async () => {
  const { newsletter, email, page } = await sandboxSubscriber();
  await simulate(page, 'fail');
  h.clock.advance(32 * DAY);
  await h.drain('agreement-sync');
  await newsletter.login();
  assert.equal((await detailOf(newsletter, email)).billing!.status, 'PAST_DUE');
});

test('each failed period sends one email, and a PAST_DUE subscription is not changed again', async () => {
  const { newsletter, email, session, deliver } = await stripeSubscriber();
  const { id } = await detailOf(newsletter, email);
  const versionOf = async () => (await h.pool`select version from subscriptions where id = ${id}`)[0]!.version;
  await deliver('invoice.payment_failed', stripe.renew(session, 1, { paid: false }));
  const version = await versionOf();
  await deliver('invoice.payment_failed', stripe.renew(session, 2, { paid: false }));
  assert.equal((await mailsTo(email)).filter(({ subject }) => /failed$/.test(subject)).length, 2);
  assert.deepEqual([await newsletter.statusOf(email), await versionOf()], ['PAST_DUE', version]);
});

test('the link to the plan page works for 30 days', async () => {
  const { page } = await sandboxSubscriber();
  assert.equal((await fetch(page)).status, 200);
  h.clock.advance(30 * DAY);
  assert.equal((await fetch(page)).status, 404);
});

test('period ends can’t be simulated with Stripe', async () => {
  const { newsletter, email } = await stripeSubscriber();
  const before = await detailOf(newsletter, email);
  const [page, paidUntil] = [ownPage(newsletter.businessId, before.id), String(before.billing!.paidUntil)];
  for (const action of ['renew', 'fail', 'end']) await form(page, action, { paidUntil });
  assert.deepEqual(await detailOf(newsletter, email), before);
});

test("the unsubscribe link can cancel at the end of the period or immediately, but a GET does nothing and doesn't show payments", async () => {
  const { newsletter, email, id } = await sandboxSubscriber();
  const { newsletters } = h.service.contexts.system() as Json;
  const link = newsletters.tokens.url(h.url, newsletter.businessId, id);
  const shown = await (await fetch(link, { headers: { accept: 'text/html' } })).text();
  assert.match(shown, /has a paid plan until/);
  assert.doesNotMatch(shown, /5\.00|Payments/);
  assert.equal((await detailOf(newsletter, email)).billing!.cancelAtPeriodEnd, false);
  assert.equal((await fetch(`${h.url}/plan/${link.split('/').at(-1)}`)).status, 404, 'not a plan page token');

  assert.match(await (await form(link, 'cancel')).text(), /get every issue until/);
  const cancelled = await detailOf(newsletter, email);
  assert.deepEqual([cancelled.status, cancelled.billing!.cancelAtPeriodEnd], ['ACTIVE', true]);
  const [cancellation] = await mailsTo(email);
  assert.match(cancellation.subject, /is canceled$/);
  await form(link, 'cancel');
  for (const action of ['resume', 'cancel']) await form(/http\S+\/plan\/\S+/.exec(cancellation.text)![0], action);
  assert.equal((await mailsTo(email)).filter(({ subject }) => /is canceled/.test(subject)).length, 1);
  assert.equal((await detailOf(newsletter, email)).billing!.cancelAtPeriodEnd, true);
  await form(link, 'manage');
  assert.match((await mailsTo(email))[0].text, /link to manage your plan/);

  const oneClick = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  assert.equal((await fetch(link, { method: 'POST', body: oneClick })).status, 200);
  const left = await detailOf(newsletter, email);
  assert.deepEqual([left.status, left.billing!.cancelAtPeriodEnd], ['UNSUBSCRIBED', true]);
  await simulate(ownPage(newsletter.businessId, id), 'end');
  assert.doesNotMatch(await (await form(link, 'cancel')).text(), /get every issue until/);
});

test('the plan page, the unsubscribe page and emails show dates in the time zone of the business', async () => {
  const noon = DAY / 2;
  h.clock.advance(DAY - ((h.clock.seconds() - noon) % DAY));
  const timeZone = 'Pacific/Kiritimati';
  const { newsletter, email, id, page } = await sandboxSubscriber({ profile: { timeZone } });
  const { billing } = await detailOf(newsletter, email);
  const showsDay = (text: string, seconds: number, what: string) => {
    const [local, utc] = [timeZone, 'UTC'].map((zone) =>
      new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: zone }).format(seconds * 1000),
    );
    assert.ok(text.includes(local!), `${what} contains ${local}`);
    assert.ok(!text.includes(utc!), `${what} contains ${utc}`);
  };
  const plan = await (await fetch(page)).text();
  showsDay(plan, billing!.paidUntil, 'the plan page');
  showsDay(plan, billing!.charges[0]!.createdAt, 'the payments');
  const { newsletters } = h.service.contexts.system() as Json;
  const link = newsletters.tokens.url(h.url, newsletter.businessId, id);
  const unsubscribe = await fetch(link, { headers: { accept: 'text/html' } });
  showsDay(await unsubscribe.text(), billing!.paidUntil, 'the unsubscribe page');
  showsDay(await (await form(link, 'cancel')).text(), billing!.paidUntil, 'the cancellation');
  const [mail] = await mailsTo(email);
  assert.match(mail.subject, /is canceled$/);
  showsDay(mail.text, billing!.paidUntil, 'the email');
});

test('a Stripe renewal extends the period once, even if its events are duplicated, late or out of order', async () => {
  const { newsletter, email, session, deliver, countCalls } = await stripeSubscriber();
  assert.deepEqual([session.mode, session.interval], ['subscription', 'month']);
  const calls = countCalls();
  for (let i = 0; i < 2; i++)
    await deliver('customer.subscription.updated', { id: session.subscription }, { id: 'evt_u' });
  assert.equal(countCalls(), calls + 1, 'a duplicate event has no effect');
  const first = await detailOf(newsletter, email);
  assert.deepEqual([first.status, first.billing!.status, first.billing!.charges.length], ['ACTIVE', 'ACTIVE', 1]);
  const failed = stripe.renew(session, 1, { paid: false });
  const invoice = { ...failed, status: 'paid', amount_paid: 500 };
  assert.equal(await deliver('invoice.payment_failed', failed, { id: 'evt_f' }), 200);
  assert.equal(await deliver('invoice.payment_failed', failed, { id: 'evt_f' }), 200);
  await deliver('invoice.payment_failed', failed, { id: 'evt_second_try' });
  assert.equal((await detailOf(newsletter, email)).status, 'PAST_DUE');
  assert.equal((await mailsTo(email)).filter(({ subject }) => /failed$/.test(subject)).length, 1);

  Object.assign(stripe.subscriptions.get(session.subscription), { status: 'active', latest_invoice: invoice });
  for (let i = 0; i < 3; i++) await deliver('invoice.paid', invoice, { id: `evt_p${i}` });
  await deliver('invoice.payment_failed', failed, { id: 'evt_late' });
  await deliver('customer.subscription.updated', { id: session.subscription, status: 'past_due' });
  const paid = await detailOf(newsletter, email);
  assert.deepEqual([paid.status, paid.billing!.charges.length], ['ACTIVE', 2]);
  assert.equal(paid.billing!.paidUntil, invoice.lines.data[0].period.end);
});

test('late events of an earlier period change neither the paid period nor a later failure', async () => {
  const { newsletter, email, session, deliver } = await stripeSubscriber();
  const [first, second] = [stripe.renew(session, 1), stripe.renew(session, 2)];
  const failed = stripe.renew(session, 3, { paid: false });
  const stateOf = async () => {
    const { status, billing } = await detailOf(newsletter, email);
    return [status, billing!.status, billing!.paidUntil];
  };
  const endOf = (invoice: Json): number => invoice.lines.data[0].period.end;
  await deliver('invoice.paid', first);
  await deliver('invoice.payment_failed', failed);
  await deliver('invoice.paid', second);
  await deliver('invoice.paid', first);
  assert.deepEqual(await stateOf(), ['PAST_DUE', 'PAST_DUE', endOf(second)]);
  await deliver('invoice.paid', { ...failed, status: 'paid', amount_paid: 500 });
  await deliver('invoice.paid', { ...first, id: 'in_older' });
  await deliver('invoice.payment_failed', { ...second, id: 'in_old', status: 'open', amount_paid: 0 });
  assert.deepEqual(await stateOf(), ['ACTIVE', 'ACTIVE', endOf(failed)]);
});

test('an ended plan stays ended and is no longer synced with Stripe', async () => {
  const { newsletter, email, session, deliver, countCalls } = await stripeSubscriber();
  const { id } = await detailOf(newsletter, email);
  const invoice = stripe.renew(session, 1);
  stripe.subscriptions.get(session.subscription).status = 'canceled';
  await deliver('customer.subscription.deleted', { id: session.subscription });
  const [ended, calls] = [await detailOf(newsletter, email), countCalls()];
  await deliver('invoice.paid', invoice);
  const late = await detailOf(newsletter, email);
  assert.deepEqual([late.status, late.billing!.status], [ended.status, 'ENDED']);
  await h.numberEvents(newsletter.businessId);
  const renewals = await h.pool`
    select from events where business_id = ${newsletter.businessId} and type = 'subscription.renewed'`;
  assert.equal(renewals.length, 0);
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribers/${id}` as const;
  assert.equal((await h.call('POST', `${path}/portal`, { token: newsletter.token })).status, 409);

  await deliver('customer.subscription.updated', { id: session.subscription });
  const [{ id: agreementId }] =
    (await h.pool`select id from agreements where business_id = ${newsletter.businessId}`) as [Json];
  const { businessId } = newsletter;
  await syncAgreement(jobContext(h.service, businessId), { id: agreementId });
  const collection = `${newsletter.base}/collections/${newsletter.collectionId}?cascade=true` as const;
  await ok(h.call('DELETE', collection, { token: newsletter.token }));
  await h.drain();
  await h.drain('agreement-sync');
  assert.equal(countCalls(), calls);
});

test('a subscriber who switches plans pays only for the new plan, even after canceling and resuming', async () => {
  const price = { currency: 'eur', interval: 'MONTHLY' };
  const plans = [
    { id: 'club', name: 'Club', price: { ...price, amount: 500 } },
    { id: 'gold', name: 'Gold', price: { ...price, amount: 900 } },
  ];
  const { newsletter, email, session, deliver } = await stripeSubscriber({ plans });
  const { checkoutUrl } = await ok(newsletter.subscribe(email, { planId: 'gold' }));
  const gold = [...stripe.sessions.values()].find(({ url }) => url === checkoutUrl);
  stripe.pay(gold);
  stripe.state.down = true;
  await deliver('checkout.session.completed', gold);
  const { id, planId } = await detailOf(newsletter, email);
  assert.equal(planId, 'gold');
  for (const action of ['cancel', 'resume']) await form(ownPage(newsletter.businessId, id), action);
  await deliver('invoice.payment_failed', stripe.renew(session, 1, { paid: false }));
  const failures = (await mailsTo(email)).filter(({ subject }) => /failed$/.test(subject));
  assert.deepEqual([await newsletter.statusOf(email), failures.length], ['ACTIVE', 0]);
  const failed = stripe.renew(gold, 1, { paid: false });
  await deliver('invoice.payment_failed', failed);
  await deliver('invoice.paid', stripe.renew(session, 2));
  assert.equal(await newsletter.statusOf(email), 'PAST_DUE');
  await deliver('invoice.paid', { ...failed, status: 'paid', amount_paid: 900 });
  stripe.state.down = false;
  h.clock.advance(601);
  await h.drain('agreement-sync');
  assert.equal(stripe.subscriptions.get(session.subscription).status, 'canceled');
  assert.notEqual(stripe.subscriptions.get(gold.subscription).status, 'canceled');
  assert.equal(await newsletter.statusOf(email), 'ACTIVE');
  assert.equal((await detailOf(newsletter, email)).billing!.planId, 'gold');
});

test('emails about a plan are not sent to a subscriber who has unsubscribed', async () => {
  const { newsletter, email, session, deliver } = await stripeSubscriber();
  const { id } = await detailOf(newsletter, email);
  const { newsletters } = h.service.contexts.system() as Json;
  await fetch(newsletters.tokens.url(h.url, newsletter.businessId, id), {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  });
  await deliver('invoice.payment_failed', stripe.renew(session, 1, { paid: false }));
  assert.deepEqual([await newsletter.statusOf(email), (await mailsTo(email)).length], ['UNSUBSCRIBED', 0]);
  await deliver('invoice.paid', stripe.renew(session, 2));
  const { version } = (await h.pool`select version from subscriptions where id = ${id}`)[0] as Json;
  stripe.subscriptions.get(session.subscription).status = 'canceled';
  await deliver('customer.subscription.deleted', { id: session.subscription });
  assert.equal(await newsletter.statusOf(email), 'UNSUBSCRIBED');
  assert.equal((await h.pool`select version from subscriptions where id = ${id}`)[0]!.version, version);
});

test('unsubscribing stops the plan from renewing', async () => {
  const { newsletter, email, session } = await stripeSubscriber();
  const { newsletters } = h.service.contexts.system() as Json;
  const { id } = await detailOf(newsletter, email);
  const link = newsletters.tokens.url(h.url, newsletter.businessId, id);
  await fetch(link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  assert.equal((await detailOf(newsletter, email)).billing!.cancelAtPeriodEnd, true);
  await h.drain('agreement-sync');
  assert.equal(stripe.subscriptions.get(session.subscription).cancel_at_period_end, true);
});

test('emails triggered from the plan and unsubscribe pages are rate limited', async () => {
  const [failing, asking] = [await sandboxSubscriber(), await sandboxSubscriber()];
  const { newsletters } = h.service.contexts.system() as Json;
  const link = newsletters.tokens.url(h.url, asking.newsletter.businessId, asking.id);
  for (const [address, action] of [
    [failing.page, 'fail'],
    [link, 'manage'],
  ] as const) {
    const [statuses, seen] = [[] as number[], await periodOn(address)];
    for (let i = 0; i <= 20; i++) statuses.push((await form(address, action, seen)).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429], action);
  }
});

test('a change requested while another is being sent to Stripe is sent afterward', async () => {
  const { newsletter, email, session } = await stripeSubscriber();
  const page = ownPage(newsletter.businessId, (await detailOf(newsletter, email)).id);
  stripe.state.beforeUpdateResponse = async () => {
    stripe.state.beforeUpdateResponse = async () => {};
    await form(page, 'resume');
  };
  await form(page, 'cancel');
  await h.drain('agreement-sync');
  assert.equal(stripe.subscriptions.get(session.subscription).cancel_at_period_end, false);
  assert.equal((await detailOf(newsletter, email)).billing!.cancelAtPeriodEnd, false);
});

test('forged events, events from another business and payments of the wrong amount or currency extend nothing', async () => {
  const { newsletter, email, session, deliver } = await stripeSubscriber();
  const other = await stripeSubscriber();
  const before = await detailOf(newsletter, email);
  const invoice = stripe.renew(session, 1);
  stripe.subscriptions.get(session.subscription).latest_invoice = { ...invoice, amount_paid: 499 };
  assert.equal(await deliver('invoice.paid', invoice, { secret: 'whsec_of_a_stranger' }), 400);
  await deliver('invoice.paid', invoice, { businessId: other.newsletter.businessId });
  await deliver('invoice.paid', { ...invoice, currency: 'huf' });
  await deliver('invoice.paid', { ...invoice, amount_paid: 499 });
  const odd = { ...invoice, lines: { data: 'x' }, parent: null, subscription: 7 };
  assert.equal(await deliver('invoice.paid', odd), 200, 'an unknown format has no effect');
  assert.equal(await deliver('invoice.paid', { ...odd, subscription: session.subscription }), 200);
  assert.deepEqual((await detailOf(newsletter, email)).billing, before.billing);
});

test('a cancellation during a Stripe outage is sent later, and the subscription ends when Stripe cancels it', async () => {
  const { newsletter, email, session, deliver } = await stripeSubscriber();
  const { id } = await detailOf(newsletter, email);
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribers/${id}` as const;
  stripe.state.down = true;
  const { body } = await h.call('PUT', path, { token: newsletter.token, body: { cancelAtPeriodEnd: true } });
  assert.deepEqual([body.status, body.billing!.cancelAtPeriodEnd], ['ACTIVE', true]);
  await h.drain('agreement-sync');
  stripe.state.down = false;
  const subscription = stripe.subscriptions.get(session.subscription);
  assert.equal(subscription.cancel_at_period_end, false);
  h.clock.advance(601);
  await h.drain('agreement-sync');
  assert.equal(subscription.cancel_at_period_end, true);
  subscription.status = 'canceled';
  await deliver('customer.subscription.deleted', { id: session.subscription });
  const ended = await detailOf(newsletter, email);
  assert.deepEqual([ended.status, ended.billing!.status], ['UNSUBSCRIBED', 'ENDED']);
});

test('a cancellation in Stripe’s portal applies here, and the portal opens for the right customer', async () => {
  const { newsletter, email, session, deliver } = await stripeSubscriber();
  const { id } = await detailOf(newsletter, email);
  assert.equal(await planPage(newsletter, id), `https://billing.stripe.example/${session.customer}`);
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribers/${id}/portal` as const;
  for (const [failure, status] of [
    ['locked', 409],
    ['down', 503],
  ] as const) {
    stripe.state[failure] = true;
    assert.equal((await h.call('POST', path, { token: newsletter.token })).status, status);
    stripe.state[failure] = false;
  }
  stripe.subscriptions.get(session.subscription).cancel_at_period_end = true;
  await deliver('customer.subscription.updated', { id: session.subscription });
  assert.equal((await detailOf(newsletter, email)).billing!.cancelAtPeriodEnd, true);
});

test('a renewal whose event was lost is found by one sync', async () => {
  const { newsletter, email, session, countCalls } = await stripeSubscriber();
  const invoice = stripe.renew(session, 1);
  const calls = countCalls();
  h.clock.advance(31 * DAY);
  await Promise.all([h.drain('agreement-sync'), h.drain('agreement-sync')]);
  assert.equal(countCalls(), calls + 1);
  await newsletter.login();
  assert.equal((await detailOf(newsletter, email)).billing!.paidUntil, invoice.lines.data[0].period.end);
});

test('a second payment for the same plan is refunded and canceled in Stripe, as is the plan of a deleted subscriber', async () => {
  const { newsletter, email, session, deliver } = await stripeSubscriber();
  await h.pool`update subscriptions set status = 'UNSUBSCRIBED' where business_id = ${newsletter.businessId}`;
  const { checkoutUrl } = await ok(newsletter.subscribe(email, { planId: 'club' }));
  await h.pool`update subscriptions set status = 'ACTIVE' where business_id = ${newsletter.businessId}`;
  const second = [...stripe.sessions.values()].find(({ url }) => url === checkoutUrl);
  stripe.pay(second);
  await deliver('checkout.session.completed', second);
  await h.drain();
  assert.equal(stripe.subscriptions.get(second.subscription).status, 'canceled');
  assert.equal(stripe.subscriptions.get(session.subscription).status, 'active');
  assert.equal((await detailOf(newsletter, email)).billing!.status, 'ACTIVE');
  const [refund] = [...stripe.refunds.values()].filter(
    ({ payment_intent: intent }) => intent === `pi_${second.invoice}`,
  );
  assert.equal(refund.amount, 500);

  const { id } = await detailOf(newsletter, email);
  await ok(
    h.call('DELETE', `${newsletter.base}/collections/${newsletter.collectionId}/subscribers/${id}`, {
      token: newsletter.token,
    }),
  );
  await h.drain('agreement-sync');
  assert.equal(stripe.subscriptions.get(session.subscription).status, 'canceled');
});

test('an erased person is not charged again, and the erasure waits until Stripe responds', async () => {
  const { newsletter, email, session } = await stripeSubscriber();
  const { id } = await detailOf(newsletter, email);
  const admin = await h.member(newsletter.businessId, 'ADMIN');
  stripe.state.down = true;
  const erasure = await ok(
    h.call('DELETE', `${newsletter.base}/customers/${id}/personal-data`, { token: admin.token }),
  );
  await h.drain('erase-person').catch(() => {});
  stripe.state.down = false;
  const read = () => ok(h.call('GET', `${newsletter.base}/erasures/${erasure.id}`, { token: admin.token }));
  assert.equal((await read()).status, 'RUNNING');
  h.clock.advance(1000);
  await h.service.jobs.drain('erase-person');
  const { resumeErasures } = await import('../../../src/domains/privacy/resume-erasures.ts');
  await resumeErasures(jobContext(h.service) as never);
  assert.equal(stripe.subscriptions.get(session.subscription).status, 'canceled');
  const done = await read();
  assert.equal(done.status, 'DONE');
  assert.ok(done.report.kept.some(({ reason }) => reason === 'PAYMENT_PROVIDER'));
});

test('an erasure completes even if Stripe rejects the API key', async () => {
  const { newsletter, email } = await stripeSubscriber();
  const { id } = await detailOf(newsletter, email);
  const admin = await h.member(newsletter.businessId, 'ADMIN');
  stripe.state.locked = true;
  const erasure = await ok(
    h.call('DELETE', `${newsletter.base}/customers/${id}/personal-data`, { token: admin.token }),
  );
  await h.drain('erase-person');
  stripe.state.locked = false;
  const { body } = await h.call('GET', `${newsletter.base}/erasures/${erasure.id}`, { token: admin.token });
  assert.equal(body.status, 'DONE');
});

test('a business that removed its Stripe keys has no portal, and erasures don’t wait for it', async () => {
  const { newsletter, email } = await stripeSubscriber();
  const { id } = await detailOf(newsletter, email);
  const admin = await h.member(newsletter.businessId, 'ADMIN');
  const { token } = admin;
  const configs = { paymentProvider: { type: 'SANDBOX' } };
  await ok(h.call('PUT', newsletter.base, { token, body: { configs } }));
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribers/${id}/portal` as const;
  assert.equal((await h.call('POST', path, { token: newsletter.token })).status, 409);
  const erasure = await ok(h.call('DELETE', `${newsletter.base}/customers/${id}/personal-data`, { token }));
  await h.drain('erase-person');
  assert.equal((await ok(h.call('GET', `${newsletter.base}/erasures/${erasure.id}`, { token }))).status, 'DONE');
});

test('plans of a deleted business are canceled in Stripe as soon as it responds', async () => {
  const { newsletter, session } = await stripeSubscriber();
  const { checkoutUrl } = await ok(newsletter.subscribe(`reader${++people}@example.com`, { planId: 'club' }));
  const open = [...stripe.sessions.values()].find(({ url }) => url === checkoutUrl);
  const admin = await h.member(newsletter.businessId, 'ADMIN');
  stripe.state.down = true;
  await ok(h.call('DELETE', newsletter.base, { token: admin.token }));
  await h.drain('clear-businesses');
  stripe.state.down = false;
  const rowsOf = async () => {
    const [row] = await h.pool`
      select (select count(*)::int from agreements where business_id = ${newsletter.businessId}) as agreements,
        (select count(*)::int from subscriptions where business_id = ${newsletter.businessId}) as subscriptions,
        (select configs::text from businesses where id = ${newsletter.businessId}) as configs`;
    return row!;
  };
  const waiting = await rowsOf();
  assert.deepEqual([waiting.agreements, waiting.subscriptions], [1, 0], 'everything else is deleted');
  assert.doesNotMatch(waiting.configs, /sk_test_1|webhookSecret/);
  h.clock.advance(2 * 3600);
  const { clearBusinesses } = await import('../../../src/domains/businesses/clear-businesses.ts');
  await clearBusinesses(jobContext(h.service) as never, {});
  assert.equal(stripe.subscriptions.get(session.subscription).status, 'canceled');
  assert.equal(open.status, 'expired', 'open sessions can’t be paid');
  assert.deepEqual(
    await rowsOf(),
    { agreements: 0, subscriptions: 0, configs: null },
    'the key is deleted with the business',
  );
});

test('a business is deleted even if Stripe rejects its API key', async () => {
  const { newsletter } = await stripeSubscriber();
  const admin = await h.member(newsletter.businessId, 'ADMIN');
  await ok(h.call('DELETE', newsletter.base, { token: admin.token }));
  stripe.state.locked = true;
  h.clock.advance(2 * 3600);
  await h.drain('clear-businesses');
  stripe.state.locked = false;
  assert.equal((await h.pool`select from businesses where id = ${newsletter.businessId}`).length, 0);
});
