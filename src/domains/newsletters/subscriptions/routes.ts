import { command, query } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessRecordParams, PageOf, Success } from '../../../shared/schemas.ts';
import { listSubscribers } from './list-subscribers.ts';
import {
  CollectionParams,
  Subscribed,
  SubscribeInput,
  SubscriberQuery,
  Subscription,
  UnsubscribeInput,
} from './schemas.ts';
import { subscribe } from './subscribe.ts';
import { unsubscribe } from './unsubscribe.ts';

const COLLECTIONS = '/v1/businesses/:businessId/collections';
const tags = ['Newsletters'];

export function subscriptionRoutes(app: App): void {
  app.post(
    `${COLLECTIONS}/:collectionId/subscribe`,
    {
      config: { access: 'token', idempotent: true },
      schema: {
        tags,
        operationId: 'subscribe',
        summary: 'Subscribe an address to a newsletter',
        description: 'One address has one subscription. A free plan makes it ACTIVE; a paid one returns where to pay.',
        params: CollectionParams,
        body: SubscribeInput,
        response: { 200: Subscribed },
      },
    },
    (request) => {
      const { collectionId } = request.params;
      return command(request, subscribe, { ...request.body, collectionId });
    },
  );

  app.get(
    `${COLLECTIONS}/:id/subscribers`,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        summary: 'List the subscribers of a newsletter, newest first',
        params: BusinessRecordParams,
        querystring: SubscriberQuery,
        response: { 200: PageOf(Subscription) },
      },
    },
    (request) => query(request, listSubscribers, { ...request.query, collectionId: request.params.id }),
  );

  app.post(
    `${COLLECTIONS}/unsubscribe`,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Unsubscribe with the token of a newsletter mail',
        description: 'Repeatable.',
        params: BusinessParams,
        body: UnsubscribeInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, unsubscribe, request.body.token),
  );
}
