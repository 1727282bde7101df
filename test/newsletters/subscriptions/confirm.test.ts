import assert from 'node:assert/strict';
import test from 'node:test';
import { endPending } from '../../../src/domains/newsletters/subscriptions/joining/end-pending.ts';
import { type Json, shareHarness } from '../../harness.ts';
import { confirmLink, jobContext, makeNewsletter, type Newsletter, ok } from '../fixture.ts';

const h = await shareHarness();
const DAY = 86_400;
const doubleOptIn = { settings: { doubleOptIn: true } };
let count = 0;
const newEmail = () => `reader${++count}@example.com`;

const press = (link: string) => fetch(link, { method: 'POST', headers: { accept: 'text/html' } });
const tokenOf = (link: string) => link.split('/').at(-1)!;

const unsubscribe = (newsletter: Newsletter, email: string) => h.pool`
  update subscriptions set status = 'UNSUBSCRIBED'
  where business_id = ${newsletter.businessId} and email_key = ${email}`;

async function consentOf(newsletter: Newsletter, email: string) {
  const [{ id }] = (await newsletter.subscribers(`?email=${encodeURIComponent(email)}`)) as [{ id: string }];
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribers/${id}/consent` as const;
  return h.call('GET', path, { token: newsletter.token });
}

test('with double opt-in, a subscription starts only when the button is pressed, and the consent is stored', async (t) => {
  const now = h.clock.stop(t);
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const email = newEmail();
  assert.equal((await ok(newsletter.subscribe(email, { name: 'Ada' }))).status, 'PENDING');
  assert.equal((await consentOf(newsletter, email)).status, 404);
  const link = await confirmLink(h, email);
  for (const accept of ['text/html', '*/*', 'application/json']) {
    assert.equal((await fetch(link, { headers: { accept } })).status, 200);
    assert.equal(await newsletter.statusOf(email), 'PENDING', 'a link scanner confirms nothing');
  }
  assert.equal((await ok(newsletter.send(await newsletter.entry()))).recipients, 0);
  assert.equal((await press(link)).status, 200);
  assert.equal(await newsletter.statusOf(email), 'ACTIVE');
  const { body } = await consentOf(newsletter, email);
  assert.deepEqual([body.email, body.source, body.address], [email, 'DOUBLE_OPT_IN', '127.0.0.1']);
  assert.match(body.text!, /newsletter “Letters” from Shop at reader/);
  assert.equal(body.at, now);
  assert.equal((await press(link)).status, 200, 'repeatable');
});

test('through the API, the token works only in its own business and only if it is unmodified, and it never confirms an ended subscription', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const other = await makeNewsletter(h);
  const email = newEmail();
  await ok(newsletter.subscribe(email));
  const token = tokenOf(await confirmLink(h, email));
  const confirm = (base: string, text: string) =>
    h.call('POST', `${base}/collections/confirm`, { body: { token: text } });
  const [payload, signature] = token.split('.') as [string, string];
  const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"free"', '"club"'));
  for (const bad of ['', 'x', payload, `${forged.toString('base64url')}.${signature}`, `${token}x`, `${token}.x`]) {
    assert.equal((await confirm(newsletter.base, bad)).status, 422, bad);
  }
  assert.equal((await confirm(other.base, token)).status, 422);
  assert.equal(await newsletter.statusOf(email), 'PENDING');
  assert.deepEqual(await ok(confirm(newsletter.base, token)), { success: true });
  assert.equal(await newsletter.statusOf(email), 'ACTIVE');
  await unsubscribe(newsletter, email);
  assert.equal((await confirm(newsletter.base, token)).status, 422);
  assert.equal(await newsletter.statusOf(email), 'UNSUBSCRIBED');
});

test('only the owner can resubscribe an unsubscribed address, by email or with their confirmed account', async () => {
  const newsletter = await makeNewsletter(h);
  const owner = await h.user();
  const email = owner.email!;
  await ok(newsletter.subscribe(email, { name: 'Ada' }));
  await unsubscribe(newsletter, email);
  for (let i = 0; i < 2; i++) assert.equal((await ok(newsletter.subscribe(email, { name: 'Fool' }))).status, 'PENDING');
  const link = await confirmLink(h, email);
  assert.equal((await ok(newsletter.send(await newsletter.entry()))).recipients, 0);
  await press(link);
  assert.equal(await newsletter.statusOf(email), 'ACTIVE');
  await unsubscribe(newsletter, email);
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribe` as const;
  const self = await ok(h.call('POST', path, { token: owner.token, body: { email, planId: 'free' } }));
  assert.equal(self.status, 'ACTIVE');
});

test('each link confirms its own request, even after a later request by a stranger', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const email = newEmail();
  await ok(newsletter.subscribe(email, { name: 'Ada' }));
  const link = await confirmLink(h, email);
  await ok(newsletter.subscribe(email, { name: 'Fool' }));
  await press(link);
  assert.deepEqual(await newsletter.namesOf(), ['Ada']);
});

test('the confirmation email contains no text entered by the requester and links only to the service', async () => {
  const newsletter = await makeNewsletter(h, {
    ...doubleOptIn,
    name: 'Prize at https://evil.example <b> www.evil.example',
  });
  const email = newEmail();
  await ok(newsletter.subscribe(email, { name: 'Congratulations' }));
  const mail = (await h.mailbox()).find(({ to }) => to === email);
  assert.ok(mail?.kind === 'mail');
  const all = `${mail.subject} ${mail.text} ${mail.html}`;
  assert.doesNotMatch(all, /Congratulations|evil\.example|<b>/);
  for (const [url] of all.matchAll(/https?:\/\/[^/\s"<]+/g)) assert.equal(url, h.url);
});

test('a mailbox gets only a few confirmation emails an hour, across plus tags and requesters', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const statuses = [];
  for (let i = 0; i < 8; i++) statuses.push((await newsletter.subscribe(`victim+${i}@example.com`)).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429, 429]);
});

test('after 7 days without confirmation, a new subscription is deleted and an earlier one is unsubscribed', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const [fresh, previous] = [newEmail(), newEmail()];
  await ok(newsletter.subscribe(previous));
  await press(await confirmLink(h, previous));
  await unsubscribe(newsletter, previous);
  for (const email of [fresh, previous]) await ok(newsletter.subscribe(email));
  const link = await confirmLink(h, fresh);
  h.clock.advance(7 * DAY - 60);
  await newsletter.login();
  await endPending(jobContext(h.service));
  assert.deepEqual([await newsletter.statusOf(fresh), await newsletter.statusOf(previous)], ['PENDING', 'PENDING']);
  h.clock.advance(120);
  assert.equal((await press(link)).status, 422);
  await endPending(jobContext(h.service));
  assert.deepEqual([await newsletter.statusOf(fresh), await newsletter.statusOf(previous)], ['', 'UNSUBSCRIBED']);
  assert.equal((await press(link)).status, 422);
});

test('a paid plan waits for the owner to confirm the address, then takes effect', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const email = newEmail();
  const { checkoutUrl } = await ok(newsletter.subscribe(email, { planId: 'club' }));
  await fetch(checkoutUrl, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });
  assert.equal(await newsletter.statusOf(email), 'PENDING');
  const old = await confirmLink(h, email);
  h.clock.advance(8 * DAY);
  await newsletter.login();
  await endPending(jobContext(h.service));
  assert.equal(await newsletter.statusOf(email), 'PENDING');
  const { token } = await h.guest();
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribe` as const;
  await ok(h.call('POST', path, { token, body: { email, planId: 'free' } }));
  assert.equal((await press(old)).status, 422);
  await press(await confirmLink(h, email));
  assert.deepEqual(
    (await newsletter.subscribers()).map(({ status, planId }) => `${status} ${planId}`),
    ['ACTIVE club'],
  );
});

test('a paid plan that is never confirmed is canceled after a period and can’t be confirmed after its end', async () => {
  const newsletter = await makeNewsletter(h, doubleOptIn);
  const email = newEmail();
  const { checkoutUrl } = await ok(newsletter.subscribe(email, { planId: 'club' }));
  await fetch(checkoutUrl, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });
  const old = await confirmLink(h, email);
  for (let i = 0; i < 2; i++) {
    h.clock.advance(32 * DAY);
    await h.drain('agreement-sync');
  }
  await newsletter.login();
  const [{ id }] = (await newsletter.subscribers()) as [Json];
  const path = `${newsletter.base}/collections/${newsletter.collectionId}` as const;
  const { billing } = await ok(h.call('GET', `${path}/subscribers/${id}`, { token: newsletter.token }));
  assert.deepEqual([billing!.status, billing!.charges.length], ['ENDED', 2]);
  assert.equal((await press(old)).status, 422);
  const { token } = await h.guest();
  await ok(h.call('POST', `${path}/subscribe`, { token, body: { email, planId: 'free' } }));
  await press(await confirmLink(h, email));
  assert.deepEqual(
    (await newsletter.subscribers()).map(({ status, planId }) => `${status} ${planId}`),
    ['ACTIVE free'],
  );
});
