/**
 * A field is visible to a caller only if the schema for callers like them contains it. These tests add a field that is in no schema to
 * every nested object of the stored documents, and no response may contain it. Then they add it to the schemas for members, and only
 * members may see it.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Json, shareHarness } from '../harness.ts';

const h = await shareHarness();
const businessId = await h.business({
  profile: { legalName: 'Shop Ltd', taxId: 'DE123456789' },
  tax: { oss: true },
  paymentProvider: { type: 'SANDBOX', publicKey: 'pk_test' },
  shippingMethods: [{ id: 'post', prices: [{ market: 'us', amount: 0 }] }],
  storefront: { title: 'Shop' },
});
const base = `/v1/businesses/${businessId}` as const;
const [admin, customer, guest] = [await h.member(businessId, 'ADMIN'), await h.user(), await h.guest()];

const SECRET = { undeclared: 'not for the public' };

async function staff<P extends string>(method: 'POST' | 'PUT', path: P, body: object) {
  const response = await h.call(method, `${base}/${path}`, { token: admin.token, body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body as Json;
}

const image = { url: 'https://shop.example/mug.jpg', mimeType: 'image/jpeg' };
const blocks = [
  { id: 'title', type: 'TEXT', value: 'Mug' },
  { id: 'place', type: 'GEO_LOCATION', value: { latitude: 1, longitude: 2 } },
  { id: 'picture', type: 'MEDIA', value: image },
  { id: 'pictures', type: 'MEDIA', value: [image] },
];
const price = { marketId: 'us', currency: 'usd', price: 100 };
const product = await staff('POST', 'products', {
  name: 'Mug',
  status: 'ACTIVE',
  gallery: [image],
  variants: [
    {
      id: 'one',
      name: 'One',
      attributes: [{ name: 'size', value: 'M' }],
      pricing: { markets: [price] },
      inventory: { tracked: true, quantity: 5 },
      gallery: [image],
    },
  ],
  blocks,
});
const collection = await staff('POST', 'collections', {
  name: 'Letters',
  type: 'NEWSLETTER',
  status: 'PUBLISHED',
  blocks: blocks.map(({ id, type }) => ({ id, type, label: id })),
  plans: [{ id: 'club', name: 'Club', price: { amount: 500, currency: 'usd', interval: 'MONTHLY' } }],
  settings: { fromName: 'Shop' },
});
const entry = await staff('POST', 'entries', { collectionId: collection.id, status: 'PUBLISHED', blocks });
const order = await staff('POST', 'orders', {
  customerId: customer.userId,
  market: 'us',
  lines: [{ type: 'PRODUCT_VARIANT', productId: product.id, variantId: 'one', quantity: 1 }],
  tracking: { carrier: 'DHL' },
  paymentStatus: [{ status: 'PAID' }],
  blocks,
});
const { id: shipmentId, lines } = await staff('POST', `orders/${order.id}/shipments`, {});
const { body: requested } = await h.call('POST', `${base}/orders/${order.id}/returns`, {
  token: customer.token,
  body: { type: 'RETURN', lines },
});
await staff('PUT', `products/${product.id}?draft=true`, { name: 'Mug of the draft' });
await staff('PUT', `entries/${entry.id}?draft=true`, { blocks: blocks.with(0, { ...blocks[0]!, value: 'Draft' }) });
const previews = await Promise.all(
  [`products/${product.id}`, `entries/${entry.id}`].map((path) => staff('POST', `${path}/preview-link`, {})),
);

function withSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSecrets);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, inner]) => [name, withSecrets(inner)]);
  return { ...Object.fromEntries(fields), ...SECRET };
}

const TABLES = ['products', 'entries', 'collections', 'orders', 'returns'] as const;

/** Adds the field to every object in the documents of a table. Increments the version to invalidate cached responses. */
async function addSecrets(table: (typeof TABLES)[number]): Promise<void> {
  const rows = await h.pool`select id, doc from ${h.pool(table)} where business_id = ${businessId}`;
  assert.ok(rows.length > 0, table);
  for (const { id, doc } of rows) {
    await h.pool`update ${h.pool(table)} set doc = ${h.pool.json(withSecrets(doc))}, version = version + 1
      where business_id = ${businessId} and id = ${id}`;
  }
}

async function addSecretsToDrafts(): Promise<void> {
  const rows = await h.pool`select entity, number, doc from versions where business_id = ${businessId}`;
  for (const { entity, number, doc } of rows) {
    await h.pool`update versions set doc = ${h.pool.json(withSecrets(doc))}
      where business_id = ${businessId} and entity = ${entity} and number = ${number}`;
  }
}

async function addSecretsToSettings(): Promise<void> {
  const [row] = await h.pool`select configs from businesses where id = ${businessId}`;
  await h.pool`update businesses set configs = ${h.pool.json(withSecrets(row!.configs))}, version = version + 1
    where id = ${businessId}`;
}

for (const table of TABLES) await addSecrets(table);
await addSecretsToDrafts();
await addSecretsToSettings();
await h.drain();
const events = await h.pool`update events set actor = actor || ${h.pool.json(SECRET)} where business_id = ${businessId}
  returning position`;
assert.ok(events.length > 0);

/** Reads twice, because the second response comes from the cache. */
async function assertHidden(path: string, id: string, token?: string): Promise<void> {
  for (const _ of ['read', 'read again']) {
    const { status, body } = await h.call('GET', path, { token });
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    const text = JSON.stringify(body);
    assert.ok(text.includes(id), path);
    assert.deepEqual(pathsTo('undeclared', body), [], path);
  }
}

/** A service that declares the field in the schemas for members. */
async function startMemberProcess(): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const child = fork(fileURLToPath(new URL('./member-fields-process.ts', import.meta.url)), {
    env: { ...process.env, SOUK_TEST_DATABASE: JSON.stringify(h.target), DATA_DIR: h.config.dataDir },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [url] = (await once(child, 'message')) as [string];
  const stop = () => {
    child.kill('SIGKILL');
    return once(child, 'exit');
  };
  return { url, stop };
}

/** The paths of all fields with this name. */
function pathsTo(name: string, value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name ? [`${at}/${key}`] : pathsTo(name, inner, `${at}/${key}`),
  );
}

test('the stored documents have the field at every level', async () => {
  const [stored] = await h.pool`select doc from products where business_id = ${businessId}`;
  const levels = pathsTo('undeclared', stored!.doc).map((path) => path.replaceAll(/\/\d+/g, ''));
  for (const level of [
    '',
    '/statuses',
    '/variants',
    '/variants/pricing',
    '/variants/pricing/markets',
    '/blocks/value',
  ]) {
    assert.ok(levels.includes(`${level}/undeclared`), level);
  }
});

test('public responses contain no undeclared field of a product', async () => {
  const paths = [`/${product.id}`, `/${product.slug}`, '', '?query=mug', `?ids=${product.id}`, '?sort=price&market=us'];
  for (const path of paths) await assertHidden(`${base}/products${path}`, product.id, guest.token);
});

test('public responses contain no undeclared field of an entry or a collection', async () => {
  const entries = [`/${entry.id}`, '', '?query=mug', `?ids=${entry.id}`, `?collectionId=${collection.id}&sort=title`];
  for (const path of entries) await assertHidden(`${base}/entries${path}`, entry.id, guest.token);
  for (const path of [`/${collection.id}`, `/${collection.slug}`, '', `?ids=${collection.id}`]) {
    await assertHidden(`${base}/collections${path}`, collection.id, guest.token);
  }
});

test('a preview contains no undeclared field', async () => {
  for (const [i, { url }] of previews.entries()) {
    await assertHidden(new URL(url).pathname, [product.id, entry.id][i]);
  }
});

test("a customer doesn't see undeclared fields of an order or a return", async () => {
  for (const path of [`/${order.id}`, '']) await assertHidden(`${base}/orders${path}`, order.id, customer.token);
  await assertHidden(`${base}/orders/${order.id}/shipments`, shipmentId, customer.token);
  for (const path of [`/${requested.id}`, '']) await assertHidden(`${base}/returns${path}`, order.id, customer.token);
});

test('an export of personal data contains no undeclared fields, and not who handled an order', async () => {
  await assertHidden('/v1/users/me/export', order.id, customer.token);
  const { body } = await h.call('GET', '/v1/users/me/export', { token: customer.token });
  const text = JSON.stringify(body);
  assert.ok(text.includes(shipmentId) && text.includes(requested.id));
  assert.ok(!text.includes(admin.userId));
});

test('public responses contain no undeclared field of a business', async () => {
  await assertHidden(base, businessId, guest.token);
});

test("even members don't see undeclared fields", async () => {
  for (const path of [
    `products/${product.id}`,
    `products/${product.id}/draft`,
    `entries/${entry.id}`,
    `entries/${entry.id}/draft`,
    `collections/${collection.id}`,
    `orders/${order.id}`,
    `returns/${requested.id}`,
    '',
  ]) {
    await assertHidden(`${base}/${path}`, '', admin.token);
  }
  await assertHidden(`${base}/events`, order.id, admin.token);
});

test('a field in the schemas for members is visible to members only', async (t) => {
  const { url, stop } = await startMemberProcess();
  t.after(stop);
  const pathsIn = async (path: string, token: string) => {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    const body = await response.json();
    assert.equal(response.status, 200, JSON.stringify(body));
    return [...new Set(pathsTo('undeclared', body).map((at) => at.replaceAll(/\/\d+/g, '')))].sort();
  };
  const inOrder = ['/paymentStatus', '/shipments', '/statuses', ''];
  const inReturn = ['/statuses', ''];
  const inSettings = ['/paymentProvider', '/profile', '/shippingMethods', '/tax', ''].map((at) => `/configs${at}`);
  const cases: [string, string[]][] = [
    [`${base}/orders/${order.id}`, inOrder],
    [`${base}/orders`, inOrder.map((at) => `/items${at}`)],
    [`${base}/orders/${order.id}/shipments`, ['/items']],
    [`${base}/returns/${requested.id}`, inReturn],
    [`${base}/returns`, inReturn.map((at) => `/items${at}`)],
    [base, inSettings],
  ];
  for (const [path, places] of cases) {
    const expected = places.map((at) => `${at}/undeclared`);
    assert.deepEqual(await pathsIn(path, admin.token), expected, path);
    assert.deepEqual(await pathsIn(path, customer.token), [], path);
  }
  assert.deepEqual(await pathsIn('/v1/users/me/export', customer.token), []);
  assert.deepEqual(
    await pathsIn('/v1/businesses', admin.token),
    inSettings.map((at) => `/items${at}/undeclared`),
  );
});
