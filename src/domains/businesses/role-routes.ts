import Type from 'typebox';
import { inTransaction } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { once } from '../../http/idempotency.ts';
import type { App } from '../../http/server.ts';
import { may } from '../../shared/caller.ts';
import { forbidden, notFound } from '../../shared/errors.ts';
import { etagOf } from '../../shared/etag.ts';
import { PageQuery, pageLimit } from '../../shared/paging.ts';
import { Id, PageOf, SUCCESS, Success } from '../../shared/schemas.ts';
import type { Businesses } from './index.ts';
import { listRoles } from './queries.ts';
import { changeRole, createRole, deleteRole, getRole, requireAdmin } from './roles.ts';
import { Role, RoleChange, RoleInput } from './schemas.ts';

const RoleParams = Type.Object({ id: Id });
const RoleQuery = Type.Object({ ...PageQuery.properties, businessId: Type.Optional(Id) });

export function roleRoutes(app: App, { pool, cursors }: Deps, businesses: Businesses): void {
  const { context } = businesses;
  const tags = ['Roles'];

  app.post(
    '/v1/roles',
    {
      config: { access: 'token', idempotent: true },
      schema: {
        tags,
        summary: 'Create a role',
        description: 'By an ADMIN of the business.',
        body: RoleInput,
        response: { 200: Role },
      },
    },
    async (request) => {
      const { caller, body } = request;
      if (!(await businesses.exists(body.businessId))) throw notFound('Business');
      requireAdmin(caller, body.businessId);
      return once(pool, request, (tx) => createRole(context, tx, body));
    },
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
        response: { 200: PageOf(Role) },
      },
    },
    async ({ query, caller }) => {
      if (query.businessId !== undefined) {
        if (!(await businesses.exists(query.businessId))) throw notFound('Business');
        requireAdmin(caller, query.businessId);
      }
      const mine = [...caller.permissions.keys()].filter((id) => may(caller, id, 'ADMIN'));
      if (mine.length === 0) throw forbidden('This needs the permission ADMIN in a business.');
      const scope = 'roles:newest';
      const limit = pageLimit(query.limit);
      const [after = null] = cursors.decode(scope, query.cursor) ?? [];
      const rows = await listRoles(
        pool,
        query.businessId ? [query.businessId] : mine,
        after as string | null,
        limit + 1,
      );
      return cursors.page(
        scope,
        rows,
        limit,
        (row) => [row.id],
        (row) => row,
      );
    },
  );

  app.get(
    '/v1/roles/:id',
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Read a role', params: RoleParams, response: { 200: Role } },
    },
    async ({ params, caller }, reply) => {
      const role = await getRole(pool, caller, params.id);
      reply.header('etag', etagOf(role.version));
      return role;
    },
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
    async ({ params, body, caller, headers }, reply) => {
      const role = await inTransaction(pool, (tx) =>
        changeRole(context, tx, caller, params.id, body, headers['if-match']),
      );
      reply.header('etag', etagOf(role.version));
      return role;
    },
  );

  app.delete(
    '/v1/roles/:id',
    {
      config: { access: 'token', versioned: true },
      schema: { tags, summary: 'Delete a role', params: RoleParams, response: { 200: Success } },
    },
    async ({ params, caller, headers }) => {
      await inTransaction(pool, (tx) => deleteRole(context, tx, caller, params.id, headers['if-match']));
      return SUCCESS;
    },
  );
}
