import assert from 'node:assert/strict';
import test from 'node:test';
import { asPublic, type Json, shareHarness } from '../harness.ts';

const h = await shareHarness();
const businessId = await h.business();
const editor = await h.member(businessId, 'CONTENT_WRITE');
const guest = await h.guest();
const at = <P extends string>(path: P) => `/v1/businesses/${businessId}${path}` as const;
const asEditor = <M extends string, P extends string>(method: M, path: P, body?: unknown, headers = {}) =>
  h.call(method, at(path), { token: editor.token, body, headers });
const asGuest = <P extends string>(path: P) => h.call('GET', at(path), { token: guest.token });
const PUBLISHED = [{ status: 'PUBLISHED' }];
const SCHEMA = [
  { id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 60 } },
  { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
  { id: 'category', type: 'SELECT', settings: { options: ['news', { value: 'food', label: 'Food' }] } },
  { id: 'rank', type: 'NUMBER', settings: { min: 0 } },
];

async function makeCollection(fields: object = {}) {
  const { status, body } = await asEditor('POST', '/collections', {
    name: 'Blog',
    blocks: SCHEMA,
    statuses: PUBLISHED,
    ...fields,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function makeEntry(collectionId: string, values: Record<string, unknown>, fields: object = {}) {
  const blocks = Object.entries(values).map(([id, value]) => ({ id, value }));
  const { status, body } = await asEditor('POST', '/entries', { collectionId, blocks, statuses: PUBLISHED, ...fields });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const codes = (body: Json) => body.details.map(({ field, error }: Json) => `${field} ${error}`);
const titles = (body: Json) => body.items.map((entry: Json) => entry.blocks.find((b: Json) => b.id === 'title').value);

test('a collection is returned with all API fields and a unique slug', async () => {
  const first = await makeCollection({ name: 'Öffentliche Briefe', description: 'x' });
  const second = await makeCollection({ name: 'Öffentliche Briefe' });
  assert.match(first.id, /^col_/);
  assert.equal(first.businessId, businessId);
  assert.deepEqual([first.slug, second.slug], ['offentliche-briefe', 'offentliche-briefe-2']);
  assert.deepEqual(first.blocks, SCHEMA);
  const { id, status, changedBy, userId, timestamp } = first.statuses[0]!;
  assert.deepEqual([status, changedBy, userId], ['PUBLISHED', 'USER', editor.userId]);
  assert.match(id, /^st_/);
  assert.equal(typeof timestamp, 'number');
  const taken = await asEditor('POST', '/collections', { name: 'x', slug: 'offentliche-briefe' });
  assert.deepEqual([taken.status, codes(taken.body)], [422, ['slug DUPLICATE']]);
  const read = await asGuest(`/collections/${first.id}`);
  assert.deepEqual(read.body, asPublic(first));
  assert.equal(read.headers.get('etag'), '"1"');
});

test('a draft is created, published, and read by a guest in two locales', async () => {
  const { id: collectionId } = await makeCollection();
  const draft = await asEditor('POST', '/entries', {
    collectionId,
    locale: 'en',
    blocks: [{ id: 'rank', type: 'NUMBER', value: 1 }],
    statuses: [{ status: 'DRAFT' }],
  });
  assert.equal(draft.body.owner, `collection:${collectionId}`);
  assert.equal((await asGuest(`/entries/${draft.body.id}`)).status, 404);

  const early = await asEditor('PUT', `/entries/${draft.body.id}`, { statuses: PUBLISHED });
  assert.deepEqual([early.status, codes(early.body)], [422, ['blocks.title REQUIRED']]);
  const published = await asEditor('PUT', `/entries/${draft.body.id}`, {
    blocks: [{ id: 'title', type: 'TEXT', value: { en: 'Hello', de: 'Hallo' } }],
    statuses: PUBLISHED,
  });
  assert.equal(published.status, 200);
  assert.equal(published.body.statuses.length, 2);
  const seen = await asGuest(`/entries/${draft.body.id}`);
  assert.deepEqual(seen.body, asPublic(published.body));
  assert.equal(seen.headers.get('etag'), '"2"');

  await makeEntry(collectionId, { title: 'Servus' }, { locale: 'de-AT' });
  const german = await asGuest(`/entries?collectionId=${collectionId}&locale=de-AT`);
  assert.deepEqual(titles(german.body), ['Servus']);
  const english = await asGuest(`/entries?collectionId=${collectionId}&locale=en`);
  assert.deepEqual(titles(english.body), [{ en: 'Hello', de: 'Hallo' }]);
});

test('required values may be missing only if the status is explicitly DRAFT', async () => {
  const { id: collectionId } = await makeCollection();
  const refused = await asEditor('POST', '/entries', { collectionId, blocks: [] });
  assert.deepEqual([refused.status, codes(refused.body)], [422, ['blocks.title REQUIRED']]);
});

test('200 invalid values in one body are all reported, together with another invalid field in the body', async () => {
  const blocks = Array.from({ length: 200 }, (_, i) => ({ id: `n${i}`, type: 'NUMBER' }));
  const { id: collectionId } = await makeCollection({ blocks });
  const values = blocks.map((block) => ({ ...block, value: 'x' }));
  const refused = await asEditor('POST', '/entries', { collectionId, blocks: values, statuses: [{ status: 'NEW' }] });
  assert.equal(refused.status, 422);
  assert.deepEqual(codes(refused.body), [
    'statuses[0].status INVALID_VALUE',
    ...blocks.map((_, i) => `blocks[${i}].value INVALID_TYPE`),
  ]);
  const invalid = await asEditor('POST', '/entries', { collectionId, blocks: values, locale: 7 });
  assert.equal(invalid.body.details.length, 201);
  const entry = await asEditor('POST', '/entries', { collectionId });
  const change = await asEditor('PUT', `/entries/${entry.body.id}`, { blocks: values, locale: 7 });
  assert.equal(change.body.details.length, 201);
  const schema = await asEditor('POST', '/collections', {
    name: '',
    blocks: [{ id: 'a', type: 'SELECT' }, { id: 'b' }, { id: 'c', type: 'RELATIONSHIP', settings: {} }],
  });
  assert.deepEqual(codes(schema.body), [
    'name TOO_SHORT',
    'blocks[1].type REQUIRED',
    'blocks[0].settings.options REQUIRED',
  ]);
});

test('entries stay readable when the schema changes and can be fixed by an update', async () => {
  const { id: collectionId } = await makeCollection();
  const entry = await makeEntry(collectionId, { title: 'Old', rank: 3 });
  const changed = await asEditor('PUT', `/collections/${collectionId}`, {
    blocks: [
      { id: 'title', type: 'TEXT', label: 'Headline' },
      { id: 'stars', type: 'NUMBER', required: true },
    ],
  });
  assert.equal(changed.status, 200);
  assert.deepEqual((await asGuest(`/entries/${entry.id}`)).body, asPublic(entry));
  assert.equal((await asEditor('PUT', `/entries/${entry.id}`, { locale: 'fr' })).status, 200);
  const refused = await asEditor('PUT', `/entries/${entry.id}`, { blocks: entry.blocks });
  assert.deepEqual(codes(refused.body), ['blocks[1].id UNKNOWN_BLOCK', 'blocks.stars REQUIRED']);
  const repaired = await asEditor('PUT', `/entries/${entry.id}`, {
    blocks: [entry.blocks[0], { id: 'stars', type: 'NUMBER', value: 5 }],
  });
  assert.deepEqual(repaired.body.blocks, [
    { id: 'title', type: 'TEXT', value: 'Old' },
    { id: 'stars', type: 'NUMBER', value: 5 },
  ]);
});

test('a new version of the schema applies immediately on other nodes', async () => {
  const node = await h.secondNode();
  const { id: collectionId } = await makeCollection();
  const write = () =>
    node.call('POST', at('/entries'), {
      token: editor.token,
      body: { collectionId, blocks: [{ id: 'title', value: 'x' }] },
    });
  assert.equal((await write()).status, 200);
  await asEditor('PUT', `/collections/${collectionId}`, { blocks: [{ id: 'title', type: 'NUMBER' }] });
  assert.deepEqual(codes((await write()).body), ['blocks[0].value INVALID_TYPE']);
});

test('reads and lists return the current entry, even right after a previous read', async () => {
  const other = await h.secondNode();
  const { id: collectionId } = await makeCollection();
  const { id } = await makeEntry(collectionId, { title: 'One' });
  const { token } = guest;
  const readEverywhere = () =>
    Promise.all(
      [h, other].map(async ({ call }) => {
        const alone = await call('GET', at(`/entries/${id}`), { token });
        const list = await call('GET', at(`/entries?collectionId=${collectionId}`), { token });
        return [alone.status === 200 ? titles({ items: [alone.body] })[0] : alone.status, ...titles(list.body)].join();
      }),
    );
  assert.deepEqual(await readEverywhere(), ['One,One', 'One,One']);
  await asEditor('PUT', `/entries/${id}`, { blocks: [{ id: 'title', value: 'Two' }] });
  assert.deepEqual(await readEverywhere(), ['Two,Two', 'Two,Two']);
  await asEditor('PUT', `/entries/${id}`, { statuses: [{ status: 'ARCHIVED' }] });
  assert.deepEqual(await readEverywhere(), ['404', '404']);
});

test('If-Match with an old version fails with 412, and statuses can only be appended', async () => {
  const { id } = await makeCollection();
  assert.equal((await asEditor('PUT', `/collections/${id}`, { name: 'B' }, { 'if-match': '"1"' })).status, 200);
  assert.equal((await asEditor('PUT', `/collections/${id}`, { name: 'C' }, { 'if-match': '"1"' })).status, 412);
  assert.equal((await asEditor('DELETE', `/collections/${id}`, undefined, { 'if-match': '"1"' })).status, 412);
  const entry = await makeEntry(id, { title: 'x' });
  assert.equal((await asEditor('PUT', `/entries/${entry.id}`, { locale: 'de' }, { 'if-match': '"2"' })).status, 412);
  assert.equal((await asEditor('DELETE', `/entries/${entry.id}`, undefined, { 'if-match': '"2"' })).status, 412);
  const kept = await asEditor('PUT', `/entries/${entry.id}`, { statuses: [{ ...entry.statuses[0], status: 'DRAFT' }] });
  assert.deepEqual(kept.body.statuses, entry.statuses);
});

test('two creates with the same Idempotency-Key create one entry', async () => {
  const { id: collectionId } = await makeCollection();
  const headers = { 'idempotency-key': 'once' };
  const body = { collectionId, blocks: [{ id: 'title', value: 'x' }] };
  const [first, second] = [
    await asEditor('POST', '/entries', body, headers),
    await asEditor('POST', '/entries', body, headers),
  ];
  assert.deepEqual(second.body, first.body);
});

test('an unknown collection type is rejected, and a stored one can be sent back', async () => {
  const bad = await asEditor('POST', '/collections', { name: 'x', type: 'NEWSLETER' });
  assert.deepEqual([bad.status, codes(bad.body)], [422, ['type INVALID_VALUE']]);
  const blog = await makeCollection();
  assert.deepEqual(codes((await asEditor('PUT', `/collections/${blog.id}`, { type: 'BLOG' })).body), [
    'type INVALID_VALUE',
  ]);
  await h.pool`update collections set doc = jsonb_set(doc, '{type}', '"BLOG"'), type = 'BLOG', version = version + 1
    where id = ${blog.id}`;
  assert.equal((await asEditor('PUT', `/collections/${blog.id}`, { type: 'BLOG', name: 'Old' })).status, 200);
});

test('a PUT’s status publishes an entry or a collection, and the current one changes nothing', async () => {
  const collection = await makeCollection({ statuses: [{ status: 'DRAFT' }] });
  const published = await asEditor('PUT', `/collections/${collection.id}`, { status: 'PUBLISHED' });
  assert.equal(published.body.statuses.at(-1)!.status, 'PUBLISHED');
  const { body: entry } = await asEditor('POST', '/entries', { collectionId: collection.id, status: 'DRAFT' });
  const early = await asEditor('PUT', `/entries/${entry.id}`, { status: 'PUBLISHED' });
  assert.deepEqual([early.status, codes(early.body)], [422, ['blocks.title REQUIRED']]);
  const blocks = [{ id: 'title', type: 'TEXT', value: 'Hello' }];
  for (const count of [2, 2]) {
    const { body } = await asEditor('PUT', `/entries/${entry.id}`, { status: 'PUBLISHED', blocks });
    assert.deepEqual([body.statuses.length, body.statuses.at(-1)!.status], [count, 'PUBLISHED']);
  }
  assert.equal((await asEditor('PUT', `/entries/${entry.id}`, { status: 'PUBLIC' })).status, 422);
});

test('only newsletters can have plans, and plan IDs are unique', async () => {
  const plan = {
    id: 'paid',
    name: 'Paid',
    description: 'Every week',
    price: { amount: 900, currency: 'usd', interval: 'MONTHLY' },
    features: ['A letter'],
  };
  const newsletter = await makeCollection({ type: 'NEWSLETTER', plans: [plan], settings: { onUnknown: 'HOLD' } });
  assert.deepEqual([newsletter.plans, newsletter.settings], [[plan], { onUnknown: 'HOLD' }]);
  const twice = await asEditor('PUT', `/collections/${newsletter.id}`, { plans: [plan, plan] });
  assert.deepEqual(codes(twice.body), ['plans[1].id DUPLICATE']);
  const blog = await asEditor('POST', '/collections', { name: 'x', plans: [plan] });
  assert.deepEqual(codes(blog.body), ['plans INVALID_VALUE']);
  const settings = await asEditor('POST', '/collections', {
    name: 'x',
    settings: { onUnknown: 'GUESS', fromName: 'a\nb', replyTo: 'nobody' },
  });
  assert.deepEqual(codes(settings.body), [
    'settings.onUnknown INVALID_VALUE',
    'settings.fromName INVALID_FORMAT',
    'settings.replyTo INVALID_FORMAT',
  ]);
});

test('collections can be filtered by IDs, part of the name, time and statuses, and addressed by slug', async () => {
  const one = await makeCollection({ name: 'Garden Notes', slug: 'garden' });
  const two = await makeCollection({ name: 'Kitchen notes', status: 'DRAFT', statuses: undefined });
  const find = async (query: string, list = asGuest) =>
    (await list(`/collections?${query}`)).body.items.map(({ id }) => id);
  const asStaff = <P extends string>(path: P) => asEditor('GET', path);
  assert.deepEqual(await find('name=NOTES', asStaff), [two.id, one.id]);
  assert.deepEqual(await find('name=notes'), [one.id]);
  assert.deepEqual(await find('name=%25'), []);
  assert.deepEqual(await find(`ids=${one.id},${two.id}&statuses=DRAFT,ARCHIVED`, asStaff), [two.id]);
  assert.deepEqual(await find(`createdAtFrom=${one.createdAt + 9999}`), []);
  assert.equal((await asGuest('/collections/garden')).body.id, one.id);
  assert.equal((await asGuest(`/collections/${two.slug}`)).status, 404);
  const [listed] = (await asGuest(`/collections?ids=${one.id}`)).body.items;
  const renamed = await asEditor(
    'PUT',
    '/collections/garden',
    { name: 'Garden' },
    { 'if-match': `"9", ${listed!.etag}` },
  );
  assert.deepEqual([renamed.status, renamed.headers.get('etag')], [200, '"2"']);
  assert.deepEqual(codes((await asEditor('POST', '/collections', { name: 'x', slug: 'unsubscribe' })).body), [
    'slug INVALID_VALUE',
  ]);
  assert.equal((await makeCollection({ name: 'Confirm' })).slug, 'confirm-2');
  assert.equal((await asEditor('DELETE', '/collections/garden')).status, 200);
});

test('entries that no longer match the schema are listed with their errors, page by page', async () => {
  const { id, slug } = await makeCollection({ name: 'Moving' });
  const entries: Json[] = [];
  for (const [i, title] of ['a', 'b', 'c', 'd'].entries()) entries.push(await makeEntry(id, { title, rank: i * 10 }));
  const validate = async (query = '') => (await asEditor('POST', `/collections/${slug}/validate${query}`)).body;
  assert.deepEqual(await validate(), { items: [], cursor: null });
  const blocks = [SCHEMA[0], { id: 'rank', type: 'NUMBER', settings: { max: 5 } }];
  await asEditor('PUT', `/collections/${id}`, { blocks });
  const first = await validate('?limit=2');
  assert.deepEqual(
    first.items.map((item: Json) => item.entryId),
    [entries[1].id, entries[2].id],
  );
  assert.deepEqual(
    first.items[0].errors.map(({ field, error }: Json) => `${field} ${error}`),
    ['blocks[1].value OUT_OF_RANGE'],
  );
  const second = await validate(`?limit=2&cursor=${first.cursor}`);
  assert.deepEqual(
    second.items.map((item: Json) => item.entryId),
    [entries[3].id],
  );
  assert.equal(second.cursor, null);
});

test('a collectionId that is not a string is rejected', async () => {
  for (const collectionId of [{ toString: 1 }, [], 7, null]) {
    const refused = await asEditor('POST', '/entries', { collectionId, blocks: [{ id: 'a', value: 1 }] });
    const code = collectionId === null ? 'REQUIRED' : 'INVALID_TYPE';
    assert.deepEqual([refused.status, codes(refused.body)[0]], [422, `collectionId ${code}`]);
  }
});
