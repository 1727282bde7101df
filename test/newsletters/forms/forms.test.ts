import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, startHarness } from '../../harness.ts';
import { makeNewsletter, ok } from '../fixture.ts';

const h = await startHarness({
  PUBLIC_URL: 'http://localhost:3000',
  ALLOWED_ORIGINS: 'https://shop.example',
  LIMIT_MESSAGES: '3',
  LIMIT_SUBSCRIBE: '100/60',
});
// Single opt-in, which forms ignore.
const newsletter = await makeNewsletter(h, { settings: { doubleOptIn: false } });
const { base, businessId, collectionId, token } = newsletter;

const makeForm = (more: object = {}) =>
  ok(h.call('POST', `${base}/forms`, { token, body: { collectionId, name: 'Footer', ...more } }));

const submit = (formId: string, values: Record<string, string>, business = businessId) =>
  fetch(`${h.url}/v1/forms/${business}/${formId}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html', origin: 'https://blog.example' },
    body: new URLSearchParams(values),
  });

const linksTo = async (email: string) =>
  ((await h.mailbox()) as Json[])
    .filter(({ to }) => to === email)
    .map(({ text }) => /\/confirm-subscription\/(\S+)/.exec(text)![1]!);

const rowOf = async (email: string) => {
  const [row] = await h.pool`
    select status, name, tags, fields from subscriptions where business_id = ${businessId} and email_key = ${email}`;
  return row && { ...row };
};

test('a form on another website subscribes people only after they confirm, and then sets its tags and fields', async () => {
  const form = await makeForm({ tags: ['Web'], fields: ['city'], asksName: true, thanks: 'See <you> soon' });
  assert.match(form.html, new RegExp(`action="http://localhost:3000/v1/forms/${businessId}/${form.id}" method="post"`));
  const values = { email: 'ada@example.com', name: 'Ada', 'fields.city': 'Rome', 'fields.other': 'x', tags: 'vip' };
  const response = await submit(form.id, values);
  const page = await response.text();
  assert.equal(response.status, 200, page);
  assert.match(page, /See &lt;you&gt; soon/);
  assert.doesNotMatch(page, /ada@|Rome/, 'nothing entered is shown');
  assert.equal((await rowOf('ada@example.com'))!.status, 'PENDING');
  assert.deepEqual((await rowOf('ada@example.com'))!.tags, []);
  const [link] = await linksTo('ada@example.com');
  assert.equal((await submit(form.id, { ...values, name: 'Mallory', 'fields.city': 'Oslo' })).status, 200);
  const confirmed = await h.call('POST', `${base}/collections/confirm`, {
    token: newsletter.guest.token,
    body: { token: link! },
  });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  const expected = { status: 'ACTIVE', name: 'Ada', tags: ['web'], fields: { city: 'Rome' } };
  assert.deepEqual(await rowOf('ada@example.com'), expected);
  assert.equal(await (await submit(form.id, values)).text(), page, 'the page does not reveal who is subscribed');
  assert.deepEqual(await rowOf('ada@example.com'), expected, 'strangers change nothing');
});

test('a form emails a mailbox only a few times an hour, ignores bots that fill in the hidden field, and rejects links', async () => {
  const form = await makeForm({ asksName: true });
  for (let i = 0; i < 20; i++) assert.equal((await submit(form.id, { email: 'victim@example.com' })).status, 200);
  assert.equal((await linksTo('victim@example.com')).length, 3);
  assert.equal((await submit(form.id, { email: 'bot@example.com', website: 'spam' })).status, 200);
  assert.equal(await rowOf('bot@example.com'), undefined);
  for (const values of [{ email: 'no address' }, { email: 'a@example.com', name: 'Win at www.spam.example' }, {}]) {
    assert.equal((await submit(form.id, values as Record<string, string>)).status, 422);
  }
  const other = await makeNewsletter(h);
  assert.equal((await submit(form.id, { email: 'ada@example.com' }, other.businessId)).status, 404);
});

test('a form redirects only to an allowed origin, and subscribes only to a free plan', async () => {
  const call = (body: object) => h.call('POST', `${base}/forms`, { token, body: { collectionId, name: 'F', ...body } });
  assert.equal((await call({ redirectUrl: 'https://evil.example/' })).status, 422);
  assert.equal((await call({ redirectUrl: 'javascript:alert(1)' })).status, 422);
  assert.equal((await call({ planId: 'club' })).status, 422);
  const form = await makeForm({ redirectUrl: 'https://shop.example/thanks' });
  const response = await submit(form.id, { email: 'grace@example.com' });
  assert.deepEqual([response.status, response.headers.get('location')], [303, 'https://shop.example/thanks']);
  const encoded = await makeForm({ redirectUrl: 'https://shop.example/dziękuję\r\nX: y' });
  const { status, headers } = await submit(encoded.id, { email: 'edith@shop.example' });
  assert.deepEqual([status, headers.get('location')], [303, 'https://shop.example/dzi%C4%99kuj%C4%99X:%20y']);
});

test('a form never subscribes to a plan that now has a price', async () => {
  const other = await makeNewsletter(h);
  const plans = [
    { id: 'free', name: 'Free' },
    { id: 'early', name: 'Early readers' },
  ];
  const path = `${other.base}/collections/${other.collectionId}` as const;
  await ok(h.call('PUT', path, { token: other.token, body: { plans } }));
  const input = { collectionId: other.collectionId, name: 'Footer', planId: 'early' };
  const form = await ok(h.call('POST', `${other.base}/forms`, { token: other.token, body: input }));
  const price = { amount: 500, currency: 'eur', interval: 'MONTHLY' };
  const priced = [plans[0], { ...plans[1], price }];
  await ok(h.call('PUT', path, { token: other.token, body: { plans: priced } }));
  await submit(form.id, { email: 'edith@example.com' }, other.businessId);
  const [link] = await linksTo('edith@example.com');
  await ok(h.call('POST', `${other.base}/collections/confirm`, { body: { token: link! } }));
  assert.deepEqual(
    (await other.subscribers()).map(({ status, planId }) => `${status} ${planId}`),
    ['ACTIVE free'],
  );
});

test('an IP address can submit forms only as often as the limit for subscribing allows', async () => {
  const form = await makeForm();
  const posts = Array.from({ length: 61 }, (_, i) => submit(form.id, { email: `reader${i}@example.com` }));
  const statuses = (await Promise.all(posts)).map(({ status }) => status);
  assert.ok(statuses.includes(429), statuses.join());
});
