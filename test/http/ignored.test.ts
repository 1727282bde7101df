import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import test, { after } from 'node:test';
import pino from 'pino';
import Type from 'typebox';
import { Id, Input, MoneyMinor, Nullable, Text, Timestamp } from '../../src/shared/schemas.ts';
import { shareHarness } from '../harness.ts';
import { startServer } from './app.ts';

const Price = Input({ amount: MoneyMinor });
const Body = Input({
  name: Text(20),
  weight: Type.Optional(Type.Integer()),
  variants: Type.Optional(Type.Array(Input({ sku: Text(10), pricing: Type.Optional(Nullable(Price)) }))),
  settings: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
const Output = Type.Object({
  id: Id,
  name: Text(20),
  uses: Type.Integer(),
  variants: Type.Array(Type.Object({ sku: Text(20), sold: Type.Integer() })),
  createdAt: Timestamp,
});

const logged: { msg: string; fields: string[] }[] = [];
const lines = new Writable({
  write(line, _encoding, done) {
    logged.push(JSON.parse(line));
    done();
  },
});
const server = await startServer(
  (app) => {
    const config = { access: 'public' as const };
    app.post('/things', { config, schema: { body: Body, response: { 200: Output } } }, () => ({
      id: 'thing_1',
      name: 'x',
      uses: 3,
      createdAt: 1,
      variants: [{ sku: 'a', sold: 2 }],
    }));
    const querystring = Type.Object({ limit: Type.Optional(Type.Integer()), ids: Type.Optional(Type.Array(Id)) });
    app.get('/list', { config, schema: { querystring } }, () => ({}));
  },
  { log: pino({ level: 'warn' }, lines), logsIgnored: true },
);
after(server.stop);
const post = (body: unknown) => server.call('POST', '/things', { body });
const ignored = async (body: unknown) => (await post(body)).headers.get('souk-ignored');

test('unknown query parameters are listed in Souk-Ignored', async () => {
  const ignoredIn = async (path: string) => (await server.call('GET', path)).headers.get('souk-ignored');
  assert.equal(await ignoredIn('/list?limt=5&ids[]=a&limit=2&%C3%A4=1'), 'limt, %C3%A4');
  assert.equal(await ignoredIn('/list?ids=a,b'), null);
  assert.equal(await ignoredIn('/list?filter[color]=red'), 'filter%5Bcolor%5D');
});

test('unknown fields are listed in Souk-Ignored and in one log entry', async () => {
  const body = {
    name: 'x',
    wieght: 5,
    variants: [
      { sku: 'a', prices: [] },
      { sku: 'b', pricing: { amuont: 1 } },
    ],
  };
  logged.length = 0;
  assert.equal(await ignored(body), 'wieght, variants[0].prices, variants[1].pricing.amuont');
  assert.equal(logged.length, 1);
  assert.equal(logged[0]!.msg, 'POST /things ignored unknown fields');
  assert.deepEqual(logged[0]!.fields, ['wieght', 'variants[0].prices', 'variants[1].pricing.amuont']);
});

test('a rejected body also has the Souk-Ignored header', async () => {
  const response = await post({ nmae: 'x' });
  assert.equal(response.status, 422);
  assert.equal(response.headers.get('souk-ignored'), 'nmae');
});

test('known fields, free-form objects and a record sent back unchanged cause no header', async () => {
  assert.equal(await ignored({ name: 'x', weight: 1, settings: { any: { thing: 1 } } }), null);
  assert.equal(await ignored({ name: 'x', id: '1', businessId: 'b', etag: '"1"', updatedAt: 1 }), null);
  assert.equal(await ignored((await post({ name: 'x' })).body), null);
  for (const body of ['[]', '"x"', 'null', '1']) assert.equal(await ignored(body), null);
});

test('names are percent-encoded, and at most 20 are listed in at most 4,000 characters', async () => {
  assert.equal(await ignored({ name: 'x', 'ä,\r\nset-cookie': 1 }), '%C3%A4%2C%0D%0Aset-cookie');
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`field${i}`, 1]));
  assert.equal((await ignored({ name: 'x', ...many }))!.split(', ').length, 20);
  const long = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${i}${'😀'.repeat(500)}`, 1]));
  assert.ok((await ignored({ name: 'x', ...long }))!.length <= 4000);
});

test('a body with a hundred thousand unknown fields is validated', async () => {
  const body = `{"name":"x","variants":[${'{"a":1},'.repeat(100_000)}{"sku":"a"}]}`;
  assert.equal((await post(body)).status, 422);
});

test('API records sent back unchanged cause no header', async () => {
  const h = await shareHarness();
  const businessId = await h.business({ markets: [{ id: 'us', currency: 'usd' }] });
  const { token, userId } = await h.member(businessId, 'ADMIN');
  const base = `/v1/businesses/${businessId}` as const;
  const send = async <M extends string, P extends string>(method: M, path: P, body?: object) => {
    const response = await h.call(method, path, { token, body });
    assert.equal(response.status, 200, `${method} ${path} ${JSON.stringify(response.body)}`);
    return response;
  };
  const price = { marketId: 'us', currency: 'usd', price: 100 };
  const variants = [
    { id: 'one', name: 'One', pricing: { markets: [price] }, inventory: { tracked: true, quantity: 5 } },
  ];
  const blocks = [{ id: 'title', type: 'TEXT', value: 'Hello' }];
  const { body: product } = await send('POST', `${base}/products`, { name: 'Mug', variants, blocks });
  const { body: collection } = await send('POST', `${base}/collections`, {
    name: 'Letters',
    type: 'NEWSLETTER',
    blocks: [{ id: 'title', type: 'TEXT' }],
    plans: [{ id: 'free', name: 'Free' }],
  });
  const { body: entry } = await send('POST', `${base}/entries`, { collectionId: collection.id, blocks });
  const line = { type: 'PRODUCT_VARIANT', productId: product.id, variantId: 'one', quantity: 1 };
  const { body: order } = await send('POST', `${base}/orders`, { customerId: userId, market: 'us', lines: [line] });
  const paths = [
    base,
    `${base}/products/${product.id}`,
    `${base}/collections/${collection.id}`,
    `${base}/entries/${entry.id}`,
    `${base}/orders/${order.id}`,
    '/v1/users/me',
  ];
  for (const path of paths) {
    const { body } = await send('GET', path);
    const target = path.includes('/orders/') ? `${base}/orders/update` : path.replace('/me', '/update');
    const { headers } = await h.call('PUT', target, { token, body });
    assert.equal(headers.get('souk-ignored'), null, path);
  }
  const { headers } = await send('PUT', `${base}/products/${product.id}`, { wieght: 5 });
  assert.equal(headers.get('souk-ignored'), 'wieght');
});
