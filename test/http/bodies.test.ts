import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import test, { after } from 'node:test';
import pino from 'pino';
import Type from 'typebox';
import { Input, MoneyMinor, Nullable, OneOf, Quantity, Slug, Text, Timestamp } from '../../src/shared/schemas.ts';
import { type ApiResponse, caller } from '../call.ts';
import { eventually } from '../service.ts';
import { raw, startServer } from './app.ts';

const Line = Input({ sku: Text(10), quantity: Quantity });
const Body = Input({
  name: Text(20),
  note: Type.Optional(Nullable(Type.String({ maxLength: 5 }))),
  lines: Type.Optional(Type.Array(Type.Union([Line, Type.Null()]))),
  at: Type.Optional(Timestamp),
  price: Type.Optional(MoneyMinor),
  status: Type.Optional(OneOf(['OPEN', 'DONE'])),
  slug: Type.Optional(Slug('linen-shirt')),
  kind: Type.Optional(Type.Union([Type.Literal('A'), Type.Literal('B')])),
  owner: Type.Optional(Type.Union([Input({ userId: Text(5) }), Nullable(Type.Integer())])),
});
const Changes = Input({
  name: Type.Optional(Text(20)),
  text: Type.Optional(Type.String({ maxLength: 20 })),
  note: Type.Optional(Nullable(Type.String({ maxLength: 20 }))),
  tags: Type.Optional(Type.Array(Input({ label: Text(5), color: Type.Optional(Text(5)) }))),
});
const server = await startServer((app) => {
  app.post('/echo', { config: { access: 'public' }, schema: { body: Body } }, (request) => request.body);
  app.put('/echo', { config: { access: 'public' }, schema: { body: Changes } }, (request) => request.body);
  app.post('/any', { config: { access: 'public' } }, (request) => ({ body: request.body ?? null }));
});
after(server.stop);
const call = caller(server.url);
const post = (body: unknown, path = '/echo') => call('POST', path, { body });

function assertError(response: ApiResponse, status: number, error: string): void {
  assert.equal(response.status, status, JSON.stringify(response.body));
  assert.equal(response.body.error, error);
  assert.equal(typeof response.body.message, 'string');
  assert.ok(Array.isArray(response.body.details));
  assert.ok(Array.isArray(response.body.validationErrors));
  assert.ok(response.headers.get('x-request-id'));
  assert.doesNotMatch(JSON.stringify(response.body), /node_modules|\.ts:|at \w+ \(/);
}

const codes = (response: ApiResponse) =>
  Object.fromEntries(
    response.body.details.map((detail: { field: string; error: string }) => [detail.field, detail.error]),
  );

test('malformed JSON fails with 400 and is not echoed', async () => {
  for (const body of ['{', '{"name":}', "{'name':'x'}", '{"name":"x"} trailing', 'NaN', '\u0000']) {
    assertError(await post(body), 400, 'BAD_REQUEST');
  }
});

test('a body of 50 MB fails with 413 before it is read', async () => {
  const head =
    'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 52428800\r\n\r\n{"name":"';
  const response = await raw(server.port, head);
  assert.match(response, /^HTTP\/1\.1 413 /);
  assert.match(response, /"error":"PAYLOAD_TOO_LARGE","message":"[^"]+","details":\[\]/);
});

test('a chunked body over 1 MiB fails with 413', async () => {
  const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
  const head =
    'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n';
  assert.match(await raw(server.port, `${head + chunk.repeat(20)}0\r\n\r\n`), /^HTTP\/1\.1 413 /);
});

test('a body of 8 MiB gets 413 immediately, and the rest is drained, so that the connection is not reset for the client', async () => {
  const half = 'x'.repeat(4 * 1024 * 1024);
  const socket = connect(server.port, '127.0.0.1');
  let response = '';
  socket.on('data', (chunk) => {
    response += chunk;
  });
  const head = `POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${half.length * 2}\r\n\r\n`;
  await new Promise((sent) => socket.write(head + half, sent));
  await eventually('a response', async () => /^HTTP\/1\.1 413 .*"error":"PAYLOAD_TOO_LARGE"/s.test(response));
  response = '';
  socket.write(half);
  socket.write('GET /missing HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await once(socket, 'close');
  assert.match(response, /^HTTP\/1\.1 404 /);
});

test('an aborted upload is not logged as an error', async () => {
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const logging = await startServer(
    (app) => {
      app.post('/echo', { config: { access: 'public' }, schema: { body: Body } }, (request) => request.body);
    },
    { log },
  );
  after(logging.stop);
  for (let i = 0; i < 10; i++) {
    const arrived = once(logging.app.server, 'request');
    const socket = connect(logging.port, '127.0.0.1');
    socket.write(
      'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"name":',
    );
    const [request] = (await arrived) as [IncomingMessage];
    const closed = new Promise((resolve) => request.once('close', resolve));
    socket.resetAndDestroy();
    await closed;
  }
  await logging.call('POST', '/echo', { body: { name: 'x' } });
  assert.deepEqual(logged, []);
});

test('other requests run between large bodies', async (t) => {
  const order: string[] = [];
  const fair = await startServer((app) => {
    app.post('/fair', { config: { access: 'public' } }, async ({ body }) =>
      order.push((body as { name: string }).name),
    );
  });
  t.after(fair.stop);
  const headers = { 'content-type': 'application/json' };
  const large = (name: string) => JSON.stringify({ name, more: 'x'.repeat(100_000) });
  const bodies = [large('first'), large('second'), JSON.stringify({ name: 'small' })];
  await Promise.all(bodies.map(async (payload) => fair.app.inject({ method: 'POST', url: '/fair', headers, payload })));
  assert.deepEqual(order, ['small', 'first', 'second']);
});

test('arrays and objects nested 100,000 levels deep fail with 400', async () => {
  assertError(await post('['.repeat(100_000) + ']'.repeat(100_000), '/any'), 400, 'BAD_REQUEST');
  assertError(await post('{"a":'.repeat(100_000) + 1 + '}'.repeat(100_000), '/any'), 400, 'BAD_REQUEST');
  assertError(await post('['.repeat(100_000), '/any'), 400, 'BAD_REQUEST');
  assert.equal((await post(`{"a":"${'['.repeat(1000)}\\""}`, '/any')).status, 200);
  assert.equal((await post(`{"a":"\\"${'['.repeat(1000)}"}`, '/any')).status, 200);
  assertError(await post(`["\\"",${'['.repeat(100)}${']'.repeat(100)}]`, '/any'), 400, 'BAD_REQUEST');
});

test('an object with more than 10,000 fields fails with 400', async () => {
  const fields = (count: number) => Array.from({ length: count }, (_, i) => `"k${i}":":"`).join();
  assert.equal((await post(`{"a":[{${fields(10_000)}},{${fields(10_000)}}]}`, '/any')).status, 200);
  assertError(await post(`{"a":[{${fields(10_001)}}]}`, '/any'), 400, 'BAD_REQUEST');
});

test('prototype keys fail with 400 and pollute no prototype', async () => {
  for (const body of [
    '{"__proto__":{"admin":true},"name":"x"}',
    '{"name":"x","lines":[{"__proto__":{"admin":true}}]}',
    '{"constructor":{"prototype":{"admin":true}},"name":"x"}',
    '{"\\u005f_proto__":{"admin":true},"name":"x"}',
  ]) {
    assertError(await post(body, '/any'), 400, 'BAD_REQUEST');
  }
  assert.equal(({} as { admin?: boolean }).admin, undefined);
});

test('an unsupported content type fails with 415, and a missing required body with 422', async () => {
  for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'application/jsonx', 'x']) {
    assertError(
      await call('POST', '/echo', { body: '{"name":"x"}', headers: { 'content-type': type } }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
  }
  assert.equal(
    (
      await call('POST', '/echo', {
        body: '{"name":"x"}',
        headers: { 'content-type': 'application/json; charset=utf-8' },
      })
    ).status,
    200,
  );
  assertError(await call('POST', '/echo'), 422, 'VALIDATION_FAILED');
  assertError(await call('POST', '/echo', { body: '' }), 422, 'VALIDATION_FAILED');
});

test('NUL and unpaired surrogates fail with 422 and the name of the field', async () => {
  for (const text of ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00x', '\\ud800\\ud800']) {
    const response = await post(`{"name":"ok","lines":[{"sku":"${text}","quantity":1}]}`);
    assertError(response, 422, 'VALIDATION_FAILED');
    assert.deepEqual(codes(response), { 'lines[0].sku': 'INVALID_FORMAT' });
  }
  assertError(await post('{"name":"x","a\\u0000":1}', '/any'), 422, 'VALIDATION_FAILED');
  assert.deepEqual((await post('{"name":"\\ud83d\\ude00"}')).body, { name: '😀' });
});

test('strings, fractions and booleans are not coerced to integers', async () => {
  for (const quantity of ['"1"', '1.5', 'true', 'null', '[1]', '0', '-1', '1000001', '1e400', '9007199254740993']) {
    const response = await post(`{"name":"x","lines":[{"sku":"a","quantity":${quantity}}]}`);
    assertError(response, 422, 'VALIDATION_FAILED');
    assert.deepEqual(Object.keys(codes(response)), ['lines[0].quantity'], quantity);
  }
  assertError(await post({ name: 1 }), 422, 'VALIDATION_FAILED');
  assertError(await post({ name: ['x'] }), 422, 'VALIDATION_FAILED');
});

test('all invalid fields are reported at once with their path and a code', async () => {
  const response = await post({ note: 'too long', kind: 'C', lines: [{ sku: '', quantity: 0 }, {}, 7] });
  assertError(response, 422, 'VALIDATION_FAILED');
  assert.deepEqual(codes(response), {
    name: 'REQUIRED',
    note: 'TOO_LONG',
    kind: 'INVALID_VALUE',
    'lines[0].sku': 'TOO_SHORT',
    'lines[0].quantity': 'OUT_OF_RANGE',
    'lines[1].sku': 'REQUIRED',
    'lines[1].quantity': 'REQUIRED',
    'lines[2]': 'INVALID_TYPE',
  });
});

test('validationErrors repeats the invalid fields', async () => {
  const { body } = await post({ note: 'too long' });
  assert.deepEqual(body.validationErrors, [
    { field: 'name', error: 'REQUIRED' },
    { field: 'note', error: 'TOO_LONG' },
  ]);
  assert.deepEqual(
    body.details.map(({ field, error }: Record<string, string>) => ({ field, error })),
    body.validationErrors,
  );
});

test('every error has validationErrors, even if no field is invalid', async () => {
  for (const [response, status] of [
    [await post('{'), 400],
    [await call('GET', '/v1/nowhere'), 404],
    [await call('POST', '/echo', { body: 'x', headers: { 'content-type': 'text/plain' } }), 415],
  ] as const) {
    assert.equal(response.status, status);
    assert.deepEqual(response.body.validationErrors, []);
  }
  assert.match(await raw(server.port, 'NONSENSE\r\n\r\n'), /"details":\[\],"validationErrors":\[\]\}$/);
});

test('null clears an optional field in an update, and elsewhere has the same effect as omitting it', async () => {
  const body = { name: 'x', note: null, lines: null, kind: null, owner: null };
  assert.deepEqual((await post(body)).body, { name: 'x', note: null, owner: null });
  const put = (changes: object) => call('PUT', '/echo', { body: changes });
  const cleared = { text: null, note: null, tags: null };
  assert.deepEqual((await put(cleared)).body, { text: '', note: null, tags: [] });
  assert.deepEqual((await put({ tags: [{ label: 'a', color: null }] })).body, { tags: [{ label: 'a' }] });
  const required = await put({ name: null, text: null });
  assertError(required, 422, 'VALIDATION_FAILED');
  assert.deepEqual(codes(required), { name: 'INVALID_TYPE' }, 'a name can’t be empty');
  assertError(await post({ name: null }), 422, 'VALIDATION_FAILED');
});

test('a value that matches no branch of a union gives only the most specific error', async () => {
  assert.deepEqual(codes(await post({ name: 'x', owner: { userId: 'too long' } })), { 'owner.userId': 'TOO_LONG' });
  assert.deepEqual(codes(await post({ name: 'x', owner: 'text' })), { owner: 'INVALID_TYPE' });
  assert.deepEqual(codes(await post({ name: 'x', owner: 1.5 })), { owner: 'INVALID_TYPE' });
  const { details } = (await post({ name: 'x', kind: 'C' })).body;
  assert.equal(details[0].message, 'kind must be one of A, B.');
});

test('messages say what is expected', async () => {
  const messageOf = async (body: object) => (await post({ name: 'x', ...body })).body.details[0].message;
  const seconds = '(Unix time in seconds)';
  assert.equal(await messageOf({ at: '2026-01-01' }), `at must be of type integer ${seconds}.`);
  assert.equal(await messageOf({ at: Date.now() * 1000 }), `at must be at most 253402300799 ${seconds}.`);
  assert.equal(await messageOf({ price: '9.90' }), 'price must be of type integer (minor units, such as cents).');
  assert.equal(await messageOf({ status: 1 }), 'status must be one of OPEN, DONE.');
  assert.equal(await messageOf({ status: 'open' }), 'status must be one of OPEN, DONE.');
  assert.equal(await messageOf({ name: '' }), 'name must have at least 1 character.');
  assert.equal(await messageOf({ name: 'x'.repeat(30) }), 'name must have at most 20 characters.');
  assert.equal(await messageOf({ slug: 'A b' }), 'slug has an invalid format. Use a value such as linen-shirt.');
});

test('unknown fields are dropped', async () => {
  const response = await post({ name: 'x', isAdmin: true, lines: [{ sku: 'a', quantity: 1, price: 0 }] });
  assert.deepEqual(response.body, { name: 'x', lines: [{ sku: 'a', quantity: 1 }] });
});

test('a huge body full of errors is rejected, and only the first errors are listed', async () => {
  for (const line of ['{}', '0']) {
    const response = await post(`{"name":"x","lines":[${`${line},`.repeat(340_000)}{}]}`);
    assertError(response, 422, 'VALIDATION_FAILED');
    assert.ok(response.body.details.length < 5);
  }
  const { body } = await post({ name: 'x', lines: Array.from({ length: 5000 }, () => ({})) });
  assert.equal(body.details.length, 1000);
});

test('a union whose first branch would drop fields of the second is rejected at startup', async () => {
  const body = Type.Union([Input({ a: Text(5) }), Input({ b: Text(5) })]);
  const rejected = await startServer((app) => {
    app.post('/union', { config: { access: 'public' }, schema: { body } }, (request) => request.body);
  }).catch((error: Error) => error.message);
  assert.match(String(rejected), /A union of objects must not drop unknown fields/);
});
