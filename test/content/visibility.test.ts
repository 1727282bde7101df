import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness, type TestUser } from '../harness.ts';
import { makeOrder } from './order.ts';

const h = await shareHarness();
const [businessId, otherBusinessId] = [await h.business(), await h.business()];
const admin = await h.member(businessId, 'ADMIN');
const writer = await h.member(businessId, 'CONTENT_WRITE');
const reader = await h.member(businessId, 'CONTENT_READ');
const support = await h.member(businessId, 'ORDER_READ');
const stranger = await h.member(otherBusinessId, 'ADMIN');
const [customer, guest] = [await h.guest(), await h.guest()];

const call = <M extends string, P extends string>(user: TestUser, method: M, path: P, body?: unknown) =>
  h.call(method, `/v1/businesses/${businessId}${path}`, { token: user.token, body });

async function make<P extends string>(path: P, body: object) {
  const response = await call(admin, 'POST', path, body);
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}

const { orderId } = await makeOrder(make, customer.userId);
const [published, draft] = [[{ status: 'PUBLISHED' }], [{ status: 'DRAFT' }]];
const blocks = [{ id: 'note', type: 'TEXT', value: 'Ring twice' }];
const note = await make('/entries', { owner: `order:${orderId}`, blocks, statuses: published });
const noteDraft = await make('/entries', { owner: `order:${orderId}`, blocks, statuses: draft });
const stay = await make('/entries', { owner: 'reservation:any', blocks, statuses: published });
const open = await make('/collections', { name: 'Open', blocks: [], statuses: published });
const hidden = await make('/collections', { name: 'Hidden', blocks: [], statuses: draft });
const entry = await make('/entries', { collectionId: open.id, statuses: published });
const entryDraft = await make('/entries', { collectionId: open.id, statuses: draft });

const sees = async (user: TestUser, path: string) => (await call(user, 'GET', path)).status === 200;

test('only content staff see drafts, and only the customer and members with ORDER_READ see entries of an order', async () => {
  const everything = [entry, entryDraft, note, noteDraft, stay].map(({ id }) => `/entries/${id}`);
  const expected: [string, TestUser, boolean[]][] = [
    ['admin', admin, [true, true, true, true, true]],
    ['writer', writer, [true, true, false, false, true]],
    ['reader', reader, [true, true, false, false, true]],
    ['support', support, [true, false, true, true, false]],
    ['customer', customer, [true, false, true, false, false]],
    ['guest', guest, [true, false, false, false, false]],
    ['member of another business', stranger, [true, false, false, false, false]],
  ];
  for (const [name, user, seen] of expected) {
    assert.deepEqual(await Promise.all(everything.map((path) => sees(user, path))), seen, name);
  }
});

test('an ADMIN lists all entries, including those of orders and reservations', async () => {
  const all = [entry, entryDraft, note, noteDraft, stay].map(({ id }) => id).sort();
  const ids = async (user: TestUser, query: string) => {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Json = (await call(user, 'GET', `/entries?limit=2&${query}&cursor=${cursor}`)).body;
      found.push(...page.items.map(({ id }: Json) => id));
      cursor = page.cursor;
    }
    return found.sort();
  };
  for (const query of ['', 'sort=updatedAt', `ids=${all}`, 'createdAtFrom=1']) {
    assert.deepEqual(await ids(admin, query), all, query);
  }
  assert.deepEqual(await ids(admin, 'query=ring'), [note.id, noteDraft.id, stay.id].sort());
  assert.deepEqual(await ids(admin, 'status=DRAFT'), [entryDraft.id, noteDraft.id].sort());
  assert.deepEqual(await ids(writer, ''), [entry.id, entryDraft.id].sort(), 'without ORDER_READ');
  for (const user of [support, customer, guest]) assert.deepEqual(await ids(user, ''), [entry.id]);
});

test('lists show only entries that the caller can read', async () => {
  const listed = async (user: TestUser, query: string) =>
    (await call(user, 'GET', `/entries?${query}`)).body.items.map(({ id }) => id);
  const ofOrder = `owner=order:${orderId}`;
  assert.deepEqual(await listed(customer, ofOrder), [note.id]);
  assert.deepEqual(await listed(support, ofOrder), [noteDraft.id, note.id]);
  for (const user of [guest, writer, reader, stranger]) assert.deepEqual(await listed(user, ofOrder), []);
  assert.deepEqual(await listed(guest, 'owner=reservation:any'), []);
  assert.deepEqual(await listed(guest, ''), [entry.id]);
  assert.deepEqual(await listed(guest, `ids=${note.id},${noteDraft.id},${stay.id},${entryDraft.id}`), []);
  assert.deepEqual(await listed(guest, 'query=ring'), []);
  assert.deepEqual(await listed(guest, 'filter[note]=Ring%20twice'), []);
  assert.deepEqual(await listed(guest, 'sort=note'), [entry.id]);
  assert.deepEqual(await listed(reader, ''), [entryDraft.id, entry.id]);
});

test('only staff see unpublished collections', async () => {
  assert.equal(await sees(guest, `/collections/${hidden.id}`), false);
  assert.equal(await sees(reader, `/collections/${hidden.id}`), true);
  const ids = async (user: TestUser, query = '') =>
    (await call(user, 'GET', `/collections?${query}`)).body.items.map(({ id }) => id);
  assert.deepEqual(await ids(guest), [open.id]);
  assert.deepEqual(await ids(guest, 'status=DRAFT'), []);
  assert.deepEqual(await ids(reader), [hidden.id, open.id]);
  assert.deepEqual(await ids(reader, 'status=DRAFT'), [hidden.id]);
});

test('writers cannot update, move or delete entries they cannot see', async () => {
  for (const body of [{}, { locale: 'de' }, { collectionId: open.id, blocks: [] }]) {
    assert.equal((await call(writer, 'PUT', `/entries/${note.id}`, body)).status, 404);
  }
  assert.equal((await call(writer, 'DELETE', `/entries/${note.id}`)).status, 404);
  for (const user of [customer, guest, reader, support]) {
    assert.equal((await call(user, 'PUT', `/entries/${entry.id}`, { locale: 'de' })).status, 403);
    assert.equal((await call(user, 'DELETE', `/entries/${entry.id}`)).status, 403);
    assert.equal((await call(user, 'POST', '/entries', { collectionId: open.id })).status, 403);
    assert.equal((await call(user, 'POST', '/collections', { name: 'x' })).status, 403);
    assert.equal((await call(user, 'DELETE', `/collections/${open.id}?cascade=true`)).status, 403);
    assert.equal((await call(user, 'POST', '/collections/blocks/generate', { prompt: 'x', blocks })).status, 403);
  }
});

test("another business's records are not found by path, owner or reference", async () => {
  const elsewhere = `/v1/businesses/${otherBusinessId}` as const;
  const at = <M extends string, P extends string>(method: M, path: P, body?: unknown) =>
    h.call(method, `${elsewhere}${path}`, { token: stranger.token, body });
  for (const path of [`/entries/${entry.id}`, `/collections/${open.id}`]) {
    assert.equal((await at('GET', path)).status, 404);
    assert.equal((await at('PUT', path, {})).status, 404);
    assert.equal((await at('DELETE', path)).status, 404);
  }
  const codesOf = ({ status, body }: Json) => [
    status,
    body.details.map(({ field, error }: Json) => `${field} ${error}`),
  ];
  assert.deepEqual(codesOf(await at('POST', '/entries', { collectionId: open.id })), [422, ['collectionId NOT_FOUND']]);
  assert.deepEqual(codesOf(await at('POST', '/entries', { owner: `order:${orderId}` })), [422, ['owner NOT_FOUND']]);
  const schema = ['USER', 'ENTRY', 'PRODUCT', 'COLLECTION', 'ORDER', 'MEDIA'].map((targetType) => ({
    id: targetType,
    type: 'RELATIONSHIP',
    settings: { targetType },
  }));
  const { body: links } = await at('POST', '/collections', { name: 'Links', blocks: schema });
  const targets = { ENTRY: entry.id, COLLECTION: open.id, ORDER: orderId, MEDIA: 'media_1' };
  const values = Object.entries(targets).map(([id, value]) => ({ id, value }));
  assert.deepEqual(codesOf(await at('POST', '/entries', { collectionId: links.id, blocks: values })), [
    422,
    values.map((_, i) => `blocks[${i}].value NOT_FOUND`),
  ]);
});

test('only staff see entries of unpublished collections, in any read, list or search', async () => {
  const schema = [{ id: 'title', type: 'TEXT' }];
  const secret = await make('/collections', { name: 'Secret', blocks: schema, statuses: draft });
  const titled = { blocks: [{ id: 'title', value: 'Surprise' }], statuses: published };
  const inside = await make('/entries', { collectionId: secret.id, ...titled });
  const lists = [
    '',
    `collectionId=${secret.id}`,
    `owner=collection:${secret.slug}`,
    'query=surprise',
    `ids=${inside.id}`,
  ];
  const more = [
    `collectionId=${secret.id}&filter[title]=Surprise`,
    `collectionId=${secret.id}&sort=title`,
    'status=PUBLISHED',
  ];
  const found = async (user: TestUser) => {
    const one = await sees(user, `/entries/${inside.id}`);
    const listed = await Promise.all(
      [...lists, ...more].map(async (query) =>
        (await call(user, 'GET', `/entries?${query}`)).body.items.some(({ id }) => id === inside.id),
      ),
    );
    return [one, ...listed];
  };
  for (const user of [guest, support, stranger]) assert.ok(!(await found(user)).some(Boolean));
  for (const user of [reader, writer]) assert.ok((await found(user)).every(Boolean));
  const probe = await call(guest, 'GET', `/entries?collectionId=${secret.id}&filter[none]=x`);
  assert.equal(probe.status, 200, 'errors do not reveal its schema');

  const named = [
    { targetType: 'ENTRY' as const, id: inside.id, field: 'a' },
    { targetType: 'COLLECTION' as const, id: secret.id, field: 'b' },
  ];
  const missing = async (publicOnly: boolean) =>
    (await h.service.content.checkReferences(h.pool, businessId, named, { publicOnly })).map(({ field }) => field);
  assert.deepEqual([await missing(false), await missing(true)], [[], ['a', 'b']]);

  assert.equal((await call(writer, 'PUT', `/collections/${secret.id}`, { statuses: published })).status, 200);
  assert.ok((await found(guest)).every(Boolean));
  assert.deepEqual(await missing(true), []);
  await call(writer, 'PUT', `/collections/${secret.id}`, { statuses: [{ status: 'ARCHIVED' }] });
  assert.ok(!(await found(guest)).some(Boolean), 'including cached entries');
});

test('only members see who set the status of a collection or an entry', async () => {
  const paths = [`/collections/${open.id}`, `/entries/${entry.id}`] as const;
  const lists = [`/collections?ids=${open.id}`, `/entries?ids=${entry.id}`] as const;
  for (const [user, isVisible] of [
    [guest, false],
    [stranger, false],
    [support, true],
  ] as const) {
    const records = await Promise.all([
      ...paths.map(async (path) => (await call(user, 'GET', path)).body),
      ...lists.map(async (path) => (await call(user, 'GET', path)).body.items[0]!),
    ]);
    for (const record of records) assert.equal(record.statuses[0]!.userId, isVisible ? admin.userId : undefined);
  }
});
