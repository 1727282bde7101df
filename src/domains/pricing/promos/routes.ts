import { change, command, query, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessRecordParams, CountedPageOf, Success } from '../../../shared/schemas.ts';
import { changePromo, createPromo, readPromo, readPromos, removePromo } from './codes.ts';
import { PromoCode, PromoInput, PromoListQuery, PromoUpdate } from './schemas.ts';

const PROMOS = '/v1/businesses/:businessId/promo-codes';
const tags = ['Promo codes'];

export function promoRoutes(app: App): void {
  app.post(
    PROMOS,
    {
      config: { access: 'PROMO_WRITE' },
      schema: {
        tags,
        summary: 'Create a promo code',
        params: BusinessParams,
        body: PromoInput,
        response: { 200: PromoCode },
      },
    },
    (request) => command(request, createPromo, request.body),
  );

  app.get(
    PROMOS,
    {
      config: { access: 'PROMO_WRITE' },
      schema: {
        tags,
        summary: 'List promo codes',
        params: BusinessParams,
        querystring: PromoListQuery,
        response: { 200: CountedPageOf(PromoCode) },
      },
    },
    (request) => query(request, readPromos, request.query),
  );

  app.get(
    `${PROMOS}/:id`,
    {
      config: { access: 'PROMO_WRITE', versioned: true },
      schema: { tags, summary: 'Get a promo code', params: BusinessRecordParams, response: { 200: PromoCode } },
    },
    (request, reply) => readOne(request, reply, readPromo, request.params.id),
  );

  app.put(
    `${PROMOS}/:id`,
    {
      config: { access: 'PROMO_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Update a promo code',
        params: BusinessRecordParams,
        body: PromoUpdate,
        response: { 200: PromoCode },
      },
    },
    (request, reply) => change(request, reply, changePromo, { id: request.params.id, changes: request.body }),
  );

  app.delete(
    `${PROMOS}/:id`,
    {
      config: { access: 'PROMO_WRITE', versioned: true },
      schema: { tags, summary: 'Delete a promo code', params: BusinessRecordParams, response: { 200: Success } },
    },
    (request) => command(request, removePromo, request.params.id),
  );
}
