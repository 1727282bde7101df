import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../../harness.ts';
import { startStripe, stripeEvent } from '../../payments/stripe-server.ts';
import { makeNewsletter, type Newsletter, ok } from '../fixture.ts';

const stripe = await startStripe();
const h = await startHarness({ STRIPE_API_BASE: stripe.url });

const act = (checkoutUrl: string, action: string) =>
  fetch(checkoutUrl, { method: 'POST', body: new URLSearchParams({ action }), redirect: 'manual' });

const planOf = async (letters: Newsletter, email: string) =>
  (await letters.subscribers(`?email=${email}`)).map(({ status, planId }) => `${status} ${planId}`).join();

test('a paid plan answers where to pay and is ACTIVE when it is paid, once', async () => {
  const letters = await makeNewsletter(h);
  const way = { planId: 'club', returnUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/pity' };
  const first = await ok(letters.subscribe('ada@example.com', way));
  assert.deepEqual(Object.keys(first), ['checkoutUrl']);
  assert.equal(await planOf(letters, 'ada@example.com'), 'PENDING club');
  const page = await fetch(first.checkoutUrl);
  assert.match(await page.text(), /Letters: Club/);
  assert.equal((await act(first.checkoutUrl, 'decline')).headers.get('location'), 'https://shop.example/pity');
  assert.equal(await planOf(letters, 'ada@example.com'), 'PENDING club');
  const paid = await act(first.checkoutUrl, 'pay');
  assert.deepEqual([paid.status, paid.headers.get('location')], [303, 'https://shop.example/thanks']);
  assert.equal(await planOf(letters, 'ada@example.com'), 'ACTIVE club');
  const again = await ok(letters.subscribe('Ada@example.com', way));
  assert.deepEqual([again.status, again.planId], ['ACTIVE', 'club']);
});

test('a plan is paid through Stripe with the keys of the business', async () => {
  const secret = 'whsec_of_these_letters';
  const keys = { publicKey: 'pk_1', secretKey: 'sk_test_1', webhookSecret: secret };
  const letters = await makeNewsletter(h, {}, { paymentProvider: { type: 'STRIPE', ...keys } });
  const { checkoutUrl } = await ok(letters.subscribe('ada@example.com', { planId: 'club' }));
  const session = [...stripe.sessions.values()].find(({ url }) => url === checkoutUrl);
  assert.deepEqual([session.amount_total, session.customer_email], [500, 'ada@example.com']);
  assert.equal(session.authorization, 'Bearer sk_test_1');
  stripe.pay(session);
  const tell = async (key: string, amount: number) => {
    const event = stripeEvent('checkout.session.completed', { ...session, amount_total: amount }, key);
    const headers = { 'stripe-signature': event.signature, 'content-type': 'application/json' };
    const path = `/v1/payments/webhooks/stripe/${letters.businessId}`;
    return (await h.call('POST', path, { body: event.payload, headers })).status;
  };
  assert.equal(await tell('whsec_of_a_stranger', 500), 400);
  assert.equal(await planOf(letters, 'ada@example.com'), 'PENDING club');
  assert.equal(await tell(secret, 500), 200);
  assert.equal(await planOf(letters, 'ada@example.com'), 'ACTIVE club');
});

test('until it is paid a free subscription goes on, and nobody can take a paid plan away by subscribing to a free one', async () => {
  const letters = await makeNewsletter(h);
  await ok(letters.subscribe('ada@example.com'));
  const { checkoutUrl } = await ok(letters.subscribe('ada@example.com', { planId: 'club' }));
  assert.equal(await planOf(letters, 'ada@example.com'), 'ACTIVE free');
  await act(checkoutUrl, 'pay');
  assert.equal(await planOf(letters, 'ada@example.com'), 'ACTIVE club');
  assert.equal((await ok(letters.subscribe('ada@example.com'))).planId, 'club');
});

test('who pays twice for one plan gets the second payment back, also while the plan waits for its confirmation', async () => {
  for (const [collection, plan] of [
    [{}, 'ACTIVE club'],
    [{ settings: { doubleOptIn: true } }, 'PENDING club'],
  ] as const) {
    const letters = await makeNewsletter(h, collection);
    const urls = [];
    for (let i = 0; i < 2; i++)
      urls.push((await ok(letters.subscribe('ada@example.com', { planId: 'club' }))).checkoutUrl);
    for (const url of urls) await act(url, 'pay');
    const refunds = await h.pool`select amount from refunds where business_id = ${letters.businessId}`;
    assert.deepEqual(
      refunds.map(({ amount }) => amount),
      [500],
    );
    assert.equal(await planOf(letters, 'ada@example.com'), plan);
  }
});

test('money for a plan that is taken away or made free meanwhile goes back, and nothing renews; another price does not touch what was agreed', async () => {
  const free = { id: 'free', name: 'Free' };
  const price = { amount: 900, currency: 'eur', interval: 'MONTHLY' };
  for (const [plans, plan, refunded] of [
    [[free], 'PENDING club', [500]],
    [[free, { id: 'club', name: 'Club' }], 'PENDING club', [500]],
    [[free, { id: 'club', name: 'Club', price }], 'ACTIVE club', []],
  ] as const) {
    const letters = await makeNewsletter(h);
    const { checkoutUrl } = await ok(letters.subscribe('ada@example.com', { planId: 'club' }));
    await ok(
      h.call('PUT', `${letters.base}/collections/${letters.collectionId}`, { token: letters.token, body: { plans } }),
    );
    await act(checkoutUrl, 'pay');
    await h.drain('agreement-sync');
    const refunds = await h.pool`select amount from refunds where business_id = ${letters.businessId}`;
    assert.deepEqual(
      refunds.map(({ amount }) => amount),
      refunded,
    );
    assert.equal(await planOf(letters, 'ada@example.com'), plan);
    const renewing = await h.pool`
      select amount from agreements where business_id = ${letters.businessId} and status <> 'ENDED'`;
    assert.deepEqual(
      renewing.map(({ amount }) => amount),
      refunded.length > 0 ? [] : [500],
    );
  }
});

test('a repeat with the same Idempotency-Key leads to the same payment', async () => {
  const letters = await makeNewsletter(h);
  const call = () =>
    h.call('POST', `${letters.base}/collections/${letters.collectionId}/subscribe`, {
      token: letters.guest.token,
      body: { email: 'ada@example.com', plan_id: 'club' },
      headers: { 'idempotency-key': 'k' },
    });
  const first = await ok(call());
  assert.deepEqual(await ok(call()), first);
});

test('somebody who has not paid is sent nothing', async () => {
  const letters = await makeNewsletter(h);
  await ok(letters.subscribe('ada@example.com', { planId: 'club' }));
  const send = await ok(letters.send(await letters.entry()));
  assert.equal(send.recipients, 0);
  await h.drain('newsletter-send');
  assert.equal((await letters.progress(send.entryId, send.id)).status, 'SENT');
});
