/** Walks every route there is, so that one that is added tomorrow is covered without a word here. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { ListedRoute } from '../src/http/server.ts';
import { PERMISSIONS } from '../src/shared/caller.ts';
import { type Json, startHarness } from './harness.ts';

const h = await startHarness();

const routes = h.service.app.routeList;
const closed = routes.filter((route) => route.access !== 'public');
const inBusiness = closed.filter((route) => route.url.includes(':businessId'));
const nameOf = (route: ListedRoute) => `${route.method} ${route.url}`;

const fill = (url: string, businessId: string, ids: Record<string, string> = {}) =>
  url.replaceAll(/([^/]+)\/:(\w+)/g, (_match, segment: string, name: string) =>
    name === 'businessId' ? `${segment}/${businessId}` : `${segment}/${ids[segment] ?? 'none'}`,
  );

/** What bodies need beyond their schema: one field or another. */
const MORE: Record<string, object> = {
  'payment-status': { status: 'PAID' },
  subscribe: { planId: 'free' },
  customers: { name: 'Ada' },
};

/** Calls the route with the least that it takes as a body. */
function call(route: ListedRoute, path: string, token?: string, headers: Record<string, string> = {}) {
  const more = MORE[route.url.split('/').at(-1)!];
  const body = route.schema?.body ? { ...(sample(route.schema.body) as object), ...more } : undefined;
  return h.call(route.method, path, { token, headers, body });
}

test('what nobody needs a token for is this, and nothing more', () => {
  const open = routes.filter((route) => route.access === 'public' && route.url.startsWith('/v1/')).map(nameOf);
  assert.deepEqual(
    open.sort(),
    [
      'GET /v1/businesses/:businessId/collections/unsubscribe',
      'GET /v1/users/erasures/:id',
      'GET /v1/users/login/url',
      'POST /v1/businesses/:businessId/collections/confirm',
      'POST /v1/businesses/:businessId/collections/unsubscribe',
      'POST /v1/payments/webhooks/stripe/:businessId',
      'POST /v1/users/forgot-password',
      'POST /v1/users/login',
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

test('every other route answers 401 without a valid token', async () => {
  const businessId = await h.business();
  const { refreshToken } = await h.user();
  for (const route of closed) {
    const path = fill(route.url, businessId);
    const tries = [
      {},
      { authorization: 'Bearer nonsense' },
      { 'x-api-key': 'nonsense' },
      { authorization: `Bearer ${refreshToken}` },
    ];
    for (const headers of tries) {
      const answer = await call(route, path, undefined, headers as Record<string, string>);
      assert.equal(answer.status, 401, `${nameOf(route)} with ${JSON.stringify(headers)}`);
      assert.equal(answer.body.error, 'UNAUTHENTICATED');
    }
  }
});

test('every route of a business answers 404 when there is no such business', async () => {
  const { token } = await h.user();
  for (const route of inBusiness) {
    const answer = await call(route, fill(route.url, 'biz_nowhere'), token);
    assert.equal(answer.status, 404, nameOf(route));
    assert.equal(answer.body.error, 'NOT_FOUND');
  }
});

test('every route that needs a permission answers 403 to those who have any other', async () => {
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
  for (const route of guarded) {
    assert.ok(route.url.includes(':businessId'), `${nameOf(route)}: a permission is one in a business`);
    const path = fill(route.url, businessId);
    for (const caller of [guest, adminElsewhere, without.get(route.access as 'ADMIN')!]) {
      const answer = await call(route, path, caller.token);
      assert.equal(answer.status, 403, nameOf(route));
      assert.equal(answer.body.error, 'FORBIDDEN');
    }
  }
});

test('a record of another business is 404 under one’s own, to its ADMIN too', async () => {
  const mine = await h.business();
  const theirs = await h.business();
  const me = await h.member(mine, 'ADMIN');
  const they = await h.member(theirs, 'ADMIN');
  const ids = await makeRecords(theirs, they.token, they.userId);
  const ofRecords = inBusiness.filter((route) => /:(?!businessId)/.test(route.url));
  assert.ok(ofRecords.length > 0);
  for (const route of ofRecords) {
    const answer = await call(route, fill(route.url, mine, ids), me.token);
    assert.equal(answer.status, 404, `${nameOf(route)}: ${JSON.stringify(answer.body)}`);
    assert.equal(answer.body.error, 'NOT_FOUND');
  }
  // The ids are real: their owner sees the records.
  for (const [segment, id] of Object.entries(ids)) {
    if (!routes.some((route) => route.method === 'GET' && route.url.endsWith(`/${segment}/:id`))) continue;
    const answer = await h.call('GET', `/v1/businesses/${theirs}/${segment}/${id}`, { token: they.token });
    assert.equal(answer.status, 200, segment);
  }
});

/** One record of each kind, by the segment of the path that its id follows. */
async function makeRecords(businessId: string, token: string, userId: string): Promise<Record<string, string>> {
  const make = async (path: string, body: object) => {
    const answer = await h.call('POST', `/v1/businesses/${businessId}/${path}`, { token, body });
    assert.equal(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.id as string;
  };
  const { body: roles } = await h.call('GET', `/v1/roles?businessId=${businessId}`, { token });
  const roleId = roles.items[0].id as string;
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
    'promo-codes': await make('promo-codes', { code: 'THEIRS', discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 100 }] }),
  };
}

/** The least value that fits a schema. */
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
