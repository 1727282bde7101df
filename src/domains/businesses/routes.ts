import Type from 'typebox';
import { change, command, query, readOne } from '../../http/command.ts';
import type { App } from '../../http/server.ts';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessParams, Id, MarketCode, PageOf, Success } from '../../shared/schemas.ts';
import { changeBusiness } from './change-business.ts';
import { createBusiness, isSlugTaken } from './create-business.ts';
import { deleteBusiness } from './delete-business.ts';
import { listMarkets, readMarket } from './markets.ts';
import { listBusinesses, readBusiness } from './read-businesses.ts';
import { Business, BusinessChange, BusinessInput, ListedBusiness, Market } from './schemas.ts';

const tags = ['Businesses'];

export function businessRoutes(app: App): void {
  app.post(
    '/v1/businesses',
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'Create a business',
        description: 'By any confirmed user, who becomes its ADMIN. It has the roles ADMIN, EDITOR and SUPPORT.',
        body: BusinessInput,
        response: { 200: Business },
      },
    },
    (request) => command(request, createBusiness, request.body, { retry: isSlugTaken }),
  );

  app.get(
    '/v1/businesses',
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'List my businesses',
        querystring: PageQuery,
        response: { 200: PageOf(ListedBusiness) },
      },
    },
    (request) => query(request, listBusinesses, request.query),
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
    (request, reply) => readOne(request, reply, readBusiness, undefined),
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
    (request, reply) => change(request, reply, changeBusiness, request.body),
  );

  app.delete(
    '/v1/businesses/:businessId',
    {
      config: { access: 'ADMIN', versioned: true },
      schema: { tags, summary: 'Delete a business', params: BusinessParams, response: { 200: Success } },
    },
    (request) => command(request, deleteBusiness, undefined),
  );

  app.get(
    '/v1/payments/businesses/:businessId/markets',
    {
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'List the markets of a business',
        description: 'In the order that the business has them in.',
        params: BusinessParams,
        querystring: PageQuery,
        response: { 200: PageOf(Market) },
      },
    },
    (request) => query(request, listMarkets, request.query),
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
    (request, reply) => readOne(request, reply, readMarket, request.params.marketId),
  );
}
