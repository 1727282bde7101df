/** Generic client behavior: sending back whole records and reusing cursors. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Json } from '../harness.ts';
import { shareHarness } from '../harness.ts';
import { createWorld, type World } from './world.ts';

const h = await shareHarness();
const routes = h.service.app.routeList;
const pathIn = ({ inPaths }: World, url: string) =>
  url.replaceAll(/([^/]+)\/:\w+/g, (_match, segment: string) => `${segment}/${inPaths[segment] ?? 'none'}`);

/** Removes the fields that change with every update. */
const withoutVersion = ({ updatedAt: _, version: __, etag: ___, ...record }: Json) => record;

test('every type of record can be sent back unchanged with its ETag', async () => {
  const world = await createWorld(h);
  const headers = world.callers.admin!;
  const isRead = (url: string) => routes.some((route) => route.method === 'GET' && route.url === url);
  const pairs = routes
    .filter(({ method, url }) => method === 'PUT' && url.startsWith('/v1/') && /:\w+$/.test(url) && isRead(url))
    .map(({ url }) => [pathIn(world, url), pathIn(world, url)]);
  const business = `/v1/businesses/${world.inPaths.businesses}` as const;
  pairs.push(
    ['/v1/users/me', '/v1/users/update'],
    [`${business}/orders/${world.inPaths.orders}`, `${business}/orders/update`],
  );
  assert.ok(pairs.length >= 11, String(pairs));
  for (const [from, to] of pairs) {
    const read = await h.call('GET', from!, { headers });
    assert.equal(read.status, 200, from);
    const etag = read.headers.get('etag');
    assert.ok(etag, `${from} has no ETag`);
    const outdated = { ...headers, 'if-match': '"0"' };
    assert.equal((await h.call('PUT', to!, { headers: outdated, body: read.body })).status, 412, to);
    const sent = await h.call('PUT', to!, { headers: { ...headers, 'if-match': `"other", ${etag}` }, body: read.body });
    assert.equal(sent.status, 200, `${to}: ${JSON.stringify(sent.body)}`);
    assert.equal(sent.headers.get('souk-ignored'), null, to);
    const { body } = await h.call('GET', from!, { headers });
    assert.deepEqual(withoutVersion(body), withoutVersion(read.body), from);
  }
});

/** Creates a second record of each type, so that a page of one has a cursor. */
async function createSecond(world: World): Promise<void> {
  const headers = world.callers.admin!;
  const { businesses, collections, entries, products } = world.inPaths;
  const base = `/v1/businesses/${businesses}` as const;
  const post = async <P extends string>(path: P, body: object) => {
    const response = await h.call('POST', `${base}/${path}`, { headers, body });
    assert.equal(response.status, 200, `${path}: ${JSON.stringify(response.body)}`);
  };
  const [customerId] = world.known.customerId as string[];
  const variants = [{ id: 'one', name: 'One' }];
  const lines = [{ type: 'PRODUCT_VARIANT', productId: products, variantId: 'one', quantity: 1 }];
  const consent = { source: 'paper', at: h.clock.seconds() };
  await post('products', { name: 'Plate', category: 'kitchen', variants });
  await post('products', { name: 'Shelf', category: 'home', variants });
  await post(`products/${products}/variants/one/inventory`, { adjust: 1 });
  await post('orders', { customerId, market: 'us', lines });
  await post('promo-codes', { code: 'TWO', discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 100 }] });
  await post('collections', { name: 'Blog', blocks: [] });
  await post('entries', { collectionId: collections, blocks: [], status: 'DRAFT' });
  await post('customers', { email: 'second@example.com' });
  await post('webhooks', { url: 'http://127.0.0.1:65000/', events: ['webhook.disabled'] });
  await post(`collections/${collections}/subscribers`, { email: 'second@example.com', planId: 'free', consent });
  await post(`entries/${entries}/send`, { scheduledAt: h.clock.seconds() + 86_400, resend: true });
  const { body: roles } = await h.call('GET', `/v1/roles?businessId=${businesses}`, { headers });
  await post('invitation', { email: 'second@example.com', roleIds: [roles.items[0]!.id] });
  const form = new FormData();
  form.append('files', new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>']), 'two.svg');
  await fetch(`${h.url}${base}/upload`, { method: 'POST', headers, body: form });
}

test('every list rejects a cursor from another business or account', async () => {
  const [mine, other] = [await createWorld(h), await createWorld(h)];
  await createSecond(mine);
  const lists = routes.filter(({ method, schema }) => {
    const { properties = {} } = (schema?.querystring ?? {}) as { properties?: object };
    return method === 'GET' && 'cursor' in properties;
  });
  const tried: string[] = [];
  for (const { url } of lists) {
    const path = pathIn(mine, url);
    const page = await h.call('GET', `${path}?limit=1`, { headers: mine.callers.admin! });
    assert.equal(page.status, 200, `${path}: ${JSON.stringify(page.body)}`);
    const { cursor } = page.body;
    if (cursor === null) continue;
    tried.push(url);
    const query = `?limit=1&cursor=${encodeURIComponent(cursor)}`;
    assert.equal((await h.call('GET', path + query, { headers: mine.callers.admin! })).status, 200, url);
    const response = await h.call('GET', pathIn(other, url) + query, { headers: other.callers.admin! });
    assert.equal(response.status, 400, `${url}: ${JSON.stringify(response.body)}`);
  }
  assert.ok(tried.length >= 15, `only ${tried.join(', ')}`);
});
