import assert from 'node:assert/strict';
import test from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { systemRoutes } from '../../src/http/system.ts';
import { type Json, startHarness } from '../harness.ts';
import { startServer } from './app.ts';

type Operation = {
  operationId: string;
  summary?: string;
  tags?: string[];
  responses: Record<string, { description: string; content?: Record<string, { schema?: object }> }>;
  parameters?: { name: string; in: string }[];
  security?: object[];
  'x-access'?: string;
};

const h = await startHarness();
const { body: api } = await h.call('GET', '/openapi.json');
/** Replaces references to shared responses. */
const resolved = (responses: Operation['responses']) =>
  Object.fromEntries(
    Object.entries(responses as Record<string, Json>).map(([status, response]) => [
      status,
      response.$ref ? api.components.responses[response.$ref.split('/').at(-1)] : response,
    ]),
  );
const operations = Object.entries(api.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    path,
    method,
    operation: { ...operation, responses: resolved(operation.responses) },
    name: `${method.toUpperCase()} ${path}`,
  })),
);

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(api));
  assert.ok(valid, JSON.stringify(errors, null, 1)?.slice(0, 2000));
  assert.equal(api.openapi, '3.1.0');
});

test('every reference resolves', () => {
  const references = [...JSON.stringify(api).matchAll(/"\$ref":"([^"]+)"/g)].map((match) => match[1]!);
  assert.ok(references.length > 0);
  for (const reference of new Set(references)) {
    const found = reference
      .slice(2)
      .split('/')
      .reduce(
        (at: Record<string, unknown> | undefined, part) => at?.[part] as Record<string, unknown> | undefined,
        api,
      );
    assert.ok(reference.startsWith('#/') && found, reference);
  }
});

test('every operation has a unique ID, a summary, one tag, an access rule and the standard errors', () => {
  assert.ok(operations.length > 0);
  assert.equal(new Set(operations.map(({ operation }) => operation.operationId)).size, operations.length);
  for (const { operation, name } of operations) {
    assert.ok(operation.summary, name);
    assert.equal(operation.tags?.length, 1, name);
    assert.ok(operation['x-access'], name);
    assert.equal(operation.security?.length === 0, operation['x-access'] === 'public', name);
    assert.ok(operation.responses['5XX'], name);
    assert.equal('401' in operation.responses, operation['x-access'] !== 'public', name);
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (status.startsWith('2')) continue;
      assert.deepEqual(
        content?.['application/json']?.schema,
        { $ref: '#/components/schemas/Error' },
        `${name} ${status}`,
      );
    }
  }
});

test('every operation names its error codes, limits and headers', () => {
  for (const { operation, name, method } of operations) {
    const { responses } = operation as { responses: Record<string, Json> };
    const codesOf = (status: string) => responses[status]?.['x-error-codes'];
    assert.deepEqual(codesOf('429'), ['RATE_LIMITED'], name);
    assert.ok(responses['429']!.headers['Retry-After'] && responses['503']!.headers['Retry-After'], name);
    assert.ok(responses['200']?.headers['Souk-Ignored'] ?? !responses['200'], name);
    assert.equal('409' in responses, method !== 'get', name);
    if ('requestBody' in operation)
      assert.deepEqual([codesOf('413'), codesOf('415')], [['PAYLOAD_TOO_LARGE'], ['UNSUPPORTED_MEDIA_TYPE']]);
    for (const [status, response] of Object.entries(responses)) {
      if (/^[45]\d\d$/.test(status)) assert.ok(response['x-error-codes']?.length > 0, `${name} ${status}`);
    }
  }
  const checkout = operations.find(({ operation }) => operation.operationId === 'checkout')!.operation as Json;
  for (const code of ['INSUFFICIENT_STOCK', 'QUOTE_EXPIRED', 'PROMO_USED_UP', 'INVALID_TYPE', 'REQUIRED']) {
    assert.ok(checkout.responses['422']['x-detail-codes'].includes(code), code);
  }
});

test('every example ID has the prefix of its record', () => {
  const { schemas } = api.components as { schemas: Record<string, Json> };
  const exampleOf = (schema: string, field: string) => schemas[schema]!.properties[field].examples[0].split('_')[0];
  assert.deepEqual(
    [exampleOf('Order', 'id'), exampleOf('Order', 'customerId'), exampleOf('OrderLine', 'productId')],
    ['ord', 'usr', 'prod'],
  );
  assert.deepEqual(
    [exampleOf('Collection', 'id'), exampleOf('Role', 'id'), exampleOf('Quote', 'id')],
    ['col', 'role', 'quote'],
  );
  const refund = operations.find(({ operation }) => operation.operationId === 'refundOrder')!.operation as Json;
  assert.match(refund.parameters.find((parameter: Json) => parameter.name === 'id').example, /^ord_/);
});

test('every successful response has a description', () => {
  const descriptions = new Map<string, string>();
  for (const { operation, name } of operations) {
    assert.ok(
      Object.keys(operation.responses).some((status) => status < '400'),
      `${name} has no successful response`,
    );
    for (const [status, { description }] of Object.entries(operation.responses)) {
      assert.ok(description && description !== 'Default Response', `${name} ${status}: give its schema a description`);
      if (status === '200') descriptions.set(operation.operationId, description);
    }
  }
  const expected = {
    getProduct: 'The product',
    createWebhook: 'The webhook',
    listPromoCodes: 'A page of promo codes',
    searchUsers: 'A page of users',
    deleteProduct: 'Success',
    getMetrics: 'Metrics in the Prometheus text format',
  };
  for (const [id, description] of Object.entries(expected)) assert.equal(descriptions.get(id), description, id);
});

test('operation IDs are readable names', () => {
  const names = operations.map(({ operation }) => operation.operationId);
  for (const name of names) assert.match(name, /^[a-z]+[A-Za-z]*$/);
  for (const name of ['listProducts', 'createProduct', 'getProduct', 'updateProduct', 'deleteProduct', 'checkout']) {
    assert.ok(names.includes(name), name);
  }
  for (const name of ['setOrderStatus', 'refundOrder', 'getEntryPreview', 'listDeliveries', 'getMe', 'getHealth']) {
    assert.ok(names.includes(name), name);
  }
});

/** Calls `visit` with every schema in the document and its path. */
function eachSchema(value: Json, path: string, visit: (schema: Json, path: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.type === 'string') visit(value, path);
  for (const [key, inner] of Object.entries(value)) {
    if (!['examples', 'example', 'enum', 'default'].includes(key)) eachSchema(inner as Json, `${path}/${key}`, visit);
  }
}

test('request bodies, responses and pages are named components', () => {
  const names = Object.keys(api.components.schemas);
  const expected =
    'Product Variant Order OrderLine CheckoutInput CheckoutResult Quote User AuthResult Collection Entry Block';
  const more =
    'Subscription Send Business Role PromoCode Media OrderStatusEntry Error ProductPage OrderPage ProductInput';
  for (const name of `${expected} ${more}`.split(' ')) assert.ok(names.includes(name), name);
  // Every object with more than four fields must be a named component, or a branch of one.
  eachSchema({ paths: api.paths, components: api.components.schemas }, '', (schema, path) => {
    const isComponent = /^\/components\/\w+(\/anyOf\/\d+)?$/.test(path);
    const fields = Object.keys(schema.properties ?? {});
    assert.ok(isComponent || fields.length <= 4, `${path}: export its schema (${fields})`);
  });
});

test('no schema forbids additional fields, because the service ignores unknown ones', () => {
  eachSchema({ paths: api.paths, components: api.components.schemas }, '', (schema, path) => {
    assert.notEqual(schema.additionalProperties, false, path);
  });
});

test('required fields and bodies are documented correctly', () => {
  const { RegisterInput, ResetInput, LoginInput, ProductInput, ProductChanges } = api.components.schemas;
  assert.deepEqual(RegisterInput.required, ['email', 'password']);
  assert.deepEqual(ResetInput.required, ['oldPassword', 'newPassword']);
  assert.deepEqual(LoginInput.required, ['provider']);
  assert.deepEqual(ProductInput.required, ['name']);
  assert.equal(ProductChanges.required, undefined);
  const isOptional = (path: string) => api.paths[path].post.requestBody.required === false;
  assert.ok(isOptional('/v1/users/logout'));
  assert.ok(isOptional('/v1/businesses/{businessId}/orders/{id}/refund'));
  assert.ok(!isOptional('/v1/businesses/{businessId}/orders/checkout'));
});

test('path parameters match the placeholders in the path', () => {
  for (const { path, operation, name } of operations) {
    const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!).sort();
    const described = (operation.parameters ?? []).filter((each) => each.in === 'path').map((each) => each.name);
    assert.deepEqual(described.sort(), inPath, name);
  }
});

test('an unknown route fails with 404 and the standard error body', async () => {
  const response = await h.call('GET', '/v1/nothing/here?x=1');
  assert.equal(response.status, 404);
  assert.deepEqual(response.body, {
    error: 'NOT_FOUND',
    message: 'Route GET /v1/nothing/here not found.',
    details: [],
    validationErrors: [],
  });
  assert.equal((await h.call('PATCH', '/healthz')).status, 404);
});

test('the document has an ETag, and a client that has it gets 304', async () => {
  const { headers } = await h.call('GET', '/openapi.json');
  const etag = headers.get('etag')!;
  assert.match(headers.get('content-type')!, /^application\/json/);
  const again = await h.call('GET', '/openapi.json', { headers: { 'if-none-match': etag } });
  assert.deepEqual([again.status, again.body, again.headers.get('etag')], [304, '', etag]);
});

test('the document is serialized once before the first request, and concurrent requests share one read of the metrics', async (t) => {
  let reads = 0;
  let serialized = 0;
  const { promise: arrived, resolve: read } = Promise.withResolvers<string>();
  const server = await startServer((app) =>
    systemRoutes(app, {
      probe: async () => {},
      isReady: () => true,
      metrics: () => {
        reads++;
        return arrived;
      },
      schemas: async () => {
        serialized++;
        return new Map();
      },
      savedDocument: async () => null,
    }),
  );
  t.after(server.stop);
  let requests = 0;
  server.app.server.on('request', () => {
    if (++requests === 20) read('metrics 1\n');
  });
  const responses = await Promise.all(Array.from({ length: 20 }, () => server.call('GET', '/metrics')));
  assert.ok(responses.every(({ body }) => body === 'metrics 1\n'));
  for (let i = 0; i < 3; i++) assert.equal((await server.call('GET', '/openapi.json')).status, 200);
  assert.deepEqual([reads, serialized], [1, 1]);
});

test('production serves the saved document, which is the same as the one built from the routes', async () => {
  const { call } = await h.startNode({ production: true });
  assert.deepEqual((await call('GET', '/openapi.json')).body, api);
});

test('health, readiness and metrics are available', async () => {
  assert.deepEqual((await h.call('GET', '/healthz')).body, { status: 'ok' });
  assert.deepEqual((await h.call('GET', '/readyz')).body, { status: 'ready' });
  const { body, headers } = await h.call('GET', '/metrics');
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.match(body, /http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} 1\n/);
  assert.match(body, /jobs\{queue="mail",state="waiting"\} 0\n/);
});

test('an update accepts null in exactly the fields that document it', async () => {
  const businessId = await h.business();
  const { token } = await h.member(businessId, 'ADMIN');
  const base = `/v1/businesses/${businessId}`;
  const accepted = async (path: string, body: object) => (await h.call('PUT', path, { token, body })).status === 200;
  const records = { products: 'ProductChanges', collections: 'CollectionChanges', customers: 'CustomerInput' };
  for (const [name, schema] of Object.entries(records)) {
    const body = { name: 'Linen', email: 'ada@example.com' };
    const { body: record } = await h.call('POST', `${base}/${name}`, { token, body });
    const { properties } = api.components.schemas[schema];
    for (const [field, property] of Object.entries<Json>(properties)) {
      const isNullable = property.anyOf?.some(({ type }: Json) => type === 'null') ?? false;
      assert.equal(await accepted(`${base}/${name}/${record.id}`, { [field]: null }), isNullable, `${schema}.${field}`);
    }
  }
});

test('a schema shared by requests and responses accepts null in requests only', () => {
  const { Market, MarketInput, Configs, ConfigsInput } = api.components.schemas;
  assert.equal(Market.properties.name.type, 'string');
  assert.deepEqual(MarketInput.properties.name.anyOf.at(-1), { type: 'null' });
  assert.equal(Configs.properties.markets.items.$ref, '#/components/schemas/Market');
  assert.equal(ConfigsInput.properties.markets.anyOf[0].items.$ref, '#/components/schemas/MarketInput');
});

test('free-form objects are not published under the name of a schema that has no title', () => {
  for (const [name, schema] of Object.entries<Json>(api.components.schemas)) {
    const isFreeForm = schema.additionalProperties === true && Object.keys(schema.properties ?? {}).length === 0;
    assert.ok(!isFreeForm || schema.title !== undefined, name);
  }
  const { AuditEntry, VersionDetail, Segment, PasskeyOptions } = api.components.schemas;
  assert.match(AuditEntry.properties.changes.anyOf[0].description, /^The changes by field/);
  assert.match(VersionDetail.properties.document.description, /^The record at this version/);
  assert.equal(PasskeyOptions.properties.options.type, 'object');
  assert.deepEqual(Segment.properties.filter, { $ref: '#/components/schemas/FilterTree' });
});

test("a field keeps its own description next to a reference, unless it is the schema's", () => {
  const { AutomationStep, Order, Product, Safety } = api.components.schemas;
  const manufacturer = '#/components/schemas/Manufacturer';
  assert.deepEqual(Product.properties.manufacturer, { $ref: manufacturer });
  assert.deepEqual(Safety.properties.responsiblePerson, {
    $ref: manufacturer,
    description: 'The responsible person in the EU, for manufacturers outside it.',
  });
  assert.equal(Order.properties.tracking.description, 'Tracking information for the latest shipment.');
  assert.match(AutomationStep.properties.filter.description, /^For `CONDITION`/);
});
