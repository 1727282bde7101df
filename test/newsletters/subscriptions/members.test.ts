import assert from 'node:assert/strict';
import test from 'node:test';
import type { Steps } from '../../../src/context/index.ts';
import { importSubscribers, type NewsletterServices } from '../../../src/domains/newsletters/index.ts';
import type { Caller } from '../../../src/shared/security/caller.ts';
import { shareHarness } from '../../harness.ts';
import { confirmLink, makeNewsletter, type Newsletter, ok } from '../fixture.ts';

const h = await shareHarness();
const consent = { source: 'Paper form', at: 1_700_000_000 };

const pathTo = (newsletter: Newsletter) =>
  `${newsletter.base}/collections/${newsletter.collectionId}/subscribers` as const;
const add = (newsletter: Newsletter, body: object) =>
  h.call('POST', pathTo(newsletter), { token: newsletter.token, body: { planId: 'free', consent, ...body } });

test('a subscriber added by a member with stated consent is ACTIVE immediately, even with double opt-in', async () => {
  const newsletter = await makeNewsletter(h, { settings: { doubleOptIn: true } });
  const { token } = newsletter;
  const added = await ok(add(newsletter, { email: 'ada@example.com', name: 'Ada' }));
  assert.deepEqual([added.status, added.name], ['ACTIVE', 'Ada']);
  assert.deepEqual(await ok(h.call('GET', `${pathTo(newsletter)}/${added.id}`, { token })), {
    ...added,
    billing: null,
    referrals: 0,
  });
  const kept = await ok(h.call('GET', `${pathTo(newsletter)}/${added.id}/consent`, { token }));
  assert.deepEqual([kept.source, kept.at, kept.address], ['Paper form', 1_700_000_000, null]);
  assert.equal((await ok(add(newsletter, { email: 'ADA@example.com', name: 'Other' }))).name, 'Ada');
});

test('adding a subscriber requires consent in the past and a valid name', async () => {
  const newsletter = await makeNewsletter(h);
  const email = 'ada@example.com';
  for (const bad of [
    { consent: undefined },
    { consent: { source: '', at: 1 } },
    { consent: { source: 'Form', at: h.clock.seconds() + 3600 } },
    { name: 'https://evil.example' },
    { planId: 'gold' },
  ]) {
    assert.equal((await add(newsletter, { email, ...bad })).status, 422, JSON.stringify(bad));
  }
  assert.equal((await newsletter.subscribers()).length, 0);
});

test('a member can’t resubscribe someone who has unsubscribed by adding, changing or deleting them', async () => {
  const newsletter = await makeNewsletter(h);
  const { token } = newsletter;
  const { id } = await ok(add(newsletter, { email: 'gone@example.com' }));
  const one = `${pathTo(newsletter)}/${id}`;
  const read = await ok(h.call('GET', one, { token }));
  const put = (body: object) => h.call('PUT', one, { token, body });
  assert.equal((await ok(put({ ...read, name: 'Gone' }))).name, 'Gone');
  assert.equal((await ok(put({ status: 'UNSUBSCRIBED' }))).status, 'UNSUBSCRIBED');
  assert.equal((await put({ status: 'ACTIVE' })).status, 422);
  assert.equal((await h.call('DELETE', one, { token })).status, 409);
  assert.equal((await ok(add(newsletter, { email: 'gone@example.com' }))).status, 'PENDING');
  assert.equal((await h.call('DELETE', one, { token })).status, 409);
  await fetch(await confirmLink(h, 'gone@example.com'), { method: 'POST' });
  assert.equal(await newsletter.statusOf('gone@example.com'), 'ACTIVE');
  await ok(h.call('DELETE', one, { token }));
  assert.equal((await h.call('GET', one, { token })).status, 404);
});

test('when two members change the same subscriber, the second gets 412', async () => {
  const newsletter = await makeNewsletter(h);
  const { token } = newsletter;
  const { id } = await ok(add(newsletter, { email: 'ada@example.com' }));
  const one = `${pathTo(newsletter)}/${id}`;
  const { headers } = await h.call('GET', one, { token });
  const ifMatch = { 'if-match': headers.get('etag')! };
  const first = await h.call('PUT', one, { token, headers: ifMatch, body: { name: 'Ada' } });
  assert.equal(first.status, 200);
  const second = await h.call('PUT', one, { token, headers: ifMatch, body: { name: 'Bo' } });
  assert.equal(second.status, 412);
  assert.equal((await h.call('DELETE', one, { token, headers: ifMatch })).status, 412);
  const fresh = { 'if-match': first.headers.get('etag')! };
  assert.equal((await h.call('PUT', one, { token, headers: fresh, body: { name: 'Bo' } })).status, 200);
});

test('a subscriber is found only in their own newsletter and business', async () => {
  const [newsletter, other] = [await makeNewsletter(h), await makeNewsletter(h)];
  const { id } = await ok(add(newsletter, { email: 'ada@example.com' }));
  for (const path of [
    `${pathTo(other)}/${id}`,
    `${other.base}/collections/${newsletter.collectionId}/subscribers/${id}`,
  ]) {
    for (const [method, body] of [['GET'], ['PUT', { name: 'x' }], ['DELETE']] as [string, object?][]) {
      assert.equal((await h.call(method, path, { token: other.token, ...(body && { body }) })).status, 404);
    }
    assert.equal((await h.call('GET', `${path}/consent`, { token: other.token })).status, 404);
  }
});

test('an import into a deleted newsletter creates no subscribers', async () => {
  const { businessId } = await makeNewsletter(h);
  const caller = { userId: 'usr_ada' } as Caller;
  const system = (h.service.contexts.system() as Steps<NewsletterServices>).within(businessId, caller);
  const record = { collectionId: 'col_gone', email: 'ada@example.com', planId: 'free' };
  const [outcome] = await system.transaction((ctx) => importSubscribers(ctx, [record]));
  assert.deepEqual('errors' in outcome! && outcome.errors.map(({ field, error }) => [field, error]), [
    ['collectionId', 'NOT_FOUND'],
  ]);
  assert.equal((await h.pool`select from subscriptions where business_id = ${businessId}`).length, 0);
});

test('every subscriber route accepts the slug of the collection', async () => {
  const slug = `newsletter-${'x'.repeat(80)}`;
  const newsletter = await makeNewsletter(h, { slug });
  const { token } = newsletter;
  const { id } = await ok(add(newsletter, { email: 'ada@example.com' }));
  const bySlug = `${newsletter.base}/collections/${slug}/subscribers`;
  const listed = await ok(h.call('GET', bySlug, { token }));
  assert.deepEqual(
    listed.items.map((item: { id: string }) => item.id),
    [id],
  );
  const first = await ok(h.call('GET', `${bySlug}?limit=1`, { token }));
  assert.equal(first.cursor, null);
  const one = `${bySlug}/${id}`;
  assert.equal((await ok(h.call('GET', one, { token }))).id, id);
  assert.equal((await ok(h.call('GET', `${one}/consent`, { token }))).source, 'Paper form');
  assert.equal((await ok(h.call('PUT', one, { token, body: { name: 'Ada', planId: 'club' } }))).planId, 'club');
  assert.equal((await h.call('POST', `${one}/portal`, { token })).status, 409);
  await ok(h.call('DELETE', one, { token }));
  await ok(h.call('POST', bySlug, { token, body: { email: 'bob@example.com', planId: 'free', consent } }));
  const joined = h.call('POST', `${newsletter.base}/collections/${slug}/subscribe`, {
    token: newsletter.guest.token,
    body: { email: 'eve@example.com', planId: 'free' },
  });
  assert.equal((await ok(joined)).status, 'ACTIVE');
  assert.equal((await newsletter.subscribers()).length, 2);
});
