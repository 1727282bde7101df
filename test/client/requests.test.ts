import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after } from 'node:test';
import { createClient, formatMoney, ignoredBy, isSoukError, priceIn, SoukError } from '../../client/src/index.ts';

type StubResponse = { status: number; body?: unknown; headers?: Record<string, string> } | 'cut' | 'silence';

/** A server that returns the given responses in order and records the requests. */
let stubs: StubResponse[] = [];
let onRequest = () => {};
let requests: { method: string; url: string; headers: IncomingHttpHeaders }[] = [];
const server = createServer((request, response) => {
  requests.push({ method: request.method!, url: request.url!, headers: request.headers });
  onRequest();
  const stub = stubs.shift() ?? { status: 200 };
  if (stub === 'silence') return;
  if (stub === 'cut') return void request.socket.destroy();
  response.writeHead(stub.status, { 'content-type': 'application/json', ...stub.headers });
  response.end(JSON.stringify(stub.body ?? { success: true }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => {
  server.closeAllConnections();
  server.close();
});
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const souk = createClient({
  baseUrl,
  businessId: 'biz_1',
  apiKey: 'key',
});

function respondWith(...given: StubResponse[]): void {
  stubs = given;
  requests = [];
  onRequest = () => {};
}
/** Resolves when everything that needs no timer or network is done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));
const checkout = () => souk.orders.checkout({ market: 'us', paymentMethod: 'CASH', items: [] });

test('all attempts of a call share an Idempotency-Key, and each call has its own', async () => {
  respondWith('cut', { status: 503 }, { status: 502 }, { status: 200, body: { orderId: 'ord_1' } });
  assert.equal((await checkout()).orderId, 'ord_1');
  const keys = new Set(requests.map(({ headers }) => headers['idempotency-key']));
  assert.deepEqual([requests.length, keys.size], [4, 1]);
  await checkout();
  assert.ok(!keys.has(requests.at(-1)!.headers['idempotency-key']));
});

test('the client waits for Retry-After, and fails right away if it is too long', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let calls = 0;
  const limited = createClient({
    baseUrl: '',
    apiKey: 'key',
    fetch: async () =>
      ++calls === 1 ? new Response('{}', { status: 429, headers: { 'retry-after': '7' } }) : Response.json({}),
  });
  const call = limited.users.me();
  await settled();
  t.mock.timers.tick(6999);
  await settled();
  assert.equal(calls, 1);
  t.mock.timers.tick(1);
  await call;
  assert.equal(calls, 2);
  t.mock.timers.reset();
  respondWith({ status: 429, headers: { 'retry-after': '300' }, body: { error: 'RATE_LIMITED' } });
  await assert.rejects(
    souk.users.me(),
    (error) => isSoukError(error, 'RATE_LIMITED') && error.retryAfterSeconds === 300,
  );
  assert.equal(requests.length, 1);
});

test('an invalid request is not retried, and the error has the field', async () => {
  const detail = { field: 'items[0].quantity', error: 'INSUFFICIENT_STOCK', message: 'Only 2 left in stock.' };
  const body = { error: 'VALIDATION_FAILED', message: 'Only 2 left in stock.', details: [detail] };
  respondWith({ status: 422, body, headers: { 'x-request-id': 'req-1' } });
  const error = await checkout().catch((caught: unknown) => caught);
  assert.ok(isSoukError(error, 'VALIDATION_FAILED'));
  assert.deepEqual([error.status, error.message, error.requestId], [422, 'Only 2 left in stock.', 'req-1']);
  assert.deepEqual([error.detail('items[0].quantity'), error.has('INSUFFICIENT_STOCK')], [detail, true]);
  assert.equal(isSoukError(error, 'NOT_FOUND'), false);
  assert.equal(requests.length, 1);
});

test('a call can be aborted while it waits for a response', async () => {
  respondWith('silence');
  const controller = new AbortController();
  onRequest = () => controller.abort(new Error('enough'));
  await assert.rejects(souk.users.me({ signal: controller.signal }), /enough/);
});

test('a call can be aborted while it waits to retry', async () => {
  const response = () => new Response('{}', { status: 503, headers: { 'retry-after': '10' } });
  const away = createClient({ baseUrl: '', apiKey: 'key', fetch: async () => response() });
  const controller = new AbortController();
  const call = away.users.me({ signal: controller.signal });
  await settled();
  controller.abort(new Error('enough'));
  await assert.rejects(call, /enough/);
});

test('an attempt without a response times out', async () => {
  let tries = 0;
  const fetch: typeof globalThis.fetch = async (_, init) => {
    tries++;
    await once(init!.signal!, 'abort');
    throw init!.signal!.reason;
  };
  const silent = createClient({ baseUrl: '', apiKey: 'key', fetch });
  await assert.rejects(silent.users.me({ timeoutMs: 50, tries: 2 }), (error) => isSoukError(error, 'TIMEOUT'));
  assert.equal(tries, 2);
});

test('a proxy’s error page causes a SoukError, not a parse error', async () => {
  const proxied = createClient({ baseUrl: '', apiKey: 'key', fetch: async () => new Response('<h1>Welcome</h1>') });
  await assert.rejects(proxied.users.me(), (error) => isSoukError(error, 'INVALID_RESPONSE'));
});

test('a delete whose response was lost succeeds if the record no longer exists', async () => {
  respondWith('cut', { status: 404, body: { error: 'NOT_FOUND' } });
  assert.deepEqual(await souk.products.delete('prod_1'), { success: true });
  respondWith({ status: 404, body: { error: 'NOT_FOUND' } });
  await assert.rejects(souk.products.delete('prod_1'), SoukError);
});

test('lists are read page by page or item by item, and only the pages that are read are requested', async () => {
  const page = (ids: string[], cursor: string | null) => ({
    status: 200,
    body: { items: ids.map((id) => ({ id })), cursor },
  });
  const two = () => respondWith(page(['a', 'b'], 'next'), page(['c'], null));
  two();
  const ids: string[] = [];
  for await (const { id } of souk.products.list({ category: 'home & garden', ids: ['a', 'b'] })) ids.push(id);
  assert.deepEqual(ids, ['a', 'b', 'c']);
  assert.equal(requests[0]!.url, '/v1/businesses/biz_1/products?category=home+%26+garden&ids=a&ids=b');
  assert.match(requests[1]!.url, /&cursor=next$/);
  two();
  assert.equal((await souk.products.list({}).page()).cursor, 'next');
  assert.equal(requests.length, 1);
  two();
  assert.equal((await souk.products.list({}).take(1)).length, 1);
  assert.equal(requests.length, 1);
});

test('a record includes its ETag and can be sent back with it', async () => {
  respondWith({ status: 200, body: { id: 'prod_1' }, headers: { etag: '"7"' } });
  const product = await souk.products.get('prod_1');
  assert.equal(product.etag, '"7"');
  await souk.products.update('prod_1', { name: 'New' }, { ifMatch: product });
  assert.equal(requests[1]!.headers['if-match'], '"7"');
});

test("IDs can't escape their path segment, and a missing one fails before anything is sent", async () => {
  respondWith();
  await souk.products.get('../../users/me');
  assert.equal(requests[0]!.url, '/v1/businesses/biz_1/products/..%2F..%2Fusers%2Fme');
  assert.throws(() => souk.products.get(''), /products\.get requires id/);
  assert.throws(() => createClient({ baseUrl: '' }).products.list(), /products\.list requires businessId/);
});

test('the business is filled in for operations that need one, and can be overridden', async () => {
  respondWith();
  await souk.forBusiness('biz_2').users.search({ query: 'ada' }).page();
  await souk.users.search({ businessId: 'biz_3' }).page();
  await souk.users.search({ businessId: null }).page();
  assert.deepEqual(
    requests.map(({ url }) => url),
    ['/v1/users/search?businessId=biz_2&query=ada', '/v1/users/search?businessId=biz_3', '/v1/users/search'],
  );
});

test('money is formatted in its currency, and prices are found by market', () => {
  assert.equal(formatMoney(-0, 'eur', 'en'), '€0.00');
  assert.equal(formatMoney(4900, 'usd', 'en'), '$49.00');
  assert.equal(formatMoney(4900, 'JPY', 'en'), '¥4,900');
  const variant = { pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 4900 }] } };
  assert.equal(priceIn(variant, 'US')?.price, 4900);
  assert.equal(priceIn(variant, 'eu'), undefined);
});

test('requests send the latest position that any response reported', async () => {
  const position = (lsn: string) => ({ status: 200, headers: { 'souk-lsn': lsn } });
  const own = createClient({ baseUrl, businessId: 'biz_1', apiKey: 'key' });
  respondWith(position('0/FFFFFFF0'), position('1/A0'), position('0/FFFFFFFF'), { status: 200 });
  for (let i = 0; i < 4; i++) await own.products.update('prod_1', {});
  const sent = requests.map(({ headers }) => headers['souk-lsn']);
  assert.deepEqual(sent, [undefined, '0/FFFFFFF0', '1/A0', '1/A0']);
});

test('ignored fields are listed and, outside production, printed, even if the environment is unreadable', async (t) => {
  const warn = t.mock.method(console, 'warn', () => {});
  const { env } = process;
  const readEnv = (get: () => object) => Object.defineProperty(process, 'env', { get, configurable: true });
  t.after(() => Object.defineProperty(process, 'env', { value: env, configurable: true, writable: true }));
  const update = async () => {
    respondWith({ status: 200, body: { id: 'prod_1' }, headers: { 'souk-ignored': 'nam, variants[0].skew' } });
    return ignoredBy(await souk.products.update('prod_1', {}));
  };
  assert.deepEqual(await update(), ['nam', 'variants[0].skew']);
  assert.match(String(warn.mock.calls[0]?.arguments[0]), /prod_1 ignored unknown fields: nam, variants\[0\]\.skew$/);

  readEnv(() => ({ ...env, NODE_ENV: 'production' }));
  assert.deepEqual(await update(), ['nam', 'variants[0].skew']);
  assert.equal(warn.mock.callCount(), 1);

  // Deno throws without permission to read the environment.
  readEnv(() => {
    throw new Error('Requires env access to "NODE_ENV"');
  });
  assert.deepEqual(await update(), ['nam', 'variants[0].skew']);
  assert.equal(warn.mock.callCount(), 2);
});
