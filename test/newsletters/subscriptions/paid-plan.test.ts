import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../../harness.ts';
import { startStripe, stripeEvent } from '../../payments/stripe-server.ts';
import { makeNewsletter, type Newsletter, ok, runSends } from '../fixture.ts';

const stripe = await startStripe();
const h = await shareHarness({ STRIPE_API_BASE: stripe.url });

const act = (checkoutUrl: string, action: string) =>
  fetch(checkoutUrl, { method: 'POST', body: new URLSearchParams({ action }), redirect: 'manual' });

const planOf = async (newsletter: Newsletter, email: string) =>
  (await newsletter.subscribers(`?email=${email}`)).map(({ status, planId }) => `${status} ${planId}`).join();

test('subscribing to a paid plan returns the payment page, and the plan becomes ACTIVE once paid', async () => {
  const newsletter = await makeNewsletter(h);
  const way = { planId: 'club', returnUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/pity' };
  const first = await ok(newsletter.subscribe('ada@example.com', way));
  assert.deepEqual(Object.keys(first), ['checkoutUrl']);
  assert.equal(await planOf(newsletter, 'ada@example.com'), 'PENDING club');
  const page = await fetch(first.checkoutUrl);
  assert.match(await page.text(), /Letters: Club/);
  assert.equal((await act(first.checkoutUrl, 'decline')).headers.get('location'), 'https://shop.example/pity');
  assert.equal(await planOf(newsletter, 'ada@example.com'), 'PENDING club');
  const paid = await act(first.checkoutUrl, 'pay');
  assert.deepEqual([paid.status, paid.headers.get('location')], [303, 'https://shop.example/thanks']);
  assert.equal(await planOf(newsletter, 'ada@example.com'), 'ACTIVE club');
  const again = await ok(newsletter.subscribe('Ada@example.com', way));
  assert.deepEqual([again.status, again.planId], ['ACTIVE', 'club']);
});

test('a plan is paid through Stripe with the keys of the business', async () => {
  const secret = 'whsec_of_these_letters';
  const keys = { publicKey: 'pk_1', secretKey: 'sk_test_1', webhookSecret: secret };
  const newsletter = await makeNewsletter(h, {}, { paymentProvider: { type: 'STRIPE', ...keys } });
  const { checkoutUrl } = await ok(newsletter.subscribe('ada@example.com', { planId: 'club' }));
  const session = [...stripe.sessions.values()].find(({ url }) => url === checkoutUrl);
  assert.deepEqual([session.amount_total, session.customer_email], [500, 'ada@example.com']);
  assert.equal(session.authorization, 'Bearer sk_test_1');
  stripe.pay(session);
  const sendEvent = async (key: string, amount: number) => {
    const event = stripeEvent('checkout.session.completed', { ...session, amount_total: amount }, key);
    const headers = { 'stripe-signature': event.signature, 'content-type': 'application/json' };
    const path = `/v1/payments/webhooks/stripe/${newsletter.businessId}` as const;
    return (await h.call('POST', path, { body: event.payload, headers })).status;
  };
  assert.equal(await sendEvent('whsec_of_a_stranger', 500), 400);
  assert.equal(await planOf(newsletter, 'ada@example.com'), 'PENDING club');
  assert.equal(await sendEvent(secret, 500), 200);
  assert.equal(await planOf(newsletter, 'ada@example.com'), 'ACTIVE club');
});

test('a free plan continues until the paid plan is paid, and subscribing to a free plan never replaces a paid one', async () => {
  const newsletter = await makeNewsletter(h);
  await ok(newsletter.subscribe('ada@example.com'));
  const { checkoutUrl } = await ok(newsletter.subscribe('ada@example.com', { planId: 'club' }));
  assert.equal(await planOf(newsletter, 'ada@example.com'), 'ACTIVE free');
  await act(checkoutUrl, 'pay');
  assert.equal(await planOf(newsletter, 'ada@example.com'), 'ACTIVE club');
  assert.equal((await ok(newsletter.subscribe('ada@example.com'))).planId, 'club');
});

test('a payment by the owner of the address counts as their confirmation', async () => {
  const newsletter = await makeNewsletter(h, { settings: { doubleOptIn: true } });
  const ada = await h.user();
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribe` as const;
  const body = { email: ada.email, planId: 'club' };
  await act((await ok(h.call('POST', path, { token: ada.token, body }))).checkoutUrl, 'pay');
  assert.equal(await planOf(newsletter, ada.email!), 'ACTIVE club');
  const [{ id }] = (await newsletter.subscribers(`?email=${ada.email}`)) as [{ id: string }];
  const consentPath = `${newsletter.base}/collections/${newsletter.collectionId}/subscribers/${id}/consent` as const;
  const consent = await ok(h.call('GET', consentPath, { token: newsletter.token }));
  assert.deepEqual([consent.source, consent.userId], ['PAYMENT', ada.userId]);
  await act((await ok(newsletter.subscribe('eve@example.com', { planId: 'club' }))).checkoutUrl, 'pay');
  assert.equal(await planOf(newsletter, 'eve@example.com'), 'PENDING club', 'a stranger can pay, but not confirm');
});

test('a second payment for the same plan is refunded, even while the plan waits for confirmation', async () => {
  for (const [collection, plan] of [
    [{}, 'ACTIVE club'],
    [{ settings: { doubleOptIn: true } }, 'PENDING club'],
  ] as const) {
    const newsletter = await makeNewsletter(h, collection);
    const urls = [];
    for (let i = 0; i < 2; i++)
      urls.push((await ok(newsletter.subscribe('ada@example.com', { planId: 'club' }))).checkoutUrl);
    for (const url of urls) await act(url, 'pay');
    const refunds = await h.pool`select amount from refunds where business_id = ${newsletter.businessId}`;
    assert.deepEqual(
      refunds.map(({ amount }) => amount),
      [500],
    );
    assert.equal(await planOf(newsletter, 'ada@example.com'), plan);
  }
});

test('a payment for a plan that was deleted or made free is refunded and does not renew, and a price change keeps the agreed price', async () => {
  const free = { id: 'free', name: 'Free' };
  const price = { amount: 900, currency: 'eur', interval: 'MONTHLY' };
  for (const [plans, plan, refunded] of [
    [[free], 'PENDING club', [500]],
    [[free, { id: 'club', name: 'Club' }], 'PENDING club', [500]],
    [[free, { id: 'club', name: 'Club', price }], 'ACTIVE club', []],
  ] as const) {
    const newsletter = await makeNewsletter(h);
    const { checkoutUrl } = await ok(newsletter.subscribe('ada@example.com', { planId: 'club' }));
    await ok(
      h.call('PUT', `${newsletter.base}/collections/${newsletter.collectionId}`, {
        token: newsletter.token,
        body: { plans },
      }),
    );
    await act(checkoutUrl, 'pay');
    await h.drain('agreement-sync');
    const refunds = await h.pool`select amount from refunds where business_id = ${newsletter.businessId}`;
    assert.deepEqual(
      refunds.map(({ amount }) => amount),
      refunded,
    );
    assert.equal(await planOf(newsletter, 'ada@example.com'), plan);
    const renewing = await h.pool`
      select amount from agreements where business_id = ${newsletter.businessId} and status <> 'ENDED'`;
    assert.deepEqual(
      renewing.map(({ amount }) => amount),
      refunded.length > 0 ? [] : [500],
    );
  }
});

test('a retry with the same Idempotency-Key returns the same payment', async () => {
  const newsletter = await makeNewsletter(h);
  const call = () =>
    h.call('POST', `${newsletter.base}/collections/${newsletter.collectionId}/subscribe`, {
      token: newsletter.guest.token,
      body: { email: 'ada@example.com', plan_id: 'club' },
      headers: { 'idempotency-key': 'k' },
    });
  const first = await ok(call());
  assert.deepEqual(await ok(call()), first);
});

test('issues are not sent to someone who has not paid', async () => {
  const newsletter = await makeNewsletter(h);
  await ok(newsletter.subscribe('ada@example.com', { planId: 'club' }));
  const send = await ok(newsletter.send(await newsletter.entry()));
  assert.equal(send.recipients, 0);
  await runSends(h.service);
  assert.equal((await newsletter.progress(send.entryId, send.id)).status, 'SENT');
});
