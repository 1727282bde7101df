import assert from 'node:assert/strict';
import test from 'node:test';
import { parseXml } from '@rgrove/parse-xml';
import { findSitemapStart, listSitemapProducts } from '../../src/domains/catalog/index.ts';
import { findSitemapEntryStart, listSitemapEntries } from '../../src/domains/content/index.ts';
import { shareHarness } from '../harness.ts';
import { eventually } from '../service.ts';
import { structuredData, visit } from './visit.ts';

const h = await shareHarness();

const markets = [
  { id: 'us', currency: 'usd', taxMode: 'EXCLUSIVE' },
  { id: 'eu', currency: 'eur', taxMode: 'INCLUSIVE' },
];
const PRICES = [
  { marketId: 'us', currency: 'usd', price: 4900 },
  { marketId: 'eu', currency: 'eur', price: 4500 },
];
const EVIL = `</script><script>alert(1)</script>"'><img src=x onerror=alert(2)>`;

async function openShop(storefront: object = {}) {
  const businessId = await h.business({ markets });
  const { token } = await h.member(businessId, 'ADMIN');
  const change = (changes: object) =>
    h.call('PUT', `/v1/businesses/${businessId}`, { token, body: { configs: { storefront: changes } } });
  assert.equal((await change({ enabled: true, ...storefront })).status, 200);
  const product = async (fields: object = {}) => {
    const body = {
      name: 'Linen shirt',
      description: 'A light shirt.',
      variants: [{ id: 'm', sku: 'LIN-M', pricing: { markets: PRICES } }],
      ...fields,
    };
    return (await h.call('POST', `/v1/businesses/${businessId}/products`, { token, body })).body;
  };
  const base = `/s/${businessId}`;
  return { businessId, token, change, product, base, open: (path: string) => visit(h.url, base + path) };
}

test('a storefront is closed until it is enabled', async () => {
  const { open, change } = await openShop({ enabled: false });
  assert.equal((await open('/')).status, 404);
  await change({ enabled: true });
  assert.equal((await open('/')).status, 200);
});

test('pages respond with 200, 301, 404 and 410', async () => {
  const { open, product, token, businessId, base } = await openShop();
  const { id, slug } = await product();
  const page = await open(`/products/${slug}`);
  assert.equal(page.status, 200);
  assert.match(page.body, /<h1>Linen shirt<\/h1>/);
  assert.match(page.body, /<title>Linen shirt – Shop<\/title>/);
  const byId = await open(`/products/${id}`);
  assert.deepEqual([byId.status, byId.headers.location], [301, `${base}/products/${slug}`]);
  assert.equal((await open('/products/missing')).status, 404);
  assert.equal((await open('/nowhere/at/all')).status, 404);
  await h.call('PUT', `/v1/businesses/${businessId}/products/${id}`, { token, body: { status: 'ARCHIVED' } });
  assert.equal((await open(`/products/${slug}`)).status, 410);
});

test('a URL with impossible values returns 404, never a server error', async () => {
  const { open } = await openShop();
  for (const path of [
    '/products?cursor=forged',
    '/products?option:=x&block:=x',
    '/products/%00',
    '/products/%2e%2e',
    '/%25/feed.xml',
    '/%00/feed.xml',
  ])
    assert.equal((await open(path)).status, 404, path);
  for (const path of ['/products/%ff', '/products/%', '/%zz', '/de/%E4%F6']) {
    const { status, body } = await open(`${path}?q=1`);
    assert.deepEqual([status, /<h1>Page not found/.test(body)], [404, true], path);
  }
  for (const path of ['/s/%00', '/s/%00/products', '/s/%00?q=%00'])
    assert.equal((await visit(h.url, path)).status, 404, path);
  for (const path of ['/products?q=%00', '/products?min=x&max=-1', '/sitemap-products.xml?after=%00'])
    assert.equal((await open(path)).status, 200, path);
});

test('search and filters accept input of any length and script, however often a parameter is repeated', async () => {
  const { open, product } = await openShop();
  await product();
  const many = (name: string, times: number) => Array.from({ length: times }, (_, i) => `${name}=${i}`).join('&');
  const names = Array.from({ length: 300 }, (_, i) => `option:n${i}=${'x'.repeat(20)}`);
  for (const query of [
    ...['a'.repeat(8000), 'ab+'.repeat(2000), encodeURIComponent('日本語😀\u202e\u0301'.repeat(100))].map(
      (q) => `q=${q}`,
    ),
    ...['%ED%A0%80', '%FF%FE', '%1f', encodeURIComponent(`'; -- a & b | !c <-> d:* (\\%_`), '%', '%zz'].map(
      (q) => `q=${q}`,
    ),
    ...['q', 'option:size', 'block:color', 'min', 'max', 'available', 'sort'].map((name) => many(name, 500)),
    ...[names.join('&'), `option:${'n'.repeat(5000)}=x`, 'block:__proto__=x'],
    ...['min=-1&max=1e308', 'min=NaN&max=Infinity', `min=${'9'.repeat(4000)}`, 'sort=relevance', 'market=%00'],
  ])
    assert.equal((await open(`/products?${query}`)).status, 200, query.slice(0, 100));
});

test('no page, filter, feed or sitemap of a storefront shows a record of another business', async () => {
  const other = await openShop();
  const body = { name: 'Secret category', slug: 'secret-category' };
  const category = (await h.call('POST', `/v1/businesses/${other.businessId}/categories`, { token: other.token, body }))
    .body;
  const secret = await other.product({ name: 'Secret shirt', slug: 'secret-shirt', categoryIds: [category.id] });
  const { open, product, businessId } = await openShop();
  await product({ name: 'Own shirt', slug: 'own-shirt' });
  for (const path of [
    ...[secret.id, secret.slug].flatMap((key) => [`/products/${key}`, `/de/products/${key}`]),
    ...[category.id, category.slug].map((key) => `/categories/${key}`),
  ])
    assert.equal((await open(path)).status, 404, path);
  for (const path of [
    ...['/', '/products', '/products?q=secret', `/products?q=${secret.id}`, '/products?sort=name', '/products?min=1'],
    ...['/sitemap.xml', '/sitemap-products.xml', '/sitemap-categories.xml', `/sitemap-products.xml?after=${secret.id}`],
    '/feeds/products.xml',
  ]) {
    const page = await open(path);
    assert.equal(page.status, 200, path);
    assert.doesNotMatch(page.body.replace(/value="[^"]*"/g, ''), /Secret|secret-/, path);
  }
  const { token } = await h.guest();
  for (const filter of [
    `categoryId=${category.id}`,
    `categoryId=${category.slug}`,
    `ids=${secret.id}`,
    'slug=secret-shirt',
  ]) {
    const path: string = `/v1/businesses/${businessId}/products?${filter}&facets=options`;
    const { status, body: page } = await h.call('GET', path, { token });
    assert.deepEqual([status, page.items, page.facets.total], [200, [], 0], filter);
  }
});

test('long legal pages are sanitized before the transaction, and rejected if nested too deeply', async () => {
  const { change, open, businessId, token } = await openShop();
  const texts = (part: string) => Object.fromEntries(['en', 'de', 'fr'].map((locale) => [locale, part + locale]));
  const terms = texts('<p>word <b onclick="x()">bold</b></p>'.repeat(2000));
  assert.equal((await change({ enabled: true, legal: { terms } })).status, 200);
  const shown = (await open('/pages/terms')).body;
  assert.match(shown, /<b>bold<\/b>/);
  assert.doesNotMatch(shown, /onclick/);
  const legal = { terms: '<div>'.repeat(5000) };
  for (const response of [
    await change({ legal }),
    await h.call('POST', `/v1/businesses/${businessId}/storefront/preview`, { token, body: { storefront: { legal } } }),
  ])
    assert.deepEqual(
      [response.status, response.body.details[0]],
      [
        422,
        {
          field: 'configs.storefront.legal.terms',
          error: 'TOO_COMPLEX',
          message: 'configs.storefront.legal.terms is nested too deeply. Simplify the HTML.',
        },
      ],
    );
});

test('a link in the settings is a path on the storefront or a full URL, never another host without a scheme', async () => {
  const { change, open } = await openShop();
  const label = 'Elsewhere';
  for (const url of ['//evil.example', '/\\evil.example', '\\\\evil.example', 'evil.example', 'javascript:alert(1)'])
    for (const settings of [
      { footer: { links: [{ label, url }] } },
      { navigation: [{ label, url }] },
      { navigation: [{ label, url: '/products', items: [{ label, url }] }] },
      { announcement: { text: label, url } },
    ])
      assert.equal((await change({ enabled: true, ...settings })).status, 422, `${url} ${Object.keys(settings)}`);
  assert.doesNotMatch((await open('/')).body, /evil/);
  const links = ['/', '/products?q=//', 'https://other.example/x', 'mailto:ada@example.com'].map((url) => ({
    label,
    url,
  }));
  assert.equal((await change({ enabled: true, footer: { links } })).status, 200);
});

test('the all-products page links to the top-level categories', async () => {
  const { open, product, token, businessId, base } = await openShop();
  const add = async (body: object) =>
    (await h.call('POST', `/v1/businesses/${businessId}/categories`, { token, body })).body;
  const { id } = await add({ name: 'Seeds', slug: 'seeds' });
  await add({ name: 'Herbs', slug: 'herbs', parentId: id });
  await product();
  const { body } = await open('/products');
  assert.match(
    body,
    new RegExp(`<nav [^>]*aria-label="Categories"><ul><li><a href="${base}/categories/seeds">Seeds</a></li></ul>`),
  );
  assert.doesNotMatch((await open('/products?q=linen')).body, /categories\/seeds/);
});

test('a deleted product returns 410, unless it never had a page or another product has its slug', async () => {
  const { open, product, token, businessId } = await openShop();
  const remove = (id: string) => h.call('DELETE', `/v1/businesses/${businessId}/products/${id}`, { token });
  const first = await product();
  const draft = await product({ name: 'Draft', statuses: [{ status: 'DRAFT' }], variants: [] });
  for (const { id } of [first, draft]) assert.equal((await remove(id)).status, 200);
  assert.equal((await open(`/products/${first.slug}`)).status, 410);
  assert.equal((await open(`/products/${draft.slug}`)).status, 404);
  const { id } = await product({ slug: first.slug });
  assert.equal((await open(`/products/${first.slug}`)).status, 200);
  await h.call('PUT', `/v1/businesses/${businessId}/products/${id}`, { token, body: { status: 'DRAFT' } });
  assert.equal((await open(`/products/${first.slug}`)).status, 404);
});

test('a saved draft is on the website only for people with its link, and is neither cached nor indexed', async () => {
  const { open, product, change, token, businessId, base } = await openShop({ enabled: false });
  const { id, slug } = await product();
  const path = `/v1/businesses/${businessId}/products/${id}` as const;
  await h.call('PUT', `${path}?draft=true`, { token, body: { name: 'Wool shirt' } });
  const { body } = await h.call('POST', `${path}/preview-link`, { token });
  const { pathname, search } = new URL(body.siteUrl);
  const first = await visit(h.url, pathname + search);
  assert.deepEqual([first.status, first.headers.location], [303, `${base}/products/${slug}${search}`]);
  for (const enabled of [false, true]) {
    await change({ enabled });
    const { status, body: html, headers } = await open(`/products/${slug}${search}`);
    assert.deepEqual(
      [status, headers['cache-control'], headers['x-robots-tag'], /<h1>([^<]*)/.exec(html)?.[1]],
      [200, 'private, no-store', 'noindex', 'Wool shirt'],
    );
  }
  assert.match((await open(`/products/${slug}`)).body, /<h1>Linen shirt/);
  const unpublished = await product({ name: 'Silk scarf', status: 'DRAFT', variants: [] });
  const link = `/v1/businesses/${businessId}/products/${unpublished.id}/preview-link` as const;
  const { siteUrl } = (await h.call('POST', link, { token })).body;
  const shown = await open(`/products/${unpublished.slug}${new URL(siteUrl).search}`);
  assert.deepEqual([shown.status, /<h1>([^<]*)/.exec(shown.body)?.[1]], [200, 'Silk scarf']);
});

test('an invalid preview link shows the 404 page of an open shop, and nothing of a closed one', async () => {
  const { open, product, change, token, businessId } = await openShop();
  const { id, slug } = await product();
  const { body } = await h.call('POST', `/v1/businesses/${businessId}/products/${id}/preview-link`, { token });
  const other = await openShop();
  for (const refused of [
    await open(`/products/${slug}?preview=forged`),
    await other.open(`/products/${slug}${new URL(body.siteUrl).search}`),
  ]) {
    const { status, body: html, headers } = refused;
    assert.deepEqual(
      [status, headers['cache-control'], /<h1>Page not found/.test(html), html.includes('Linen')],
      [404, 'private, no-store', true, false],
    );
  }
  await change({ enabled: false });
  assert.equal((await open('/?preview=forged')).body, (await open('/')).body);
});

test('previews for the admin contain no scripts, which their frames would block', async () => {
  const { product, token, businessId } = await openShop();
  const { id, slug } = await product();
  const previews = {
    'storefront/preview': { storefront: {}, path: `/products/${slug}` },
    [`products/${id}/site-preview`]: {},
  };
  for (const [path, body] of Object.entries(previews)) {
    const { html } = (await h.call('POST', `/v1/businesses/${businessId}/${path}`, { token, body })).body;
    assert.match(html, /<h1>Linen shirt<\/h1>/);
    const data = /<script[^>]* type="application\/(ld\+)?json"/g;
    assert.doesNotMatch(html.replace(data, ''), /<script|modulepreload/, path);
  }
});

test('text of a shop never becomes markup or script', async () => {
  const { open, product, change, businessId, token } = await openShop({
    title: EVIL,
    description: EVIL,
    announcement: { text: EVIL },
    navigation: [{ label: EVIL, url: '/products' }],
    footer: { text: EVIL },
    legal: { terms: `<p onclick="x()">Terms</p><script>alert(3)</script>` },
  });
  const { slug } = await product({ name: EVIL, description: EVIL, category: EVIL });
  await h.call('PUT', `/v1/businesses/${businessId}`, { token, body: { name: EVIL } });
  for (const path of ['/', `/products/${slug}`, '/pages/terms', `/products?q=${encodeURIComponent(EVIL)}`]) {
    const { status, body, headers } = await open(path);
    assert.equal(status, 200, path);
    assert.doesNotMatch(body, /<script>|<img src=x|onclick=/, path);
    const scripts = [...body.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes);
    for (const each of scripts) assert.match(each!, /src="\/assets\/|type="application\/(ld\+)?json"/, path);
    assert.doesNotMatch(headers['content-security-policy']!, /unsafe|script-src[^;]*(https?:|\*|data:)/);
  }
  assert.equal(structuredData((await open(`/products/${slug}`)).body).Product?.name, EVIL);
  await h.call('PUT', `/v1/businesses/${businessId}`, { token, body: { name: '<script>' } });
  assert.match((await open('/icon.svg')).body, />&lt;<\/text><\/svg>/);
  const theme = await change({ enabled: true, theme: { colors: { accent: 'red;}body{display:none' } } });
  assert.equal(theme.status, 422);
  assert.equal((await open('/theme-a4401f-f7f3ec-221c17-classic}*{-auto.css')).status, 404);
});

test('a shop without a logo has its name in the header and its initial as its icon', async () => {
  const { open, base } = await openShop({ theme: { colors: { accent: '#0b5cad' } } });
  const { body } = await open('/');
  assert.match(body, /<a [^>]*class="brand">Shop<\/a>/);
  assert.ok(body.includes(`<link rel="icon" href="${base}/icon.svg" type="image/svg+xml"/>`));
  const icon = await open('/icon.svg');
  assert.equal(icon.headers['content-type'], 'image/svg+xml');
  assert.match(icon.body, /^<svg [^>]*><rect [^>]*fill="#0b5cad"\/><text [^>]*>S<\/text><\/svg>\n$/);
});

test('colors that are hard to read are rejected', async () => {
  const { change } = await openShop();
  const { status, body } = await change({ theme: { colors: { text: '#eeeeee', background: '#ffffff' } } });
  assert.equal(status, 422);
  assert.ok(body.details.some(({ error }) => error === 'LOW_CONTRAST'));
  assert.equal((await change({ theme: { colors: { accent: '#0b5cad', background: '#ffffff' } } })).status, 200);
});

test('a page is the same for everyone: it sets no cookie and contains nothing about the visitor', async () => {
  const { product, base } = await openShop();
  const { slug } = await product();
  const plain = await visit(h.url, `${base}/products/${slug}`);
  const cookie = 'souk_session=v1.abc; souk_cart=3';
  const other = await visit(h.url, `${base}/products/${slug}`, { headers: { cookie, 'accept-language': 'de' } });
  assert.equal(other.body, plain.body);
  assert.equal(plain.headers['set-cookie'], undefined);
  assert.match(plain.headers['cache-control']!, /^public, max-age=0, s-maxage=/);
  assert.match(plain.headers['surrogate-key']!, /product:prod_/);
  const again = await visit(h.url, `${base}/products/${slug}`, { headers: { 'if-none-match': plain.headers.etag! } });
  assert.deepEqual([again.status, again.body], [304, '']);
});

test('only a page with status 200 gets a 304, if one of the tags is its own', async () => {
  const { product, base, open } = await openShop();
  const { slug } = await product();
  const statusOf = async (path: string, tags: string) =>
    (await visit(h.url, base + path, { headers: { 'if-none-match': tags } })).status;
  const own = (await open(`/products/${slug}`)).headers.etag!;
  const strong = own.replace('W/', '');
  for (const tags of [own, strong, `"a,b", ${own}`, `W/"a",${strong}`, '*'])
    assert.equal(await statusOf(`/products/${slug}`, tags), 304, tags);
  for (const tags of [`x${own}`, strong.replaceAll('"', ''), strong.replace('"', '"x'), `"x ${strong}`, 'W/*'])
    assert.equal(await statusOf(`/products/${slug}`, tags), 200, tags);
  const missing = (await open('/products/none')).headers.etag!;
  for (const tags of [missing, '*']) assert.equal(await statusOf('/products/none', tags), 404, tags);
});

test('a page is compressed only for clients that accept Brotli', async () => {
  const { base } = await openShop();
  for (const [accepted, encoding] of [
    ['gzip, br', 'br'],
    ['gzip;q=0.5, BR ; q=0.1', 'br'],
    ['br;q=0, gzip', undefined],
    ['br; q=0.000', undefined],
    ['gzip, x-br', undefined],
    ['', undefined],
  ] as const) {
    const { headers } = await visit(h.url, `${base}/`, { headers: { 'accept-encoding': accepted } });
    assert.equal(headers['content-encoding'], encoding, accepted);
  }
});

test('a page is cached once, regardless of the order of its parameters and of unknown ones', async () => {
  const { product, open, businessId } = await openShop();
  const { id } = await product();
  await h.numberEvents(businessId);
  const nameAt = async (query: string) => /class="card-name">([^<]*)/.exec((await open(`/products${query}`)).body)?.[1];
  assert.equal(await nameAt('?q=shirt&sort=name'), 'Linen shirt');
  // Without an event, so that cached pages stay as they are.
  await h.pool`
    update products set doc = jsonb_set(doc, '{name}', '"Wool shirt"'), version = version + 1
    where business_id = ${businessId} and id = ${id}`;
  for (const same of [
    '?sort=name&q=shirt',
    '?fbclid=1&q=shirt&sort=name&min=',
    '?q=shirt&sort=name&sort=price&market=x',
  ])
    assert.equal(await nameAt(same), 'Linen shirt', same);
  for (const other of ['?q=shirt&sort=price', '?q=shirt&sort=name&option:size=M&market=us', '?q=shirts&sort=name'])
    assert.notEqual(await nameAt(other), 'Linen shirt', other);
  assert.equal((await open('/products%20us')).status, 404);
  assert.equal((await open('/products?market=us')).status, 200, 'a path is not a parameter');
});

test('a change appears immediately in the same process and soon in others', async () => {
  const { product, open, base, token, businessId } = await openShop();
  const other = await h.secondNode();
  const { id, slug } = await product();
  const there = async () => (await visit(other.url, `${base}/products/${slug}`)).body;
  assert.match(await there(), /Linen shirt/);
  assert.match((await open(`/products/${slug}`)).body, /Linen shirt/);
  await h.call('PUT', `/v1/businesses/${businessId}/products/${id}`, { token, body: { name: 'Wool shirt' } });
  assert.match((await open(`/products/${slug}`)).body, /<h1>Wool shirt/);
  await eventually('the change in the other process', async () => /<h1>Wool shirt/.test(await there()) || undefined);
});

test('a product page says that shipping is not included where it costs money, with a link if there is a page about it', async () => {
  const { product, open, token, businessId, change } = await openShop({ locales: ['de'] });
  const { slug } = await product();
  const { slug: digital } = await product({
    name: 'Pattern',
    variants: [{ requiresShipping: false, pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 900 }] } }],
  });
  const note = async (path = `/products/${slug}`) =>
    /<p class="price-note">(.*?)<\/p>/.exec((await open(path)).body)?.[1];
  const ship = async (method: object) => {
    const body = { configs: { shippingMethods: [{ id: 'post', name: 'Post', ...method }] } };
    assert.equal((await h.call('PUT', `/v1/businesses/${businessId}`, { token, body })).status, 200);
  };
  assert.equal(await note(), 'zzgl. Steuern');
  await ship({ prices: [{ market: 'us', amount: 490 }] });
  assert.equal(await note(), 'zzgl. Steuern, zzgl. Versandkosten');
  assert.equal(await note(`/products/${digital}`), 'zzgl. Steuern');
  await ship({ zones: [{ countries: ['US'], rates: [{ market: 'us', amount: 490, freeAbove: 5000 }] }] });
  assert.equal(await note(), 'zzgl. Steuern, zzgl. Versandkosten');
  await change({ enabled: true, locales: ['de'], legal: { shipping: '<p>4.90</p>' } });
  assert.match((await note())!, /, <a href="[^"]*\/pages\/shipping">zzgl\. Versandkosten<\/a>$/);
  await ship({ prices: [{ market: 'us', amount: 0 }] });
  assert.equal(await note(), 'zzgl. Steuern');
});

test('structured data has the price, availability and breadcrumbs of a product', async () => {
  const { product, open } = await openShop({ locales: ['en', 'de'] });
  const { slug } = await product();
  const { body } = await open(`/products/${slug}`);
  const { Product, BreadcrumbList } = structuredData(body) as Record<string, Record<string, unknown>>;
  assert.partialDeepStrictEqual(Product, {
    '@context': 'https://schema.org',
    name: 'Linen shirt',
    description: 'A light shirt.',
    offers: {
      '@type': 'Offer',
      price: '49.00',
      priceCurrency: 'USD',
      availability: 'https://schema.org/InStock',
      sku: 'LIN-M',
    },
  });
  assert.equal((BreadcrumbList!.itemListElement as unknown[]).length, 2);
  for (const part of ['rel="canonical"', 'hreflang="de"', 'hreflang="x-default"', 'property="og:title"']) {
    assert.ok(body.includes(part), part);
  }
  const german = await open(`/de/products/${slug}`);
  assert.match(german.body, /<html lang="de"/);
  assert.match(german.body, /In den Warenkorb/);
});

test('the parts of a sitemap list every product and entry once, and the last part is not empty', async () => {
  const { businessId, product, token } = await openShop();
  const collection = await h.call('POST', `/v1/businesses/${businessId}/collections`, {
    token,
    body: {
      name: 'Blog',
      type: 'COLLECTION',
      statuses: [{ status: 'PUBLISHED' }],
      blocks: [{ id: 'title', type: 'TEXT' }],
    },
  });
  for (let i = 0; i < 5; i++) {
    await product({ slug: `p-${i}`, variants: [] });
    const body = { collectionId: collection.body.id, slug: `e-${i}`, statuses: [{ status: 'PUBLISHED' }], blocks: [] };
    const entry = await h.call('POST', `/v1/businesses/${businessId}/entries`, { token, body });
    assert.equal(entry.status, 200, JSON.stringify(entry.body));
  }
  for (const [next, list] of [
    [findSitemapStart, listSitemapProducts],
    [findSitemapEntryStart, listSitemapEntries],
  ] as const) {
    for (const [size, parts] of [
      [2, [2, 2, 1]],
      [5, [5]],
      [1, [1, 1, 1, 1, 1]],
    ] as const) {
      const found: string[][] = [];
      for (let after: string | null = ''; after !== null; after = await next(h.pool, businessId, after, size))
        found.push((await list(h.pool, businessId, after, size)).map(({ id }) => id));
      assert.deepEqual(
        found.map((part) => part.length),
        parts,
      );
      assert.equal(new Set(found.flat()).size, 5);
    }
  }
});

test('sitemaps and the product feed are well-formed and list what is for sale', async () => {
  const { product, open } = await openShop({ legal: { terms: '<p>Terms</p>' } });
  await product({ name: 'Tea & <biscuits>', slug: 'tea-biscuits' });
  await product({ name: 'Draft', slug: 'draft', status: 'DRAFT' });
  for (const path of ['/sitemap.xml', '/sitemap-pages.xml', '/sitemap-products.xml', '/feeds/products.xml']) {
    const { status, body, headers } = await open(path);
    assert.equal(status, 200, path);
    assert.match(headers['content-type']!, /xml/);
    parseXml(body);
  }
  const { body: sitemap } = await open('/sitemap-products.xml');
  assert.match(sitemap, /<loc>http[^<]+\/products\/tea-biscuits<\/loc><lastmod>\d{4}-/);
  assert.doesNotMatch(sitemap, /draft/);
  const { body: feed } = await open('/feeds/products.xml');
  assert.match(feed, /<g:title>Tea &amp; &lt;biscuits&gt;<\/g:title>/);
  assert.match(feed, /<g:price>49.00 USD<\/g:price>/);
  assert.match(feed, /<g:link>[^<]*\/products\/tea-biscuits<\/g:link>/);
  const { body: european } = await open('/feeds/products.xml?market=eu');
  assert.match(european, /<g:link>[^<]*\/products\/tea-biscuits\?market=eu<\/g:link>.*<g:price>45.00 EUR<\/g:price>/);
  assert.doesNotMatch(feed, /Draft/);
  assert.match((await open('/robots.txt')).body, /Sitemap: http/);
});
