import swagger from '@fastify/swagger';
import type { FastifySchema, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { ErrorBody } from '../../shared/schemas.ts';
import type { App } from '../app.ts';
import { describeNulls } from '../validation/nulls.ts';
import { type Json, nameComponents } from './components.ts';
import { describeComponents, describeResponses } from './describe-responses.ts';
import { nameExampleIds } from './example-ids.ts';
import { operationId } from './operation-ids.ts';
import { describeSuccess } from './success-descriptions.ts';

/** Generates OpenAPI 3.1 from the route schemas. */
export async function describeApi(app: App): Promise<void> {
  app.addSchema(ErrorBody);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Souk',
        version: '1',
        description:
          'Commerce, content and newsletters in one service. Timestamps are Unix time in seconds. Amounts are in minor units. Lists are paginated with `limit` and `cursor`.',
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An access token or an API key.' },
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        },
      },
    },
    refResolver: { buildLocalReference: (json, _baseUri, _fragment, i) => String(json.$id ?? `schema${i}`) },
    hideUntagged: true,
    convertConstToEnum: false,
  });
  app.addHook('onRoute', completeSchema);
}

/** Returns the OpenAPI document. `schemas` become components, by name. */
export function documentOf(app: App, schemas: ReadonlyMap<string, TSchema>): Json {
  const document = structuredClone(app.swagger()) as unknown as Json;
  nameComponents(document, schemas);
  const { schemas: components } = document.components as { schemas: Record<string, Json> };
  describeNulls(document.paths as Parameters<typeof describeNulls>[0], components);
  const byName = Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1));
  (document.components as Json).schemas = Object.fromEntries(byName);
  nameExampleIds(document);
  describeComponents(document.components as Json);
  const resolve = (schema: Json) => components[String(schema.$ref).split('/').at(-1)!] ?? schema;
  for (const path of Object.values(document.paths as Record<string, Record<string, Json>>)) {
    for (const [method, operation] of Object.entries(path)) {
      describeResponses(method, operation, resolve);
      if (operation['x-body-optional']) (operation.requestBody as Json).required = false;
      delete operation['x-body-optional'];
      for (const response of Object.values(operation.responses as Record<string, Response>)) {
        if (response.description !== DEFAULT_DESCRIPTION) continue;
        const name = response.content?.['application/json']?.schema.$ref?.split('/').at(-1);
        response.description = describeSuccess(operation.operationId as string, name) ?? DEFAULT_DESCRIPTION;
      }
    }
  }
  return document;
}

type Response = { description: string; content?: Record<string, { schema: { $ref?: string } }> };

/** Swagger's description of a response whose schema has none. */
const DEFAULT_DESCRIPTION = 'Default Response';

const ERROR = { $ref: 'Error#' };
const errorResponse = (description: string) => ({ description, content: { 'application/json': { schema: ERROR } } });
const KEY_HEADER = {
  'idempotency-key': {
    type: 'string',
    description:
      "Makes retries safe. A repeated request with the same key isn't run again; it returns the first response.",
  },
};
const MATCH_HEADER = {
  'if-match': {
    type: 'string',
    description: 'The ETag you last read. Fails with 412 if the record has changed since.',
  },
};

type RouteSchema = FastifySchema & {
  headers?: { properties: Record<string, unknown> };
  response?: Record<string, unknown>;
};

/** Adds security, error responses and request headers to each route, based on its config. */
function completeSchema(route: RouteOptions): void {
  const schema = route.schema as RouteSchema | undefined;
  if (!schema?.tags) return;
  const access = route.config?.access;
  const isPublic = access === 'public';
  const changes = route.method === 'PUT' || route.method === 'DELETE';
  const headers = {
    ...(route.config?.idempotent ? KEY_HEADER : {}),
    ...(route.config?.versioned && changes ? MATCH_HEADER : {}),
    ...schema.headers?.properties,
  };
  route.schema = {
    operationId: operationId(String(route.method), route.url),
    'x-access': access,
    ...(route.config?.bodyOptional ? { 'x-body-optional': true } : {}),
    ...(route.config?.versioned ? { 'x-versioned': true } : {}),
    security: isPublic ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...schema,
    ...(Object.keys(headers).length > 0 ? { headers: { type: 'object', properties: headers } } : {}),
    response: {
      ...schema.response,
      ...(schema.body || schema.querystring || schema.params || route.method === 'POST'
        ? { 400: errorResponse('Malformed request'), 422: errorResponse('Invalid fields') }
        : {}),
      ...(isPublic ? {} : { 401: errorResponse('Missing or invalid token') }),
      ...(access !== 'public' && access !== 'token' ? { 403: errorResponse('Missing permission') } : {}),
      ...(schema.params ? { 404: errorResponse('Not found') } : {}),
      ...(route.config?.versioned && changes
        ? { 412: errorResponse('The record has changed since the version in If-Match') }
        : {}),
      '4xx': errorResponse('Other client error'),
      '5xx': errorResponse('Server error'),
    },
  } as FastifySchema;
}
