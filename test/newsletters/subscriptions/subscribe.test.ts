import assert from 'node:assert/strict';
import test from 'node:test';
import { startHarness } from '../../harness.ts';
import { makeNewsletter, ok } from '../fixture.ts';

const h = await startHarness();

test('an address has one subscription however often, in whatever case and at once it subscribes', async () => {
  const letters = await makeNewsletter(h);
  const first = await ok(letters.subscribe('Ada@Example.com'));
  assert.deepEqual(Object.keys(first).sort(), ['createdAt', 'email', 'entity', 'id', 'planId', 'status', 'updatedAt']);
  assert.equal(first.status, 'ACTIVE');
  assert.equal(first.entity, `collection:${letters.collectionId}`);
  const again = await Promise.all(
    ['ada@example.com', 'ADA@EXAMPLE.COM', 'Ada@Example.com'].map((email) => ok(letters.subscribe(email))),
  );
  assert.deepEqual([...new Set(again.map(({ id }) => id))], [first.id]);
  const fresh = await Promise.all(
    Array.from({ length: 8 }, (_, i) => ok(letters.subscribe(i % 2 ? 'Bob@example.com' : 'bob@example.com'))),
  );
  assert.equal(new Set(fresh.map(({ id }) => id)).size, 1);
  assert.equal((await letters.subscribers()).length, 2);
});

test('the plan may be named planId or plan_id, and must be one of the newsletter', async () => {
  const letters = await makeNewsletter(h);
  assert.equal((await letters.subscribe('a@example.com', { planId: undefined, plan_id: 'free' })).status, 200);
  const unknown = await letters.subscribe('a@example.com', { planId: 'gold', returnUrl: 'javascript:alert(1)' });
  assert.equal(unknown.status, 422);
  assert.deepEqual(
    unknown.body.details.map((detail: { field: string; error: string }) => [detail.field, detail.error]),
    [
      ['planId', 'NOT_FOUND'],
      ['returnUrl', 'INVALID_REDIRECT_URI'],
    ],
  );
  const missing = await letters.subscribe('a@example.com', { planId: undefined });
  assert.equal(missing.body.details[0].error, 'REQUIRED');
  for (const email of ['nobody', 'a@b\r\nBcc: x@y.z', '<a@example.com>', 'a@example.com, b@example.com', '']) {
    assert.equal((await letters.subscribe(email)).status, 422, email);
  }
});

test('only a newsletter can be subscribed to: 422 for another collection, 404 for one that is hidden or of another business', async () => {
  const plain = await makeNewsletter(h, { type: 'BLOG', plans: [] });
  assert.equal((await plain.subscribe('a@example.com')).status, 422);
  const draft = await makeNewsletter(h, { statuses: [{ status: 'DRAFT' }] });
  assert.equal((await draft.subscribe('a@example.com')).status, 404);
  const other = await makeNewsletter(h);
  const path = `${draft.base}/collections/${other.collectionId}`;
  const body = { email: 'a@example.com', planId: 'free' };
  assert.equal((await h.call('POST', `${path}/subscribe`, { token: draft.token, body })).status, 404);
  assert.equal((await h.call('GET', `${path}/subscribers`, { token: draft.token })).status, 404);
});

test('a repeat with the same Idempotency-Key answers the same, another body with it is refused', async () => {
  const letters = await makeNewsletter(h);
  const path = `${letters.base}/collections/${letters.collectionId}/subscribe`;
  const call = (email: string) =>
    h.call('POST', path, {
      token: letters.guest.token,
      body: { email, planId: 'free' },
      headers: { 'idempotency-key': 'k1' },
    });
  const first = await ok(call('a@example.com'));
  assert.deepEqual(await ok(call('a@example.com')), first);
  assert.equal((await call('b@example.com')).body.error, 'IDEMPOTENCY_MISMATCH');
});

test('subscribers are listed newest first, page by page, by status, plan and address, and only to those who may', async () => {
  const letters = await makeNewsletter(h);
  for (const name of ['a', 'b', 'c', 'd', 'e']) await ok(letters.subscribe(`${name}@example.com`));
  const path = `${letters.base}/collections/${letters.collectionId}/subscribers`;
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await ok(h.call('GET', `${path}?limit=2&cursor=${cursor}`, { token: letters.token }));
    seen.push(...page.items.map(({ email }: { email: string }) => email[0]));
    if (page.cursor === null) break;
    cursor = page.cursor;
  }
  assert.deepEqual(seen, ['e', 'd', 'c', 'b', 'a']);
  assert.equal((await letters.subscribers('?email=B@example.com')).length, 1);
  assert.equal((await letters.subscribers('?query=EXAMPLE&status=ACTIVE&planId=free')).length, 5);
  assert.equal((await letters.subscribers('?status=BOUNCED')).length, 0);
  assert.equal((await h.call('GET', `${path}?status=GONE`, { token: letters.token })).status, 422);
  assert.equal((await h.call('GET', path, { token: letters.guest.token })).status, 403);
  assert.equal((await h.call('GET', path)).status, 401);
});

test('user search shows those who subscribed their own address, and nobody who was only named by another', async () => {
  const letters = await makeNewsletter(h);
  const admin = await h.member(letters.businessId, 'ADMIN');
  const [self, victim] = [await h.user(), await h.user()];
  const path = `${letters.base}/collections/${letters.collectionId}/subscribe`;
  await ok(h.call('POST', path, { token: self.token, body: { email: self.email, planId: 'free' } }));
  await ok(letters.subscribe(victim.email!));
  const found = await ok(h.call('GET', `/v1/users/search?businessId=${letters.businessId}`, { token: admin.token }));
  const ids = found.items.map(({ id }: { id: string }) => id);
  assert.ok(ids.includes(self.userId));
  assert.ok(!ids.includes(victim.userId));
});

test('a market must be one of the business once it has any, and have the currency of a plan that costs something', async () => {
  const markets = [
    { id: 'eu', currency: 'eur' },
    { id: 'us', currency: 'usd' },
  ];
  const letters = await makeNewsletter(h, {}, { markets });
  const error = async (more: object) => (await letters.subscribe('a@example.com', more)).body.details?.[0]?.error;
  assert.equal(await error({ market: 'mars' }), 'NOT_FOUND');
  assert.equal(await error({ planId: 'club', market: 'us' }), 'CURRENCY_MISMATCH');
  assert.equal(await error({ planId: 'club', market: 'EU' }), undefined);
  assert.equal(await error({ market: 'us' }), undefined);
  const without = await makeNewsletter(h);
  assert.equal((await without.subscribe('a@example.com', { market: 'mars' })).status, 200);
});

test('a name is one line of 80 characters without a web address', async () => {
  const letters = await makeNewsletter(h);
  for (const name of [
    'Win at https://evil.example',
    'WWW.evil.example',
    'a\r\nb',
    'a\u2028b',
    '\u202egro',
    'x'.repeat(81),
  ]) {
    assert.equal((await letters.subscribe('a@example.com', { name })).body.details?.[0]?.field, 'name', name);
  }
  for (const name of ['x'.repeat(80), '😀'.repeat(80), "Åsa O'Neil, Dr.", '']) {
    assert.equal((await letters.subscribe('a@example.com', { name })).status, 200, name);
  }
});

test('a stranger changes neither plan nor name of a subscription that there is; its owner does', async () => {
  const plans = [
    { id: 'free', name: 'Free' },
    { id: 'daily', name: 'Daily' },
  ];
  const letters = await makeNewsletter(h, { plans });
  const owner = await h.user();
  await ok(letters.subscribe(owner.email!, { name: 'Ada' }));
  const stranger = await ok(letters.subscribe(owner.email!, { planId: 'daily', name: 'Fool' }));
  assert.equal(stranger.planId, 'free');
  const seen = async () => `${(await letters.subscribers())[0].planId} ${await letters.namesOf()}`;
  assert.equal(await seen(), 'free Ada');
  const path = `${letters.base}/collections/${letters.collectionId}/subscribe`;
  const body = { email: owner.email, planId: 'daily', name: 'Ada L.' };
  await ok(h.call('POST', path, { token: owner.token, body }));
  assert.equal(await seen(), 'daily Ada L.');
});

test('who subscribes without end is told to wait', async () => {
  const strict = await startHarness({ LIMIT_SUBSCRIBE: '3/100' });
  const letters = await makeNewsletter(strict);
  for (const i of [1, 2, 3]) await ok(letters.subscribe(`${i}@example.com`));
  const late = await letters.subscribe('4@example.com');
  assert.equal(late.status, 429);
  assert.ok(Number(late.headers.get('retry-after')) > 0);
});

test('the variables of a newsletter are listed for any token, another type is 404', async () => {
  const { token } = await h.guest();
  const { variables } = await ok(h.call('GET', '/v1/collections/entry-types/NEWSLETTER/variables', { token }));
  assert.ok(variables.some(({ name }: { name: string }) => name === 'unsubscribeUrl'));
  assert.equal((await h.call('GET', '/v1/collections/entry-types/BLOG/variables', { token })).status, 404);
});
