import Type from 'typebox';
import { change, command, query, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { Id, PageOf, Success } from '../../../shared/schemas.ts';
import { ListedRole, Role, RoleChange, RoleInput } from '../schemas.ts';
import { changeRole, createRole, deleteRole, listRoles, readRole } from './roles.ts';

const RoleParams = Type.Object({ id: Id });
const RoleQuery = Type.Object({ ...PageQuery.properties, businessId: Type.Optional(Id) });
const tags = ['Roles'];

export function roleRoutes(app: App): void {
  app.post(
    '/v1/roles',
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'Create a role',
        description: 'By an ADMIN of the business. Whoever is ADMIN of one only may leave `businessId` out.',
        body: RoleInput,
        response: { 200: Role },
      },
    },
    (request) => command(request, createRole, request.body),
  );

  app.get(
    '/v1/roles',
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'List roles',
        description: 'Of one business, or of all that the caller is ADMIN of.',
        querystring: RoleQuery,
        response: { 200: PageOf(ListedRole) },
      },
    },
    (request) => query(request, listRoles, request.query),
  );

  app.get(
    '/v1/roles/:id',
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Read a role', params: RoleParams, response: { 200: Role } },
    },
    (request, reply) => readOne(request, reply, readRole, request.params.id),
  );

  app.put(
    '/v1/roles/:id',
    {
      config: { access: 'token', versioned: true },
      schema: {
        tags,
        summary: 'Change a role',
        description: 'Its members have the new permissions within a second. The last ADMIN cannot be lost (409).',
        params: RoleParams,
        body: RoleChange,
        response: { 200: Role },
      },
    },
    (request, reply) => change(request, reply, changeRole, { id: request.params.id, change: request.body }),
  );

  app.delete(
    '/v1/roles/:id',
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Delete a role', params: RoleParams, response: { 200: Success } },
    },
    (request) => command(request, deleteRole, request.params.id),
  );
}
