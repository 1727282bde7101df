import Type from 'typebox';
import { inTransaction } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { once } from '../../http/idempotency.ts';
import type { App } from '../../http/server.ts';
import { type Caller, isMember } from '../../shared/caller.ts';
import { forbidden, notFound } from '../../shared/errors.ts';
import { etagOf } from '../../shared/etag.ts';
import { PageQuery, pageLimit } from '../../shared/paging.ts';
import { BusinessParams, Id, MarketCode, PageOf, SUCCESS, Success } from '../../shared/schemas.ts';
import { changeBusiness } from './change-business.ts';
import { createBusiness } from './create-business.ts';
import { deleteBusiness } from './delete-business.ts';
import type { Businesses } from './index.ts';
import { type BusinessRow, findBusiness, listBusinesses } from './queries.ts';
import { Business, BusinessChange, BusinessInput, Market } from './schemas.ts';

export function businessRoutes(app: App, { pool, cursors }: Deps, businesses: Businesses): void {
  const { context } = businesses;
  const tags = ['Businesses'];

  function shown(row: BusinessRow, caller: Caller, toMember = isMember(caller, row.id)) {
    const { version: _, ...business } = row;
    return { ...business, configs: context.vault.shown(row.id, row.configs, toMember) };
  }

  app.post(
    '/v1/businesses',
    {
      config: { access: 'token', idempotent: true },
      schema: {
        tags,
        summary: 'Create a business',
        description: 'By any confirmed user, who becomes its ADMIN. It has the roles ADMIN, EDITOR and SUPPORT.',
        body: BusinessInput,
        response: { 200: Business },
      },
    },
    async (request) => {
      const { caller } = request;
      if (!caller.isConfirmed) throw forbidden('Only a confirmed user can create a business.');
      return once(pool, request, async (tx) =>
        shown(await createBusiness(context, tx, caller.userId, request.body), caller, true),
      );
    },
  );

  app.get(
    '/v1/businesses',
    {
      config: { access: 'token' },
      schema: { tags, summary: 'List my businesses', querystring: PageQuery, response: { 200: PageOf(Business) } },
    },
    async ({ query, caller }) => {
      const scope = 'businesses:newest';
      const limit = pageLimit(query.limit);
      const [after = null] = cursors.decode(scope, query.cursor) ?? [];
      const rows = await listBusinesses(pool, [...caller.permissions.keys()], after as string | null, limit + 1);
      return cursors.page(
        scope,
        rows,
        limit,
        (row) => [row.id],
        (row) => shown(row, caller),
      );
    },
  );

  app.get(
    '/v1/businesses/:businessId',
    {
      config: { access: 'token', versioned: true },
      schema: {
        tags,
        summary: 'Read a business',
        description: "Any token. The payment provider's secrets show to members only, masked.",
        params: BusinessParams,
        response: { 200: Business },
      },
    },
    async ({ params, caller }, reply) => {
      const business = await findBusiness(pool, params.businessId);
      if (!business) throw notFound('Business');
      reply.header('etag', etagOf(business.version));
      return shown(business, caller);
    },
  );

  app.put(
    '/v1/businesses/:businessId',
    {
      config: { access: 'BUSINESS_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Change a business',
        description: 'Sections of `configs` that are sent replace the stored ones; masked secrets are kept.',
        params: BusinessParams,
        body: BusinessChange,
        response: { 200: Business },
      },
    },
    async ({ params, body, caller, headers }, reply) => {
      const business = await inTransaction(pool, (tx) =>
        changeBusiness(context, tx, params.businessId, body, headers['if-match']),
      );
      reply.header('etag', etagOf(business.version));
      return shown(business, caller);
    },
  );

  app.delete(
    '/v1/businesses/:businessId',
    {
      config: { access: 'ADMIN', versioned: true },
      schema: { tags, summary: 'Delete a business', params: BusinessParams, response: { 200: Success } },
    },
    async ({ params, headers }) => {
      await inTransaction(pool, (tx) => deleteBusiness(context, tx, params.businessId, headers['if-match']));
      return SUCCESS;
    },
  );

  app.get(
    '/v1/payments/businesses/:businessId/markets',
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'List the markets of a business',
        description: 'All of them at once: `cursor` is always null.',
        params: BusinessParams,
        response: { 200: PageOf(Market) },
      },
    },
    async ({ params }) => {
      const { configs } = await businesses.get(params.businessId);
      return { items: configs.markets ?? [], cursor: null };
    },
  );

  app.get(
    '/v1/payments/businesses/:businessId/markets/:marketId',
    {
      config: { access: 'token', versioned: true },
      schema: {
        tags,
        summary: 'Read a market',
        params: Type.Object({ businessId: Id, marketId: MarketCode }),
        response: { 200: Market },
      },
    },
    async ({ params }, reply) => {
      const { configs, version } = await businesses.get(params.businessId);
      const market = configs.markets?.find(({ id }) => id.toLowerCase() === params.marketId.toLowerCase());
      if (!market) throw notFound('Market');
      reply.header('etag', etagOf(version));
      return market;
    },
  );
}
