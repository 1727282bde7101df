/** Collections, entries and newsletters as specified. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { openContract } from './contract.ts';
import { COLLECTION, ENTRY, GENERATED, pageOf, SEND, SUBSCRIPTION, SUCCESS, VARIABLES } from './fields.ts';

const h = await shareHarness();
const B = '/v1/businesses/{businessId}';
const { ok, fails, testAllCalled } = await openContract(h, {
  [`POST ${B}/collections`]: COLLECTION,
  [`GET ${B}/collections`]: pageOf(COLLECTION),
  [`GET ${B}/collections/{id}`]: COLLECTION,
  [`PUT ${B}/collections/{id}`]: COLLECTION,
  [`DELETE ${B}/collections/{id}`]: SUCCESS,
  [`POST ${B}/collections/blocks/generate`]: GENERATED,
  [`POST ${B}/collections/{collectionId}/subscribe`]: SUBSCRIPTION,
  [`GET ${B}/collections/{id}/subscribers`]: pageOf({ ...SUBSCRIPTION, 'tags?': ['string'] }),
  [`POST ${B}/collections/unsubscribe`]: SUCCESS,
  [`POST ${B}/entries`]: ENTRY,
  [`GET ${B}/entries`]: pageOf(ENTRY),
  [`GET ${B}/entries/{id}`]: ENTRY,
  [`PUT ${B}/entries/{id}`]: ENTRY,
  [`DELETE ${B}/entries/{id}`]: SUCCESS,
  [`POST ${B}/entries/{entryId}/send`]: SEND,
  'GET /v1/collections/entry-types/{entryType}/variables': VARIABLES,
});

const businessId = await h.business();
const params = { businessId };
const admin = await h.member(businessId, 'ADMIN');
const { token } = admin;
const guest = await h.guest();

/** A collection with every field in the documented API. */
const newsletter = {
  name: 'Letters',
  slug: 'letters',
  description: 'Now and then.',
  type: 'NEWSLETTER',
  blocks: [
    { id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 200 } },
    { id: 'body', type: 'TEXT', label: 'Body', required: false, settings: { variant: 'HTML' } },
    { id: 'author', type: 'RELATIONSHIP', label: 'Author', required: false, settings: { targetType: 'USER' } },
    { id: 'pinned', type: 'BOOLEAN' },
    { id: 'stars', type: 'NUMBER' },
    { id: 'day', type: 'DATE' },
    { id: 'place', type: 'GEO_LOCATION' },
    { id: 'picture', type: 'MEDIA' },
    { id: 'kind', type: 'SELECT', settings: { options: ['news', 'essay'] } },
    { id: 'tags', type: 'MULTI_SELECT', settings: { options: ['a', 'b'] } },
  ],
  statuses: [{ id: 'status_1', status: 'PUBLISHED' }],
  plans: [
    {
      id: 'free',
      name: 'Free',
      description: 'Once a month.',
      features: ['The letter'],
      price: { amount: 0, currency: 'usd', interval: 'MONTHLY' },
    },
    {
      id: 'club',
      name: 'Club',
      description: 'Every week.',
      features: ['The letter', 'The archive'],
      price: { amount: 500, currency: 'usd', interval: 'MONTHLY' },
    },
  ],
};
const collection: Json = await ok(`POST ${B}/collections`, { token, params, body: newsletter });
const ofCollection = { businessId, collectionId: collection.id };

const issue = {
  collectionId: collection.id,
  locale: 'en',
  blocks: [
    { id: 'title', type: 'TEXT', value: { en: 'Hello', de: 'Hallo' } },
    { id: 'body', type: 'TEXT', value: '<p>Dear {{subscriber.name}}</p>' },
    { id: 'author', type: 'RELATIONSHIP', value: admin.userId },
    { id: 'pinned', type: 'BOOLEAN', value: true },
    { id: 'stars', type: 'NUMBER', value: 4.5 },
    { id: 'day', type: 'DATE', value: 1_763_164_800 },
    { id: 'place', type: 'GEO_LOCATION', value: { latitude: 52.5, longitude: 13.4 } },
    { id: 'picture', type: 'MEDIA', value: { id: 'p', url: 'https://example.com/p.jpg', mimeType: 'image/jpeg' } },
    { id: 'kind', type: 'SELECT', value: 'news' },
    { id: 'tags', type: 'MULTI_SELECT', value: ['a', 'b'] },
  ],
  statuses: [{ id: 'status_1', status: 'PUBLISHED' }],
};
const newEntry = (more: object = {}) => ok(`POST ${B}/entries`, { token, params, body: { ...issue, ...more } });

test('a collection is returned as sent, with completed statuses', async () => {
  const { id, businessId: of, statuses, createdAt, updatedAt, settings: _, ...rest } = collection;
  const { statuses: _sent, ...sent } = newsletter;
  assert.deepEqual(rest, sent);
  assert.deepEqual([of, createdAt], [businessId, updatedAt]);
  const { timestamp, ...status } = statuses[0];
  assert.deepEqual(status, { id: 'status_1', status: 'PUBLISHED', changedBy: 'USER', userId: admin.userId });
  assert.equal(timestamp, createdAt);
  const target = { token, params: { businessId, id } };
  assert.deepEqual(await ok(`GET ${B}/collections/{id}`, target), collection);
  const same = await ok(`PUT ${B}/collections/{id}`, { ...target, body: collection });
  assert.deepEqual({ ...same, updatedAt }, collection, 'and can be sent back unchanged');
  const renamed = await ok(`PUT ${B}/collections/{id}`, { ...target, body: { name: 'Notes' } });
  assert.deepEqual({ ...renamed, name: 'Letters', updatedAt }, collection);
});

test('collections are listed in pages and deleted', async () => {
  const made = await ok(`POST ${B}/collections`, { token, params, body: { name: 'Blog', slug: 'blog', blocks: [] } });
  assert.equal(made.statuses.at(-1).status, 'DRAFT');
  const list = (query: Record<string, string>) => ok(`GET ${B}/collections`, { token, params, query });
  const first = await list({ limit: '1' });
  const second = await list({ limit: '1', cursor: first.cursor });
  assert.deepEqual([first.items[0].id, second.items[0].id, second.cursor], [made.id, collection.id, null]);
  assert.deepEqual(await list({ limit: '1', cursor: 'null' }), first);
  assert.deepEqual(await fails(`GET ${B}/collections`, 400, { token, params, query: { cursor: 'x' } }), [
    'cursor INVALID_VALUE',
  ]);
  await ok(`DELETE ${B}/collections/{id}`, { token, params: { businessId, id: made.id } });
  await fails(`GET ${B}/collections/{id}`, 404, { token, params: { businessId, id: made.id } });
});

test('an entry is returned as sent, with its collectionId as the owner', async () => {
  const entry = await newEntry();
  assert.equal(entry.owner, `collection:${collection.id}`);
  assert.deepEqual([entry.locale, entry.blocks], ['en', issue.blocks]);
  const target = { token, params: { businessId, id: entry.id } };
  assert.deepEqual(await ok(`GET ${B}/entries/{id}`, target), entry);
  const same = await ok(`PUT ${B}/entries/{id}`, { ...target, body: entry });
  assert.deepEqual({ ...same, updatedAt: entry.updatedAt }, entry, 'and can be sent back unchanged');
  const body = { collectionId: collection.id, locale: 'de', blocks: issue.blocks, statuses: [{ status: 'DRAFT' }] };
  const changed = await ok(`PUT ${B}/entries/{id}`, { ...target, body });
  assert.deepEqual([changed.owner, changed.locale, changed.statuses.at(-1).status], [entry.owner, 'de', 'DRAFT']);
  await ok(`DELETE ${B}/entries/{id}`, target);
  await fails(`GET ${B}/entries/{id}`, 404, target);
});

test('an entry can belong to an order or a reservation', async () => {
  const blocks = [{ id: 'note', type: 'TEXT', value: 'Leave it at the door' }];
  const owner = 'reservation:res_1';
  const entry = await ok(`POST ${B}/entries`, { token, params, body: { owner, locale: 'en', blocks } });
  assert.equal(entry.owner, owner);
  const body = { owner: 'order:ord_none', locale: 'en', blocks };
  assert.deepEqual(await fails(`POST ${B}/entries`, 422, { token, params, body }), ['owner NOT_FOUND']);
  assert.deepEqual(await fails(`POST ${B}/entries`, 422, { token, params, body: { ...body, owner: 'cart:1' } }), [
    'owner INVALID_FORMAT',
  ]);
});

test('entries are listed in pages, of one collection or across all', async () => {
  const other = await ok(`POST ${B}/collections`, {
    token,
    params,
    body: { name: 'Other', blocks: [{ id: 'title', type: 'TEXT' }], statuses: [{ status: 'PUBLISHED' }] },
  });
  const mine = await newEntry();
  const theirs = await newEntry({ collectionId: other.id, blocks: [{ id: 'title', type: 'TEXT', value: 'Hi' }] });
  const list = (query: Record<string, string>) => ok(`GET ${B}/entries`, { token, params, query });
  const first = await list({ limit: '1' });
  const second = await list({ limit: '1', cursor: first.cursor });
  assert.deepEqual([first.items[0].id, second.items[0].id], [theirs.id, mine.id]);
  const of = (await list({ collectionId: other.id })).items;
  assert.deepEqual(of, [{ ...theirs, etag: '"1"' }]);
});

test('all values that do not match the schema are reported', async () => {
  const blocks = [
    { id: 'title', type: 'TEXT', value: 'x'.repeat(201) },
    { id: 'pinned', type: 'BOOLEAN', value: 'yes' },
    { id: 'none', type: 'TEXT', value: '' },
    { id: 'kind', type: 'SELECT', value: 'poem' },
    { id: 'author', type: 'RELATIONSHIP', value: 'usr_none' },
  ];
  const wrong = await fails(`POST ${B}/entries`, 422, { token, params, body: { ...issue, blocks } });
  assert.deepEqual(
    wrong.map((each) => each.split(' ')[0]),
    ['blocks[0].value', 'blocks[1].value', 'blocks[2].id', 'blocks[3].value', 'blocks[4].value'],
  );
});

test('generated blocks have a value for every requested block', async () => {
  const blocks = [
    { id: 'title', type: 'TEXT', settings: { maxLength: 40 } },
    { id: 'author', type: 'RELATIONSHIP', settings: { targetType: 'USER' } },
    { id: 'pinned', type: 'BOOLEAN' },
  ];
  const body = { prompt: 'A letter about linen', blocks };
  const response = await ok(`POST ${B}/collections/blocks/generate`, { token, params, body });
  assert.deepEqual(
    response.blocks.map(({ id, type }: Json) => ({ id, type })),
    blocks.map(({ id, type }) => ({ id, type })),
  );
});

test('a free plan subscribes with planId or plan_id, and a paid plan returns a payment URL', async () => {
  const subscribe = (body: object) => ({ token: guest.token, params: ofCollection, body: { market: 'us', ...body } });
  const name = `POST ${B}/collections/{collectionId}/subscribe` as const;
  const one = await ok(name, subscribe({ email: 'one@example.com', planId: 'free' }));
  const two = await ok(name, subscribe({ email: 'two@example.com', plan_id: 'free' }));
  for (const each of [one, two]) {
    assert.deepEqual([each.entity, each.planId, each.status], [`collection:${collection.id}`, 'free', 'ACTIVE']);
  }
  const paid = await ok(name, subscribe({ email: 'three@example.com', planId: 'club' }), { checkoutUrl: 'string' });
  assert.ok(URL.canParse(paid.checkoutUrl));
  await ok(name, subscribe({ email: 'four@example.com', plan_id: 'club' }), { checkoutUrl: 'string' });
  assert.deepEqual(await fails(name, 422, subscribe({ email: 'x@example.com', planId: 'none' })), ['planId NOT_FOUND']);
  await fails(name, 422, subscribe({ email: 'nobody', planId: 'free' }));

  const list = (query: Record<string, string>) =>
    ok(`GET ${B}/collections/{id}/subscribers`, { token, params: { businessId, id: collection.id }, query });
  const active = await list({ status: 'ACTIVE' });
  assert.deepEqual(
    active.items.map(({ etag: _, tags: __, ...item }: Json) => item),
    [two, one],
  );
  const page = await list({ limit: '1' });
  assert.equal((await list({ limit: '1', cursor: page.cursor })).items.length, 1);
});

test('an entry is sent to all subscribers now or later, and its email can unsubscribe', async () => {
  const { id } = await newEntry();
  const send = await ok(`POST ${B}/entries/{entryId}/send`, { token, params: { businessId, entryId: id } });
  assert.deepEqual([send.entryId, send.status, send.recipients], [id, 'SENDING', 2]);
  const { id: second } = await newEntry();
  const scheduledAt = h.clock.seconds() + 3600;
  const body = { scheduledAt };
  const later = await ok(`POST ${B}/entries/{entryId}/send`, { token, params: { businessId, entryId: second }, body });
  assert.deepEqual([later.status, later.scheduledAt], ['SCHEDULED', scheduledAt]);

  await h.drain();
  const mail: Json = (await h.mailbox()).find((message) => message.to === 'one@example.com');
  assert.equal(mail.subject, 'Hello');
  const mailed = /\/unsubscribe\/(\S+)/.exec(mail.text)![1]!;
  for (const _ of ['once', 'twice']) {
    await ok(`POST ${B}/collections/unsubscribe`, { params, body: { token: mailed } });
  }
  const target = { token, params: { businessId, id: collection.id }, query: { status: 'ACTIVE' } };
  const { items } = await ok(`GET ${B}/collections/{id}/subscribers`, target);
  assert.deepEqual(
    items.map((item: Json) => item.email),
    ['two@example.com'],
  );
  assert.deepEqual(await fails(`POST ${B}/collections/unsubscribe`, 422, { params, body: { token: 'x' } }), [
    'token INVALID_VALUE',
  ]);
});

test('only an entry of a newsletter can be sent', async () => {
  const plain = await ok(`POST ${B}/collections`, {
    token,
    params,
    body: { name: 'Plain', blocks: [{ id: 'title', type: 'TEXT' }], statuses: [{ status: 'PUBLISHED' }] },
  });
  const entry = await newEntry({ collectionId: plain.id, blocks: [] });
  await fails(`POST ${B}/entries/{entryId}/send`, 422, { token, params: { businessId, entryId: entry.id } });
  await fails(`POST ${B}/entries/{entryId}/send`, 404, { token, params: { businessId, entryId: 'ent_none' } });
  const subscribe = { email: 'a@example.com', planId: 'free' };
  const at = { token, params: { businessId, collectionId: plain.id }, body: subscribe };
  await fails(`POST ${B}/collections/{collectionId}/subscribe`, 422, at);
});

test('the variables of a newsletter are listed', async () => {
  const name = 'GET /v1/collections/entry-types/{entryType}/variables' as const;
  const { variables } = await ok(name, { token: guest.token, params: { entryType: 'NEWSLETTER' } });
  const names = variables.map((each: Json) => each.name);
  assert.ok(names.includes('subscriber.name') && names.includes('unsubscribeUrl'), names.join());
  await fails(name, 404, { token: guest.token, params: { entryType: 'LEAFLET' } });
});

testAllCalled();
