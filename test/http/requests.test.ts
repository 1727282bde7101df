import assert from 'node:assert/strict';
import { connect } from 'node:net';
import test, { after } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import pino from 'pino';
import Type from 'typebox';
import { unavailable } from '../../src/shared/errors.ts';
import { createCursors, PageQuery, pageLimit } from '../../src/shared/paging.ts';
import { Id, Text } from '../../src/shared/schemas.ts';
import { raw, startServer } from './app.ts';

const cursors = createCursors(Buffer.alloc(32, 1));
const Query = Type.Object({ ...PageQuery.properties, ids: Type.Optional(Type.Array(Id, { maxItems: 5 })) });
const routes: Parameters<typeof startServer>[0] = (app) => {
  app.get('/list', { config: { access: 'public' }, schema: { querystring: Query } }, (request) => {
    const { limit, cursor, ids } = request.query;
    return { limit: pageLimit(limit), position: cursors.decode('list:newest', cursor), ids: ids ?? null };
  });
  app.get(
    '/things/:id',
    { config: { access: 'public' }, schema: { params: Type.Object({ id: Text(600) }) } },
    (request) => request.params,
  );
  app.get('/fails', { config: { access: 'public' } }, () => {
    throw new Error('select secret from vault');
  });
  app.post('/body', { config: { access: 'public' } }, (request) => request.body);
};
const server = await startServer(routes);
after(server.stop);
const { call, port } = server;
const list = (query: string) => call('GET', `/list?${query}`);

test('a list in a query can be repeated, comma-separated or JSON', async () => {
  for (const query of [
    'ids=a&ids=b',
    'ids[]=a&ids[]=b',
    'ids%5B%5D=a,b',
    'ids=a,b',
    'ids=%5B%22a%22%2C%22b%22%5D',
    'ids=a,%20b',
  ]) {
    assert.deepEqual((await list(query)).body.ids, ['a', 'b'], query);
  }
  assert.deepEqual((await list('ids=a')).body.ids, ['a']);
  assert.deepEqual((await list('ids[]=a')).body.ids, ['a']);
  assert.deepEqual((await list('ids=a,b&ids=c')).body.ids, ['a', 'b', 'c']);
  assert.deepEqual((await list('ids=')).body.ids, []);
  assert.equal((await list('ids=%5Bbroken')).status, 422);
  assert.equal((await list('ids=%5B%7B%7D%5D')).status, 422);
  assert.equal((await list('ids=a,b,c,d,e,f')).status, 422);
  assert.equal((await list(`ids=${'['.repeat(7500)}${']'.repeat(7500)}`)).status, 422);
});

test('limit defaults to 20, is capped at 100 and must be a positive integer', async () => {
  const limitOf = async (text: string) => (await list(text)).body.limit;
  assert.deepEqual([await limitOf(''), await limitOf('limit=7'), await limitOf('limit=5000')], [20, 7, 100]);
  for (const bad of ['0', '-1', '1.5', 'x', '', 'NaN', '1e1000', '0x10', '1&limit=2']) {
    const response = await list(`limit=${bad}`);
    assert.equal(response.status, 422, bad);
    assert.equal(response.body.details[0].field, 'limit');
  }
});

test('a missing or empty cursor and the cursor "null" return the first page', async () => {
  for (const query of ['', 'cursor=', 'cursor=null']) assert.equal((await list(query)).body.position, null);
});

test('a cursor works only for its own list and sort order, and any other fails with 400', async () => {
  const cursor = cursors.encode('list:newest', [1763164800, 'prod_1']);
  assert.deepEqual((await list(`cursor=${cursor}`)).body.position, [1763164800, 'prod_1']);
  const flipped = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
  const foreign = createCursors(Buffer.alloc(32, 2)).encode('list:newest', [1, 'a']);
  const bad = [
    cursors.encode('list:name', [1, 'a']),
    foreign,
    flipped,
    cursor.slice(0, 12),
    'x',
    'eyJpZCI6MX0',
    `${cursor}x`,
    'x'.repeat(5000),
  ];
  for (const text of bad) {
    const response = await list(`cursor=${text}`);
    assert.deepEqual([response.status, response.body.error], [400, 'BAD_REQUEST'], text);
    assert.equal(response.body.details[0].field, 'cursor');
  }
});

test('NUL and invalid UTF-8 in a path or query are rejected with the standard error body', async () => {
  for (const path of ['/things/a%00b', '/list?cursor=%00', '/list?ids=a,%00']) {
    const response = await call('GET', path);
    assert.deepEqual([response.status, response.body.error], [422, 'VALIDATION_FAILED'], path);
  }
  for (const path of ['/things/%zz', '/things/%ff%fe', '/%', `/things/${'x'.repeat(600)}`]) {
    const response = await call('GET', path);
    assert.deepEqual([response.status, response.body.error], [400, 'BAD_REQUEST'], path);
    assert.ok(response.headers.get('x-request-id'));
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  }
});

test('HEAD responds like GET without a body, and fails with 404 on a POST-only route', async () => {
  const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => fetch(`${server.url}/list`, { method })));
  assert.equal(head!.status, 200);
  assert.equal(head!.headers.get('content-length'), get!.headers.get('content-length'));
  assert.equal(await head!.text(), '');
  assert.equal((await fetch(`${server.url}/body`, { method: 'HEAD' })).status, 404);
});

test('an unexpected error responds with 500 and the request ID, without details', async () => {
  const response = await call('GET', '/fails', { headers: { 'x-request-id': 'abc' } });
  assert.deepEqual(response.body, {
    error: 'INTERNAL',
    message: 'An unexpected error occurred (request abc).',
    details: [],
    validationErrors: [],
    requestId: 'abc',
  });
});

test('of many 503 responses, the first is logged without a stack and the others are only counted', async (t) => {
  const entries: string[] = [];
  const log = pino({ level: 'warn' }, { write: (entry: string) => void entries.push(entry) });
  const busy = await startServer(
    (app) =>
      app.get('/busy', { config: { access: 'public' } }, () => {
        throw unavailable('The service is too busy. Try again soon.');
      }),
    { log },
  );
  t.after(busy.stop);
  const responses = await Promise.all(Array.from({ length: 100 }, () => busy.call('GET', '/busy')));
  assert.ok(responses.every(({ status }) => status === 503));
  assert.ok(entries.length < 50, `${entries.length} entries`);
  while (!entries.some((entry) => entry.includes('"count"'))) await new Promise((resolve) => setImmediate(resolve));
  assert.doesNotMatch(entries.join(), /stack/);
});

test('a safe request ID is kept, and any other is replaced', async () => {
  const idOf = async (sent?: string) =>
    (await call('GET', '/list', { headers: sent === undefined ? {} : { 'x-request-id': sent } })).headers.get(
      'x-request-id',
    );
  assert.equal(await idOf('trace-1.a_B'), 'trace-1.a_B');
  const generated = await Promise.all([idOf(), idOf('x'.repeat(65)), idOf('a b'), idOf('<script>'), idOf('')]);
  assert.equal(new Set(generated).size, 5);
  for (const id of generated) assert.match(id ?? '', /^req-/);
});

test('every response forbids sniffing, framing and caching', async () => {
  for (const path of ['/list', '/nothing', '/fails']) {
    const { headers } = await call('GET', path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('x-frame-options'), 'DENY');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.equal(headers.get('strict-transport-security'), null);
    assert.equal(headers.get('server') ?? headers.get('x-powered-by'), null);
  }
});

test('responses over HTTPS have a Strict-Transport-Security header', async () => {
  const secure = await startServer(() => {}, { https: true });
  after(secure.stop);
  assert.match((await secure.call('GET', '/x')).headers.get('strict-transport-security') ?? '', /max-age=\d{8}/);
});

test('CORS allows requests and preflights only from allowed origins', async () => {
  const from = (origin: string, method = 'GET') =>
    call(method, '/list', { headers: { origin, 'access-control-request-method': 'PUT' } });
  const allowed = await from('https://shop.example');
  assert.equal(allowed.headers.get('access-control-allow-origin'), 'https://shop.example');
  assert.match(allowed.headers.get('vary') ?? '', /Origin/);
  assert.equal(allowed.headers.get('access-control-allow-credentials'), null);
  const preflight = await from('https://shop.example', 'OPTIONS');
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PUT/);
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization.*idempotency-key/);
  assert.equal(preflight.headers.get('access-control-max-age'), '600');
  assert.equal(
    allowed.headers.get('access-control-expose-headers'),
    'etag, retry-after, souk-ignored, souk-lsn, x-request-id',
  );
  for (const origin of ['https://evil.example', 'https://shop.example.evil.example', 'http://shop.example', 'null']) {
    for (const method of ['GET', 'OPTIONS']) {
      assert.equal((await from(origin, method)).headers.get('access-control-allow-origin'), null, origin);
    }
  }
});

test('a client that never finishes its headers or body gets 408', { timeout: 20_000 }, async () => {
  const lenient = await startServer(() => {}, { timeouts: { headersMs: 150, requestMs: 600_000 } });
  const strict = await startServer(routes, { timeouts: { headersMs: 150, requestMs: 300 } });
  after(() => Promise.all([lenient.stop(), strict.stop()]));
  const [headers, body, nothing] = await Promise.all([
    raw(lenient.port, 'GET /list HTTP/1.1\r\nhost: x\r\nx-slow: '),
    raw(
      strict.port,
      'POST /body HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":',
    ),
    raw(strict.port, ''),
  ]);
  assert.match(headers, /^HTTP\/1\.1 408 .*"error":"REQUEST_TIMEOUT".*"details":\[\]/s);
  assert.match(body, /^HTTP\/1\.1 408 .*"error":"REQUEST_TIMEOUT"/s);
  assert.match(nothing, /^(HTTP\/1\.1 408 .*)?$/s);
  assert.equal((await list('')).status, 200);
});

test('a call within the process that is rejected before its body is read does not crash the process', async () => {
  const { app, stop } = await startServer(
    (app) => {
      app.addHook('onRequest', (_request, _reply, done) => done(unavailable()));
      routes(app);
    },
    { timeouts: { headersMs: 150, requestMs: 50 } },
  );
  after(stop);
  assert.equal((await app.inject({ method: 'POST', url: '/body', payload: { a: 1 } })).statusCode, 503);
  await setTimeout(100);
});

test('malformed HTTP and oversized headers get the standard error body', async () => {
  assert.match(await raw(port, 'NONSENSE\r\n\r\n'), /^HTTP\/1\.1 400 .*"error":"BAD_REQUEST".*"details":\[\]/s);
  const twice = 'POST /body HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n';
  assert.match(await raw(port, twice), /^HTTP\/1\.1 400 /);
  const huge = `GET /list HTTP/1.1\r\nhost: x\r\n${'x-a: b\r\n'.repeat(4000)}\r\n`;
  assert.match(await raw(port, huge), /^HTTP\/1\.1 431 .*"error":"HEADERS_TOO_LARGE"/s);
});

test('a client that disconnects mid-request does not affect others', async () => {
  for (let i = 0; i < 20; i++) {
    const socket = connect(port, '127.0.0.1');
    socket.write('POST /body HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{');
    socket.resetAndDestroy();
  }
  assert.equal((await list('')).status, 200);
});
