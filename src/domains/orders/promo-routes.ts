import { inTransaction } from '../../db/connection.ts';
import { once } from '../../http/idempotency.ts';
import type { App } from '../../http/server.ts';
import { etagOf } from '../../shared/etag.ts';
import { BusinessParams, BusinessRecordParams, PageOf, SUCCESS, Success } from '../../shared/schemas.ts';
import type { Orders } from './index.ts';
import { changePromo, createPromo, readPromo, readPromos, removePromo, viewPromo } from './promo-codes.ts';
import { PromoCode, PromoInput, PromoListQuery, PromoUpdate } from './promo-schemas.ts';

const PROMOS = '/v1/businesses/:businessId/promo-codes';
const tags = ['Promo codes'];

export function promoRoutes(app: App, { context: ctx }: Orders): void {
  const { pool } = ctx.deps;

  app.post(
    PROMOS,
    {
      config: { access: 'PROMO_WRITE', idempotent: true },
      schema: {
        ...{ tags, summary: 'Create a promo code', params: BusinessParams, body: PromoInput },
        response: { 200: PromoCode },
      },
    },
    (request) =>
      once(pool, request, async (tx) =>
        viewPromo(await createPromo(ctx, tx, request.caller, request.params.businessId, request.body)),
      ),
  );

  app.get(
    PROMOS,
    {
      config: { access: 'PROMO_WRITE' },
      schema: {
        ...{ tags, summary: 'List promo codes, newest first', params: BusinessParams, querystring: PromoListQuery },
        response: { 200: PageOf(PromoCode) },
      },
    },
    (request) => readPromos(ctx, request.params.businessId, request.query),
  );

  app.get(
    `${PROMOS}/:id`,
    {
      config: { access: 'PROMO_WRITE', versioned: true },
      schema: { tags, summary: 'Read a promo code', params: BusinessRecordParams, response: { 200: PromoCode } },
    },
    async (request, reply) => {
      const row = await readPromo(ctx, request.params.businessId, request.params.id);
      reply.header('etag', etagOf(row.version));
      return viewPromo(row);
    },
  );

  app.put(
    `${PROMOS}/:id`,
    {
      config: { access: 'PROMO_WRITE', versioned: true },
      schema: {
        ...{ tags, summary: 'Change a promo code', params: BusinessRecordParams, body: PromoUpdate },
        response: { 200: PromoCode },
      },
    },
    async (request, reply) => {
      const row = await inTransaction(pool, (tx) =>
        changePromo(ctx, tx, request.caller, request.params, request.body, request.headers['if-match']),
      );
      reply.header('etag', etagOf(row.version));
      return viewPromo(row);
    },
  );

  app.delete(
    `${PROMOS}/:id`,
    {
      config: { access: 'PROMO_WRITE', versioned: true },
      schema: { tags, summary: 'Delete a promo code', params: BusinessRecordParams, response: { 200: Success } },
    },
    async (request) => {
      await inTransaction(pool, (tx) => removePromo(tx, request.params, request.headers['if-match']));
      return SUCCESS;
    },
  );
}
