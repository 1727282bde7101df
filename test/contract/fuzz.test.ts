/**
 * Calls every operation with mutated input generated from its own schema: wrong types, missing and unknown fields, huge and
 * hostile text, out-of-range numbers, deep nesting, IDs of the wrong type, junk queries and headers. The service must always
 * respond with a documented body and never with a server error.
 *
 * `FUZZ_SEED=7 FUZZ_RUNS=1000 npm test -- test/contract/fuzz.test.ts` runs longer with another seed.
 */
import assert from 'node:assert/strict';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import test, { after } from 'node:test';
import fc, { type Arbitrary } from 'fast-check';
import { CLIENT, startIdp } from '../accounts/oauth/idp.ts';
import { type ApiResponse, startHarness } from '../harness.ts';
import { type Operation, readDocument } from './document.ts';
import { checkFields, ERROR } from './fields.ts';
import { encoded, headerText, hostileText, mutated, serialize, valid } from './hostile.ts';
import { createWorld, type World } from './world.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 20_240_229);
const RUNS = Number(process.env.FUZZ_RUNS ?? 24);

const ORIGIN = 'https://shop.example';
const idp = await startIdp([`${ORIGIN}/callback`]);
const h = await startHarness({
  // Passkeys need a host name.
  PUBLIC_URL: 'https://souk.example',
  OAUTH_IDP_ISSUER: idp.issuer,
  OAUTH_IDP_CLIENT_ID: CLIENT.id,
  OAUTH_IDP_CLIENT_SECRET: CLIENT.secret,
  ALLOWED_ORIGINS: ORIGIN,
  LIMIT_ADDRESS: '1000000',
  LIMIT_MESSAGES: '1000000',
  LIMIT_ACCOUNT_FAILURES: '1000000',
  LIMIT_SMS: '1000000/1000000',
  LIMIT_CHECKOUT: '1000000/1000000',
  LIMIT_SUBSCRIBE: '1000000/1000000',
  LIMIT_QUOTE: '1000000/1000000',
  LIMIT_MAIL: '1000000/1000000',
  LIMIT_WEBHOOK_TEST: '1000000/1000000',
});
const document = await readDocument(h);
const agent = new Agent({ keepAlive: true });
after(() => agent.destroy());

/** Reads run before writes. Operations that delete records or end sessions run last. */
const orderOf = ({ method, path }: Operation) =>
  method === 'DELETE' || /logout|password/.test(path) ? 3 : ['GET', 'POST', 'PUT'].indexOf(method);
const operations = document.operations.toSorted((a, b) => orderOf(a) - orderOf(b));

/** Operations that have succeeded at least once. */
const reached = new Set<string>();
let world = await createWorld(h);

for (const operation of operations) {
  test(`${operation.name} handles any input`, async () => {
    if (!(await world.isIntact())) world = await createWorld(h);
    const property = fc.asyncProperty(requestsTo(operation, world), async (request) => {
      try {
        const response = await send(request);
        checkResponse(operation, response);
        if (response.status === 200) reached.add(operation.name);
      } catch (error) {
        throw new Error(`${(error as Error).message}\nrequest: ${JSON.stringify(request).slice(0, 3000)}`);
      }
    });
    await fc.assert(property, { seed: SEED, numRuns: RUNS, interruptAfterTimeLimit: 60_000 });
  });
}

/** Each of these once caused a server error somewhere. The rest of the request is valid, so that it reaches the handler. */
const SEGMENTS = ['%00', '%ff', '%ed%a0%80', '%zz', '__proto__', 'a'.repeat(10_240)];
const TEXTS = ['', '%00', '%ed%a0%80', '%5B%5D', '-1', '1e999', '__proto__', 'a'.repeat(8000)];
const HEADERS = ['', '*', '"', '"1", "2", *', '\u00ff', 'a'.repeat(4000)];

test('no path segment, query parameter or header causes a server error', async () => {
  if (!(await world.isIntact())) world = await createWorld(h);
  const queue = operations
    .filter(({ method }) => method !== 'DELETE')
    .flatMap((operation) => unusualRequestsTo(operation));
  const work = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const { operation, request } = next;
      const response = await send(request);
      assert.ok(response.status < 500, `${response.status} to ${JSON.stringify(request).slice(0, 300)}`);
      checkResponse(operation, response);
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
});

function unusualRequestsTo(operation: Operation): { operation: Operation; request: Request }[] {
  const { method, path, parameters, name } = operation;
  const parts = path.split('/');
  const right = parts.map((part, i) => (part.startsWith('{') ? (world.inPaths[parts[i - 1]!] ?? 'none') : part));
  const body = method === 'GET' ? undefined : JSON.stringify(world.samples[name]?.[0] ?? {});
  const of = (target: string, headers: Record<string, string> = {}) => ({
    operation,
    request: {
      method,
      path: target,
      ...(body && { body }),
      headers: { ...world.callers.admin, ...(body && { 'content-type': 'application/json' }), ...headers },
    },
  });
  const inPath = parts.flatMap((part, i) =>
    part.startsWith('{') ? SEGMENTS.map((segment) => of(right.with(i, segment).join('/'))) : [],
  );
  const inQuery = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap((parameter) =>
      TEXTS.map((text) => of(`${right.join('/')}?${encodeURIComponent(parameter.name)}=${text}`)),
    );
  const inHeaders = parameters
    .filter((parameter) => parameter.in === 'header')
    .flatMap((parameter) => HEADERS.map((text) => of(right.join('/'), { [parameter.name]: text })));
  return [...inPath, ...inQuery, ...inHeaders];
}

/** The rest need a signature, a link from an email or a second factor. */
test('most operations have succeeded at least once', {}, () => {
  const missed = operations.filter(({ name }) => !reached.has(name)).map(({ name }) => name);
  assert.ok(missed.length < operations.length / 4, missed.join('\n'));
});

test('all jobs created by the fuzzed requests succeed', async () => {
  await h.drain();
  const failed = await h.pool`select name, output from jobs.job where state in ('failed', 'retry') limit 5`;
  assert.deepEqual([...failed], []);
  assert.deepEqual([...(await h.pool`select queue, error from tasks where error is not null limit 5`)], []);
});

const ERROR_CODES: Record<number, string[]> = {
  400: ['BAD_REQUEST'],
  401: ['UNAUTHENTICATED', 'SECOND_FACTOR_REQUIRED'],
  403: ['FORBIDDEN', 'SECOND_FACTOR_MISSING', 'STEP_UP_REQUIRED'],
  404: ['NOT_FOUND'],
  409: ['CONFLICT'],
  412: ['PRECONDITION_FAILED'],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  422: ['VALIDATION_FAILED', 'IDEMPOTENCY_MISMATCH'],
  429: ['RATE_LIMITED'],
  431: ['HEADERS_TOO_LARGE'],
};

function checkResponse(operation: Operation, response: ApiResponse): void {
  const { status, body, headers } = response;
  assert.ok(status < 500, `${status} ${JSON.stringify(body).slice(0, 300)}`);
  document.check(operation, response);
  if (status < 400) return;
  checkFields(body, ERROR);
  assert.ok(ERROR_CODES[status]?.includes(body.error), `${status} ${body.error}`);
  if (body.error === 'VALIDATION_FAILED') assert.ok(body.details.length > 0, 'a 422 lists the invalid fields');
  if (status === 429) assert.ok(Number(headers.get('retry-after')) > 0, 'a 429 has a Retry-After header');
}

type Request = { method: string; path: string; headers: Record<string, string>; body?: string };

function requestsTo(operation: Operation, world: World): Arbitrary<Request> {
  const { inPaths, known, callers } = world;
  const of = (place: string) => operation.parameters.filter((parameter) => parameter.in === place);
  const path = fc.tuple(
    ...operation.path.split('/').map((part, i, parts) => {
      if (!part.startsWith('{')) return fc.constant(part);
      const real = fc.constant(inPaths[parts[i - 1]!] ?? 'none');
      const junk = encoded(fc.oneof(hostileText, fc.constantFrom(...Object.values(inPaths)))).filter(
        (text) => text !== '',
      );
      return fc.oneof({ weight: 9, arbitrary: real }, { weight: 1, arbitrary: junk });
    }),
  );
  const strange = fc.tuple(
    fc.constantFrom('a', 'a[b]', '__proto__', 'limit', 'cursor', 'filter[title]', 'filter[]', 'constructor', ''),
    encoded(hostileText),
  );
  const queryWith = (optional: number) =>
    fc.tuple(
      ...of('query').map(({ name, schema, required }) => {
        const text = valid(schema, known, name).map((value) =>
          typeof value === 'string' ? value : `${serialize(value)}`,
        );
        const value = encoded(fc.oneof({ weight: 4, arbitrary: text }, { weight: 1, arbitrary: hostileText }));
        const pair = fc.tuple(fc.constant(encodeURIComponent(name)), value);
        return sometimes(pair, required ? 20 : optional);
      }),
      sometimes(strange, 0.1),
    );
  /** With many parameters, one of them is nearly always invalid. */
  const query = fc.oneof({ weight: 3, arbitrary: queryWith(0.3) }, { weight: 1, arbitrary: queryWith(0.02) });
  const headers = fc.record(
    Object.fromEntries(
      ['if-match', 'idempotency-key', 'accept', 'origin', 'x-request-id', 'x-forwarded-for', 'stripe-signature'].map(
        (name) => [name, sometimes(headerText, 0.1)],
      ),
    ),
  );
  const who = fc.oneof(
    { weight: 16, arbitrary: fc.constantFrom(callers.admin!, callers.key!) },
    { weight: 2, arbitrary: fc.constantFrom(callers.guest!, callers.nobody!) },
    { weight: 1, arbitrary: headerText.map((text) => ({ authorization: `Bearer ${text}` })) },
    { weight: 1, arbitrary: headerText.map((text) => ({ 'x-api-key': text })) },
  );
  return fc.tuple(path, query, headers, who, bodiesOf(operation, world)).map(([parts, pairs, junk, caller, body]) => {
    const search = pairs.filter((pair) => pair !== undefined).map((pair) => pair.join('='));
    const sent = Object.entries(junk).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return {
      method: operation.method,
      path: [parts.join('/'), ...(search.length > 0 ? [search.join('&')] : [])].join('?'),
      headers: { ...Object.fromEntries(sent), ...caller, ...(body && { 'content-type': body.type }) },
      ...(body && { body: body.text }),
    };
  });
}

/** The value or undefined, with odds of `odds` to 1. */
const sometimes = <T>(value: Arbitrary<T>, odds: number): Arbitrary<T | undefined> =>
  fc.oneof({ weight: Math.round(odds * 10), arbitrary: value }, { weight: 10, arbitrary: fc.constant(undefined) });

/** Mostly JSON, sometimes malformed JSON or another content type. */
function bodiesOf(
  { name, method, body }: Operation,
  { known, samples }: World,
): Arbitrary<{ type: string; text: string } | undefined> {
  const json = (arbitrary: Arbitrary<unknown>) =>
    arbitrary.map((value) => ({ type: 'application/json', text: serialize(value) ?? '' }));
  const broken = fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '1',
    '"x"',
    '{"a":1}}',
    '{"a":NaN}',
    '\0',
    '\ufeff{}',
    '{"a":"\ud800"}',
  );
  const types = fc.constantFrom(
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-16',
    ';',
    'application/jsonx',
  );
  const others = [
    { weight: 1, arbitrary: broken.map((text) => ({ type: 'application/json', text })) },
    { weight: 1, arbitrary: fc.tuple(types, broken).map(([type, text]) => ({ type, text })) },
    { weight: body ? 1 : 8, arbitrary: fc.constant(undefined) },
  ];
  if (method === 'GET') return fc.constant(undefined);
  if (!body) return fc.oneof(...others);
  const good = samples[name];
  return fc.oneof(
    { weight: 16, arbitrary: json(mutated(valid(body, known))) },
    { weight: good ? 16 : 0, arbitrary: json(mutated(fc.constantFrom(...(good ?? [{}])))) },
    ...others,
  );
}

/** Sends the request as is, because `fetch` would normalize it. */
function send({ method, path, headers, body }: Request): Promise<ApiResponse> {
  return new Promise((resolve, reject) => {
    const size = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = { method, path, headers: { ...headers, ...size }, agent };
    const call = httpRequest(h.url, options, (response) => void read(response).then(resolve, reject));
    call.on('error', reject);
    call.end(body);
  });
}

async function read(response: IncomingMessage): Promise<ApiResponse> {
  const chunks: Buffer[] = [];
  // An event stream never ends, so the first chunk is enough.
  const isEndless = response.headers['content-type']?.startsWith('text/event-stream');
  for await (const chunk of response) {
    chunks.push(chunk);
    if (isEndless) break;
  }
  const text = Buffer.concat(chunks).toString();
  const headers = new Headers(response.headers as Record<string, string>);
  const isJson = headers.get('content-type')?.startsWith('application/json');
  return { status: response.statusCode!, headers, body: isJson ? JSON.parse(text) : text };
}
