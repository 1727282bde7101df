import assert from 'node:assert/strict';
import test from 'node:test';
import { skipTriggers } from '../../databases.ts';
import { type Json, shareHarness, type TestUser } from '../../harness.ts';
import { whenWaitingForLock } from '../../locks.ts';
import { startStripe, stripeEvent } from '../../payments/stripe-server.ts';
import { makeAutomations } from '../automations/fixture.ts';
import { confirmLink, makeNewsletter, type Newsletter, ok } from '../fixture.ts';

const stripe = await startStripe();
const h = await shareHarness({ STRIPE_API_BASE: stripe.url });
const DAY = 86_400;
const doubleOptIn = { settings: { doubleOptIn: true } };
let count = 0;
const newEmail = () => `payer${++count}@example.com`;

const press = (link: string) => fetch(link, { method: 'POST', headers: { accept: 'text/html' }, redirect: 'manual' });
const act = (payUrl: string, action = 'pay') =>
  fetch(payUrl, { method: 'POST', body: new URLSearchParams({ action }), redirect: 'manual' });
const tokenOf = (link: string) => link.split('/').at(-1)!;

/** The payment page that the button opens. */
async function payUrlOf(link: string): Promise<string> {
  const response = await press(link);
  assert.equal(response.status, 303);
  return response.headers.get('location')!;
}

/** Subscribes a new address to the paid plan, like a stranger. */
async function request(newsletter: Newsletter) {
  const email = newEmail();
  const { checkoutUrl } = await ok(newsletter.subscribe(email, { planId: 'club' }));
  return { email, checkoutUrl, link: await confirmLink(h, email) };
}

/** A newsletter with Stripe, and a function that delivers the event of a paid session. */
async function stripeNewsletter() {
  const secret = 'whsec_of_these_letters';
  const keys = { publicKey: 'pk_1', secretKey: 'sk_test_1', webhookSecret: secret };
  const newsletter = await makeNewsletter(h, doubleOptIn, { paymentProvider: { type: 'STRIPE', ...keys } });
  const path = `/v1/payments/webhooks/stripe/${newsletter.businessId}` as const;
  async function complete(session: Json): Promise<void> {
    const event = stripeEvent('checkout.session.completed', session, secret);
    const headers = { 'stripe-signature': event.signature, 'content-type': 'application/json' };
    await ok(h.call('POST', path, { body: event.payload, headers }));
  }
  return Object.assign(newsletter, { complete });
}

const planOf = async (newsletter: Newsletter, email: string) =>
  (await newsletter.subscribers(`?email=${email}`)).map(({ status, planId }) => `${status} ${planId}`).join();
const mailsTo = async (email: string) => (await h.mailbox()).filter(({ to }) => to === email).length;
const refundsOf = async ({ businessId }: Newsletter) =>
  (await h.pool<{ amount: number }[]>`select amount from refunds where business_id = ${businessId}`).map(
    ({ amount }) => amount,
  );
async function confirmedEvents({ businessId }: Newsletter): Promise<number> {
  await h.numberEvents(businessId);
  return (await h.pool`select from events where business_id = ${businessId} and type = 'subscription.confirmed'`)
    .length;
}
const setPlans = (newsletter: Newsletter, plans: object[]) =>
  ok(
    h.call('PUT', `${newsletter.base}/collections/${newsletter.collectionId}`, {
      token: newsletter.token,
      body: { plans },
    }),
  );

test('paying through the link in the confirmation email confirms the subscription, stores the consent and sends one email', async () => {
  const newsletter = await makeAutomations(h, doubleOptIn);
  const automation = await ok(newsletter.create([{ id: 'tag', type: 'TAG', tag: 'welcomed' }]));
  const { email, link } = await request(newsletter);
  const mail = (await h.mailbox()).find(({ to }) => to === email) as Json;
  for (const part of [mail.text, mail.html]) assert.match(part, /Your plan: Club, €5\.00 per month/);
  const page = await (await fetch(link)).text();
  assert.match(page, /newsletter “Letters” from Shop at payer.*Club.*€5\.00 per month.*Pay and subscribe/s);
  const payments = () => h.pool`select from payments where business_id = ${newsletter.businessId}`;
  assert.equal((await payments()).length, 1, 'a scanner starts no payment');

  const payUrl = await payUrlOf(link);
  assert.match(await (await fetch(payUrl)).text(), /Letters: Club/);
  assert.equal(await planOf(newsletter, email), 'PENDING club', 'the button alone confirms nothing');
  const paid = await act(payUrl);
  assert.equal(paid.status, 303);
  assert.match(await (await fetch(paid.headers.get('location')!)).text(), /You&#39;re subscribed|You're subscribed/);
  assert.equal(await planOf(newsletter, email), 'ACTIVE club');

  const { id } = await newsletter.subscriber(email);
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribers/${id}/consent` as const;
  const consent = await ok(h.call('GET', path, { token: newsletter.token }));
  assert.deepEqual([consent.source, consent.email], ['PAYMENT', email]);
  assert.match(consent.text!, /newsletter “Letters” from Shop at payer/);
  assert.equal(await mailsTo(email), 1);
  await newsletter.run();
  assert.deepEqual(await newsletter.people(automation.id), [`${email} COMPLETED`]);
  assert.equal(await confirmedEvents(newsletter), 1);
});

test('the stored consent is the text that the payer saw, in their language', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const { email, link } = await request(newsletter);
  const german = { headers: { 'accept-language': 'de' } };
  const [, shown] = /<p>(Ich .*?)<\/p>/.exec(await (await fetch(link, german)).text())!;
  const opened = await fetch(link, { method: 'POST', redirect: 'manual', ...german });
  await act(opened.headers.get('location')!);
  const { id } = (await newsletter.subscribers(`?email=${email}`))[0]!;
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribers/${id}/consent` as const;
  assert.equal((await ok(h.call('GET', path, { token: newsletter.token }))).text, shown);
});

test('a payment without the link does not confirm the subscription, and the emailed link then confirms it without a second payment or email', async () => {
  const unconfirmed = await h.user();
  await h.pool.transaction(async (tx) => {
    await tx`update users set is_confirmed = false where id = ${unconfirmed.userId}`;
    await h.service.broadcast.publish(tx, `user:${unconfirmed.userId}`);
  });
  for (const [caller, address] of [
    [await h.guest(), newEmail()],
    [await h.user(), newEmail()],
    [unconfirmed, unconfirmed.email!],
  ] as [TestUser, string][]) {
    const newsletter = await makeNewsletter(h, doubleOptIn);
    const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribe` as const;
    const body = { email: address, planId: 'club' };
    const { checkoutUrl } = await ok(h.call('POST', path, { token: caller.token, body }));
    await act(checkoutUrl!);
    assert.equal(await planOf(newsletter, address), 'PENDING club');
    assert.equal(await confirmedEvents(newsletter), 0);
    assert.equal(await mailsTo(address), 1);
    const link = await confirmLink(h, address);
    assert.doesNotMatch(await (await fetch(link)).text(), /Pay and subscribe/);
    assert.equal((await press(link)).status, 200);
    assert.equal(await planOf(newsletter, address), 'ACTIVE club');
    assert.deepEqual(await refundsOf(newsletter), []);
  }
});

test('a link confirms only its own subscription, in its own business and unmodified', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const other = await makeNewsletter(h, doubleOptIn);
  const [mine, victim] = [await request(newsletter), await request(newsletter)];
  const [payload, signature] = tokenOf(mine.link).split('.') as [string, string];
  const [{ id: mineId }] = (await newsletter.subscribers(`?email=${mine.email}`)) as [{ id: string }];
  const [{ id: victimId }] = (await newsletter.subscribers(`?email=${victim.email}`)) as [{ id: string }];
  const forged = Buffer.from(payload, 'base64url').toString().replace(mineId, victimId);
  assert.match(forged, new RegExp(victimId));
  const forgedLink = `${h.url}/confirm-subscription/${Buffer.from(forged).toString('base64url')}.${signature}`;
  assert.deepEqual([(await fetch(forgedLink)).status, (await press(forgedLink)).status], [422, 422]);
  await act(await payUrlOf(mine.link));
  assert.deepEqual(
    [await planOf(newsletter, mine.email), await planOf(newsletter, victim.email)],
    ['ACTIVE club', 'PENDING club'],
  );
  const confirm = (base: string) =>
    h.call('POST', `${base}/collections/confirm`, { body: { token: tokenOf(victim.link) } });
  assert.equal((await confirm(other.base)).body.validationErrors[0]!.error, 'INVALID_VALUE');
});

test('confirming without paying is rejected, unless the plan is now free', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const { email, link } = await request(newsletter);
  const confirm = () => h.call('POST', `${newsletter.base}/collections/confirm`, { body: { token: tokenOf(link) } });
  const refused = await confirm();
  assert.deepEqual([refused.status, refused.body.validationErrors[0]!.error], [422, 'PAYMENT_REQUIRED']);
  assert.equal(await planOf(newsletter, email), 'PENDING club');
  await setPlans(newsletter, [{ id: 'free', name: 'Free' }]);
  const deleted = await confirm();
  assert.deepEqual([deleted.status, deleted.body.validationErrors[0]!.error], [422, 'EXPIRED']);
  assert.equal((await press(link)).status, 422);
  assert.equal(await planOf(newsletter, email), 'PENDING club');
  await setPlans(newsletter, [{ id: 'club', name: 'Club' }]);
  await ok(confirm());
  assert.equal(await planOf(newsletter, email), 'ACTIVE club');
});

test('a link expires after 7 days or when its subscription ends', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const [late, ended] = [await request(newsletter), await request(newsletter)];
  await h.pool`update subscriptions set status = 'UNSUBSCRIBED'
    where business_id = ${newsletter.businessId} and email_key = ${ended.email}`;
  assert.deepEqual([(await fetch(ended.link)).status, (await press(ended.link)).status], [422, 422]);
  h.clock.advance(7 * DAY);
  assert.deepEqual([(await fetch(late.link)).status, (await press(late.link)).status], [422, 422]);
  h.clock.reset();
});

test('a payment is refunded if the subscriber has unsubscribed since opening the link', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const { email, link } = await request(newsletter);
  const payUrl = await payUrlOf(link);
  const [{ id }] = (await newsletter.subscribers(`?email=${email}`)) as [{ id: string }];
  await ok(
    h.call('PUT', `${newsletter.base}/collections/${newsletter.collectionId}/subscribers/${id}`, {
      token: newsletter.token,
      body: { status: 'UNSUBSCRIBED' },
    }),
  );
  await act(payUrl);
  assert.equal(await planOf(newsletter, email), 'UNSUBSCRIBED club');
  assert.deepEqual(await refundsOf(newsletter), [500]);
});

test('a link starts no payment for a subscription that ends at the same time', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const { email, link } = await request(newsletter);
  const response = await h.pool.transaction(async (tx) => {
    await tx`update subscriptions set status = 'UNSUBSCRIBED'
      where business_id = ${newsletter.businessId} and email_key = ${email}`;
    const pressed = press(link);
    await whenWaitingForLock(h.pool, pressed);
    return { pressed };
  });
  assert.equal((await response.pressed).status, 422);
});

test('a stranger’s payment sends a new link if the emailed link is old or belongs to an ended subscription', async () => {
  const newsletter = await stripeNewsletter();
  for (const hasEnded of [true, false]) {
    const { email, checkoutUrl } = await request(newsletter);
    const session = [...stripe.sessions.values()].find(({ url }) => url === checkoutUrl)!;
    stripe.pay(session);
    if (hasEnded) {
      await h.pool`update subscriptions set status = 'UNSUBSCRIBED'
        where business_id = ${newsletter.businessId} and email_key = ${email}`;
    } else {
      h.clock.advance(2 * DAY);
    }
    await newsletter.complete(session);
    assert.equal(await mailsTo(email), 2);
    assert.equal((await press(await confirmLink(h, email))).status, 200);
    await newsletter.login();
    assert.equal(await planOf(newsletter, email), 'ACTIVE club');
  }
  h.clock.reset();
});

test('a link charges once, however often it is used', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const { email, link } = await request(newsletter);
  const urls = await Promise.all([1, 2, 3].map(() => payUrlOf(link)));
  assert.equal(new Set(urls).size, 1);
  assert.equal((await act(urls[0]!, 'cancel')).headers.get('location'), link);
  assert.equal(await payUrlOf(link), urls[0], 'a canceled payment can be started again');
  await Promise.all([1, 2, 3].map(() => act(urls[0]!)));
  assert.equal((await press(link)).status, 200);
  assert.equal(await planOf(newsletter, email), 'ACTIVE club');
  const paid = await h.pool`select from payments where business_id = ${newsletter.businessId} and status = 'PAID'`;
  assert.deepEqual([paid.length, await refundsOf(newsletter), await confirmedEvents(newsletter)], [1, [], 1]);
});

test('if the owner and a stranger both pay, one payment is refunded, and the link confirms the subscription', async () => {
  for (const isStrangerFirst of [true, false]) {
    const newsletter = await makeNewsletter(h, doubleOptIn);
    const { email, checkoutUrl, link } = await request(newsletter);
    const payUrls = [checkoutUrl!, await payUrlOf(link)];
    if (!isStrangerFirst) payUrls.reverse();
    for (const url of payUrls) await act(url);
    assert.equal(await planOf(newsletter, email), 'ACTIVE club');
    assert.deepEqual([await refundsOf(newsletter), await confirmedEvents(newsletter)], [[500], 1]);
    const agreements =
      await h.pool`select from agreements where business_id = ${newsletter.businessId} and wanted = 'RENEW'`;
    assert.equal(agreements.length, 1);
  }
});

test('a payment whose confirmation fails is not recorded, and confirms the subscription when it is retried', {
  skip: skipTriggers,
}, async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const { email, link } = await request(newsletter);
  const payUrl = await payUrlOf(link);
  await h.pool`
    create function refuse_active() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`;
  await h.pool`
    create trigger refuse_active before update on subscriptions
    for each row when (new.status = 'ACTIVE') execute function refuse_active()`;
  assert.equal((await act(payUrl)).status, 500);
  const status = async () =>
    (
      await h.pool`select status from payments where business_id = ${newsletter.businessId} and reference like '%/link'`
    )[0]!.status;
  assert.deepEqual([await status(), await planOf(newsletter, email)], ['OPEN', 'PENDING club']);
  await h.pool`drop function refuse_active cascade`;
  await act(payUrl);
  assert.deepEqual([await status(), await planOf(newsletter, email)], ['PAID', 'ACTIVE club']);
  assert.equal(await confirmedEvents(newsletter), 1);
});

test('with Stripe, the link leads to a session, duplicate events confirm the subscription once, and the return page waits for them', async () => {
  const newsletter = await stripeNewsletter();
  const { email, link } = await request(newsletter);
  const url = await payUrlOf(link);
  const session = [...stripe.sessions.values()].find((each) => each.url === url)!;
  assert.deepEqual([session.amount_total, session.success_url, session.cancel_url], [500, `${link}?paid=true`, link]);
  stripe.pay(session);
  assert.match(
    await (await fetch(session.success_url)).text(),
    /haven&#39;t received your payment|haven't received your payment/,
  );
  for (let i = 0; i < 2; i++) await newsletter.complete(session);
  assert.equal(await planOf(newsletter, email), 'ACTIVE club');
  assert.equal(await confirmedEvents(newsletter), 1);
  assert.match(await (await fetch(session.success_url)).text(), /subscribed/);
});

test('only the owner can reactivate a bounced address with a paid plan, through the link', async () => {
  const newsletter = await makeNewsletter(h);
  const email = newEmail();
  await ok(newsletter.subscribe(email));
  await h.pool`update subscriptions set status = 'BOUNCED'
    where business_id = ${newsletter.businessId} and email_key = ${email}`;
  await h.pool`insert into suppressions ${h.pool({ businessId: newsletter.businessId, id: 'sup_1', email, emailKey: email, reason: 'BOUNCE', createdAt: 1 } as never)}`;
  const { checkoutUrl } = await ok(newsletter.subscribe(email, { planId: 'club', name: 'Ada' }));
  await act(checkoutUrl!, 'cancel');
  assert.equal(await planOf(newsletter, email), 'PENDING free');
  await act(await payUrlOf(await confirmLink(h, email)));
  assert.equal(await planOf(newsletter, email), 'ACTIVE club');
  assert.deepEqual(await newsletter.namesOf(), ['Ada'], 'the name of the request takes effect');
  const path = `${newsletter.base}/suppressions` as const;
  assert.deepEqual((await ok(h.call('GET', path, { token: newsletter.token }))).items, [], 'the address works again');
});

test('a mailbox gets only a few emails with payment links an hour', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const statuses = [];
  for (let i = 0; i < 6; i++) {
    statuses.push((await newsletter.subscribe(`victim+${i}@example.com`, { planId: 'club' })).status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
});

test('a payment through the link is refunded if the newsletter was deleted in the meantime', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const { link } = await request(newsletter);
  const payUrl = await payUrlOf(link);
  const path = `${newsletter.base}/collections/${newsletter.collectionId}?cascade=true` as const;
  await ok(h.call('DELETE', path, { token: newsletter.token }));
  assert.equal((await act(payUrl)).status, 303);
  assert.deepEqual(await refundsOf(newsletter), [500]);
});
