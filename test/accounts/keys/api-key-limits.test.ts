import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { shareHarness, type TestUser } from '../../harness.ts';
import { eventually } from '../../service.ts';

const h = await shareHarness();
const second = await h.secondNode();

async function keyOf({ token }: TestUser, key: object): Promise<string> {
  const { body } = await h.call('PUT', '/v1/users/update', { token, body: { apiTokens: [{ id: 'key', ...key }] } });
  return body.apiTokens[0]!.value;
}
const products = (businessId: string, key: string, body?: object) =>
  h.call(body ? 'POST' : 'GET', `/v1/businesses/${businessId}/products`, { headers: { 'x-api-key': key }, body });
const product = { name: 'Mug', variants: [{ id: 'one', name: 'One', pricing: { markets: [] } }] };

test('a scoped key has the permissions and businesses in its scopes', async () => {
  const [mine, other] = [await h.business(), await h.business()];
  const owner = await h.member(mine, 'ADMIN');
  const key = await keyOf(owner, { scopes: { businesses: [mine], permissions: ['CATALOG_WRITE'] } });
  assert.equal((await products(mine, key, product)).status, 200);
  assert.equal((await products(other, key)).status, 403);
  const headers = { 'x-api-key': key };
  assert.equal((await h.call('GET', `/v1/businesses/${mine}/customers`, { headers })).status, 403);
  assert.equal((await h.call('GET', `/v1/businesses/${mine}/webhooks`, { headers })).status, 403);
});

test('a key never has a permission that its owner lacks', async () => {
  const businessId = await h.business();
  const owner = await h.member(businessId, 'CUSTOMER_READ');
  for (const permissions of [['ADMIN'], ['CUSTOMER_READ', 'CATALOG_WRITE']]) {
    const key = await keyOf(owner, { id: permissions[0], scopes: { businesses: [businessId], permissions } });
    const headers = { 'x-api-key': key };
    assert.equal((await h.call('GET', `/v1/businesses/${businessId}/customers`, { headers })).status, 200);
    assert.equal((await products(businessId, key, product)).status, 403);
  }
});

test('a key loses a permission on every process once its owner has lost it', async () => {
  const businessId = await h.business();
  const admin = await h.member(businessId, 'ADMIN');
  const owner = await h.member(businessId, 'CUSTOMER_READ');
  const key = await keyOf(owner, { scopes: { businesses: [businessId], permissions: ['CUSTOMER_READ'] } });
  const statusAt = async (call: typeof h.call) =>
    (await call('GET', `/v1/businesses/${businessId}/customers`, { headers: { 'x-api-key': key } })).status;
  assert.deepEqual([await statusAt(h.call), await statusAt(second.call)], [200, 200]);
  await h.call('PUT', '/v1/users/set-role', {
    token: admin.token,
    body: { userId: owner.userId, businessId, roleId: null },
  });
  const isRefused = async () => ((await statusAt(second.call)) === 403 ? true : null);
  await eventually('the other process refuses the key', isRefused, 1000);
  assert.equal(await statusAt(h.call), 403);
});

test('a scoped key can change neither access rights nor its owner’s account', async () => {
  const businessId = await h.business();
  const owner = await h.member(businessId, 'ADMIN');
  const key = await keyOf(owner, { scopes: { businesses: [businessId], permissions: ['ADMIN'] } });
  const tries: [method: string, path: string, body?: object][] = [
    ['PUT', '/v1/users/update', { name: 'Eve' }],
    ['PUT', '/v1/users/update', { apiTokens: [] }],
    ['PUT', '/v1/users/set-role', { userId: owner.userId, businessId, roleId: null }],
    ['POST', '/v1/roles', { businessId, name: 'Eve', permissions: ['ADMIN'] }],
    ['POST', `/v1/businesses/${businessId}/invitation`, { email: 'eve@example.com', roleIds: ['role'] }],
    ['POST', `/v1/businesses/${businessId}/publishable-keys`, { name: 'Eve', origins: ['https://eve.example'] }],
    ['PUT', `/v1/businesses/${businessId}/sso`, { issuer: 'https://eve.example', clientId: 'eve' }],
    ['POST', '/v1/businesses', { name: 'Eve' }],
    ['GET', '/v1/users/me/export'],
    ['GET', '/v1/users/sessions'],
    ['DELETE', '/v1/users/me', {}],
  ];
  for (const [method, path, body] of tries) {
    const { status } = await h.call(method, path, { headers: { 'x-api-key': key }, body });
    assert.equal(status, 403, `${method} ${path}`);
  }
  const headers = { 'x-api-key': key, 'content-type': 'application/x-ndjson' };
  const role = JSON.stringify({ type: 'role', data: { name: 'Eve', permissions: ['ADMIN'] } });
  const imported = await h.call('POST', `/v1/businesses/${businessId}/imports?type=business`, { headers, body: role });
  assert.equal(imported.status, 403, 'a business file contains roles');
  const { body: me } = await h.call('GET', '/v1/users/me', { headers: { 'x-api-key': key } });
  assert.deepEqual([me.name, me.apiTokens], ['Ada', []]);
});

test('a key works only from its networks, over IPv4 and IPv6', async () => {
  const businessId = await h.business();
  const owner = await h.member(businessId, 'CATALOG_WRITE');
  const key = await keyOf(owner, { networks: ['203.0.113.0/24', '2001:db8:1::/48'] });
  const from = async (address: string) =>
    (await h.call('GET', '/v1/users/me', { headers: { 'x-api-key': key, 'x-forwarded-for': address } })).status;
  for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8:1::7']) assert.equal(await from(address), 200);
  for (const address of ['203.0.114.9', '2001:db8:2::7', '::1']) assert.equal(await from(address), 403, address);
  const { status } = await h.call('PUT', '/v1/users/update', {
    token: owner.token,
    body: { apiTokens: [{ networks: ['203.0.113.0/40'] }] },
  });
  assert.equal(status, 422);
});

test('an expired key stops working, even if it is cached', async () => {
  const owner = await h.user();
  const key = await keyOf(owner, { expiresAt: h.clock.seconds() + 30 });
  const status = async () => (await h.call('GET', '/v1/users/me', { headers: { 'x-api-key': key } })).status;
  // Cached once the notification about the new key has come back.
  for (let i = 0; i < 10; i++) assert.equal(await status(), 200);
  h.clock.advance(31);
  assert.equal(await status(), 401);
});

test('a key without limits can change the account, but cannot remove the limits of another key', async () => {
  const owner = await h.user();
  const businesses = [await h.business()];
  const limits = { scopes: { businesses, permissions: ['CATALOG_WRITE'] }, networks: ['203.0.113.0/24'] };
  const { body } = await h.call('PUT', '/v1/users/update', {
    token: owner.token,
    body: { apiTokens: [{ id: 'free' }, { id: 'limited', ...limits }] },
  });
  const headers = { 'x-api-key': body.apiTokens.find(({ id }) => id === 'free')!.value };
  const change = (sent: object) =>
    h.call('PUT', '/v1/users/update', { headers, body: { apiTokens: [{ id: 'free' }, { id: 'limited', ...sent }] } });
  const permissions = ['CATALOG_WRITE', 'ADMIN'];
  for (const wider of [
    { scopes: null },
    { networks: null },
    { scopes: { businesses, permissions } },
    { networks: ['0.0.0.0/0'] },
  ]) {
    assert.equal((await change(wider)).status, 403, JSON.stringify(wider));
  }
  assert.equal((await change({})).status, 200);
});

test('an older version without support for limits can’t find a key with limits, so it never exceeds them', async () => {
  const businessId = await h.business();
  const owner = await h.member(businessId, 'ADMIN');
  const scopes = { businesses: [businessId], permissions: ['CATALOG_WRITE'] };
  /** The lookup of a key in the previous version. */
  const found = async (key: string) =>
    (await h.pool`select from api_keys where hash = ${createHash('sha256').update(key).digest()}`).length;
  const change = (limits: object) =>
    h.call('PUT', '/v1/users/update', { token: owner.token, body: { apiTokens: [{ id: 'key', ...limits }] } });

  const limited = await keyOf(owner, { scopes });
  assert.deepEqual([await found(limited), (await products(businessId, limited)).status], [0, 200]);
  const key = 'a-long-random-k3y9';
  await keyOf(owner, { value: key, scopes: null });
  assert.equal(await found(key), 1);
  for (const limits of [{ scopes }, { scopes: null, networks: ['127.0.0.1'] }, { scopes }]) {
    await change(limits);
    assert.deepEqual([await found(key), (await products(businessId, key)).status], [0, 200], JSON.stringify(limits));
  }
  await change({ scopes: null, networks: null });
  assert.deepEqual([await found(key), (await products(businessId, key)).status], [1, 200]);
  const { status } = await h.call('PUT', '/v1/users/update', {
    token: owner.token,
    body: { apiTokens: [{ id: 'key' }, { id: 'same', value: key, scopes }] },
  });
  assert.equal(status, 422);
});

test('the owner is emailed about a new key', async () => {
  const owner = await h.user();
  await keyOf(owner, { name: 'Warehouse' });
  const mail = (await h.mailbox()).find((message) => message.kind === 'mail' && message.to === owner.email);
  assert.match(mail?.kind === 'mail' ? mail.subject : '', /Warehouse/);
});
