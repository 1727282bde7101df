import assert from 'node:assert/strict';
import test from 'node:test';
import { shareHarness } from '../harness.ts';

const h = await shareHarness();
const businessId = await h.business();
const editor = await h.member(businessId, 'CONTENT_WRITE');
const guest = await h.guest();
const at = <P extends string>(path: P) => `/v1/businesses/${businessId}${path}` as const;

const SCHEMA = [
  { id: 'title', type: 'TEXT' },
  { id: 'rank', type: 'NUMBER' },
  { id: 'hot', type: 'BOOLEAN' },
  { id: 'tags', type: 'MULTI_SELECT', settings: { options: ['a', 'b', 'c'] } },
  { id: 'place', type: 'GEO_LOCATION' },
];

async function create<P extends string>(path: P, body: object) {
  const response = await h.call('POST', at(path), { token: editor.token, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}

const statuses = [{ status: 'PUBLISHED' }];
const { id: collectionId } = await create('/collections', { name: 'Things', blocks: SCHEMA, statuses });
const { id: otherId } = await create('/collections', { name: 'Others', blocks: SCHEMA, statuses });

async function add(owner: string, values: Record<string, unknown>, fields: object = {}): Promise<string> {
  const blocks = Object.entries(values).map(([id, value]) => ({ id, value }));
  const { id } = await create('/entries', { collectionId: owner, blocks, statuses, ...fields });
  h.clock.advance(1);
  return id;
}

const ids = {
  apple: await add(collectionId, { title: 'Äpfel und Birnen', rank: 10, hot: true, tags: ['a', 'b'] }),
  banana: await add(collectionId, { title: { en: 'banana bread', de: 'Bananenbrot' }, rank: 9, tags: ['b'] }),
  cherry: await add(collectionId, { title: 'Cherry', rank: -1.5, hot: false }, { locale: 'de' }),
  draft: await add(collectionId, { title: 'Dates', rank: 10 }, { statuses: [{ status: 'DRAFT' }] }),
  zebra: await add(collectionId, { title: 'zebra 10', place: { latitude: 1, longitude: 2 } }),
  other: await add(otherId, { title: 'Cherry', rank: 9 }),
};
const nameOf = new Map(Object.entries(ids).map(([name, id]) => [id, name]));

async function find(query: string, token = guest.token): Promise<string[]> {
  const { status, body } = await h.call('GET', at(`/entries?${query}`), { token });
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map((entry) => nameOf.get(entry.id)!);
}
const inCollection = (query: string, token?: string) => find(`collectionId=${collectionId}&${query}`, token);

async function rejected(query: string): Promise<string[]> {
  const { status, body } = await h.call('GET', at(`/entries?${query}`), { token: guest.token });
  assert.equal(status, 422);
  return body.details.map(({ field, error }) => `${field} ${error}`);
}

test('entries are listed newest first, across all collections or in one; guests see published entries only', async () => {
  assert.deepEqual(await find(''), ['other', 'zebra', 'cherry', 'banana', 'apple']);
  assert.deepEqual(await inCollection(''), ['zebra', 'cherry', 'banana', 'apple']);
  assert.deepEqual(await find(`owner=collection:${otherId}`), ['other']);
  assert.deepEqual(await inCollection('', editor.token), ['zebra', 'draft', 'cherry', 'banana', 'apple']);
  assert.deepEqual(await inCollection('status=DRAFT', editor.token), ['draft']);
  assert.deepEqual(await inCollection('status=DRAFT'), []);
  assert.deepEqual(await find(`ids=${ids.apple},${ids.other},${ids.draft}`), ['other', 'apple']);
});

test('a filter matches the exact value of a block of any type', async () => {
  assert.deepEqual(await inCollection('filter[rank]=9'), ['banana']);
  assert.deepEqual(await inCollection('filter[rank]=10.0'), ['apple']);
  assert.deepEqual(await inCollection('filter[rank]=-1.5'), ['cherry']);
  assert.deepEqual(await inCollection('filter[hot]=false'), ['cherry']);
  assert.deepEqual(await inCollection('filter[tags]=b'), ['banana', 'apple']);
  assert.deepEqual(await inCollection('filter[tags]=a&filter[tags]=b'), ['banana', 'apple']);
  assert.deepEqual(await inCollection('filter[tags]=b&filter[rank]=10'), ['apple']);
  assert.deepEqual(await inCollection('filter[rank]=9,10'), ['banana', 'apple']);
  assert.deepEqual(await inCollection('filter[tags][]=a&filter[tags][]=b'), ['banana', 'apple']);
  assert.deepEqual(await inCollection('filter[tags]=none,b'), ['banana', 'apple']);
  assert.deepEqual(await inCollection('filter[title]=Bananenbrot,Cherry'), []);
  assert.deepEqual(await inCollection('filter[title]=Bananenbrot'), ['banana']);
  assert.deepEqual(await inCollection('filter[title]=cherry'), []);
  assert.deepEqual(await inCollection('filter[title]=Cherry&locale=en'), []);
  assert.deepEqual(await find('filter[title]=Cherry'), ['other', 'cherry']);
  assert.deepEqual(await inCollection('filter[rank]=10', editor.token), ['draft', 'apple']);
});

test('search matches word prefixes and ignores case and accents', async () => {
  assert.deepEqual(await inCollection('query=apf'), ['apple']);
  assert.deepEqual(await inCollection('query=BANANEN'), ['banana']);
  assert.deepEqual(await inCollection('query=birnen%20%C3%A4pfel'), ['apple']);
  assert.deepEqual(await inCollection('query=apple'), []);
  assert.deepEqual(await find('query=cherry'), ['other', 'cherry']);
  assert.deepEqual(await inCollection('query=!!!'), []);
  assert.deepEqual(await inCollection("query=')%20%7C%20('"), []);
  assert.deepEqual(await inCollection('query=b&filter[tags]=b&sort=title'), ['apple', 'banana']);
});

test('sorting by a block orders numbers numerically and words alphabetically; entries without a value come last', async () => {
  assert.deepEqual(await inCollection('sort=rank'), ['cherry', 'banana', 'apple', 'zebra']);
  assert.deepEqual(await inCollection('sort=-rank'), ['apple', 'banana', 'cherry', 'zebra']);
  assert.deepEqual(await inCollection('sort=title'), ['apple', 'banana', 'cherry', 'zebra']);
  assert.deepEqual(await inCollection('sort=title&order=desc'), ['zebra', 'cherry', 'banana', 'apple']);
  assert.deepEqual(await inCollection('sort=createdAt&order=asc'), ['apple', 'banana', 'cherry', 'zebra']);
  assert.deepEqual(await inCollection('sort=rank&filter[tags]=b'), ['banana', 'apple']);
  await h.call('PUT', at(`/entries/${ids.banana}`), { token: editor.token, body: { statuses } });
  assert.deepEqual(await inCollection('sort=updatedAt'), ['banana', 'zebra', 'cherry', 'apple']);
});

test('every sort order pages without gaps or duplicates', async () => {
  for (const sort of ['', 'sort=createdAt&order=asc', 'sort=rank', 'sort=-rank', 'sort=updatedAt', 'filter[tags]=b']) {
    const whole = await find(sort, editor.token);
    const pages: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await h.call('GET', at(`/entries?limit=2&${sort}&cursor=${cursor}`), { token: editor.token });
      pages.push(...body.items.map((entry) => nameOf.get(entry.id)!));
      if (body.cursor === null) break;
      cursor = body.cursor;
    }
    assert.deepEqual(pages, whole, sort);
  }
  const { body } = await h.call('GET', at('/entries?limit=1'), { token: guest.token });
  assert.equal(
    (await h.call('GET', at(`/entries?sort=rank&cursor=${body.cursor}`), { token: guest.token })).status,
    400,
  );
});

test('invalid filters and sort orders are rejected', async () => {
  assert.deepEqual(await rejected(`collectionId=${collectionId}&filter[nope]=1&sort=nope`), [
    'filter[nope] UNKNOWN_BLOCK',
    'sort UNKNOWN_BLOCK',
  ]);
  assert.deepEqual(await rejected(`collectionId=${collectionId}&sort=place`), ['sort INVALID_VALUE']);
  assert.deepEqual(await rejected(`collectionId=${collectionId}&filter[rank]=${'1,'.repeat(101)}1`), [
    'filter[rank] TOO_LONG',
  ]);
  assert.deepEqual(await rejected('filter[a%20b]=1'), ['filter[a b] INVALID_FORMAT']);
  assert.deepEqual(await rejected(`collectionId=${collectionId}&owner=collection:${otherId}`), ['owner INVALID_VALUE']);
  assert.deepEqual(await rejected('owner=planet:1'), ['owner INVALID_FORMAT']);
  assert.deepEqual(await rejected('limit=0'), ['limit OUT_OF_RANGE']);
});

test('an updated entry is found by its new values only', async () => {
  const id = await add(collectionId, { title: 'Fig', rank: 77 });
  nameOf.set(id, 'fig');
  await h.call('PUT', at(`/entries/${id}`), {
    token: editor.token,
    body: {
      blocks: [
        { id: 'title', value: 'Grape' },
        { id: 'rank', value: 78 },
      ],
    },
  });
  assert.deepEqual(await inCollection('filter[rank]=77'), []);
  assert.deepEqual(await inCollection('filter[rank]=78'), ['fig']);
  assert.deepEqual(await inCollection('query=fig'), []);
  assert.deepEqual(await inCollection('query=grape'), ['fig']);
  await h.call('DELETE', at(`/entries/${id}`), { token: editor.token });
  assert.deepEqual(await inCollection('filter[rank]=78'), []);
});

test('text of maximum size, with long words that grow when folded, is stored and found', async () => {
  const word = (i: number) => `${i}${'각'.repeat(19)}`;
  const title = Array.from({ length: 15_000 }, (_, i) => word(i)).join(' ');
  const id = await add(collectionId, { title });
  nameOf.set(id, 'large');
  assert.deepEqual(await inCollection(`query=${encodeURIComponent(word(7))}`), ['large']);
  assert.deepEqual(await inCollection('sort=title&order=desc&limit=1'), ['zebra']);
});

const createdAt = async (id: string): Promise<number> =>
  (await h.call('GET', at(`/entries/${id}`), { token: guest.token })).body.createdAt;

test('entries can be filtered by several statuses and a time range, and sorted by field and direction', async () => {
  assert.deepEqual(await inCollection('statuses=DRAFT,PUBLISHED&query=d', editor.token), ['draft']);
  assert.deepEqual(await inCollection('statuses=DRAFT,ARCHIVED', editor.token), ['draft']);
  assert.deepEqual(await inCollection('statuses=DRAFT'), []);
  const [cherryAt, zebraAt] = await Promise.all([ids.cherry, ids.zebra].map(createdAt));
  const since = `createdAtFrom=${cherryAt}&createdAtTo=${zebraAt}`;
  assert.deepEqual(await inCollection(since), ['zebra', 'cherry']);
  assert.deepEqual(await inCollection(`createdAtTo=${cherryAt}&query=cherry`), ['cherry']);
  assert.deepEqual(await inCollection(`${since}&sortField=title`), ['cherry', 'zebra']);
  assert.deepEqual(await inCollection(`${since}&filter[hot]=false`), ['cherry']);
  assert.deepEqual(await inCollection('sortField=rank&sortDirection=DESC&limit=2'), ['apple', 'banana']);
  assert.deepEqual(await inCollection('sortField=createdAt&sortDirection=asc&limit=1'), ['apple']);
});

test('a collection can be addressed by its slug', async () => {
  assert.deepEqual(await find('collectionId=others'), ['other']);
  assert.deepEqual(await find('owner=collection:others'), ['other']);
  assert.deepEqual(await find('collectionId=none'), []);
  const entry = await create('/entries', { collectionId: 'others', owner: `collection:${otherId}`, status: 'DRAFT' });
  assert.deepEqual([entry.owner, entry.statuses[0]!.status], [`collection:${otherId}`, 'DRAFT']);
  const { body } = await h.call('GET', at('/collections/others'), { token: guest.token });
  assert.equal(body.id, otherId);
});

test("another business's cursor is rejected", async () => {
  const elsewhere = await h.business();
  for (const path of ['/entries', '/collections'] as const) {
    const { body } = await h.call('GET', at(`${path}?limit=1`), { token: guest.token });
    const foreign = await h.call('GET', `/v1/businesses/${elsewhere}${path}?cursor=${body.cursor}`, {
      token: guest.token,
    });
    assert.equal(foreign.status, 400, path);
  }
});

test('a page of large entries is shorter, and paging reaches all of them', async () => {
  const large = await create('/collections', { name: 'Large', blocks: [{ id: 'text', type: 'TEXT' }], statuses });
  const created: string[] = [];
  for (let i = 0; i < 5; i++)
    created.push(await add(large.id, { text: `${i} ${'x'.repeat(480_000)} ${'y'.repeat(480_000)}`.slice(0, 499_000) }));
  const [row] = await h.pool`select doc_bytes as bytes from entries where id = ${created[0]!}`;
  for (const query of ['', '&sort=text', '&query=0', `&ids=${created}`]) {
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const path = at(`/entries?collectionId=${large.id}&limit=100${query}&cursor=${cursor}`);
      const { body } = await h.call('GET', path, { token: guest.token });
      assert.ok(body.items.length <= Math.floor(2 ** 21 / row!.bytes), query);
      seen.push(...body.items.map(({ id }) => id));
      if (body.cursor === null) break;
      cursor = body.cursor;
    }
    assert.equal(new Set(seen).size, query === '&query=0' ? 1 : 5, query);
  }
});
