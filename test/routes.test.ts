/** Covers every route, including routes added later. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { ListedRoute } from '../src/http/server.ts';
import { PERMISSIONS } from '../src/shared/security/caller.ts';
import { casesOf } from './cases.ts';
import { type Json, shareHarness } from './harness.ts';

// Every route gets several invalid credentials from one address.
const h = await shareHarness({ LIMIT_ADDRESS: '100000' });

const routes = h.service.app.routeList;
const closed = routes.filter((route) => route.access !== 'public');
const inBusiness = closed.filter((route) => route.url.includes(':businessId'));
const nameOf = (route: ListedRoute) => `${route.method} ${route.url}`;

const fill = (url: string, businessId: string, ids: Record<string, string> = {}) =>
  url.replaceAll(/([^/]+)\/:(\w+)/g, (_match, segment: string, name: string) =>
    name === 'businessId' ? `${segment}/${businessId}` : `${segment}/${ids[segment] ?? 'none'}`,
  );

/** Fields that bodies need beyond their schema. */
const MORE: Record<string, object> = {
  'payment-status': { status: 'PAID' },
  subscribe: { planId: 'free' },
  customers: { name: 'Ada' },
};

/** Calls the route with a minimal body. */
function call(route: ListedRoute, path: string, token?: string, headers: Record<string, string> = {}) {
  const more = MORE[route.url.split('/').at(-1)!];
  const body = route.schema?.body ? { ...(sample(route.schema.body) as object), ...more } : undefined;
  return h.call(route.method, path, { token, headers, body });
}

/** `count` of the cases, starting with a different one for each route. */
const rotated = <T>(cases: readonly T[], start: number, count: number): T[] =>
  Array.from({ length: count }, (_, i) => cases[(start + i) % cases.length]!);

test('only these routes are public', () => {
  const open = routes.filter((route) => route.access === 'public' && route.url.startsWith('/v1/')).map(nameOf);
  assert.deepEqual(
    open.sort(),
    [
      'GET /v1/address-formats',
      'GET /v1/address-formats/:country',
      'GET /v1/businesses/:businessId/collections/unsubscribe',
      'GET /v1/mail/c/:token/:link',
      'GET /v1/mail/o/:token',
      'GET /v1/previews/:token',
      'GET /v1/users/erasures/:id',
      'GET /v1/users/login/sso',
      'GET /v1/users/login/url',
      'POST /v1/businesses/:businessId/collections/confirm',
      'POST /v1/businesses/:businessId/collections/tracking',
      'POST /v1/businesses/:businessId/collections/unsubscribe',
      'POST /v1/forms/:businessId/:formId',
      'POST /v1/mail/events/:provider/:businessId',
      'POST /v1/payments/webhooks/stripe/:businessId',
      'POST /v1/users/forgot-password',
      'POST /v1/users/login',
      'POST /v1/users/login/code',
      'POST /v1/users/login/passkey',
      'POST /v1/users/login/passkey/options',
      'POST /v1/users/login/second-factor',
      'POST /v1/users/logout',
      'POST /v1/users/refresh',
      'POST /v1/users/refresh-access-token',
      'POST /v1/users/register',
      'POST /v1/users/reset-forgot-password',
      'PUT /v1/users/confirm',
    ].filter((name) => open.includes(name)),
  );
  assert.ok(open.length >= 9);
});

test('every other route returns 401 without a valid token', async () => {
  const businessId = await h.business();
  const { refreshToken } = await h.user();
  const invalid: Record<string, string>[] = [
    { authorization: 'Bearer nonsense' },
    { 'x-api-key': 'nonsense' },
    { authorization: `Bearer ${refreshToken}` },
  ];
  for (const [i, route] of closed.entries()) {
    const path = fill(route.url, businessId);
    for (const headers of [{}, ...rotated(invalid, i, casesOf(1, 3))]) {
      const response = await call(route, path, undefined, headers);
      assert.equal(response.status, 401, `${nameOf(route)} with ${JSON.stringify(headers)}`);
      assert.equal(response.body.error, 'UNAUTHENTICATED');
      assert.deepEqual(response.body.validationErrors, []);
    }
  }
});

test('every route of a business returns 404 if the business does not exist', async () => {
  const { token } = await h.user();
  for (const route of inBusiness) {
    const response = await call(route, fill(route.url, 'biz_nowhere'), token);
    assert.equal(response.status, 404, nameOf(route));
    assert.equal(response.body.error, 'NOT_FOUND');
  }
});

test('every route that requires a permission returns 403 to callers with any other permission', async () => {
  const businessId = await h.business();
  const guest = await h.guest();
  const adminElsewhere = await h.member(await h.business(), 'ADMIN');
  const without = new Map(
    await Promise.all(
      PERMISSIONS.map(async (permission) => {
        const others = PERMISSIONS.filter((other) => other !== permission && other !== 'ADMIN');
        return [permission, await h.member(businessId, ...others)] as const;
      }),
    ),
  );
  const guarded = closed.filter((route) => route.access !== 'token');
  assert.ok(guarded.length > 0);
  for (const [i, route] of guarded.entries()) {
    assert.ok(
      route.url.includes(':businessId'),
      `${nameOf(route)}: a route with a permission must have :businessId in its path`,
    );
    const path = fill(route.url, businessId);
    for (const caller of [
      ...rotated([guest, adminElsewhere], i, casesOf(1, 2)),
      without.get(route.access as 'ADMIN')!,
    ]) {
      const response = await call(route, path, caller.token);
      assert.equal(response.status, 403, nameOf(route));
      assert.equal(response.body.error, 'FORBIDDEN');
      assert.deepEqual(response.body.validationErrors, []);
    }
  }
});

test("another business's record returns 404 within the caller's own business, even for an ADMIN", async () => {
  const mine = await h.business();
  const theirs = await h.business();
  const me = await h.member(mine, 'ADMIN');
  const otherMember = await h.member(theirs, 'ADMIN');
  const ids = await makeRecords(theirs, otherMember.token, otherMember.userId);
  const ofRecords = inBusiness.filter((route) => /:(?!businessId)/.test(route.url));
  assert.ok(ofRecords.length > 0);
  for (const route of ofRecords) {
    const response = await call(route, fill(route.url, mine, ids), me.token);
    assert.equal(response.status, 404, `${nameOf(route)}: ${JSON.stringify(response.body)}`);
    assert.equal(response.body.error, 'NOT_FOUND');
  }
  // The IDs are real: their owner can read the records.
  for (const [segment, id] of Object.entries(ids)) {
    if (!routes.some((route) => route.method === 'GET' && route.url.endsWith(`/${segment}/:id`))) continue;
    const response = await h.call('GET', `/v1/businesses/${theirs}/${segment}/${id}`, { token: otherMember.token });
    assert.equal(response.status, 200, segment);
  }
});

test('every route rejects a body that violates its schema and reports the field', async () => {
  const businessId = await h.business();
  const { token, userId } = await h.member(businessId, 'ADMIN');
  const ids = await makeRecords(businessId, token, userId);
  for (const route of routes.filter(({ url }) => url.startsWith('/v1/'))) {
    const { properties = {} } = (route.schema?.body ?? {}) as Json;
    const field = Object.keys(properties).find((name) => wrongValue(properties[name]) !== undefined);
    if (!field) continue;
    const body = { ...(sample(route.schema!.body) as object), [field]: wrongValue(properties[field]) };
    const response = await h.call(route.method, fill(route.url, businessId, ids), { token, body });
    assert.equal(response.status, nameOf(route) === 'POST /v1/users/login' ? 400 : 422, nameOf(route));
    assert.ok(
      response.body.details.some((detail: Json) => detail.field === field),
      nameOf(route),
    );
  }
});

test('every GET of a single record sends an ETag', async () => {
  const businessId = await h.business();
  const { token, userId } = await h.member(businessId, 'ADMIN');
  const { body: requested } = await h.call('POST', `/v1/businesses/${businessId}/imports?type=products`, {
    token,
    headers: { 'content-type': 'text/csv' },
    body: 'name\nShirt\n',
  });
  const upload = { fileName: 'a.png', size: 10, mimeType: 'image/png' };
  const made = await h.call('POST', `/v1/businesses/${businessId}/media/uploads`, { token, body: upload });
  const ids: Record<string, string> = {
    ...(await makeRecords(businessId, token, userId)),
    imports: requested.id,
    uploads: made.body.id,
  };
  const base = `/v1/businesses/${businessId}/collections/${ids.collections}/subscribers`;
  const body = { email: 'ada@example.com', planId: 'free', consent: { source: 'Form', at: 1 } };
  ids.subscribers = (await h.call('POST', base, { token, body })).body.id;
  const sendPath = `/v1/businesses/${businessId}/entries/${ids.entries}/send` as const;
  ids.sends = (await h.call('POST', sendPath, { token, body: { scheduledAt: 4_000_000_000 } })).body.id;
  const single = routes.filter(
    ({ method, url, schema }) => method === 'GET' && /\/:\w+(\/consent)?$/.test(url) && schema?.tags,
  );
  let count = 0;
  for (const route of single) {
    const response = await call(route, fill(route.url, businessId, ids), token);
    if (response.status === 404) continue;
    assert.equal(response.status, 200, nameOf(route));
    assert.match(response.headers.get('etag') ?? '', /^"[^"]+"$/, nameOf(route));
    count++;
  }
  assert.ok(count >= 14, `${count} routes`);
});

/** One record of each type, keyed by the path segment before its ID. */
async function makeRecords(businessId: string, token: string, userId: string): Promise<Record<string, string>> {
  const make = async <P extends string>(path: P, body: object) => {
    const response = await h.call('POST', `/v1/businesses/${businessId}/${path}`, { token, body });
    assert.equal(response.status, 200, `${path}: ${JSON.stringify(response.body)}`);
    return response.body.id as string;
  };
  const { body: roles } = await h.call('GET', `/v1/roles?businessId=${businessId}`, { token });
  const roleId = roles.items[0]!.id as string;
  const price = { marketId: 'us', currency: 'usd', price: 100 };
  const variants = [{ id: 'one', name: 'One', pricing: { markets: [price] }, inventory: { tracked: false } }];
  const productId = await make('products', { name: 'Theirs', variants });
  const collections = await make('collections', {
    name: 'Theirs',
    type: 'NEWSLETTER',
    blocks: [{ id: 'body', type: 'TEXT' }],
    statuses: [{ status: 'PUBLISHED' }],
    plans: [{ id: 'free', name: 'Free' }],
  });
  return {
    products: productId,
    variants: 'one',
    collections,
    entries: await make('entries', { collectionId: collections, statuses: [{ status: 'PUBLISHED' }], blocks: [] }),
    orders: await make('orders', {
      customerId: userId,
      market: 'us',
      currency: 'usd',
      lines: [{ type: 'PRODUCT_VARIANT', productId, variantId: 'one', quantity: 1, unitPrice: 100, totalPrice: 100 }],
    }),
    customers: await make('customers', { name: 'Theirs' }),
    invitation: await make('invitation', { email: 'they@example.com', roleIds: [roleId] }),
    releases: await make('releases', { name: 'Theirs', at: 4_000_000_000, items: [productId] }),
    versions: '1',
    categories: await make('categories', { name: 'Theirs' }),
    redirects: await make('redirects', { from: '/theirs', to: '/new' }),
    carts: await make('carts', { market: 'us', items: [] }),
    automations: await make('automations', {
      name: 'Theirs',
      trigger: { type: 'subscription.confirmed', collectionId: collections },
    }),
    'promo-codes': await make('promo-codes', { code: 'THEIRS', discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 100 }] }),
  };
}

/** A value that violates a field's schema; undefined if the schema accepts any value. */
function wrongValue(schema: Json): unknown {
  const types = [schema, ...(schema.anyOf ?? [])].flatMap(({ type = [] }) => type);
  if (types.length === 0) return undefined;
  return types.includes('object') || types.includes('array') ? 'text' : {};
}

/** A minimal value that matches a schema. */
function sample(schema: Json): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'object') {
    return Object.fromEntries((schema.required ?? []).map((name: string) => [name, sample(schema.properties[name])]));
  }
  if (schema.examples?.length > 0) return schema.examples[0];
  if (schema.anyOf) return sample(schema.anyOf[0]);
  if (schema.type === 'array') return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items));
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return true;
  return schema.type === 'null' ? null : 'x'.repeat(Math.max(1, schema.minLength ?? 1));
}
