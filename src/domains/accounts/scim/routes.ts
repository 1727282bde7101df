import Type from 'typebox';
import { presentedToken } from '../../../http/access.ts';
import { parseJson } from '../../../http/bodies/json.ts';
import { command, query } from '../../../http/command.ts';
import { errorResponse } from '../../../http/errors.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessRecordParams, Input } from '../../../shared/schemas.ts';
import { RESOURCE_TYPES, SCHEMAS, SERVICE_PROVIDER_CONFIG } from './discovery.ts';
import { changeGroup, createGroup, deleteGroup, listGroups, readGroup } from './groups.ts';
import { ScimGroup, ScimListOf, ScimProviderConfig, ScimResourceType, ScimSchema, ScimUser } from './schemas.ts';
import { changeUser, createUser, deleteUser, listUsers, readUserById } from './users.ts';

const BASE = '/scim/v2/:businessId';
const JSON_TYPE = 'application/scim+json; charset=utf-8';
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';
/** The use cases check the token. */
const config = { access: 'public' } as const;
const Resource = Type.Record(Type.String(), Type.Unknown());
const Patch = Input({
  Operations: Type.Array(
    Input({
      op: Type.String({ maxLength: 20 }),
      path: Type.Optional(Type.String({ maxLength: 300 })),
      value: Type.Optional(Type.Unknown()),
    }),
    { maxItems: 1000 },
  ),
});
const ListQuery = Type.Object({
  filter: Type.Optional(Type.String({ maxLength: 500 })),
  startIndex: Type.Optional(Type.Integer()),
  count: Type.Optional(Type.Integer()),
  excludedAttributes: Type.Optional(Type.String({ maxLength: 500 })),
});
const inBusiness = { params: BusinessParams };
const inList = { params: BusinessParams, querystring: ListQuery };
const inRecord = { params: BusinessRecordParams };
const oneUser = { response: { 200: ScimUser } };
const oneGroup = { response: { 200: ScimGroup } };
const nothing = { response: { 204: Type.Unsafe<undefined>(Type.Null()) } };

/** SCIM 2.0 (RFC 7644). Requests, responses and errors follow the RFC, not the conventions of the API. */
export function scimRoutes(app: App): void {
  app.register((scope, _options, done) => {
    const scim = scope as unknown as App;
    scim.addContentTypeParser('application/scim+json', { parseAs: 'string' }, async (_request: unknown, text: string) =>
      parseJson(text),
    );
    scim.addHook('onSend', async (_request, reply) => void reply.header('content-type', JSON_TYPE));
    scim.setErrorHandler((error, request, reply) => {
      const { status: found, message, details } = errorResponse(error, request, reply);
      const status = found === 422 ? 400 : found;
      const scimType = found === 409 ? 'uniqueness' : details[0]?.field === 'filter' ? 'invalidFilter' : 'invalidValue';
      const hasType = status === 400 || status === 409;
      const body = {
        schemas: [ERROR_SCHEMA],
        status: String(status),
        detail: message,
        ...(hasType ? { scimType } : {}),
      };
      return reply.code(status).send(JSON.stringify(body));
    });
    discoveryRoutes(scim);
    userRoutes(scim);
    groupRoutes(scim);
    done();
  });
}

function discoveryRoutes(app: App): void {
  const discovery = [
    ['ServiceProviderConfig', SERVICE_PROVIDER_CONFIG, ScimProviderConfig],
    ['ResourceTypes', RESOURCE_TYPES, ScimListOf(ScimResourceType)],
    ['Schemas', SCHEMAS, ScimListOf(ScimSchema)],
  ] as const;
  for (const [name, body, schema] of discovery) {
    app.get(
      `${BASE}/${name}`,
      { config, schema: { ...inBusiness, response: { 200: schema } } },
      async () => body as never,
    );
  }
}

function userRoutes(app: App): void {
  const USERS = `${BASE}/Users`;
  app.get(USERS, { config, schema: { ...inList, response: { 200: ScimListOf(ScimUser) } } }, (request) =>
    query(request, listUsers, { token: presentedToken(request), query: request.query }),
  );
  app.post(
    USERS,
    { config, schema: { ...inBusiness, body: Resource, response: { 201: ScimUser } } },
    async (request, reply) => {
      const user = await command(request, createUser, { token: presentedToken(request), resource: request.body });
      return reply.code(201).send(user);
    },
  );
  app.get(`${USERS}/:id`, { config, schema: { ...inRecord, ...oneUser } }, (request) =>
    query(request, readUserById, { token: presentedToken(request), id: request.params.id }),
  );
  app.put(`${USERS}/:id`, { config, schema: { ...inRecord, ...oneUser, body: Resource } }, (request) =>
    command(request, changeUser, { token: presentedToken(request), id: request.params.id, resource: request.body }),
  );
  app.patch(`${USERS}/:id`, { config, schema: { ...inRecord, ...oneUser, body: Patch } }, (request) => {
    const change = { id: request.params.id, operations: request.body.Operations };
    return command(request, changeUser, { token: presentedToken(request), ...change });
  });
  app.delete(`${USERS}/:id`, { config, schema: { ...inRecord, ...nothing } }, async (request, reply) => {
    await command(request, deleteUser, { token: presentedToken(request), id: request.params.id });
    return reply.code(204).send();
  });
}

function groupRoutes(app: App): void {
  const GROUPS = `${BASE}/Groups`;
  app.get(GROUPS, { config, schema: { ...inList, response: { 200: ScimListOf(ScimGroup) } } }, (request) =>
    query(request, listGroups, { token: presentedToken(request), query: request.query }),
  );
  app.post(
    GROUPS,
    { config, schema: { ...inBusiness, body: Resource, response: { 201: ScimGroup } } },
    async (request, reply) => {
      const group = await command(request, createGroup, { token: presentedToken(request), resource: request.body });
      return reply.code(201).send(group);
    },
  );
  app.get(`${GROUPS}/:id`, { config, schema: { ...inRecord, ...oneGroup, querystring: ListQuery } }, (request) =>
    query(request, readGroup, { token: presentedToken(request), id: request.params.id, query: request.query }),
  );
  app.put(`${GROUPS}/:id`, { config, schema: { ...inRecord, ...oneGroup, body: Resource } }, (request) =>
    command(request, changeGroup, { token: presentedToken(request), id: request.params.id, resource: request.body }),
  );
  app.patch(`${GROUPS}/:id`, { config, schema: { ...inRecord, ...oneGroup, body: Patch } }, (request) => {
    const change = { id: request.params.id, operations: request.body.Operations };
    return command(request, changeGroup, { token: presentedToken(request), ...change });
  });
  app.delete(`${GROUPS}/:id`, { config, schema: { ...inRecord, ...nothing } }, async (request, reply) => {
    await command(request, deleteGroup, { token: presentedToken(request), id: request.params.id });
    return reply.code(204).send();
  });
}
