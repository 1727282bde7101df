import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, startHarness, type TestUser } from '../harness.ts';
import { makeOrder } from './order.ts';

const h = await startHarness();
const [businessId, otherBusinessId] = [await h.business(), await h.business()];
const admin = await h.member(businessId, 'ADMIN');
const writer = await h.member(businessId, 'CONTENT_WRITE');
const reader = await h.member(businessId, 'CONTENT_READ');
const support = await h.member(businessId, 'ORDER_READ');
const stranger = await h.member(otherBusinessId, 'ADMIN');
const [customer, guest] = [await h.guest(), await h.guest()];

const call = (user: TestUser, method: string, path: string, body?: unknown) =>
  h.call(method, `/v1/businesses/${businessId}${path}`, { token: user.token, body });

async function make(path: string, body: object): Promise<Json> {
  const answer = await call(admin, 'POST', path, body);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
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

test('drafts are seen by the staff for content only, entries of an order by its customer and ORDER_READ only', async () => {
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

test('a list shows no more than a read does', async () => {
  const listed = async (user: TestUser, query: string) =>
    (await call(user, 'GET', `/entries?${query}`)).body.items.map(({ id }: Json) => id);
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
  assert.deepEqual(await listed(admin, ''), [entryDraft.id, entry.id]);
});

test('a collection that is not published is there for the staff only', async () => {
  assert.equal(await sees(guest, `/collections/${hidden.id}`), false);
  assert.equal(await sees(reader, `/collections/${hidden.id}`), true);
  const ids = async (user: TestUser, query = '') =>
    (await call(user, 'GET', `/collections?${query}`)).body.items.map(({ id }: Json) => id);
  assert.deepEqual(await ids(guest), [open.id]);
  assert.deepEqual(await ids(guest, 'status=DRAFT'), []);
  assert.deepEqual(await ids(reader), [hidden.id, open.id]);
  assert.deepEqual(await ids(reader, 'status=DRAFT'), [hidden.id]);
});

test('what writers may not see they may not change, move or delete', async () => {
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

test('records of another business are not found, by path, by owner or by reference', async () => {
  const elsewhere = `/v1/businesses/${otherBusinessId}`;
  const at = (method: string, path: string, body?: unknown) =>
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

test('an entry of a collection that is not PUBLISHED is for the staff alone, however it is looked for', async () => {
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
        (await call(user, 'GET', `/entries?${query}`)).body.items.some(({ id }: Json) => id === inside.id),
      ),
    );
    return [one, ...listed];
  };
  for (const user of [guest, support, stranger]) assert.ok(!(await found(user)).some(Boolean));
  for (const user of [reader, writer]) assert.ok((await found(user)).every(Boolean));
  const probe = await call(guest, 'GET', `/entries?collectionId=${secret.id}&filter[none]=x`);
  assert.equal(probe.status, 200, 'nor does an error tell of its schema');

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
  assert.ok(!(await found(guest)).some(Boolean), 'also what was read before');
});

test('who set the status of a collection or an entry is told to members only', async () => {
  const paths = [`/collections/${open.id}`, `/entries/${entry.id}`];
  const lists = [`/collections?ids=${open.id}`, `/entries?ids=${entry.id}`];
  for (const [user, told] of [
    [guest, false],
    [stranger, false],
    [support, true],
  ] as const) {
    const records = await Promise.all([
      ...paths.map(async (path) => (await call(user, 'GET', path)).body),
      ...lists.map(async (path) => (await call(user, 'GET', path)).body.items[0]),
    ]);
    for (const record of records) assert.equal(record.statuses[0].userId, told ? admin.userId : undefined);
  }
});
