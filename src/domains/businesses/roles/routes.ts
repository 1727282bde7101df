import Type from 'typebox';
import { change, command, query, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessParams, Id, PageOf, Success } from '../../../shared/schemas.ts';
import { ListedRole, Role, RoleChange, RoleInput } from '../schemas.ts';
import { acceptRoles, leaveBusiness } from './own-roles.ts';
import { changeRole, createRole, deleteRole, listRoles, readRole } from './roles.ts';

const RoleParams = Type.Object({ id: Id });
const RoleQuery = Type.Object({ ...PageQuery.properties, businessId: Type.Optional(Id) });
const tags = ['Roles'];
const MINE = '/v1/businesses/:businessId/members/me';

export function roleRoutes(app: App): void {
  app.post(
    '/v1/roles',
    {
      config: { access: 'token', openToLimited: true, grantsAccess: true },
      schema: {
        tags,
        summary: 'Create a role',
        description:
          'Requires the `ADMIN` permission in the business. `businessId` is optional if you are an `ADMIN` of exactly one business.',
        body: RoleInput,
        response: { 200: Role },
      },
    },
    (request) => command(request, createRole, request.body),
  );

  app.get(
    '/v1/roles',
    {
      config: { access: 'token', openToLimited: true },
      schema: {
        tags,
        summary: 'List roles',
        description: 'Returns the roles of one business, or of every business where you are an `ADMIN`.',
        querystring: RoleQuery,
        response: { 200: PageOf(ListedRole) },
      },
    },
    (request) => query(request, listRoles, request.query),
  );

  app.get(
    '/v1/roles/:id',
    {
      config: { access: 'token', versioned: true, openToLimited: true },
      schema: { tags, summary: 'Get a role', params: RoleParams, response: { 200: Role } },
    },
    (request, reply) => readOne(request, reply, readRole, request.params.id),
  );

  app.put(
    '/v1/roles/:id',
    {
      config: { access: 'token', versioned: true, openToLimited: true, grantsAccess: true },
      schema: {
        tags,
        summary: 'Update a role',
        description:
          'New permissions apply to members within a second. Fails with 409 if the business would lose its last `ADMIN`.',
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
      config: { access: 'token', versioned: true, openToLimited: true, grantsAccess: true },
      schema: { tags, summary: 'Delete a role', params: RoleParams, response: { 200: Success } },
    },
    (request) => command(request, deleteRole, request.params.id),
  );

  app.put(
    MINE,
    {
      config: { access: 'token', grantsAccess: true },
      schema: {
        tags,
        operationId: 'acceptRoles',
        summary: 'Accept my roles',
        description:
          'Accepts roles that an `ADMIN` assigned (`pendingRoleIds` in your profile). Using a permission in the business does the same. Fails with 404 if you have no role in the business.',
        params: BusinessParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, acceptRoles, undefined),
  );

  app.delete(
    MINE,
    {
      config: { access: 'token', grantsAccess: true },
      schema: {
        tags,
        operationId: 'leaveBusiness',
        summary: 'Leave a business',
        description:
          'Gives up all of your roles in the business, or declines roles that you have not accepted. Fails with 409 if you are the only `ADMIN` who has accepted the role: make someone else an admin or delete the business.',
        params: BusinessParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, leaveBusiness, undefined),
  );
}
