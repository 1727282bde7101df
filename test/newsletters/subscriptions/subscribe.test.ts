import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness, startHarness } from '../../harness.ts';
import { makeNewsletter, ok } from '../fixture.ts';

const h = await shareHarness();

test('an address has one subscription, even if it subscribes repeatedly, concurrently or in a different case', async () => {
  const newsletter = await makeNewsletter(h);
  const first = await ok(newsletter.subscribe('Ada@Example.com'));
  assert.deepEqual(Object.keys(first).sort(), ['createdAt', 'email', 'entity', 'id', 'planId', 'status', 'updatedAt']);
  assert.equal(first.status, 'ACTIVE');
  assert.equal(first.entity, `collection:${newsletter.collectionId}`);
  const again = await Promise.all(
    ['ada@example.com', 'ADA@EXAMPLE.COM', 'Ada@Example.com'].map((email) => ok(newsletter.subscribe(email))),
  );
  assert.deepEqual([...new Set(again.map(({ id }) => id))], [first.id]);
  const concurrent = await Promise.all(
    Array.from({ length: 8 }, (_, i) => ok(newsletter.subscribe(i % 2 ? 'Bob@example.com' : 'bob@example.com'))),
  );
  assert.equal(new Set(concurrent.map(({ id }) => id)).size, 1);
  assert.equal((await newsletter.subscribers()).length, 2);
});

test('the plan can be given as planId or plan_id and must exist in the newsletter', async () => {
  const newsletter = await makeNewsletter(h);
  assert.equal((await newsletter.subscribe('a@example.com', { planId: undefined, plan_id: 'free' })).status, 200);
  const unknown = await newsletter.subscribe('a@example.com', { planId: 'gold', returnUrl: 'javascript:alert(1)' });
  assert.equal(unknown.status, 422);
  assert.deepEqual(
    unknown.body.details.map((detail) => [detail.field, detail.error]),
    [
      ['planId', 'NOT_FOUND'],
      ['returnUrl', 'INVALID_REDIRECT_URI'],
    ],
  );
  const missing = await newsletter.subscribe('a@example.com', { planId: undefined });
  assert.equal(missing.body.details[0]!.error, 'REQUIRED');
  for (const email of ['nobody', 'a@b\r\nBcc: x@y.z', '<a@example.com>', 'a@example.com, b@example.com', '']) {
    assert.equal((await newsletter.subscribe(email)).status, 422, email);
  }
});

test('subscribing fails with 422 for a collection that is not a newsletter, and with 404 for a hidden one or one of another business', async () => {
  const plain = await makeNewsletter(h, { type: 'COLLECTION', plans: [] });
  assert.equal((await plain.subscribe('a@example.com')).status, 422);
  const draft = await makeNewsletter(h, { statuses: [{ status: 'DRAFT' }] });
  assert.equal((await draft.subscribe('a@example.com')).status, 404);
  const other = await makeNewsletter(h);
  const path = `${draft.base}/collections/${other.collectionId}` as const;
  const body = { email: 'a@example.com', planId: 'free' };
  assert.equal((await h.call('POST', `${path}/subscribe`, { token: draft.token, body })).status, 404);
  assert.equal((await h.call('GET', `${path}/subscribers`, { token: draft.token })).status, 404);
});

test('a retry with the same Idempotency-Key gets the same response, and a different body is rejected', async () => {
  const newsletter = await makeNewsletter(h);
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribe` as const;
  const call = (email: string) =>
    h.call('POST', path, {
      token: newsletter.guest.token,
      body: { email, planId: 'free' },
      headers: { 'idempotency-key': 'k1' },
    });
  const first = await ok(call('a@example.com'));
  assert.deepEqual(await ok(call('a@example.com')), first);
  assert.equal((await call('b@example.com')).body.error, 'IDEMPOTENCY_MISMATCH');
});

test('subscribers are listed newest first, with filters and pagination, and only to authorized callers', async () => {
  const newsletter = await makeNewsletter(h);
  for (const name of ['a', 'b', 'c', 'd', 'e']) await ok(newsletter.subscribe(`${name}@example.com`));
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribers` as const;
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await ok(h.call('GET', `${path}?limit=2&cursor=${cursor}`, { token: newsletter.token }));
    seen.push(...page.items.map(({ email }) => email[0]!));
    if (page.cursor === null) break;
    cursor = page.cursor;
  }
  assert.deepEqual(seen, ['e', 'd', 'c', 'b', 'a']);
  assert.equal((await newsletter.subscribers('?email=B@example.com')).length, 1);
  assert.equal((await newsletter.subscribers('?query=EXAMPLE&status=ACTIVE&planId=free')).length, 5);
  assert.equal((await newsletter.subscribers('?status=BOUNCED')).length, 0);
  assert.equal((await h.call('GET', `${path}?status=GONE`, { token: newsletter.token })).status, 422);
  assert.equal((await h.call('GET', path, { token: newsletter.guest.token })).status, 403);
  assert.equal((await h.call('GET', path)).status, 401);
});

test('user search finds users who subscribed their own address, but not users subscribed by others', async () => {
  const newsletter = await makeNewsletter(h);
  const admin = await h.member(newsletter.businessId, 'ADMIN');
  const [self, victim] = [await h.user(), await h.user()];
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribe` as const;
  await ok(h.call('POST', path, { token: self.token, body: { email: self.email, planId: 'free' } }));
  await ok(newsletter.subscribe(victim.email!));
  const found = await ok(h.call('GET', `/v1/users/search?businessId=${newsletter.businessId}`, { token: admin.token }));
  const ids = found.items.map(({ id }) => id);
  assert.ok(ids.includes(self.userId));
  assert.ok(!ids.includes(victim.userId));
});

test('the market must exist if the business has markets, and match the currency of a paid plan', async () => {
  const markets = [
    { id: 'eu', currency: 'eur' },
    { id: 'us', currency: 'usd' },
  ];
  const newsletter = await makeNewsletter(h, {}, { markets });
  const error = async (more: object) => (await newsletter.subscribe('a@example.com', more)).body.details?.[0]?.error;
  assert.equal(await error({ market: 'mars' }), 'NOT_FOUND');
  assert.equal(await error({ planId: 'club', market: 'us' }), 'CURRENCY_MISMATCH');
  assert.equal(await error({ planId: 'club', market: 'EU' }), undefined);
  assert.equal(await error({ market: 'us' }), undefined);
  const without = await makeNewsletter(h);
  assert.equal((await without.subscribe('a@example.com', { market: 'mars' })).status, 200);
});

test('a name is one line of at most 80 characters without a URL', async () => {
  const newsletter = await makeNewsletter(h);
  for (const name of [
    'Win at https://evil.example',
    'WWW.evil.example',
    'a\r\nb',
    'a\u2028b',
    '\u202egro',
    'x'.repeat(81),
  ]) {
    assert.equal((await newsletter.subscribe('a@example.com', { name })).body.details?.[0]?.field, 'name', name);
  }
  for (const name of ['x'.repeat(80), '😀'.repeat(80), "Åsa O'Neil, Dr.", '']) {
    assert.equal((await newsletter.subscribe('a@example.com', { name })).status, 200, name);
  }
});

test('only the owner can change the plan and name of an existing subscription', async () => {
  const plans = [
    { id: 'free', name: 'Free' },
    { id: 'daily', name: 'Daily' },
  ];
  const newsletter = await makeNewsletter(h, { plans });
  const owner = await h.user();
  await ok(newsletter.subscribe(owner.email!, { name: 'Ada' }));
  const stranger = await ok(newsletter.subscribe(owner.email!, { planId: 'daily', name: 'Fool' }));
  assert.equal(stranger.planId, 'free');
  const seen = async () => `${(await newsletter.subscribers())[0].planId} ${await newsletter.namesOf()}`;
  assert.equal(await seen(), 'free Ada');
  const path = `${newsletter.base}/collections/${newsletter.collectionId}/subscribe` as const;
  const body = { email: owner.email, planId: 'daily', name: 'Ada L.' };
  await ok(h.call('POST', path, { token: owner.token, body }));
  assert.equal(await seen(), 'daily Ada L.');
});

test('subscribing is rate limited', async () => {
  const strict = await startHarness({ LIMIT_SUBSCRIBE: '3/100' });
  const newsletter = await makeNewsletter(strict);
  for (const i of [1, 2, 3]) await ok(newsletter.subscribe(`${i}@example.com`));
  const late = await newsletter.subscribe('4@example.com');
  assert.equal(late.status, 429);
  assert.ok(Number(late.headers.get('retry-after')) > 0);
});

test('newsletter variables are listed for any token, and other entry types return 404', async () => {
  const { token } = await h.guest();
  const { variables } = await ok(h.call('GET', '/v1/collections/entry-types/NEWSLETTER/variables', { token }));
  assert.ok(variables.some(({ name }: { name: string }) => name === 'unsubscribeUrl'));
  assert.equal((await h.call('GET', '/v1/collections/entry-types/BLOG/variables', { token })).status, 404);
});
