import assert from 'node:assert/strict';
import test from 'node:test';
import { endPending } from '../../../src/domains/newsletters/subscriptions/end-pending.ts';
import { syncDue } from '../../../src/domains/payments/agreements/sync-agreement.ts';
import { type Json, startHarness } from '../../harness.ts';
import { openPage, skip } from '../../pages/browser.ts';
import { confirmLink, jobContext, makeNewsletter, type Newsletter, ok } from '../fixture.ts';

const h = await startHarness();
const DAY = 86_400;
const doubleOptIn = { settings: { doubleOptIn: true } };
let count = 0;
const newEmail = () => `reader${++count}@example.com`;

const press = (link: string) => fetch(link, { method: 'POST', headers: { accept: 'text/html' } });
const tokenOf = (link: string) => link.split('/').at(-1)!;

const unsubscribe = (letters: Newsletter, email: string) => h.pool`
  update subscriptions set status = 'UNSUBSCRIBED'
  where business_id = ${letters.businessId} and email_key = ${email}`;

async function consentOf(letters: Newsletter, email: string) {
  const [{ id }] = (await letters.subscribers(`?email=${encodeURIComponent(email)}`)) as [{ id: string }];
  const path = `${letters.base}/collections/${letters.collectionId}/subscribers/${id}/consent`;
  return h.call('GET', path, { token: letters.token });
}

test('with double opt-in nobody is subscribed before the button is pressed, and what was agreed to is kept', async () => {
  const letters = await makeNewsletter(h, doubleOptIn);
  const email = newEmail();
  assert.equal((await ok(letters.subscribe(email, { name: 'Ada' }))).status, 'PENDING');
  assert.equal((await consentOf(letters, email)).status, 404);
  const link = await confirmLink(h, email);
  for (const accept of ['text/html', '*/*', 'application/json']) {
    assert.equal((await fetch(link, { headers: { accept } })).status, 200);
    assert.equal(await letters.statusOf(email), 'PENDING', 'a scanner confirms nothing');
  }
  assert.equal((await ok(letters.send(await letters.entry()))).recipients, 0);
  assert.equal((await press(link)).status, 200);
  assert.equal(await letters.statusOf(email), 'ACTIVE');
  const { body } = await consentOf(letters, email);
  assert.deepEqual([body.email, body.source, body.address], [email, 'DOUBLE_OPT_IN', '127.0.0.1']);
  assert.match(body.text, /newsletter "Letters" of Shop to reader/);
  assert.ok(Math.abs(body.at - h.clock.seconds()) < 5);
  assert.equal((await press(link)).status, 200, 'repeatable');
});

test('the token confirms by API, in its own business only, only as we made it, and never what has ended', async () => {
  const letters = await makeNewsletter(h, doubleOptIn);
  const other = await makeNewsletter(h);
  const email = newEmail();
  await ok(letters.subscribe(email));
  const token = tokenOf(await confirmLink(h, email));
  const confirm = (base: string, text: string) =>
    h.call('POST', `${base}/collections/confirm`, { body: { token: text } });
  const [payload, signature] = token.split('.') as [string, string];
  const forged = Buffer.from(Buffer.from(payload, 'base64url').toString().replace('"free"', '"club"'));
  for (const bad of ['', 'x', payload, `${forged.toString('base64url')}.${signature}`, `${token}x`, `${token}.x`]) {
    assert.equal((await confirm(letters.base, bad)).status, 422, bad);
  }
  assert.equal((await confirm(other.base, token)).status, 422);
  assert.equal(await letters.statusOf(email), 'PENDING');
  assert.deepEqual(await ok(confirm(letters.base, token)), { success: true });
  assert.equal(await letters.statusOf(email), 'ACTIVE');
  await unsubscribe(letters, email);
  assert.equal((await confirm(letters.base, token)).status, 422);
  assert.equal(await letters.statusOf(email), 'UNSUBSCRIBED');
});

test('nobody but its owner brings an unsubscribed address back: by mail, or with their own confirmed account', async () => {
  const letters = await makeNewsletter(h);
  const owner = await h.user();
  const email = owner.email!;
  await ok(letters.subscribe(email, { name: 'Ada' }));
  await unsubscribe(letters, email);
  for (let i = 0; i < 2; i++) assert.equal((await ok(letters.subscribe(email, { name: 'Fool' }))).status, 'PENDING');
  const link = await confirmLink(h, email);
  assert.equal((await ok(letters.send(await letters.entry()))).recipients, 0);
  await press(link);
  assert.equal(await letters.statusOf(email), 'ACTIVE');
  await unsubscribe(letters, email);
  const path = `${letters.base}/collections/${letters.collectionId}/subscribe`;
  const self = await ok(h.call('POST', path, { token: owner.token, body: { email, planId: 'free' } }));
  assert.equal(self.status, 'ACTIVE');
});

test('each link confirms the request it was made for, whatever a stranger asks later', async () => {
  const letters = await makeNewsletter(h, doubleOptIn);
  const email = newEmail();
  await ok(letters.subscribe(email, { name: 'Ada' }));
  const link = await confirmLink(h, email);
  await ok(letters.subscribe(email, { name: 'Fool' }));
  await press(link);
  assert.deepEqual(await letters.namesOf(), ['Ada']);
});

test('the mail says nothing that the one who asked has typed, and leads nowhere but to us', async () => {
  const letters = await makeNewsletter(h, {
    ...doubleOptIn,
    name: 'Prize at https://evil.example <b> www.evil.example',
  });
  const email = newEmail();
  await ok(letters.subscribe(email, { name: 'Congratulations' }));
  const mail = (await h.mailbox()).find(({ to }) => to === email);
  assert.ok(mail?.kind === 'mail');
  const all = `${mail.subject} ${mail.text} ${mail.html}`;
  assert.doesNotMatch(all, /Congratulations|evil\.example|<b>/);
  for (const [url] of all.matchAll(/https?:\/\/[^/\s"<]+/g)) assert.equal(url, h.url);
});

test('one address gets only a few such mails in an hour, also under plus-tags and from many who ask', async () => {
  const letters = await makeNewsletter(h, doubleOptIn);
  const answers = [];
  for (let i = 0; i < 8; i++) answers.push((await letters.subscribe(`victim+${i}@example.com`)).status);
  assert.deepEqual(answers, [200, 200, 200, 200, 200, 429, 429, 429]);
});

test('what nobody confirms within 7 days is over: forgotten when it was new, unsubscribed when it had been that before', async () => {
  const letters = await makeNewsletter(h, doubleOptIn);
  const [fresh, former] = [newEmail(), newEmail()];
  await ok(letters.subscribe(former));
  await press(await confirmLink(h, former));
  await unsubscribe(letters, former);
  for (const email of [fresh, former]) await ok(letters.subscribe(email));
  const link = await confirmLink(h, fresh);
  h.clock.advance(7 * DAY - 60);
  await letters.login();
  await endPending(jobContext(h.service));
  assert.deepEqual([await letters.statusOf(fresh), await letters.statusOf(former)], ['PENDING', 'PENDING']);
  h.clock.advance(120);
  assert.equal((await press(link)).status, 422);
  await endPending(jobContext(h.service));
  assert.deepEqual([await letters.statusOf(fresh), await letters.statusOf(former)], ['', 'UNSUBSCRIBED']);
  assert.equal((await press(link)).status, 422);
});

test('a paid plan does not confirm an address: it waits for the owner, however long, and then takes effect', async () => {
  const letters = await makeNewsletter(h, doubleOptIn);
  const email = newEmail();
  const { checkoutUrl } = await ok(letters.subscribe(email, { planId: 'club' }));
  await fetch(checkoutUrl, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });
  assert.equal(await letters.statusOf(email), 'PENDING');
  const old = await confirmLink(h, email);
  h.clock.advance(8 * DAY);
  await letters.login();
  await endPending(jobContext(h.service));
  assert.equal(await letters.statusOf(email), 'PENDING');
  const { token } = await h.guest();
  const path = `${letters.base}/collections/${letters.collectionId}/subscribe`;
  await ok(h.call('POST', path, { token, body: { email, planId: 'free' } }));
  assert.equal((await press(old)).status, 422);
  await press(await confirmLink(h, email));
  assert.deepEqual(
    (await letters.subscribers()).map(({ status, planId }) => `${status} ${planId}`),
    ['ACTIVE club'],
  );
});

test('a paid plan that its owner never confirms is cancelled after a period, and cannot be confirmed after its end', async () => {
  const letters = await makeNewsletter(h, doubleOptIn);
  const email = newEmail();
  const { checkoutUrl } = await ok(letters.subscribe(email, { planId: 'club' }));
  await fetch(checkoutUrl, { method: 'POST', body: new URLSearchParams({ action: 'pay' }), redirect: 'manual' });
  const old = await confirmLink(h, email);
  for (let i = 0; i < 2; i++) {
    h.clock.advance(32 * DAY);
    await syncDue(jobContext(h.service) as never);
  }
  await letters.login();
  const [{ id }] = (await letters.subscribers()) as [Json];
  const path = `${letters.base}/collections/${letters.collectionId}`;
  const { billing } = await ok(h.call('GET', `${path}/subscribers/${id}`, { token: letters.token }));
  assert.deepEqual([billing.status, billing.charges.length], ['ENDED', 2]);
  assert.equal((await press(old)).status, 422);
  const { token } = await h.guest();
  await ok(h.call('POST', `${path}/subscribe`, { token, body: { email, planId: 'free' } }));
  await press(await confirmLink(h, email));
  assert.deepEqual(
    (await letters.subscribers()).map(({ status, planId }) => `${status} ${planId}`),
    ['ACTIVE free'],
  );
});

test('the page confirms with its button in a real browser without JavaScript, and says so', { skip }, async () => {
  const letters = await makeNewsletter(h, doubleOptIn);
  const email = newEmail();
  const { token } = await h.guest();
  const path = `${letters.base}/collections/${letters.collectionId}/subscribe`;
  await ok(h.call('POST', path, { token, body: { email, planId: 'free' } }));
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto(await confirmLink(h, email));
  await page.getByText(email).waitFor();
  await page.getByRole('button', { name: 'Yes, subscribe me' }).click();
  await page.getByRole('status').getByText('The next issue').waitFor();
  assert.equal(await letters.statusOf(email), 'ACTIVE');
});
