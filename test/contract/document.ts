/** The OpenAPI document of the running service, to check responses against. */
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ApiResponse, Harness, Json } from '../harness.ts';

export type Operation = {
  name: string;
  method: string;
  path: string;
  parameters: { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Json }[];
  body: Json | null;
  statuses: string[];
  isPublic: boolean;
};

export type Document = Awaited<ReturnType<typeof read>>;

let document: Document | undefined;

/** The services of all files in this process have the same document. */
export async function readDocument(h: Harness): Promise<Document> {
  document ??= await read(h);
  return document;
}

async function read(h: Harness) {
  const { body: api } = await h.call('GET', '/openapi.json');
  // Formats are documentation only. The service validates input itself.
  // Each named schema is compiled once, because compiling them takes most of the CPU time of these tests.
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  formats.default(ajv as never);
  ajv.addSchema({ $id: 'api', components: closed(api.components) });
  const schemas = new Map<string, Json>();
  const detailCodes = new Map<string, string[] | undefined>();
  const validators = new Map<string, ValidateFunction>();

  const operations: Operation[] = Object.entries(api.paths as Record<string, Record<string, Json>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => {
        const name = `${method.toUpperCase()} ${path}`;
        const schema = operation.responses['200']?.content?.['application/json']?.schema;
        if (schema) schemas.set(name, schema);
        detailCodes.set(name, operation.responses['422']?.['x-detail-codes']);
        return {
          name,
          method: method.toUpperCase(),
          path,
          statuses: Object.keys(operation.responses),
          parameters: operation.parameters ?? [],
          body: dereference(operation.requestBody?.content?.['application/json']?.schema ?? null, api),
          isPublic: operation['x-access'] === 'public',
        };
      }),
  );

  return {
    operations,
    /** Fails unless the document describes this response for the operation. */
    check({ name, statuses }: Operation, { status, body, headers }: ApiResponse): void {
      assert.ok(headers.get('x-request-id'), `${name} returns a request ID`);
      if (status === 200) {
        // Reports can also be CSV files.
        if (!schemas.has(name) || headers.get('content-type')?.startsWith('text/csv')) return;
        const validate = validators.get(name) ?? ajv.compile(closed(schemas.get(name)));
        validators.set(name, validate);
        assert.ok(
          validate(body),
          `${name}: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body).slice(0, 2000)}`,
        );
        return;
      }
      const isListed = statuses.includes(String(status)) || statuses.includes(`${Math.floor(status / 100)}XX`);
      assert.ok(isListed, `${name} documents ${status}: ${JSON.stringify(body).slice(0, 500)}`);
      if (status !== 422) return;
      for (const detail of body.details) {
        assert.ok(
          detailCodes.get(name)?.includes(detail.error),
          `${name} documents ${detail.error} of ${detail.field}`,
        );
      }
    },
    find(name: string): Operation {
      const operation = operations.find((each) => each.name === name);
      assert.ok(operation, `the document contains ${name}`);
      return operation;
    },
  };
}

/** Replaces references with the referenced schemas. */
function dereference(schema: Json, api: Json): Json {
  if (Array.isArray(schema)) return schema.map((each) => dereference(each, api));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema.$ref) return dereference(at(api, schema.$ref), api);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, dereference(value, api)]));
}

/** Forbids fields that are not in the schema, unless it allows additional properties. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema.$ref) return { $ref: `api${schema.$ref}` };
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  const isOpen = !schema.properties || schema.additionalProperties !== undefined || schema.type !== 'object';
  return isOpen ? inner : { ...inner, additionalProperties: false };
}

const at = (api: Json, reference: string): Json =>
  reference
    .slice(2)
    .split('/')
    .reduce((value, part) => value[part], api);
