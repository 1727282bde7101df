import Type from 'typebox';
import { idempotencyKey } from '../../http/idempotency.ts';
import type { App } from '../../http/server.ts';
import { notFound } from '../../shared/errors.ts';
import { pageLimit } from '../../shared/paging.ts';
import { BusinessParams, BusinessRecordParams, Id, PageOf, SUCCESS, Success } from '../../shared/schemas.ts';
import type { Newsletters } from './index.ts';
import {
  CollectionParams,
  Subscribed,
  SubscribeInput,
  SubscriberQuery,
  Subscription,
  subscriptionOf,
  UnsubscribeInput,
  Variables,
} from './schemas.ts';
import { subscribe } from './subscribe.ts';
import { listSubscriptions } from './subscription-queries.ts';
import { VARIABLES } from './template.ts';
import { unsubscribe } from './unsubscribe.ts';

const COLLECTIONS = '/v1/businesses/:businessId/collections';

export function newsletterRoutes(app: App, { deps }: Newsletters): void {
  const tags = ['Newsletters'];

  app.post(
    `${COLLECTIONS}/:collectionId/subscribe`,
    {
      config: { access: 'token', idempotent: true },
      schema: {
        ...{ tags, summary: 'Subscribe an address to a newsletter', params: CollectionParams, body: SubscribeInput },
        description: 'One address has one subscription. A free plan makes it ACTIVE; a paid one returns where to pay.',
        response: { 200: Subscribed },
      },
    },
    (request) => subscribe(deps, request.caller, request.params, request.body, idempotencyKey(request)),
  );

  app.get(
    `${COLLECTIONS}/:id/subscribers`,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        ...{ tags, summary: 'List the subscribers of a newsletter, newest first' },
        ...{ params: BusinessRecordParams, querystring: SubscriberQuery, response: { 200: PageOf(Subscription) } },
      },
    },
    async ({ params: { businessId, id }, query }) => {
      await deps.content.getCollection(deps.pool, businessId, id);
      const limit = pageLimit(query.limit);
      const scope = `subscribers:${businessId}:${id}`;
      const [before] = deps.cursors.decode(scope, query.cursor) ?? [null];
      const rows = await listSubscriptions(deps.pool, businessId, id, query, before as string | null, limit);
      return deps.cursors.page(scope, rows, limit, (row) => [row.id], subscriptionOf);
    },
  );

  app.post(
    `${COLLECTIONS}/unsubscribe`,
    {
      config: { access: 'public' },
      schema: {
        ...{ tags, summary: 'Unsubscribe with the token of a newsletter mail', description: 'Repeatable.' },
        ...{ params: BusinessParams, body: UnsubscribeInput, response: { 200: Success } },
      },
    },
    async ({ params, body }) => {
      await unsubscribe(deps, body.token, params.businessId);
      return SUCCESS;
    },
  );

  app.get(
    '/v1/collections/entry-types/:entryType/variables',
    {
      config: { access: 'token' },
      schema: {
        ...{ tags, summary: 'The variables that a text may use' },
        ...{ params: Type.Object({ entryType: Id }), response: { 200: Variables } },
      },
    },
    ({ params }) => {
      if (params.entryType !== 'NEWSLETTER') throw notFound('Entry type');
      return { variables: VARIABLES };
    },
  );
}
