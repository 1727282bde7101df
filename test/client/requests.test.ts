import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after } from 'node:test';
import { createClient, formatMoney, isSoukError, priceIn, SoukError } from '../../client/src/index.ts';

type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'cut' | 'silence';

/** A server that answers as the test says, one answer after the other, and writes down what it was asked. */
let answers: Answer[] = [];
let onAsked = () => {};
let asked: { method: string; url: string; headers: IncomingHttpHeaders; atMs: number }[] = [];
const server = createServer((request, response) => {
  asked.push({ method: request.method!, url: request.url!, headers: request.headers, atMs: performance.now() });
  onAsked();
  const answer = answers.shift() ?? { status: 200 };
  if (answer === 'silence') return;
  if (answer === 'cut') return void request.socket.destroy();
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
  response.end(JSON.stringify(answer.body ?? { success: true }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
after(() => {
  server.closeAllConnections();
  server.close();
});
const souk = createClient({
  baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  businessId: 'biz_1',
  apiKey: 'key',
});

function willAnswer(...given: Answer[]): void {
  answers = given;
  asked = [];
  onAsked = () => {};
}
const checkout = () => souk.orders.checkout({ market: 'us', paymentMethod: 'CASH', items: [] });

test('each try of a call has the same Idempotency-Key, each call another', async () => {
  willAnswer('cut', { status: 503 }, { status: 502 }, { status: 200, body: { orderId: 'ord_1' } });
  assert.equal((await checkout()).orderId, 'ord_1');
  const keys = new Set(asked.map(({ headers }) => headers['idempotency-key']));
  assert.deepEqual([asked.length, keys.size], [4, 1]);
  await checkout();
  assert.ok(!keys.has(asked.at(-1)!.headers['idempotency-key']));
});

test('Retry-After is waited for; where it is long, the caller is told at once', async () => {
  willAnswer({ status: 429, headers: { 'retry-after': '1' } });
  await souk.users.me();
  assert.ok(asked[1]!.atMs - asked[0]!.atMs >= 1000);
  willAnswer({ status: 429, headers: { 'retry-after': '300' }, body: { error: 'RATE_LIMITED' } });
  await assert.rejects(
    souk.users.me(),
    (error) => isSoukError(error, 'RATE_LIMITED') && error.retryAfterSeconds === 300,
  );
  assert.equal(asked.length, 1);
});

test('what is wrong with a request is not tried again, and says which field', async () => {
  const detail = { field: 'items[0].quantity', error: 'INSUFFICIENT_STOCK', message: 'Only 2 are left.' };
  const body = { error: 'VALIDATION_FAILED', message: 'Only 2 are left.', details: [detail] };
  willAnswer({ status: 422, body, headers: { 'x-request-id': 'req-1' } });
  const error = await checkout().catch((caught: unknown) => caught);
  assert.ok(isSoukError(error, 'VALIDATION_FAILED'));
  assert.deepEqual([error.status, error.message, error.requestId], [422, 'Only 2 are left.', 'req-1']);
  assert.deepEqual([error.detail('items[0].quantity'), error.has('INSUFFICIENT_STOCK')], [detail, true]);
  assert.equal(isSoukError(error, 'NOT_FOUND'), false);
  assert.equal(asked.length, 1);
});

test('a call can be aborted while it waits for an answer and while it waits to try again', async () => {
  for (const answer of ['silence', { status: 503, headers: { 'retry-after': '10' } }] as Answer[]) {
    willAnswer(answer);
    const controller = new AbortController();
    onAsked = () => setTimeout(() => controller.abort(new Error('enough')), 50);
    await assert.rejects(souk.users.me({ signal: controller.signal }), /enough/);
  }
});

test('a try without an answer ends after its timeout', async () => {
  willAnswer('silence', 'silence');
  await assert.rejects(souk.users.me({ timeoutMs: 500, tries: 2 }), (error) => isSoukError(error, 'TIMEOUT'));
  assert.equal(asked.length, 2);
});

test('the page of a proxy is an error of the service, not of the reader', async () => {
  const proxied = createClient({ baseUrl: '', apiKey: 'key', fetch: async () => new Response('<h1>Welcome</h1>') });
  await assert.rejects(proxied.users.me(), (error) => isSoukError(error, 'BAD_ANSWER'));
});

test('a delete whose answer was lost has worked when the record is gone', async () => {
  willAnswer('cut', { status: 404, body: { error: 'NOT_FOUND' } });
  assert.deepEqual(await souk.products.delete('prod_1'), { success: true });
  willAnswer({ status: 404, body: { error: 'NOT_FOUND' } });
  await assert.rejects(souk.products.delete('prod_1'), SoukError);
});

test('lists are read page by page or item by item, and ask for no more than is read', async () => {
  const page = (ids: string[], cursor: string | null) => ({
    status: 200,
    body: { items: ids.map((id) => ({ id })), cursor },
  });
  const two = () => willAnswer(page(['a', 'b'], 'next'), page(['c'], null));
  two();
  const ids: string[] = [];
  for await (const { id } of souk.products.list({ category: 'home & garden', ids: ['a', 'b'] })) ids.push(id);
  assert.deepEqual(ids, ['a', 'b', 'c']);
  assert.equal(asked[0]!.url, '/v1/businesses/biz_1/products?category=home+%26+garden&ids=a&ids=b');
  assert.match(asked[1]!.url, /&cursor=next$/);
  two();
  assert.equal((await souk.products.list({}).page()).cursor, 'next');
  assert.equal(asked.length, 1);
  two();
  assert.equal((await souk.products.list({}).take(1)).length, 1);
  assert.equal(asked.length, 1);
});

test('a record carries its ETag, and goes back with it', async () => {
  willAnswer({ status: 200, body: { id: 'prod_1' }, headers: { etag: '"7"' } });
  const product = await souk.products.get('prod_1');
  assert.equal(product.etag, '"7"');
  await souk.products.update('prod_1', { name: 'New' }, { ifMatch: product });
  assert.equal(asked[1]!.headers['if-match'], '"7"');
});

test('ids cannot leave their place in the path, and a missing one is told before anything is sent', async () => {
  willAnswer();
  await souk.products.get('../../users/me');
  assert.equal(asked[0]!.url, '/v1/businesses/biz_1/products/..%2F..%2Fusers%2Fme');
  assert.throws(() => souk.products.get(''), /products\.get needs id/);
  assert.throws(() => createClient({ baseUrl: '' }).products.list(), /products\.list needs businessId/);
});

test('the business is filled in where an operation takes one, and can be another', async () => {
  willAnswer();
  await souk.forBusiness('biz_2').users.search({ query: 'ada' }).page();
  await souk.users.search({ businessId: 'biz_3' }).page();
  await souk.users.search({ businessId: null }).page();
  assert.deepEqual(
    asked.map(({ url }) => url),
    ['/v1/users/search?businessId=biz_2&query=ada', '/v1/users/search?businessId=biz_3', '/v1/users/search'],
  );
});

test('money is shown in its currency, and prices are found by market', () => {
  assert.equal(formatMoney(4900, 'usd', 'en'), '$49.00');
  assert.equal(formatMoney(4900, 'JPY', 'en'), '¥4,900');
  const variant = { pricing: { markets: [{ marketId: 'us', currency: 'usd', price: 4900 }] } };
  assert.equal(priceIn(variant, 'US')?.price, 4900);
  assert.equal(priceIn(variant, 'eu'), undefined);
});
