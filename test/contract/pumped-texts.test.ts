/** Stores texts that make patterns slow where tenants can write, then reads the pages, feeds, emails and exports that contain them. See `pumps.test.ts`. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { type Json, startHarness } from '../harness.ts';
import { makeNewsletter, ok } from '../newsletters/fixture.ts';
import { cpuMs, isSlower, lengthWithin, type Pump, pumped, pumpsOf, TRIES, WORDS } from './pumps.ts';

const h = await startHarness({ STOREFRONT_HOSTS: 'trust' });
const markets = [{ id: 'us', name: 'United States', currency: 'usd' }];
const { base, businessId, collectionId, entry } = await makeNewsletter(
  h,
  {},
  { markets, storefront: { enabled: true } },
);
const { token } = await h.member(businessId, 'ADMIN');
const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Json> =>
  ok(h.call(method, `${base}/${path}` as '/', { token, ...(body && { body }) }));

const PUBLISHED = [{ status: 'PUBLISHED' }];
const category = await call('POST', 'categories', { name: 'Mugs' });
const variants = [
  { id: 'main', name: 'Main', pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 100 }] } },
];
const product = await call('POST', 'products', {
  name: 'Mug',
  variants,
  categoryIds: [category.id],
  statuses: [{ status: 'ACTIVE' }],
});
const definitions = ['title', 'excerpt', 'body', 'author'].map((id) => ({ id, type: 'TEXT' }));
const blog = await call('POST', 'collections', { name: 'Blog', blocks: definitions, statuses: PUBLISHED });
const { id: postId } = await call('POST', 'entries', {
  collectionId: blog.id,
  blocks: definitions.map(({ id }) => ({ id, type: 'TEXT', value: id })),
  statuses: PUBLISHED,
});
const issueId = await entry('Issue');
const letters = await call('GET', `collections/${collectionId}`);
const post = await call('GET', `entries/${postId}`);
const issue = await call('GET', `entries/${issueId}`);

/** Escaping a text of 500,000 characters, the maximum, takes longer than 30 ms. A pattern with quadratic time takes seconds for this one. */
const BODY_BYTES = 100_000;
const OTHER_BYTES = 10_000;
let version = 0;

/** Rich text that is nested too deeply is refused. */
async function put(path: string, body: object): Promise<void> {
  const { status } = await h.call('PUT', `${base}/${path}`.replace(/\/$/, '') as '/', { token, body });
  assert.ok([200, 422].includes(status), `${path}: ${status}`);
  if (status === 200) stored += 1;
}
let stored = 0;

/** Puts the text into everything that is shown. The version makes each page differ from the previous one, which is cached. */
async function store(pump: Pump): Promise<void> {
  version += 1;
  const text = (length: number, bytes = Number.POSITIVE_INFINITY) => {
    const most = Math.min(length, lengthWithin(pump, bytes, JSON.stringify)) - 20;
    return pumped(pump, most).toWellFormed().replaceAll('\u0001', '?') + version;
  };
  const block = (id: string, value: string) => ({ id, type: 'TEXT', value });
  const line = (length: number) => text(length).replaceAll(/\p{Cc}|[\u2028\u2029]/gu, ' ');
  await put(`products/${product.id}`, { description: text(20_000) });
  await put(`categories/${category.id}`, { description: text(5000) });
  await put(`collections/${blog.id}`, { description: text(5000) });
  const short = ['title', 'excerpt', 'author'].map((id) => block(id, text(OTHER_BYTES, OTHER_BYTES)));
  await put(`entries/${postId}`, {
    collectionId: blog.id,
    blocks: [...short, block('body', text(BODY_BYTES, BODY_BYTES))],
  });
  await put(`entries/${issueId}`, {
    collectionId,
    blocks: [block('title', text(200)), block('body', text(OTHER_BYTES, OTHER_BYTES))],
  });
  const announcement = { text: line(200) };
  await put('', {
    configs: { markets, storefront: { enabled: true, announcement, legal: { terms: text(100_000) } } },
  });
}

const site = `/s/${businessId}`;
const reads: Record<string, () => Promise<{ statusCode: number }>> = {};
const inject = (method: 'GET' | 'POST', url: string, payload?: object) =>
  h.service.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}`, ...(method === 'GET' ? { accept: 'text/html, */*' } : {}) },
    ...(payload && { payload }),
  });
for (const path of [
  ...['', '/products', `/products/${product.slug}`, '/products?q=word', `/categories/${category.slug}`, '/pages/terms'],
  ...[
    `/${blog.slug}`,
    `/${blog.slug}/${post.slug}`,
    `/${blog.slug}/feed.xml`,
    `/${letters.slug}`,
    `/${letters.slug}/${issue.slug}`,
  ],
  ...[`/${letters.slug}/feed.xml`, '/sitemap.xml', '/feeds/products.xml', '/robots.txt'],
])
  reads[path || '/'] = () => inject('GET', site + path);
for (const path of [
  'products',
  `products/${product.id}`,
  'products?query=word',
  `entries?collectionId=${blog.id}`,
  `entries/${postId}`,
])
  reads[path] = () => inject('GET', `${base}/${path}`);
reads.preview = () => inject('POST', `${base}/entries/${issueId}/preview`, {});
reads['exports of products'] = () => inject('GET', `${base}/exports?type=products`);

async function readAll(pump: Pump): Promise<Record<string, number>> {
  await store(pump);
  const times: Record<string, number> = {};
  for (const [name, read] of Object.entries(reads)) {
    times[name] = await cpuMs(async () => {
      const { statusCode } = await read();
      statuses[name] = statusCode;
    });
  }
  return times;
}
const statuses: Record<string, number> = {};

/** The starts of what patterns for markup look for. */
const WORST = [' ', '<', '<a ', '<h1>', '{{ ', '<div data-product="'].map((unit) => ({ unit, tail: 'x' }));

async function leastOf(pump: Pump): Promise<Record<string, number>> {
  const least = await readAll(pump);
  for (let i = 1; i < TRIES; i++) {
    for (const [name, ms] of Object.entries(await readAll(pump))) least[name] = Math.min(least[name]!, ms);
  }
  return least;
}

test('no stored text makes a page, feed, email or export take the main thread long', async () => {
  const usual = await leastOf(WORDS);
  assert.deepEqual(
    Object.entries(statuses).filter(([, status]) => status !== 200),
    [],
  );
  const slow: string[] = [];
  for (const pump of [...WORST, ...pumpsOf()]) {
    const isSuspicious = (times: Record<string, number>) =>
      Object.keys(times).some((name) => isSlower(times[name]!, usual[name]!));
    if (!isSuspicious(await readAll(pump))) continue;
    for (const [name, ms] of Object.entries(await leastOf(pump)))
      if (isSlower(ms, usual[name]!))
        slow.push(`${name}: ${JSON.stringify(pump)}: ${ms.toFixed(0)} ms instead of ${usual[name]!.toFixed(0)} ms`);
  }
  assert.deepEqual(slow, []);
  assert.ok(stored > version * 5, `${stored} of ${version * 6} texts were stored`);
});
