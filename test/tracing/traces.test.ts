/** The spans that a collector receives: OTLP over HTTP, on loopback. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after } from 'node:test';
import { setTracing, tracing } from '../../src/shared/tracing.ts';
import { type Json, startHarness } from '../harness.ts';

type Exported = {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: Json[];
  kind: number;
};

let received = '';
let authorization: string | undefined;
const receiver = createServer(async (request, response) => {
  authorization = request.headers.authorization;
  for await (const chunk of request) received += chunk;
  received += '\n';
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
after(() => receiver.close());

const { port } = receiver.address() as AddressInfo;
const h = await startHarness({
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer of-the-receiver',
});

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

test('a request, its statements, its job and its email belong to the caller’s trace, without personal data', async () => {
  const response = await h.call('POST', '/v1/users/register', {
    body: { email: 'secret.person@example.com', password: 'a long enough password', name: 'Secret Person' },
    headers: { traceparent: `00-${TRACE}-${CALLER}-01` },
  });
  assert.equal(response.status, 200);
  assert.equal(await h.drain('mail'), 1);
  await tracing!.stop();
  setTracing(null);
  assert.equal(authorization, 'Bearer of-the-receiver');

  const spans: Exported[] = received
    .trim()
    .split('\n')
    .flatMap((text) => JSON.parse(text).resourceSpans)
    .flatMap((resource) => resource.scopeSpans.flatMap((scope: Json) => scope.spans))
    .filter((span: Exported) => span.traceId === TRACE);
  const find = (name: string, parent?: string) => {
    const found = spans.find((span) => span.name === name && (!parent || span.parentSpanId === parent));
    assert.ok(found, `${name} in ${spans.map((span) => span.name)}`);
    return found;
  };
  const request = find('POST /v1/users/register', CALLER);
  const attributes = Object.fromEntries(request.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  assert.equal(attributes['http.response.status_code'], 200);
  find('INSERT', request.spanId);
  const job = find('job mail', request.spanId);
  find('send mail', job.spanId);
  for (const private_ of ['secret', 'Secret', 'long enough']) assert.ok(!received.includes(private_), private_);
});

test('without an endpoint, no OpenTelemetry exporter is loaded', () => {
  const script = `
    import { createRequire } from 'node:module';
    await import('./src/processes.ts');
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    console.log(loaded.some((path) => path.includes('fastify')), loaded.some((path) => path.includes('sdk-trace')));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(output.trim(), 'true false');
});
