import swagger from '@fastify/swagger';
import type { FastifySchema, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import { ErrorBody } from '../shared/schemas.ts';
import { type Json, nameComponents } from './components.ts';
import { operationId } from './operation-ids.ts';
import type { App } from './server.ts';

/** OpenAPI 3.1 from the routes' own schemas: what is not said here is said beside the route. */
export async function describeApi(app: App): Promise<void> {
  app.addSchema(ErrorBody);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Souk',
        version: '1',
        description:
          'Commerce, accounts and content in one service. Times are Unix seconds, money is in minor units, lists are paged with `limit` and `cursor`.',
      },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An access token from login, or an API key.' },
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

/** The document itself. `shapes` are the schemas that become components, by name. */
export function documentOf(app: App, shapes: ReadonlyMap<string, TSchema>): Json {
  const document = structuredClone(app.swagger()) as unknown as Json;
  nameComponents(document, shapes);
  for (const path of Object.values(document.paths as Record<string, Record<string, Json>>)) {
    for (const operation of Object.values(path)) {
      if (operation['x-body-optional']) (operation.requestBody as Json).required = false;
      delete operation['x-body-optional'];
    }
  }
  return document;
}

const errorAnswer = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: 'Error#' } } },
});
const KEY_HEADER = {
  'idempotency-key': {
    type: 'string',
    description: 'A repeat of the call with the same key returns the first answer and has no second effect.',
  },
};
const MATCH_HEADER = {
  'if-match': { type: 'string', description: 'The ETag of the version to change; another one is 412.' },
};

/** Adds to each route what follows from its access: security, the errors it may answer, the headers it reads. */
function completeSchema(route: RouteOptions): void {
  const schema = route.schema as (FastifySchema & { response?: Record<string, unknown> }) | undefined;
  if (!schema?.tags) return;
  const access = route.config?.access;
  const isPublic = access === 'public';
  const changes = route.method === 'PUT' || route.method === 'DELETE';
  const headers = {
    ...(route.config?.idempotent ? KEY_HEADER : {}),
    ...(route.config?.versioned && changes ? MATCH_HEADER : {}),
  };
  route.schema = {
    operationId: operationId(String(route.method), route.url),
    'x-access': access,
    ...(route.config?.bodyOptional ? { 'x-body-optional': true } : {}),
    security: isPublic ? [] : [{ bearer: [] }, { apiKey: [] }],
    ...(Object.keys(headers).length > 0 ? { headers: { type: 'object', properties: headers } } : {}),
    ...schema,
    response: {
      ...schema.response,
      ...(schema.body || schema.querystring || schema.params
        ? { 400: errorAnswer('Malformed request'), 422: errorAnswer('Fields that are not valid') }
        : {}),
      ...(isPublic ? {} : { 401: errorAnswer('No valid token') }),
      ...(access !== 'public' && access !== 'token' ? { 403: errorAnswer('A permission is missing') } : {}),
      ...(schema.params ? { 404: errorAnswer('Not found') } : {}),
      ...(route.config?.versioned && changes ? { 412: errorAnswer('Changed since the version in If-Match') } : {}),
      '4xx': errorAnswer('Another error of the request, such as 403, 409 CONFLICT or 429 RATE_LIMITED'),
      '5xx': errorAnswer('An error on our side'),
    },
  } as FastifySchema;
}
