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
import { BUSINESS_BYTES, Business, BusinessChange, BusinessInput, ListedBusiness, Market } from './schemas.ts';

const tags = ['Businesses'];

export function businessRoutes(app: App): void {
  app.post(
    '/v1/businesses',
    {
      bodyLimit: BUSINESS_BYTES,
      config: { access: 'token' },
      schema: {
        tags,
        summary: 'Create a business',
        description:
          'Any confirmed user can create a business. The creator becomes its `ADMIN`. The business starts with the roles `ADMIN`, `EDITOR` and `SUPPORT`.',
        body: BusinessInput,
        response: { 200: Business },
      },
    },
    (request) => command(request, createBusiness, request.body, { retry: isSlugTaken }),
  );

  app.get(
    '/v1/businesses',
    {
      config: { access: 'token', openToLimited: true },
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
        summary: 'Get a business',
        description:
          "Any valid token can read a business. The payment provider's secrets are masked and visible to members only.",
        params: BusinessParams,
        response: { 200: Business },
      },
    },
    (request, reply) => readOne(request, reply, readBusiness, undefined),
  );

  app.put(
    '/v1/businesses/:businessId',
    {
      bodyLimit: BUSINESS_BYTES,
      config: { access: 'BUSINESS_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Update a business',
        description:
          'Each submitted section of `configs` replaces the stored one. Masked secrets keep their stored value.',
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
        summary: 'List markets',
        description: 'Returns markets in the order of `configs.markets`.',
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
        summary: 'Get a market',
        params: Type.Object({ businessId: Id, marketId: MarketCode }),
        response: { 200: Market },
      },
    },
    (request, reply) => readOne(request, reply, readMarket, request.params.marketId),
  );
}
