import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';

const h = await shareHarness();
const businessId = await h.business();
const base = `/v1/businesses/${businessId}`;
const { token } = await h.member(businessId, 'CATALOG_WRITE');
const guest = (await h.guest()).token;
const details = ({ body }: { body: Json }) => body.details.map(({ field, error }: Json) => `${field} ${error}`).sort();
const create = (body: object) => h.call('POST', `${base}/products`, { token, body });
const read = async (path: string) => (await h.call('GET', `${base}/${path}`, { token: guest })).body;
const put = (id: string, body: object) => h.call('PUT', `${base}/products/${id}`, { token, body });

const oil = {
  name: 'Olive oil',
  descriptionHtml: '<p>Cold <em>pressed</em><img src=x onerror=alert(1)></p>',
  seo: { title: 'Olive oil from Crete' },
  manufacturer: { name: 'Elia', address: 'Chania 1, GR', email: 'info@elia.example' },
  safety: { warnings: 'Keep cool.' },
  translations: { de: { name: 'Olivenöl', slug: 'olivenoel', description: 'Kalt gepresst' } },
  variants: [
    {
      id: 'half',
      unitPricing: { amount: 750, unit: 'ml' },
      pricing: { markets: [{ marketId: 'eu', currency: 'eur', price: 1299 }] },
      inventory: { tracked: true, quantity: 0 },
    },
  ],
};
const product = (await create(oil)).body;

test('rich text is sanitized, and its plain text becomes the description', () => {
  assert.deepEqual(
    [product.descriptionHtml, product.description],
    ['<p>Cold <em>pressed</em><img src="x" /></p>', 'Cold pressed'],
  );
});

test('each price has its unit price, rounded to the nearest cent', () => {
  assert.deepEqual(product.variants[0].pricing.markets[0].unitPrice, { amount: 1732, per: 'l', quantity: 1 });
});

test('a product is read in the requested language, with fallback, and found by its slug in any language', async () => {
  const german = await read('products/olivenoel?locale=de');
  assert.deepEqual(
    [german.name, german.slug, german.defaultSlug, german.description, german.descriptionHtml, german.seo],
    ['Olivenöl', 'olivenoel', 'olive-oil', 'Kalt gepresst', undefined, undefined],
  );
  assert.equal((await read('products/olivenoel')).name, 'Olive oil');
  assert.equal((await read('products/olive-oil?locale=fr')).name, 'Olive oil');
  assert.equal((await read('products?locale=de')).items[0].name, 'Olivenöl');
  assert.equal((await read('products')).items[0].name, 'Olive oil');
});

test('a translated slug belongs to one product, even if two request it at once', async () => {
  const taken = await create({ name: 'Other oil', translations: { de: { slug: 'olivenoel' } } });
  assert.deepEqual(details(taken), ['translations.de.slug DUPLICATE']);
  const both = await Promise.all(
    ['One', 'Two'].map((name) => create({ name, translations: { de: { slug: 'gleich' } } })),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 422]);
  assert.deepEqual(details(both.find(({ status }) => status === 422)!), ['translations.de.slug DUPLICATE']);
});

test('a changed slug creates a redirect in the same transaction, and a failed change creates none', async () => {
  const { id } = (await create({ name: 'Vase' })).body;
  const failed = await put(id, { slug: 'vase-new', categoryIds: ['cat_missing'] });
  assert.equal(failed.status, 422);
  assert.equal((await h.call('GET', `${base}/redirects?query=vase`, { token })).body.items.length, 0);
  await put(id, { slug: 'vase-new' });
  const { items } = (await h.call('GET', `${base}/redirects?query=vase`, { token })).body;
  assert.deepEqual(
    items.map(({ from, to, status, isAutomatic }: Json) => [from, to, status, isAutomatic]),
    [['/products/vase', '/products/vase-new', 301, true]],
  );
  const hidden = (await create({ name: 'Hidden', status: 'DRAFT' })).body;
  await put(hidden.id, { slug: 'still-hidden' });
  assert.equal((await h.call('GET', `${base}/redirects?query=hidden`, { token })).body.items.length, 0);
});

test('versions, drafts and restores include the new fields', async () => {
  const path = `${base}/products/${product.id}`;
  await put(product.id, { seo: null, manufacturer: null, safety: null, descriptionHtml: null, translations: null });
  const cleared = await read(`products/${product.id}`);
  assert.deepEqual(
    ['seo', 'manufacturer', 'safety', 'descriptionHtml', 'translations'].filter((field) => field in cleared),
    [],
  );
  const restored = await h.call('POST', `${path}/versions/1/restore`, { token, body: {} });
  assert.equal(restored.status, 200, JSON.stringify(restored.body));
  const { updatedAt: _, ...now } = restored.body;
  const { updatedAt: __, ...before } = product;
  assert.deepEqual(now, before);
  await h.call('PUT', `${path}?draft=true`, { token, body: { seo: { title: 'Draft' } } });
  assert.equal((await read(`products/${product.id}`)).seo.title, 'Olive oil from Crete');
  await h.call('POST', `${path}/publish`, { token, body: {} });
  assert.equal((await read(`products/${product.id}`)).seo.title, 'Draft');
});

test('related products are those chosen by hand, then those in the same categories', async () => {
  const category = (await h.call('POST', `${base}/categories`, { token, body: { name: 'Kitchen' } })).body;
  const make = async (name: string, more: object = {}) =>
    (await create({ name, categoryIds: [category.id], ...more })).body.id as string;
  const [pan, pot] = [await make('Pan'), await make('Pot')];
  await make('Secret', { status: 'DRAFT' });
  const lid = await make('Lid', { relatedIds: [pan, product.id] });
  const related = async (id: string) => (await read(`products/${id}/related`)).items.map((each: Json) => each.id);
  assert.deepEqual(await related(lid), [pan, product.id, pot]);
  assert.deepEqual(await related(pan), [lid, pot]);
});

test('everyone who waits for a variant gets one email when it is back in stock, except suppressed addresses', async () => {
  const path = `${base}/products/${product.id}/stock-alerts`;
  const ask = (email: string, body: object = {}) =>
    h.call('POST', path, { token: guest, body: { email, variantId: 'half', locale: 'de', ...body } });
  for (const email of ['ada@example.com', 'ADA@example.com', 'bob@example.com', 'Complained@example.com'])
    assert.equal((await ask(email)).status, 200);
  const member = await h.member(businessId, 'SUBSCRIBER_WRITE');
  const complaint = { email: 'complained@example.com', reason: 'COMPLAINT' };
  assert.equal((await h.call('POST', `${base}/suppressions`, { token: member.token, body: complaint })).status, 200);
  const stock = (adjust: number) =>
    h.call('POST', `${base}/products/${product.id}/variants/half/inventory`, { token, body: { adjust } });
  await stock(5);
  await h.drain('stock-alerts');
  const alerts = async () =>
    ((await h.mailbox()) as Json[]).filter(({ subject }) => subject?.includes('wieder verfügbar'));
  const sent = await alerts();
  assert.deepEqual(sent.map(({ to }) => to).sort(), ['ada@example.com', 'bob@example.com']);
  assert.match(sent[0]!.text, /Olivenöl/);
  assert.deepEqual(details(await ask('late@example.com')), ['variantId IN_STOCK']);
  await stock(-5);
  await stock(5);
  await h.drain('stock-alerts');
  assert.equal((await alerts()).length, 2);
});
