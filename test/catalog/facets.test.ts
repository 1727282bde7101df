import assert from 'node:assert/strict';
import test from 'node:test';
import type { Tx } from '../../src/db/sql.ts';
import { readCandidates } from '../../src/domains/catalog/facets/read-candidates.ts';
import { moveStock } from '../../src/domains/catalog/index.ts';
import { type Json, shareHarness } from '../harness.ts';
import { whenWaitingForLock } from '../locks.ts';
import { createRandom } from '../random.ts';

const h = await shareHarness();
const businessId = await h.business();
const base = `/v1/businesses/${businessId}`;
const { token } = await h.member(businessId, 'CATALOG_WRITE');
const guest = (await h.guest()).token;
const post = async (path: string, body: object): Promise<Json> => {
  const response = await h.call('POST', `${base}/${path}`, { token, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
};

/** The same sequence in every run. */
const random = createRandom(7);
const pick = <T>(values: readonly T[]): T => values[random(values.length)]!;

const SIZES = ['S', 'M', 'L'];
const COLORS = ['red', 'green', 'blue', 'Ünder & over, 5=6'];
const top = await post('categories', { name: 'Top' });
const below = await post('categories', { name: 'Below', parentId: top.id });
const beside = await post('categories', { name: 'Beside' });
const CATEGORIES = [[], [top.id], [below.id], [beside.id], [below.id, beside.id], [top.id, below.id]];

const products: Json[] = [];
for (let i = 0; i < 60; i++) {
  const price = 100 * (1 + random(20));
  const variants = SIZES.filter(() => random(2) === 0).map((size) => ({
    id: size,
    attributes: [{ name: pick(['Size', 'size']), value: size }],
    pricing: { markets: random(10) === 0 ? [] : [{ marketId: 'US', currency: 'usd', price: price + random(3) * 100 }] },
    inventory: { tracked: random(4) > 0, quantity: random(2) },
  }));
  const blocks = random(5) === 0 ? [] : [{ id: 'color', type: 'TEXT', value: pick(COLORS) }];
  const status = pick(['ACTIVE', 'ACTIVE', 'ACTIVE', 'DRAFT', 'ARCHIVED']);
  const categoryIds = pick(CATEGORIES);
  const name = pick(['Lamp', 'Linen lamp', 'Chair']);
  products.push(await post('products', { name: `${name} ${i}`, status, variants, blocks, categoryIds }));
}

const isActive = ({ statuses }: Json) => statuses.at(-1).status === 'ACTIVE';
const sizesOf = ({ variants }: Json): string[] => [...new Set<string>(variants.map(({ id }: Json) => id))];
const colorOf = ({ blocks }: Json): string | undefined => blocks[0]?.value;
const priceOf = ({ variants }: Json): number | null => {
  const prices = variants.flatMap(({ pricing }: Json) => pricing.markets.map(({ price }: Json) => price));
  return prices.length === 0 ? null : Math.min(...prices);
};
const isAvailable = ({ variants }: Json) =>
  variants.some(({ inventory }: Json) => !inventory.tracked || inventory.quantity > 0);

type Filter = {
  category?: Json;
  sizes?: string[];
  colors?: string[];
  minPrice?: number;
  maxPrice?: number;
  available?: boolean;
  query?: string;
};
const TESTS: Record<keyof Filter, (product: Json, filter: Filter) => boolean> = {
  category: ({ categoryIds }, { category }) =>
    !category || (category.id === top.id ? [top.id, below.id] : [category.id]).some((id) => categoryIds.includes(id)),
  sizes: (product, { sizes }) => !sizes || sizesOf(product).some((size) => sizes.includes(size)),
  colors: (product, { colors }) => !colors || colors.includes(colorOf(product) ?? '-'),
  minPrice: (product, { minPrice }) => minPrice === undefined || (priceOf(product) ?? -1) >= minPrice,
  maxPrice: (product, { maxPrice }) =>
    maxPrice === undefined || (priceOf(product) !== null && priceOf(product)! <= maxPrice),
  available: (product, { available }) => available === undefined || isAvailable(product) === available,
  query: ({ name }, { query }) => query === undefined || name.toLowerCase().includes(query),
};
const matching = (filter: Filter, ...without: (keyof Filter)[]) =>
  products.filter((product) => {
    const names = (Object.keys(TESTS) as (keyof Filter)[]).filter((name) => !without.includes(name));
    return isActive(product) && names.every((name) => TESTS[name](product, filter));
  });

function counts(values: readonly string[]) {
  const found = Map.groupBy(values, (value) => value);
  return [...found]
    .map(([value, all]) => ({ value, count: all.length }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function urlOf({ category, sizes = [], colors = [], ...rest }: Filter, more: Record<string, string> = {}) {
  const query = new URLSearchParams({ market: 'us', limit: '100', ...more });
  if (category) query.set('categoryId', category.id);
  for (const size of sizes) query.append('option:SIZE', size);
  for (const color of colors) query.append('block:color', color);
  for (const [name, value] of Object.entries(rest)) query.set(name, String(value));
  return `${base}/products?${query}`;
}

const RANDOM_FILTERS = Array.from({ length: 40 }, (): Filter => {
  const some = <T>(values: readonly T[]) => values.filter(() => random(2) === 0);
  return {
    ...(random(2) === 0 ? { category: pick([top, below, beside]) } : {}),
    ...(random(3) === 0 ? { sizes: some(SIZES).length > 0 ? [pick(SIZES), pick(SIZES)] : [pick(SIZES)] } : {}),
    ...(random(3) === 0 ? { colors: [pick(COLORS)] } : {}),
    ...(random(3) === 0 ? { minPrice: 100 * random(12) } : {}),
    ...(random(3) === 0 ? { maxPrice: 100 * (8 + random(12)) } : {}),
    ...(random(3) === 0 ? { available: random(2) === 0 } : {}),
    ...(random(4) === 0 ? { query: pick(['lamp', 'chair', 'linen']) } : {}),
  };
});

async function checkRandomFilters(): Promise<void> {
  for (const filter of [{}, ...RANDOM_FILTERS]) {
    const url = urlOf(filter, { facets: 'price,options,availability,block:color' });
    const { status, body } = await h.call('GET', url, { token: guest });
    assert.equal(status, 200, url);
    const expected = matching(filter);
    assert.deepEqual(body.items.map(({ id }: Json) => id).sort(), expected.map(({ id }) => id).sort(), url);
    const prices = matching(filter, 'minPrice', 'maxPrice').flatMap((product) => priceOf(product) ?? []);
    const stock = matching(filter, 'available');
    const available = stock.filter(isAvailable).length;
    const sizes = counts(matching(filter, 'sizes').flatMap(sizesOf));
    assert.deepEqual(
      body.facets,
      {
        total: expected.length,
        isCapped: false,
        price: prices.length === 0 ? null : { min: Math.min(...prices), max: Math.max(...prices) },
        availability: { available, soldOut: stock.length - available },
        options: sizes.length === 0 ? [] : [{ name: 'size', values: sizes }],
        blocks: [{ id: 'color', values: counts(matching(filter, 'colors').flatMap((each) => colorOf(each) ?? [])) }],
      },
      url,
    );
  }
}

test('items and facets match a manual count, for random filters', checkRandomFilters);

test('items and facets match a manual count in a business with so many buckets that few matches are read at once', async () => {
  for (const [i, { id }] of products.entries()) {
    await h.pool.transaction(async (tx) => {
      await tx`update product_search set bucket = ${i} where business_id = ${businessId} and product_id = ${id}`;
      await tx`update product_facets set bucket = ${i} where business_id = ${businessId} and product_id = ${id}`;
    });
  }
  await checkRandomFilters();
});

test('sold-out products and prices out of range do not lower a count that stops early', async () => {
  const max = 4;
  const unfiltered = { categories: null, slug: null, ids: null, createdFrom: null, createdTo: null, match: null };
  for (const kind of ['all', 'few'] as const) {
    for (const available of [true, false]) {
      const [minPrice, maxPrice] = [1500, 2000];
      const price = { market: 'us', min: minPrice, max: maxPrice };
      const filter = { ...unfiltered, statuses: ['ACTIVE'], lowStock: false, facets: null };
      const candidates = { businessId, filter, source: { kind }, deferred: { groups: [], price, available } };
      const { counts: found, page } = await readCandidates(h.pool, candidates, { count: {}, max });
      assert.ok(
        matching({ available }, 'available')
          .slice(-max)
          .some((each) => isAvailable(each) !== available),
      );
      assert.equal(found.total, Math.min(max, matching({ available, minPrice, maxPrice }).length));
      assert.equal(page, null);
    }
  }
});

test('a product is sold out as soon as its last item is sold, even if two sales take the last items of two variants at once', async () => {
  const variants = ['S', 'M'].map((id) => ({
    id,
    attributes: [{ name: 'size', value: id }],
    inventory: { tracked: true, quantity: 1 },
  }));
  const category = await post('categories', { name: 'Last items' });
  const product = await post('products', { name: 'Vase', status: 'ACTIVE', variants, categoryIds: [category.id] });
  const isListed = async (available: boolean) =>
    (await h.call('GET', urlOf({ category, available }), { token: guest })).body.items.length === 1;
  const move = (tx: Tx, variantId: string, quantity: number) =>
    moveStock(tx, {
      businessId,
      lines: [{ productId: product.id, variantId, quantity }],
      reason: 'ORDER',
      reference: null,
      userId: null,
      nowSeconds: h.clock.seconds(),
      source: h.service.contexts.system().within(businessId),
    });
  assert.deepEqual([await isListed(true), await isListed(false)], [true, false]);
  let second: Promise<unknown> = Promise.resolve();
  await h.pool.transaction(async (tx) => {
    await move(tx, 'S', -1);
    second = h.pool.transaction((other) => move(other, 'M', -1));
    await whenWaitingForLock(h.pool, second);
  });
  await second;
  assert.deepEqual([await isListed(true), await isListed(false)], [false, true]);
  await h.pool.transaction((tx) => move(tx, 'M', 1));
  assert.deepEqual([await isListed(true), await isListed(false)], [true, false]);
  const soldOut = variants.map((each) => ({ ...each, inventory: { tracked: true, quantity: 0 } }));
  const path = `${base}/products/${product.id}`;
  assert.equal((await h.call('PUT', path, { token, body: { variants: soldOut } })).status, 200);
  assert.deepEqual([await isListed(true), await isListed(false)], [false, true]);
});

test('filtered lists are sorted and paged without gaps or duplicates', async () => {
  const filter: Filter = { category: top };
  const keyOf = { name: ({ name }: Json) => name.toLowerCase(), newest: ({ id }: Json) => id, price: priceOf };
  for (const [sort, key] of Object.entries(keyOf)) {
    const expected = matching(filter).filter((product) => sort !== 'price' || priceOf(product) !== null);
    const found: Json[] = [];
    let cursor = '';
    do {
      const page: Json = (
        await h.call('GET', urlOf(filter, { limit: '4', sort, cursor, count: 'true' }), { token: guest })
      ).body;
      assert.equal(page.total, matching(filter).length);
      found.push(...page.items);
      cursor = page.cursor ?? '';
    } while (cursor !== '');
    assert.equal(new Set(found.map(({ id }) => id)).size, expected.length, sort);
    const keys = found.map(key) as (string | number)[];
    const sorted = [...keys].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    assert.deepEqual(keys, sort === 'newest' ? sorted.reverse() : sorted);
  }
});

test('a draft of a public product changes neither filters nor facets until it is published', async () => {
  const product = products.find((each) => isActive(each) && colorOf(each) === 'red')!;
  const path = `${base}/products/${product.id}`;
  const blocks = [{ id: 'color', type: 'TEXT', value: 'secret' }];
  assert.equal((await h.call('PUT', `${path}?draft=true`, { token, body: { blocks, categoryIds: [] } })).status, 200);
  const secret = async () =>
    (await h.call('GET', urlOf({}, { facets: 'block:color', 'block:color': 'secret' }), { token: guest })).body.facets;
  const before = await secret();
  assert.deepEqual([before.total, before.blocks[0].values.some(({ value }: Json) => value === 'secret')], [0, false]);
  assert.equal((await h.call('POST', `${path}/publish`, { token, body: {} })).status, 200);
  assert.equal((await secret()).total, 1);
});

test('price filters and facets require a market', async () => {
  for (const query of ['minPrice=1', 'facets=price']) {
    const { status, body } = await h.call('GET', `${base}/products?${query}`, { token: guest });
    assert.deepEqual([status, body.details[0].field, body.details[0].error], [422, 'market', 'REQUIRED']);
  }
});
