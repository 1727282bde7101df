import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness, type TestUser } from '../harness.ts';
import { makeNewsletter, ok } from '../newsletters/fixture.ts';

const h = await shareHarness();
const newsletter = await makeNewsletter(h, {
  blocks: [
    { id: 'title', type: 'TEXT' },
    { id: 'excerpt', type: 'TEXT' },
    { id: 'cover', type: 'MEDIA' },
    { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
    { id: 'secret', type: 'TEXT' },
    { id: 'rank', type: 'NUMBER' },
  ],
  plans: [
    { id: 'free', name: 'Free' },
    { id: 'club', name: 'Club', price: { amount: 500, currency: 'eur', interval: 'MONTHLY' } },
    { id: 'gold', name: 'Gold', price: { amount: 900, currency: 'eur', interval: 'MONTHLY' } },
  ],
});
const { businessId, base, collectionId } = newsletter;
const admin = await h.member(businessId, 'ADMIN');
const support = await h.member(businessId, 'ORDER_READ');
const guest = await h.guest();

async function subscriber(planId: string, status = 'ACTIVE'): Promise<TestUser> {
  const user = await h.user();
  const body = { email: user.email, planId, consent: { source: 'Test', at: 1 } };
  const { id } = await ok(
    h.call('POST', `${base}/collections/${collectionId}/subscribers`, { token: newsletter.token, body }),
  );
  await h.pool.transaction(
    (tx) => tx`update subscriptions set status = ${status} where business_id = ${businessId} and id = ${id}`,
  );
  return user;
}

const free = await subscriber('free');
const gold = await subscriber('gold');
const club = await subscriber('club');
const expired = await subscriber('club', 'UNSUBSCRIBED');
const unpaid = await subscriber('club', 'PAST_DUE');
const pending = await subscriber('club', 'PENDING');
const unconfirmed = await h.user();
await h.pool.transaction(
  (tx) => tx`update users set is_confirmed = false, email = 'Club@example.com' where id = ${unconfirmed.userId}`,
);

const blocks = (body: string) => [
  { id: 'title', type: 'TEXT', value: 'Open title' },
  { id: 'excerpt', type: 'TEXT', value: 'Open excerpt' },
  { id: 'body', type: 'TEXT', value: body },
  { id: 'secret', type: 'TEXT', value: 'Hidden handshake' },
  { id: 'rank', type: 'NUMBER', value: 7 },
];
const post = (fields: object, body = '<p>Free words</p><hr data-paywall><p>Paid treasure</p>') =>
  ok(
    h.call('POST', `${base}/entries`, {
      token: admin.token,
      body: { collectionId, blocks: blocks(body), statuses: [{ status: 'PUBLISHED' }], ...fields },
    }),
  );
const paid = await post({ access: 'PLANS', planIds: ['club'] });
const members = await post({ access: 'SUBSCRIBERS' });
const open = await post({});

const get = (user: TestUser, path: string) => h.call('GET', `${base}${path}` as '/', { token: user.token });
const SECRET = /treasure|handshake|"rank"|:7[,}]/;
/** True if the response has the paid part, false if it has only the public one. */
const hasAll = (body: unknown) => SECRET.test(JSON.stringify(body));

const everyone: [string, TestUser, boolean, boolean][] = [
  ['guest', guest, false, false],
  ['free plan', free, false, true],
  ['another paid plan', gold, false, true],
  ['expired plan', expired, false, false],
  ['unpaid plan', unpaid, false, false],
  ['unconfirmed subscription', pending, false, false],
  ['unconfirmed address', unconfirmed, false, false],
  ['member without content permissions', support, false, false],
  ['paying subscriber', club, true, true],
  ['admin', admin, true, true],
];

test('only subscribers with access and content staff can read the paid part, in a single entry and in every list', async () => {
  const paths = (id: string) => [
    `/entries/${id}`,
    `/entries?ids=${id}`,
    `/entries?collectionId=${collectionId}&ids=${id}`,
  ];
  for (const round of ['first read', 'cached']) {
    for (const [name, user, readsPaid, readsMembers] of everyone) {
      for (const [entry, expected] of [
        [paid, readsPaid],
        [members, readsMembers],
        [open, true],
      ] as const) {
        for (const path of paths(entry.id)) {
          const { body } = await get(user, path);
          const shown = body.items?.[0] ?? body;
          assert.equal(hasAll(shown), expected, `${name} ${path} ${round}`);
          assert.equal(shown.locked ?? false, !expected, `${name} ${path} locked`);
        }
      }
      const all = (await get(user, `/entries?collectionId=${collectionId}`)).body.items;
      assert.deepEqual(all.map(hasAll), [true, readsMembers, readsPaid], `${name} lists the collection`);
    }
  }
});

test('the public part is the text before the divider, or else the title, excerpt and cover', async () => {
  const { body } = await get(guest, `/entries/${paid.id}`);
  assert.deepEqual(
    body.blocks.map(({ id, value }: { id: string; value: unknown }) => [id, value]),
    [
      ['title', 'Open title'],
      ['excerpt', 'Open excerpt'],
      ['body', '<p>Free words</p>'],
    ],
  );
  assert.deepEqual([body.access, body.planIds, body.locked], ['PLANS', ['club'], true]);
  for (const text of ['<p>Paid treasure</p>', '<div><p>Free</p><hr data-paywall><p>Paid treasure</p></div>']) {
    const whole = await post({ access: 'PLANS', planIds: ['club'] }, text);
    const shown = (await get(guest, `/entries/${whole.id}`)).body;
    assert.deepEqual(
      shown.blocks.map(({ id }: { id: string }) => id),
      ['title', 'excerpt'],
      text,
    );
    await ok(h.call('DELETE', `${base}/entries/${whole.id}`, { token: admin.token }));
  }
});

test('search, filters and sorting reveal nothing about the paid part', async () => {
  const found = async (user: TestUser, query: string) => {
    const { items, total } = (await get(user, `/entries?collectionId=${collectionId}&count=true&${query}`)).body;
    assert.equal(total, items.length, query);
    return items.map(({ id }: { id: string }) => id);
  };
  const hidden = ['query=treasure', 'query=handshake', 'filter[secret]=Hidden%20handshake', 'filter[rank]=7'];
  const combined = [
    'filter[rank]=7&query=title',
    'query=treasure&sort=rank',
    'filter[title]=Open%20title&filter[rank]=7',
  ];
  for (const query of [...hidden, ...combined]) {
    for (const user of [guest, free, expired, support, club])
      assert.deepEqual(await found(user, query), [open.id], query);
    const all = [open.id, members.id, paid.id];
    assert.deepEqual((await found(admin, query)).sort(), all.sort(), query);
  }
  for (const query of ['query=free', 'query=title', 'filter[title]=Open%20title']) {
    assert.equal((await found(guest, query)).length, 3, query);
  }
  assert.deepEqual(await found(guest, 'sort=rank'), [open.id, paid.id, members.id], 'without a value, by age');
  assert.deepEqual(await found(admin, 'status=DRAFT&filter[rank]=7'), []);
});

test('previews show the public part unless staff create them for readers', async () => {
  const open = async (query: string) => {
    const { url } = await ok(
      h.call('POST', `${base}/entries/${paid.id}/preview-link${query}` as '/', { token: admin.token }),
    );
    return (await h.call('GET', new URL(url).pathname as '/')).body;
  };
  assert.deepEqual([hasAll(await open('')), hasAll(await open('?audience=reader'))], [false, true]);
  for (const user of [guest, club, support]) {
    const { status } = await h.call('POST', `${base}/entries/${paid.id}/preview-link?audience=reader`, {
      token: user.token,
    });
    assert.equal(status, 404);
  }
});

test('drafts, versions, exports, email previews and events are for staff only', async () => {
  await ok(h.call('PUT', `${base}/entries/${paid.id}`, { token: admin.token, body: { locale: 'en-GB' } }));
  const paths = ['draft', 'versions', 'versions/1', 'preview', 'sends'].map((name) => `/entries/${paid.id}/${name}`);
  const all = [...paths, `/entries/${paid.id}?draft=true`, '/exports?type=entries&format=csv', '/export', '/events'];
  for (const path of all) {
    for (const user of [guest, free, expired, club, support]) {
      const { status, body } = await get(user, path);
      assert.ok([403, 404].includes(status), `${path} ${status}`);
      assert.ok(!hasAll(body), path);
    }
  }
  assert.ok(hasAll((await get(admin, '/exports?type=entries&format=csv')).body));
});

test('a canceled plan gives access until its period ends, and a reader can lose and regain access', async () => {
  const user = await h.user();
  const { checkoutUrl } = await ok(newsletter.subscribe(user.email!, { planId: 'club' }));
  const payment = new URL(checkoutUrl).pathname;
  const page = await (await fetch(`${h.url}${payment}`)).text();
  assert.ok(page.length > 0);
  await fetch(`${h.url}${payment}`, {
    method: 'POST',
    body: new URLSearchParams({ action: 'pay' }),
    redirect: 'manual',
  });
  await h.drain('agreement-sync');
  const reads = async () => hasAll((await get(user, `/entries/${paid.id}`)).body);
  assert.equal(await reads(), true, 'paid');
  const update = (wanted: string, periodEnd: number) =>
    h.pool.transaction(
      (tx) => tx`
        update agreements set wanted = ${wanted}, period_end = ${periodEnd}, due_at = null
        where business_id = ${businessId} and reference like
          (select id from subscriptions where business_id = ${businessId} and email = ${user.email}) || '/%'`,
    );
  await update('CANCEL', h.clock.seconds() + 60);
  assert.equal(await reads(), true, 'canceled, but the period lasts');
  await update('CANCEL', h.clock.seconds() - 60);
  assert.equal(await reads(), false, 'the period is over');
  const { token } = newsletter;
  const issue = await post({ access: 'PLANS', planIds: ['club'] });
  const send = await ok(h.call('POST', `${base}/entries/${issue.id}/send`, { token, body: {} }));
  await h.drain('newsletter-start');
  const mailed = await h.pool<{ email: string }[]>`
    select email from deliveries where business_id = ${businessId} and send_id = ${send.id}`;
  assert.ok(mailed.some(({ email }) => email === club.email));
  assert.ok(!mailed.some(({ email }) => email === user.email), 'an issue is not sent to readers whose plan has ended');
  await update('RENEW', h.clock.seconds() - 60);
  assert.equal(await reads(), true, 'the renewal is due');
});

test('access can be limited only in a newsletter and only to its own plans, and is never part of a draft', async () => {
  const save = async (body: object, path: string = `/entries/${open.id}`) => {
    const response = await h.call('PUT', `${base}${path}` as '/', { token: admin.token, body });
    return response.status === 200
      ? 'ok'
      : (response.body.details ?? []).map((each: { field: string }) => each.field).join();
  };
  assert.equal(await save({ access: 'PLANS' }), 'planIds');
  assert.equal(await save({ access: 'PLANS', planIds: ['unknown'] }), 'planIds[0]');
  assert.equal(await save({ planIds: ['club'] }), 'planIds');
  assert.equal(await save({ access: 'SUBSCRIBERS' }, `/entries/${open.id}?draft=true`), 'access');
  const blog = await ok(
    h.call('POST', `${base}/collections`, {
      token: admin.token,
      body: { name: 'Blog', statuses: [{ status: 'PUBLISHED' }] },
    }),
  );
  const plain = await ok(h.call('POST', `${base}/entries`, { token: admin.token, body: { collectionId: blog.id } }));
  assert.equal(await save({ access: 'SUBSCRIBERS' }, `/entries/${plain.id}`), 'access');
  assert.equal(await save({ collectionId: blog.id, blocks: [] }, `/entries/${members.id}`), 'access', 'moved');
  const entry = await post({});
  const path = `/entries/${entry.id}`;
  assert.equal(await save({ locale: 'de' }, `${path}?draft=true`), 'ok');
  assert.equal(await save({ access: 'SUBSCRIBERS' }, path), 'ok');
  await ok(h.call('POST', `${base}${path}/publish` as '/', { token: admin.token }));
  const shown = (await get(guest, path)).body;
  assert.deepEqual([shown.locale, shown.locked], ['de', true], 'publishing an older draft keeps access');
  await ok(h.call('POST', `${base}${path}/versions/1/restore` as '/', { token: admin.token }));
  assert.equal((await get(guest, path)).body.locked, true, 'restoring a version keeps access');
});

test('a slug is generated from the title, unique in its collection and finds the entry', async () => {
  const [first, second] = [await post({}), await post({ slug: 'own' })];
  assert.match(first.slug!, /^open-title-\d$/);
  const taken = await h.call('PUT', `${base}/entries/${first.id}`, { token: admin.token, body: { slug: 'own' } });
  assert.deepEqual([taken.status, taken.body.details?.[0]?.error], [422, 'DUPLICATE']);
  const find = async (slug: string) =>
    (await get(guest, `/entries?collectionId=${collectionId}&slug=${slug}`)).body.items.map(
      ({ id }: { id: string }) => id,
    );
  assert.deepEqual([await find('own'), await find(first.slug!), await find('none')], [[second.id], [first.id], []]);
  const guarded = await post({ slug: 'guarded', access: 'SUBSCRIBERS' });
  assert.equal(hasAll((await get(guest, `/entries?collectionId=${collectionId}&slug=guarded`)).body), false);
  assert.deepEqual(await find('guarded'), [guarded.id]);
});

test('an issue for some plans is sent to their subscribers only', async () => {
  await ok(h.call('POST', `${base}/entries/${paid.id}/send`, { token: admin.token, body: {} })).then(({ recipients }) =>
    assert.equal(recipients > 0, true),
  );
  await h.drain();
  const rows = await h.pool<{ planId: string }[]>`
    select distinct s.plan_id from deliveries d join subscriptions s on s.business_id = d.business_id and s.id = d.subscription_id
    where d.business_id = ${businessId}`;
  assert.deepEqual(
    rows.map(({ planId }) => planId),
    ['club'],
  );
});
