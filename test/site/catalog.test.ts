import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, shareHarness } from '../harness.ts';
import { structuredData, visit } from './visit.ts';

const h = await shareHarness();
const markets = [
  { id: 'us', currency: 'usd', taxMode: 'EXCLUSIVE' },
  { id: 'eu', currency: 'eur', taxMode: 'INCLUSIVE' },
];
const businessId = await h.business({ markets });
const { token } = await h.member(businessId, 'ADMIN');
const api = `/v1/businesses/${businessId}`;
const site = `/s/${businessId}`;
const storefront = { enabled: true, locales: ['en', 'de'] };
await h.call('PUT', api, { token, body: { configs: { storefront } } });
const post = async (path: string, body: object): Promise<Json> => {
  const response = await h.call('POST', `${api}/${path}`, { token, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
};
const open = (path: string) => visit(h.url, site + path);
const namesIn = (html: string) => [...html.matchAll(/class="card-name">([^<]*)/g)].map(([, name]) => name);

const kitchen = await post('categories', { name: 'Kitchen', translations: { de: { name: 'Küche', slug: 'kueche' } } });
const pans = await post('categories', { name: 'Pans', parentId: kitchen.id });
const variant = (id: string, price: number, quantity: number) => ({
  id,
  name: id,
  attributes: [{ name: 'size', value: id }],
  pricing: { markets: [{ marketId: 'us', currency: 'usd', price }] },
  inventory: { tracked: true, quantity },
});
const pan = await post('products', {
  name: 'Pan',
  categoryIds: [pans.id],
  variants: [variant('S', 3000, 5), variant('L', 6000, 0)],
  translations: { de: { name: 'Pfanne', slug: 'pfanne' } },
  manufacturer: { name: 'Forge <b>' },
});
await post('products', { name: 'Mug', categoryIds: [kitchen.id], variants: [variant('one', 1500, 5)] });
await post('products', { name: 'Shirt', variants: [variant('M', 5000, 5)] });

test('a category page lists the products in it and below it, with breadcrumbs', async () => {
  const page = await open('/categories/kitchen');
  assert.equal(page.status, 200);
  assert.deepEqual(namesIn(page.body), ['Mug', 'Pan']);
  assert.match(page.body, /href="[^"]*\/categories\/pans"[^>]*>Pans/);
  const below = await open('/categories/pans');
  assert.deepEqual(namesIn(below.body), ['Pan']);
  const { itemListElement } = structuredData(below.body).BreadcrumbList as Json;
  assert.deepEqual(
    itemListElement.map(({ name }: Json) => name),
    ['Home', 'Kitchen', 'Pans'],
  );
  assert.equal((await open('/categories/none')).status, 404);
});

test('filters, sorting and search are plain links and forms', async () => {
  const filtered = await open('/products?option%3Asize=M&option%3Asize=one&sort=price&max=40');
  assert.deepEqual(namesIn(filtered.body), ['Mug']);
  assert.match(filtered.body, /<input type="checkbox" name="option:size" value="one" checked/);
  assert.match(filtered.body, /<meta name="robots" content="noindex/);
  assert.deepEqual(namesIn((await open('/products?sort=price')).body), ['Mug', 'Pan', 'Shirt']);
  const nothing = await open('/products?q=zzzz');
  assert.deepEqual(namesIn(nothing.body), []);
  assert.doesNotMatch(nothing.body, /id="filters"/, 'nothing to filter');
  const found = await open('/products?q=shir');
  assert.deepEqual(namesIn(found.body), ['Shirt']);
  assert.match(found.body, /type="search" name="q" value="shir"/);
});

test('a card says "from" only where a variant costs more, and structured data and the feed have plain prices', async () => {
  const priceIn = (html: string, name: string) =>
    new RegExp(`class="card-name">${name}<.*?<p class="price">([^<]*)`, 's').exec(html)?.[1];
  const pages = ['/', '/products', '/products?q=pan', '/categories/pans'];
  for (const path of pages) assert.equal(priceIn((await open(path)).body, 'Pan'), 'From $30.00', path);
  assert.equal(priceIn((await open('/products')).body, 'Mug'), '$15.00');
  assert.match(priceIn((await open('/de/products')).body, 'Pfanne') ?? '', /^Ab 30,00\s\$$/);
  const { offers } = structuredData((await open('/products/pan')).body).Product as Json;
  assert.deepEqual(
    offers.map(({ price }: Json) => price),
    ['30.00', '60.00'],
  );
  assert.deepEqual((await open('/feeds/products.xml')).body.match(/<g:price>(?:30|60)\.00 USD<\/g:price>/g)?.length, 2);
});

test('each language has its own URLs, and old ones redirect', async () => {
  const german = await open('/de/products/pfanne');
  assert.match(german.body, /<h1>Pfanne<\/h1>/);
  assert.match(german.body, /hreflang="en"[^>]*\/products\/pan"|\/products\/pan"[^>]*hreflang="en"/);
  const location = async (path: string) => {
    const { status, headers } = await open(path);
    return `${status} ${(headers.location ?? '').replace(site, '')}`;
  };
  assert.equal(await location('/de/products/pan'), '301 /de/products/pfanne');
  assert.equal(await location('/de/categories/kitchen'), '301 /de/categories/kueche');
  const translations = { de: { name: 'Pfanne', slug: 'bratpfanne' } };
  await h.call('PUT', `${api}/products/${pan.id}`, { token, body: { slug: 'skillet', translations } });
  assert.equal(await location('/products/pan'), '301 /products/skillet');
  assert.equal(await location('/de/products/pfanne'), '301 /de/products/bratpfanne');
  const sitemap = (await open('/sitemap-products.xml')).body;
  assert.match(sitemap, /\/de\/products\/bratpfanne</);
  assert.doesNotMatch(sitemap, /\/de\/products\/skillet</);
  assert.match((await open('/sitemap-categories.xml')).body, /\/de\/categories\/kueche</);
});

test('a redirect to a new slug keeps the market', async () => {
  const { slug } = await post('categories', { name: 'Plates' });
  const { id } = await post('products', { name: 'Plate', variants: [variant('one', 1500, 5)] });
  await h.call('PUT', `${api}/products/${id}`, { token, body: { slug: 'dish' } });
  await post('redirects', { from: '/old-plates', to: `/categories/${slug}` });
  for (const [from, to] of [
    ['/products/plate', '/products/dish'],
    ['/de/products/plate', '/de/products/dish'],
    [`/products/${id}`, '/products/dish'],
    ['/old-plates', `/categories/${slug}`],
  ]) {
    assert.equal((await open(`${from}?market=eu&utm_source=x`)).headers.location, `${site}${to}?market=eu`, from);
    assert.equal((await open(from!)).headers.location, site + to, from);
  }
});

test('the old slug of the default language redirects once to the slug of the page in its language', async () => {
  const translations = { de: { name: 'Schalen', slug: 'schalen' } };
  const { id } = await post('categories', { name: 'Bowls', slug: 'bowls', translations });
  const bowl = await post('products', { name: 'Bowl', variants: [], translations: { de: { slug: 'schale' } } });
  await h.call('PUT', `${api}/categories/${id}`, { token, body: { slug: 'dishes' } });
  await h.call('PUT', `${api}/products/${bowl.id}`, { token, body: { slug: 'deep-bowl' } });
  for (const [from, to] of [
    ['/de/categories/bowls', '/de/categories/schalen'],
    ['/de/products/bowl', '/de/products/schale'],
    ['/categories/bowls', '/categories/dishes'],
  ]) {
    const { status, headers } = await open(`${from}?market=eu`);
    assert.deepEqual([status, headers.location], [301, `${site}${to}?market=eu`], from);
    assert.equal((await open(to!)).status, 200, to);
  }
});

test('without JavaScript, a visitor can request an email for when a variant is back in stock', async () => {
  const page = await open('/products/skillet');
  assert.match(page.body, /Forge &lt;b>|Forge &lt;b&gt;/);
  assert.match(page.body, /<details id="stock-alert".*<form method="post"/s);
  const { host } = new URL(h.url);
  const locations = [];
  for (const market of ['', '?market=eu']) {
    const { headers } = await visit(h.url, `${site}/products/skillet${market}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: `http://${host}` },
      body: new URLSearchParams({ action: 'alert', variantId: 'L', email: 'ada@example.com' }).toString(),
    });
    locations.push(headers.location?.replace(site, ''));
  }
  assert.deepEqual(locations, [
    '/products/skillet?alert=sent#stock-alert',
    '/products/skillet?alert=sent&market=eu#stock-alert',
  ]);
  const [alert] = await h.pool`select email, variant_id from stock_alerts where business_id = ${businessId}`;
  assert.deepEqual({ ...alert }, { email: 'ada@example.com', variantId: 'L' });
});
