import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import test, { after } from 'node:test';
import pino from 'pino';
import Type from 'typebox';
import { Input, Nullable, Quantity, Text } from '../../src/shared/schemas.ts';
import { type Answer, caller } from '../harness.ts';
import { raw, startServer } from './app.ts';

const Line = Input({ sku: Text(10), quantity: Quantity });
const Body = Input({
  name: Text(20),
  note: Type.Optional(Nullable(Type.String({ maxLength: 5 }))),
  lines: Type.Optional(Type.Array(Type.Union([Line, Type.Null()]))),
  kind: Type.Optional(Type.Union([Type.Literal('A'), Type.Literal('B')])),
  owner: Type.Optional(Type.Union([Input({ userId: Text(5) }), Nullable(Type.Integer())])),
});
const server = await startServer((app) => {
  app.post('/echo', { config: { access: 'public' }, schema: { body: Body } }, (request) => request.body);
  app.post('/any', { config: { access: 'public' } }, (request) => ({ body: request.body ?? null }));
});
after(server.stop);
const call = caller(server.url);
const post = (body: unknown, path = '/echo') => call('POST', path, { body });

function assertError(answer: Answer, status: number, error: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.equal(answer.body.error, error);
  assert.equal(typeof answer.body.message, 'string');
  assert.ok(Array.isArray(answer.body.details));
  assert.ok(answer.headers.get('x-request-id'));
  assert.doesNotMatch(JSON.stringify(answer.body), /node_modules|\.ts:|at \w+ \(/);
}

const codes = (answer: Answer) =>
  Object.fromEntries(
    answer.body.details.map((detail: { field: string; error: string }) => [detail.field, detail.error]),
  );

test('malformed JSON is 400, and nothing of it is echoed', async () => {
  for (const body of ['{', '{"name":}', "{'name':'x'}", '{"name":"x"} trailing', 'NaN', '\u0000']) {
    assertError(await post(body), 400, 'BAD_REQUEST');
  }
});

test('a body of 50 MB is 413 before it is read', async () => {
  const startedAt = performance.now();
  const head =
    'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 52428800\r\n\r\n{"name":"';
  const answer = await raw(server.port, head);
  assert.match(answer, /^HTTP\/1\.1 413 /);
  assert.match(answer, /"error":"PAYLOAD_TOO_LARGE","message":"[^"]+","details":\[\]/);
  assert.ok(performance.now() - startedAt < 2000);
});

test('a chunked body that grows past 1 MiB is 413', async () => {
  const chunk = `${(65_536).toString(16)}\r\n${'x'.repeat(65_536)}\r\n`;
  const head = 'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n';
  assert.match(await raw(server.port, `${head + chunk.repeat(20)}0\r\n\r\n`), /^HTTP\/1\.1 413 /);
});

test('a body of 8 MiB is read to its end before 413 goes out, so that the client sees it and no reset', async () => {
  const half = 'x'.repeat(4 * 1024 * 1024);
  const socket = connect(server.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  const head = `POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${half.length * 2}\r\n\r\n`;
  await new Promise((sent) => socket.write(head + half, sent));
  for (let i = 0; i < 10; i++) await post({ name: 'x' });
  assert.equal(answer, '');
  socket.write(half);
  await once(socket, 'close');
  assert.match(answer, /^HTTP\/1\.1 413 .*"error":"PAYLOAD_TOO_LARGE"/s);
});

test('an upload that breaks off is not logged as a failure of ours', async () => {
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const noted = await startServer(
    (app) => {
      app.post('/echo', { config: { access: 'public' }, schema: { body: Body } }, (request) => request.body);
    },
    { log },
  );
  after(noted.stop);
  for (let i = 0; i < 10; i++) {
    const socket = connect(noted.port, '127.0.0.1');
    socket.write(
      'POST /echo HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n{"name":',
    );
    await new Promise((sent) => setTimeout(sent, 20));
    socket.resetAndDestroy();
  }
  await noted.call('POST', '/echo', { body: { name: 'x' } });
  assert.deepEqual(logged, []);
});

test('JSON that is nested 100,000 levels deep is 400, arrays and objects alike', async () => {
  assertError(await post('['.repeat(100_000) + ']'.repeat(100_000), '/any'), 400, 'BAD_REQUEST');
  assertError(await post('{"a":'.repeat(100_000) + 1 + '}'.repeat(100_000), '/any'), 400, 'BAD_REQUEST');
  assertError(await post('['.repeat(100_000), '/any'), 400, 'BAD_REQUEST');
  assert.equal((await post(`{"a":"${'['.repeat(1000)}\\""}`, '/any')).status, 200);
});

test('keys that reach for a prototype are 400 and pollute nothing', async () => {
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

test('a content type that is not JSON is 415, no body where one is needed is 422', async () => {
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

test('NUL and half characters are 422 and name the field', async () => {
  for (const text of ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00x', '\\ud800\\ud800']) {
    const answer = await post(`{"name":"ok","lines":[{"sku":"${text}","quantity":1}]}`);
    assertError(answer, 422, 'VALIDATION_FAILED');
    assert.deepEqual(codes(answer), { 'lines[0].sku': 'INVALID_FORMAT' });
  }
  assertError(await post('{"name":"x","a\\u0000":1}', '/any'), 422, 'VALIDATION_FAILED');
  assert.deepEqual((await post('{"name":"\\ud83d\\ude00"}')).body, { name: '😀' });
});

test('numbers are not read from strings, nor rounded, nor made of booleans', async () => {
  for (const quantity of ['"1"', '1.5', 'true', 'null', '[1]', '0', '-1', '1000001', '1e400', '9007199254740993']) {
    const answer = await post(`{"name":"x","lines":[{"sku":"a","quantity":${quantity}}]}`);
    assertError(answer, 422, 'VALIDATION_FAILED');
    assert.deepEqual(Object.keys(codes(answer)), ['lines[0].quantity'], quantity);
  }
  assertError(await post({ name: 1 }), 422, 'VALIDATION_FAILED');
  assertError(await post({ name: ['x'] }), 422, 'VALIDATION_FAILED');
});

test('every wrong field is named at once, by its path and a code', async () => {
  const answer = await post({ note: 'too long', kind: 'C', lines: [{ sku: '', quantity: 0 }, {}, 7] });
  assertError(answer, 422, 'VALIDATION_FAILED');
  assert.deepEqual(codes(answer), {
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

test('the wrong fields stand a second time as validationErrors', async () => {
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

test('a value that fits no branch of a union gives one error, the most telling one', async () => {
  assert.deepEqual(codes(await post({ name: 'x', owner: { userId: 'too long' } })), { 'owner.userId': 'TOO_LONG' });
  assert.deepEqual(codes(await post({ name: 'x', owner: 'text' })), { owner: 'INVALID_TYPE' });
  assert.deepEqual(codes(await post({ name: 'x', owner: 1.5 })), { owner: 'INVALID_TYPE' });
  const { details } = (await post({ name: 'x', kind: 'C' })).body;
  assert.equal(details[0].message, 'kind must be one of A, B.');
});

test('fields that are not named are dropped', async () => {
  const answer = await post({ name: 'x', isAdmin: true, lines: [{ sku: 'a', quantity: 1, price: 0 }] });
  assert.deepEqual(answer.body, { name: 'x', lines: [{ sku: 'a', quantity: 1 }] });
});

test('a body made of errors is answered at once, with the first of them', async () => {
  const startedAt = performance.now();
  for (const line of ['{}', '0']) {
    const answer = await post(`{"name":"x","lines":[${`${line},`.repeat(340_000)}{}]}`);
    assertError(answer, 422, 'VALIDATION_FAILED');
    assert.ok(answer.body.details.length < 5);
  }
  const { body } = await post({ name: 'x', lines: Array.from({ length: 5000 }, () => ({})) });
  assert.equal(body.details.length, 1000);
  assert.ok(performance.now() - startedAt < 10_000, `${performance.now() - startedAt} ms`);
});

test('a union whose first branch would drop fields of the second is refused when the service starts', async () => {
  const body = Type.Union([Input({ a: Text(5) }), Input({ b: Text(5) })]);
  const refused = await startServer((app) => {
    app.post('/union', { config: { access: 'public' }, schema: { body } }, (request) => request.body);
  }).catch((error: Error) => error.message);
  assert.match(String(refused), /A union of objects must not drop unknown fields/);
});
