import assert from 'node:assert/strict';
import test from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type Json, startHarness } from '../harness.ts';

type Operation = {
  operationId: string;
  summary?: string;
  tags?: string[];
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
  parameters?: { name: string; in: string }[];
  security?: object[];
  'x-access'?: string;
};

const h = await startHarness();
const { body: api } = await h.call('GET', '/openapi.json');
const operations = Object.entries(api.paths as Record<string, Record<string, Operation>>).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    path,
    method,
    operation,
    name: `${method.toUpperCase()} ${path}`,
  })),
);

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(api));
  assert.ok(valid, JSON.stringify(errors, null, 1)?.slice(0, 2000));
  assert.equal(api.openapi, '3.1.0');
});

test('every reference leads somewhere', () => {
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

test('every operation has its own id, a summary, one tag, its access and the documented errors', () => {
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

test('operations have names that people would choose', () => {
  const names = operations.map(({ operation }) => operation.operationId);
  for (const name of names) assert.match(name, /^[a-z]+[A-Za-z]*$/);
  for (const name of ['listProducts', 'createProduct', 'getProduct', 'updateProduct', 'deleteProduct', 'checkout']) {
    assert.ok(names.includes(name), name);
  }
  for (const name of ['setOrderStatus', 'refundOrder', 'getEntryPreview', 'listDeliveries', 'getMe', 'getHealth']) {
    assert.ok(names.includes(name), name);
  }
});

/** Calls `see` with every schema in the document and where it stands. */
function eachSchema(value: Json, path: string, see: (schema: Json, path: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.type === 'string') see(value, path);
  for (const [key, inner] of Object.entries(value)) {
    if (!['examples', 'example', 'enum', 'default'].includes(key)) eachSchema(inner as Json, `${path}/${key}`, see);
  }
}

test('shapes are named components: what is answered, what is sent, pages of them', () => {
  const names = Object.keys(api.components.schemas);
  const expected =
    'Product Variant Order OrderLine CheckoutInput CheckoutResult Quote User AuthResult Collection Entry Block';
  const more = 'Subscription Send Business Role PromoCode Media StatusEntry Error ProductPage OrderPage ProductInput';
  for (const name of `${expected} ${more}`.split(' ')) assert.ok(names.includes(name), name);
  // An object of more than four fields has a name, wherever it stands.
  eachSchema({ paths: api.paths, components: api.components.schemas }, '', (schema, path) => {
    const isComponent = /^\/components\/\w+$/.test(path);
    const fields = Object.keys(schema.properties ?? {});
    assert.ok(isComponent || fields.length <= 4, `${path}: export its schema (${fields})`);
  });
});

test('no schema forbids fields, because the service ignores those that it does not know', () => {
  eachSchema({ paths: api.paths, components: api.components.schemas }, '', (schema, path) => {
    assert.notEqual(schema.additionalProperties, false, path);
  });
});

test('required is what is really required', () => {
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

test('every place in a path is described as a parameter, and the other way round', () => {
  for (const { path, operation, name } of operations) {
    const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!).sort();
    const described = (operation.parameters ?? []).filter((each) => each.in === 'path').map((each) => each.name);
    assert.deepEqual(described.sort(), inPath, name);
  }
});

test('an unknown route is 404 with the documented body', async () => {
  const answer = await h.call('GET', '/v1/nothing/here?x=1');
  assert.equal(answer.status, 404);
  assert.deepEqual(answer.body, { error: 'NOT_FOUND', message: 'There is no GET /v1/nothing/here here.', details: [] });
  assert.equal((await h.call('PATCH', '/healthz')).status, 404);
});

test('the service tells that it is up, ready and how it is doing', async () => {
  assert.deepEqual((await h.call('GET', '/healthz')).body, { status: 'ok' });
  assert.deepEqual((await h.call('GET', '/readyz')).body, { status: 'ready' });
  const { body, headers } = await h.call('GET', '/metrics');
  assert.match(headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  assert.match(body, /http_request_duration_seconds_count\{method="GET",route="\/healthz",status="200"\} 1\n/);
  assert.match(body, /jobs\{queue="mail",state="waiting"\} 0\n/);
});
