import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';

const h = await shareHarness();
const businessId = await h.business();
const base = `/v1/businesses/${businessId}`;
const { token } = await h.member(businessId, 'CATALOG_WRITE');
const guest = (await h.guest()).token;

const details = ({ body }: { body: Json }) => body.details.map(({ field, error }: Json) => `${field} ${error}`).sort();
const create = async (body: object): Promise<Json> => {
  const response = await h.call('POST', `${base}/categories`, { token, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
};
const put = (id: string, body: object) => h.call('PUT', `${base}/categories/${id}`, { token, body });
const read = (path: string) => h.call('GET', `${base}/${path}`, { token: guest });
const names = async (query = '') => {
  const { body } = await read(`categories?limit=100${query}`);
  return body.items.map(({ name, ancestors }: Json) => '>'.repeat(ancestors.length) + name);
};

const clothing = await create({ name: 'Clothing', description: '<p>Warm<script>alert(1)</script></p>' });
const home = await create({ name: 'Home' });
const shirts = await create({ name: 'Shirts', parentId: clothing.id });
const linen = await create({
  name: 'Linen shirts',
  parentId: shirts.id,
  translations: { de: { name: 'Leinenhemden', slug: 'leinenhemden', seo: { title: 'Leinen' } } },
});

test('the tree is listed in menu order, and a moved category appears at its new position', async () => {
  assert.deepEqual(await names(), ['Clothing', '>Shirts', '>>Linen shirts', 'Home']);
  assert.equal(clothing.description, '<p>Warm</p>');
  assert.equal((await put(home.id, { position: 0 })).status, 200);
  assert.deepEqual(await names('&parentId=root'), ['Home', 'Clothing']);
  assert.equal((await put(home.id, { parentId: clothing.id, position: 0 })).status, 200);
  assert.deepEqual(await names(), ['Clothing', '>Home', '>Shirts', '>>Linen shirts']);
  assert.equal((await put(home.id, { parentId: null })).status, 200);
  assert.deepEqual(await names(), ['Clothing', '>Shirts', '>>Linen shirts', 'Home']);
});

test('a category never becomes its own ancestor, even with two concurrent moves', async () => {
  assert.deepEqual(details(await put(clothing.id, { parentId: linen.id })), ['parentId INVALID_VALUE']);
  assert.deepEqual(details(await put(clothing.id, { parentId: clothing.id })), ['parentId INVALID_VALUE']);
  for (let round = 0; round < 5; round++) {
    const [a, b] = [await create({ name: 'A' }), await create({ name: 'B' })];
    const moved = await Promise.all([put(a.id, { parentId: b.id }), put(b.id, { parentId: a.id })]);
    assert.deepEqual(moved.map(({ status }) => status).sort(), [200, 422]);
    for (const { id } of [a, b]) await h.call('DELETE', `${base}/categories/${id}`, { token });
  }
});

test('the tree has a maximum depth, for new categories and for moved subtrees', async () => {
  let parentId: string | null = null;
  const ids: string[] = [];
  for (let level = 1; level <= 6; level++) {
    parentId = (await create({ name: `Level ${level}`, parentId })).id;
    ids.push(parentId!);
  }
  const deeper = await h.call('POST', `${base}/categories`, { token, body: { name: 'Level 7', parentId } });
  assert.deepEqual(details(deeper), ['parentId OUT_OF_RANGE']);
  assert.deepEqual(details(await put(ids[0]!, { parentId: home.id })), ['parentId OUT_OF_RANGE']);
  for (const id of ids) await h.call('DELETE', `${base}/categories/${id}`, { token });
});

test('text is in the language of the request, and falls back to the default language', async () => {
  const german = (await read('categories/leinenhemden?locale=de-AT')).body;
  assert.deepEqual(
    [german.name, german.slug, german.defaultSlug, german.seo.title, german.ancestors.map(({ name }: Json) => name)],
    ['Leinenhemden', 'leinenhemden', 'linen-shirts', 'Leinen', ['Clothing', 'Shirts']],
  );
  assert.equal((await read('categories/leinenhemden')).body.name, 'Linen shirts');
  assert.equal((await read('categories/linen-shirts?locale=fr')).body.name, 'Linen shirts');
  const taken = { name: 'Other', translations: { de: { slug: 'leinenhemden' }, 'no locale': { name: 'x' } } };
  assert.deepEqual(details(await h.call('POST', `${base}/categories`, { token, body: taken })), [
    'translations.de.slug DUPLICATE',
    'translations.no locale INVALID_FORMAT',
  ]);
});

test('a changed slug redirects the old pages, and changing it back leaves no loop', async () => {
  const { id } = await create({ name: 'Hats', translations: { de: { slug: 'hute' } } });
  await put(id, { slug: 'caps', translations: { de: { slug: 'muetzen' } } });
  await put(id, { slug: 'headwear' });
  const redirects = async () => {
    const { body } = await h.call('GET', `${base}/redirects?limit=100`, { token });
    return body.items.map(({ from, to }: Json) => `${from} ${to}`).sort();
  };
  assert.deepEqual(await redirects(), [
    '/categories/caps /categories/headwear',
    '/categories/hats /categories/headwear',
    '/de/categories/hute /de/categories/muetzen',
  ]);
  await put(id, { slug: 'hats' });
  assert.deepEqual(await redirects(), [
    '/categories/caps /categories/hats',
    '/categories/headwear /categories/hats',
    '/de/categories/hute /de/categories/muetzen',
  ]);
  await h.call('DELETE', `${base}/categories/${id}`, { token });
});

test('deleting a category moves its children up and removes its products from it', async () => {
  const variants = [{ id: 'one', pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 100 }] } }];
  const body = { name: 'Shirt', variants, categoryIds: [shirts.id, linen.id] };
  const product = (await h.call('POST', `${base}/products`, { token, body })).body;
  assert.deepEqual(product.categoryIds, [shirts.id, linen.id]);
  const missing = await h.call('POST', `${base}/products`, { token, body: { ...body, categoryIds: ['cat_none'] } });
  assert.deepEqual(details(missing), ['categoryIds[0] NOT_FOUND']);
  assert.equal((await h.call('DELETE', `${base}/categories/${shirts.id}`, { token })).status, 200);
  assert.deepEqual(await names(), ['Clothing', '>Linen shirts', 'Home']);
  await h.drain('clear-category');
  assert.deepEqual((await read(`products/${product.id}`)).body.categoryIds, [linen.id]);
  const listed = (await read(`products?categoryId=${clothing.slug}`)).body;
  assert.deepEqual(
    listed.items.map(({ id }: Json) => id),
    [product.id],
  );
});
