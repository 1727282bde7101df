import assert from 'node:assert/strict';
import test from 'node:test';
import { listProductStates } from '../../src/domains/catalog/products/queries.ts';
import { type Json, shareHarness } from '../harness.ts';
import { eventually } from '../service.ts';

const h = await shareHarness();
const guest = (await h.guest()).token;

async function shop() {
  const businessId = await h.business();
  const path = `/v1/businesses/${businessId}/products` as const;
  const { token } = await h.member(businessId, 'CATALOG_WRITE');
  const create = async (body: object) => (await h.call('POST', path, { token, body })).body;
  const list = async (query: string, reader = guest) =>
    (await h.call('GET', `${path}?${query}`, { token: reader })).body;
  /** The names on all pages; `between` runs after each page. */
  async function readAll(query: string, between: () => Promise<unknown> = async () => {}): Promise<string[]> {
    const names: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await list(`${query}&cursor=${cursor}`);
      names.push(...page.items.map((item) => item.name));
      if (page.cursor === null) return names;
      assert.notEqual(page.items.length, 0);
      cursor = page.cursor;
      await between();
    }
  }
  return { businessId, path, token, create, list, readAll };
}

const priced = (us: number, eu?: number) => [
  {
    pricing: {
      markets: [
        { marketId: 'US', currency: 'usd', price: us },
        ...(eu === undefined ? [] : [{ marketId: 'eu', currency: 'eur', price: eu }]),
      ],
    },
  },
];

test('every sort order pages through all products without gaps or duplicates, with and without a category', async () => {
  const { create, readAll } = await shop();
  const created: { name: string; category: string; us: number }[] = [];
  for (const [i, name] of ['Élan', 'apple', 'Zebra', 'élan', 'Banana', 'ábaco', 'Zebra', '東京', 'кот'].entries()) {
    const product = { name, category: i % 2 ? 'odd' : 'even', us: 100 * ((i * 5) % 4) };
    created.push(product);
    await create({
      ...product,
      variants: [...priced(9999), ...priced(product.us)].map((v, n) => ({ ...v, id: `v${n}` })),
    });
  }
  await create({ name: 'Elsewhere', variants: [] });
  for (const category of [null, 'even', 'odd']) {
    const filter = category ? `&category=${category}` : '';
    const some = created.filter((product) => !category || product.category === category);
    const names = some.map(({ name }) => name);
    const extra = category ? [] : ['Elsewhere'];
    assert.deepEqual(await readAll(`limit=2${filter}`), [...extra, ...names.toReversed()]);
    assert.deepEqual(await readAll(`limit=2&sort=oldest${filter}`), [...names, ...extra]);
    const prices = some.toSorted((a, b) => a.us - b.us).map(({ name }) => name);
    assert.deepEqual(await readAll(`limit=2&sort=price&market=us${filter}`), prices);
  }
  assert.deepEqual(await readAll('limit=2&sort=name'), [
    'ábaco',
    'apple',
    'Banana',
    'Élan',
    'élan',
    'Elsewhere',
    'Zebra',
    'Zebra',
    'кот',
    '東京',
  ]);
  assert.deepEqual(await readAll('sort=price&market=eu'), []);
});

test('a product drops out of a market’s price-sorted list when its price there is removed', async () => {
  const { create, readAll, path, token } = await shop();
  const { id } = await create({ name: 'Mug', variants: priced(100, 90) });
  assert.deepEqual(await readAll('sort=price&market=eu'), ['Mug']);
  await h.call('PUT', `${path}/${id}`, { token, body: { variants: priced(100) } });
  assert.deepEqual([await readAll('sort=price&market=eu'), await readAll('sort=price&market=us')], [[], ['Mug']]);
});

test('products created or deleted between pages cause no gaps or duplicates', async () => {
  const { create, readAll, path, token } = await shop();
  const names = Array.from({ length: 9 }, (_, i) => `Lamp ${i}`);
  for (const name of names) await create({ name });
  const early = await create({ name: 'Lamp early' });
  for (const query of ['limit=2', 'limit=2&query=lamp']) {
    let n = 0;
    const seen = await readAll(query, async () => {
      if (n++ === 0) await h.call('DELETE', `${path}/${early.id}`, { token });
      await create({ name: 'New lamp' });
    });
    const old = seen.filter((name) => name !== 'New lamp' && name !== 'Lamp early');
    assert.deepEqual(old.toSorted(), names, query);
  }
});

test('a cursor is only valid for the list it was created for', async () => {
  const { create, list, path } = await shop();
  for (const name of ['Lamp a', 'Lamp b', 'Lamp c']) await create({ name });
  const { cursor } = await list('limit=1');
  const { cursor: found } = await list('limit=1&query=lamp');
  for (const query of [
    `sort=name&cursor=${cursor}`,
    `cursor=${found}`,
    `query=lam&cursor=${found}`,
    `cursor=x${cursor}`,
    'cursor=eyJ9',
  ]) {
    assert.equal((await h.call('GET', `${path}?${query}`, { token: guest })).status, 400, query);
  }
  assert.equal((await list('limit=1&cursor=null')).items[0]!.name, 'Lamp c');
});

test('products can be filtered by slug, IDs, status and low stock, and invalid filters are rejected', async () => {
  const { create, list, path, token } = await shop();
  const low = await create({
    name: 'Low',
    variants: [
      { id: 'a', inventory: { quantity: 9 } },
      { id: 'b', inventory: { quantity: 2, lowStockThreshold: 2 } },
    ],
  });
  const fine = await create({
    name: 'Fine',
    variants: [{ id: 'a', inventory: { quantity: 3, lowStockThreshold: 2 } }],
  });
  await create({ name: 'Endless', variants: [{ inventory: { tracked: false, lowStockThreshold: 2 } }] });
  const names = async (query: string, reader = token) =>
    (await list(query, reader)).items.map((item) => item.name).sort();
  assert.deepEqual(await names('lowStock=true'), ['Low']);
  assert.deepEqual(await names('lowStock=true&query=low'), ['Low']);
  await h.call('POST', `${path}/${fine.id}/variants/a/inventory`, { token, body: { adjust: -1 } });
  assert.deepEqual(await names('lowStock=true'), ['Fine', 'Low']);
  assert.deepEqual(await names(`ids=${low.id},${fine.id},prod_none`), ['Fine', 'Low']);
  assert.deepEqual(await names(`ids=["${low.id}"]&slug=low`), ['Low']);
  assert.deepEqual(await names(`ids=${low.id}&ids=${fine.id}&query=fine`), ['Fine']);
  assert.deepEqual(await names('ids='), []);
  assert.deepEqual(await names('status=DRAFT'), []);
  assert.deepEqual(await names('limit=1000'), ['Endless', 'Fine', 'Low']);
  for (const query of [
    'limit=0',
    'limit=x',
    'sort=best',
    'sort=price',
    'sort=relevance',
    'status=SOLD',
    'lowStock=maybe',
  ]) {
    assert.equal((await h.call('GET', `${path}?${query}`, { token })).status, 422, query);
  }
});

test('reads and lists return the current product and stock, even right after a previous read', async () => {
  const { create, path, token } = await shop();
  const { id } = await create({
    name: 'Lamp',
    variants: [
      { id: 'z', inventory: { quantity: 5 } },
      { id: 'a', inventory: { quantity: 8 } },
    ],
  });
  const other = await h.secondNode();
  const describe = ({ name, variants }: Json) => [name, ...variants.map((v: Json) => v.inventory.quantity)].join(' ');
  const get = async (query: string) =>
    Promise.all([h, other].map(async ({ call }) => (await call('GET', `${path}${query}`, { token })).body));
  const alone = async () => [...new Set((await get(`/${id}`)).map(describe))];
  const listed = async () => {
    const pages = await Promise.all(['?limit=1', '?query=lamp', '?sort=name'].map(get));
    return [...new Set(pages.flat().map(({ items }) => describe(items[0])))];
  };
  const sell = () => h.call('POST', `${path}/${id}/variants/z/inventory`, { token, body: { adjust: -1 } });
  const rename = (name: string) => h.call('PUT', `${path}/${id}`, { token, body: { name } });
  assert.deepEqual([...(await listed()), ...(await alone())], ['Lamp 5 8', 'Lamp 5 8']);
  await sell();
  assert.deepEqual(await listed(), ['Lamp 4 8']);
  await sell();
  assert.deepEqual(await alone(), ['Lamp 3 8']);
  await rename('Lamp two');
  assert.deepEqual(await listed(), ['Lamp two 3 8']);
  await rename('Lamp three');
  assert.deepEqual(await alone(), ['Lamp three 3 8']);
});

test('cached products are dropped when the database loses writes, as in a failover', async () => {
  const { create, path, token } = await shop();
  const { id } = await create({ name: 'Before' });
  const read = async () => (await h.call('GET', `${path}/${id}`, { token })).body.name;
  assert.equal(await read(), 'Before');
  await h.pool`update products set doc = jsonb_set(doc, '{name}', '"After"') where id = ${id}`;
  await h.pool`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'souk-listen' and datname = current_database()`;
  await eventually('reads return the new content of the same version', async () => (await read()) === 'After');
});

test('a product whose status changes while a list is read is not shown', async () => {
  const { businessId, create } = await shop();
  const [active, draft] = [await create({ name: 'a' }), await create({ name: 'd', statuses: [{ status: 'DRAFT' }] })];
  const both = [active, draft].map(({ id }) => ({ id, version: 0 }));
  const read = async (status: string[] | null) =>
    (await listProductStates(h.pool, businessId, both, status)).map(({ id }) => id).sort();
  assert.deepEqual(await read(['ACTIVE']), [active.id]);
  assert.deepEqual(await read(null), [active.id, draft.id]);
  assert.deepEqual(await listProductStates(h.pool, await h.business(), both, null), []);
});

test('a page of large products is shorter but has at least one product, and paging reaches all of them', async () => {
  const { create, list, readAll } = await shop();
  const names = ['a', 'b', 'c'];
  const text = 'x'.repeat(450_000);
  for (const name of names) {
    const blocks = ['one', 'two'].map((id) => ({ id, type: 'TEXT', value: text }));
    await create({ name, description: 'large', blocks, variants: priced(100) });
  }
  for (const query of ['limit=100', 'limit=100&sort=name', 'limit=100&sort=price&market=us', 'limit=100&query=large']) {
    const page = await list(query);
    assert.equal(page.items.length, 2, query);
    assert.deepEqual((await readAll(query)).sort(), names, query);
  }
});

test('lists can be filtered by several statuses and categories and by time, and sorted by field and direction', async () => {
  const { create, list, token, businessId } = await shop();
  for (const [name, category, status] of [
    ['a', 'x', 'ACTIVE'],
    ['b', 'y', 'DRAFT'],
    ['c', 'z', 'ACTIVE'],
    ['d', 'y', 'ARCHIVED'],
  ]) {
    await create({ name, category, status, variants: priced(name === 'a' ? 300 : 100) });
  }
  await h.pool`update products set created_at = 100 where business_id = ${businessId} and name_key = 'a'`;
  const names = async (query: string, reader?: string) =>
    (await list(query, reader)).items.map((item) => item.name).join('');
  assert.equal(await names('categoryIds=x,y', token), 'dba');
  assert.equal(await names('categoryIds=x,y'), 'a', 'guests see ACTIVE products only');
  assert.equal(await names('statuses=DRAFT,ARCHIVED', token), 'db');
  assert.equal(await names('statuses=DRAFT,ARCHIVED'), '');
  assert.equal(await names('statuses=DRAFT,ACTIVE'), 'ca');
  assert.equal(await names('statuses=DRAFT,ACTIVE&categoryIds=x,y,y&sort=name', token), 'ab');
  assert.equal(await names('createdAtFrom=50&createdAtTo=100', token), 'a');
  assert.equal(await names('createdAtFrom=101', token), 'dcb');
  assert.equal(await names('sortField=name&sortDirection=desc', token), 'dcba');
  assert.equal(await names('sortField=createdAt&sortDirection=ASC', token), 'abcd');
  assert.equal(await names('sortField=price&sortDirection=desc&market=us'), 'ac');
  const first = await list('sortField=name&sortDirection=desc&limit=3', token);
  assert.equal(await names(`sortField=name&sortDirection=desc&cursor=${first.cursor}`, token), 'a');
  assert.equal((await h.call('GET', `/v1/businesses/${businessId}/products?sortField=size`, { token })).status, 422);
});

test("another business's cursor is rejected", async () => {
  const [mine, yours] = [await shop(), await shop()];
  for (const { create } of [mine, yours]) for (const name of ['wool a', 'wool b']) await create({ name });
  for (const query of ['limit=1', 'limit=1&sort=name', 'limit=1&query=wool']) {
    const { cursor } = await mine.list(query);
    assert.equal((await mine.list(`${query}&cursor=${cursor}`)).items.length, 1);
    assert.equal((await h.call('GET', `${yours.path}?${query}&cursor=${cursor}`, { token: guest })).status, 400, query);
  }
});

test('categories are listed by name with the number of products visible to the caller', async () => {
  const { create, path, token } = await shop();
  for (const [category, status] of [
    ['wool', 'ACTIVE'],
    ['wool', 'DRAFT'],
    ['linen', 'ACTIVE'],
    ['secret', 'DRAFT'],
    ['', 'ACTIVE'],
  ]) {
    await create({ name: 'x', category, status });
  }
  const read = async (reader: string, query = '') =>
    (await h.call('GET', `${path}/categories?${query}`, { token: reader })).body;
  assert.deepEqual(await read(guest), {
    items: [
      { category: 'linen', count: 1 },
      { category: 'wool', count: 1 },
    ],
    cursor: null,
  });
  const first = await read(token, 'limit=2');
  const second = await read(token, `limit=2&cursor=${first.cursor}`);
  assert.deepEqual(
    [...first.items, ...second.items].map(({ category, count }) => `${category} ${count}`),
    ['linen 1', 'secret 1', 'wool 2'],
  );
  assert.equal(second.cursor, null);
});
