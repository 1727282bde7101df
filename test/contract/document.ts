/** The OpenAPI document of the running service, as something that answers can be held against. */
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Answer, Harness, Json } from '../harness.ts';

export type Operation = {
  name: string;
  method: string;
  path: string;
  parameters: { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Json }[];
  body: Json | null;
  statuses: string[];
  isPublic: boolean;
};

export type Document = Awaited<ReturnType<typeof readDocument>>;

export async function readDocument(h: Harness) {
  const { body: api } = await h.call('GET', '/openapi.json');
  // Formats are for readers; what is sent is checked by the service itself.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv as never);
  const validators = new Map<string, ValidateFunction>();

  const operations: Operation[] = Object.entries(api.paths as Record<string, Record<string, Json>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const name = `${method.toUpperCase()} ${path}`;
        const schema = operation.responses['200']?.content?.['application/json']?.schema;
        if (schema) validators.set(name, ajv.compile(closed(schema, api)));
        return {
          ...{ name, method: method.toUpperCase(), path, statuses: Object.keys(operation.responses) },
          parameters: operation.parameters ?? [],
          body: whole(operation.requestBody?.content?.['application/json']?.schema ?? null, api),
          isPublic: operation['x-access'] === 'public',
        };
      }),
  );

  return {
    operations,
    /** Fails unless the answer is one that the document describes for this operation. */
    check({ name, statuses }: Operation, { status, body, headers }: Answer): void {
      assert.ok(headers.get('x-request-id'), `${name} names its request`);
      if (status === 200) {
        const validate = validators.get(name);
        if (!validate) return;
        assert.ok(
          validate(body),
          `${name}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body).slice(0, 2000)}`,
        );
        return;
      }
      const isListed = statuses.includes(String(status)) || statuses.includes(`${Math.floor(status / 100)}XX`);
      assert.ok(isListed, `${name} may answer ${status}: ${JSON.stringify(body).slice(0, 500)}`);
    },
    find(name: string): Operation {
      const operation = operations.find((each) => each.name === name);
      assert.ok(operation, `the document has ${name}`);
      return operation;
    },
  };
}

/** The schema with what its references lead to in their stead. */
function whole(schema: Json, api: Json): Json {
  if (Array.isArray(schema)) return schema.map((each) => whole(each, api));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema.$ref) return whole(at(api, schema.$ref), api);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, whole(value, api)]));
}

/** An object may have the fields that its schema names, and no other, unless it says that it takes any. */
function closed(schema: Json, api: Json): Json {
  if (Array.isArray(schema)) return schema.map((each) => closed(each, api));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema.$ref) return closed(at(api, schema.$ref), api);
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value, api)]));
  const isOpen = !schema.properties || schema.additionalProperties !== undefined || schema.type !== 'object';
  return isOpen ? inner : { ...inner, additionalProperties: false };
}

const at = (api: Json, reference: string): Json =>
  reference
    .slice(2)
    .split('/')
    .reduce((value, part) => value[part], api);
