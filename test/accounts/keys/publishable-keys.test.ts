import assert from 'node:assert/strict';
import test from 'node:test';
import { SHOP_CALLS } from '../../../src/domains/accounts/keys/page-origins.ts';
import { startHarness } from '../../harness.ts';
import { eventually } from '../../service.ts';

const ORIGIN = 'https://shop.example';
const h = await startHarness({ LIMIT_ADDRESS: '10000', ALLOWED_ORIGINS: 'https://own.example' });
const second = await h.startNode();
const businessId = await h.business();
const { token } = await h.member(businessId, 'ADMIN');
const path = `/v1/businesses/${businessId}/publishable-keys` as const;

const create = async (origins = [ORIGIN]) =>
  (await h.call('POST', path, { token, body: { name: 'Shop', origins } })).body;
const login = (key: string, origin?: string, call = h.call) =>
  call('POST', '/v1/users/login', {
    headers: { 'x-api-key': key, ...(origin ? { origin } : {}) },
    body: { provider: 'GUEST' },
  });

test('each login with a publishable key creates a new guest and returns the business', async () => {
  const { value } = await create(['https://Shop.example/']);
  const [first, other] = [await login(value, ORIGIN), await login(value, ORIGIN)];
  assert.deepEqual([first.status, first.body.isGuest, first.body.businessId], [200, true, businessId]);
  assert.notEqual(first.body.userId, other.body.userId);
});

test('a publishable key works only on its own origins', async () => {
  const { value } = await create();
  for (const origin of ['https://evil.example', 'http://shop.example', 'https://shop.example:444', 'null', undefined]) {
    assert.equal((await login(value, origin)).status, 403, origin);
  }
  const forged = value.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'));
  assert.equal((await login(forged, ORIGIN)).status, 401);
});

test('a publishable key is not a token, whatever its origin', async () => {
  const { value } = await create();
  for (const url of ['/v1/users/me', `/v1/businesses/${businessId}/orders`]) {
    assert.equal((await h.call('GET', url, { headers: { 'x-api-key': value, origin: ORIGIN } })).status, 401);
  }
  const { status } = await h.call('PUT', '/v1/users/update', { token, body: { apiTokens: [{ value }] } });
  assert.equal(status, 422);
});

test('a deleted key, or one whose origins have changed, stops working on every process', async () => {
  const { id, value } = await create();
  assert.equal((await login(value, ORIGIN, second.call)).status, 200);
  const { status } = await h.call('PUT', `${path}/${id}`, { token, body: { origins: ['https://new.example'] } });
  assert.equal(status, 200);
  const isRefused = async () => ((await login(value, ORIGIN, second.call)).status === 403 ? true : null);
  await eventually('the other process refuses the old origin', isRefused, 1000);
  await h.call('DELETE', `${path}/${id}`, { token });
  assert.equal((await login(value, 'https://new.example')).status, 401);
});

test('origins have no path, and only their own business can change a key', async () => {
  for (const origin of [
    'https://shop.example/path',
    'shop.example',
    'https://a:b@shop.example',
    'ftp://shop.example',
  ]) {
    assert.equal((await h.call('POST', path, { token, body: { name: 'x', origins: [origin] } })).status, 422, origin);
  }
  const { id } = await create();
  const elsewhere = await h.business();
  const { token: foreign } = await h.member(elsewhere, 'ADMIN');
  const { status } = await h.call('DELETE', `/v1/businesses/${elsewhere}/publishable-keys/${id}`, { token: foreign });
  assert.equal(status, 404);
});

/** The preflight request of a browser before a call from a page. */
async function preflight(origin: string, method: string, url: string, base = h.url) {
  const headers = { origin, 'access-control-request-method': method, 'access-control-request-headers': 'x-api-key' };
  const response = await fetch(base + url, { method: 'OPTIONS', headers });
  return response.headers.get('access-control-allow-origin');
}

test('pages on a key’s origins can make storefront calls in its business, and no other calls', async () => {
  const page = 'https://page.example';
  const { id } = await create([page]);
  const products = `/v1/businesses/${businessId}/products`;
  const isOpen = (base: string) => async () => ((await preflight(page, 'GET', products, base)) === page ? true : null);
  for (const base of [h.url, second.url]) await eventually('pages may read products', isOpen(base), 1000);

  const routes = new Map(h.service.app.routeList.map(({ method, url, access }) => [`${method} ${url}`, access]));
  for (const { method, url } of SHOP_CALLS) {
    assert.match(routes.get(`${method} ${url}`) ?? '', /^(public|token)$/, `${method} ${url}`);
    const path = url.replace(':businessId', businessId).replaceAll(/:\w+/g, 'some');
    assert.equal(await preflight(page, method, path), page, `${method} ${url}`);
    assert.equal(await preflight('https://evil.example', method, path), null, `${method} ${url}`);
  }
  const other = await h.business();
  const closed = [
    ['POST', products],
    ['GET', `/v1/businesses/${businessId}/customers`],
    ['GET', `/v1/businesses/${other}/products`],
    ['POST', '/v1/users/register'],
    ['GET', '/v1/users/me/export'],
  ] as const;
  for (const [method, url] of closed) assert.equal(await preflight(page, method, url), null, `${method} ${url}`);
  const response = await fetch(h.url + products, { headers: { origin: page, authorization: `Bearer ${token}` } });
  assert.equal(response.headers.get('access-control-allow-origin'), page);
  assert.equal(response.headers.get('access-control-allow-credentials'), null);

  await h.call('DELETE', `${path}/${id}`, { token });
  for (const base of [h.url, second.url]) {
    const isClosed = async () => ((await preflight(page, 'GET', products, base)) === null ? true : null);
    await eventually('pages of a deleted key may not', isClosed, 1000);
  }
});

test('a business has at most 50 publishable keys, however many are created at once', async () => {
  const small = await h.business();
  const admin = await h.member(small, 'ADMIN');
  const keys = `/v1/businesses/${small}/publishable-keys` as const;
  const body = { name: 'Shop', origins: [ORIGIN] };
  await h.pool`insert into publishable_keys (business_id, id, name, value, origins, created_at, updated_at)
    select ${small}, 'key_' || i, 'Shop', 'pk_' || ${small} || i, array[${ORIGIN}], 1, 1 from generate_series(1, 48) i`;
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => h.call('POST', keys, { token: admin.token, body })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 409, 409, 409, 409]);
});
