import { change, command, perform, query, readOne } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessRecordParams, PageOf, Success } from '../../../shared/schemas.ts';
import { addSubscriber } from './add-subscriber.ts';
import { changeSubscriber } from './change-subscriber.ts';
import { confirmSubscription } from './confirm-subscription.ts';
import { deleteSubscriber } from './delete-subscriber.ts';
import { listSubscribers } from './list-subscribers.ts';
import { readConsent, readPortal, readSubscriber, type SubscriberPath } from './read-subscriber.ts';
import {
  AddSubscriberInput,
  CollectionParams,
  ConfirmInput,
  Consent,
  ListedSubscription,
  PortalLink,
  Subscribed,
  SubscribeInput,
  Subscriber,
  SubscriberChanges,
  SubscriberDetail,
  SubscriberParams,
  SubscriberQuery,
  UnsubscribeInput,
} from './schemas.ts';
import { subscribe } from './subscribe.ts';
import { unsubscribe } from './unsubscribe.ts';

const COLLECTIONS = '/v1/businesses/:businessId/collections';
const tags = ['Newsletters'];

const pathOf = ({ id, subscriberId }: { id: string; subscriberId: string }): SubscriberPath => ({
  collectionId: id,
  subscriberId,
});

export function subscriptionRoutes(app: App): void {
  app.post(
    `${COLLECTIONS}/:collectionId/subscribe`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'subscribe',
        summary: 'Subscribe an address to a newsletter',
        description:
          'One address has one subscription. A free plan makes it ACTIVE, or PENDING until its owner confirms by mail: always with `doubleOptIn`, else when the address had unsubscribed and is not the confirmed one of the caller. A paid plan returns where to pay.',
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
        response: { 200: PageOf(ListedSubscription) },
      },
    },
    (request) => query(request, listSubscribers, { ...request.query, collectionId: request.params.id }),
  );

  app.post(
    `${COLLECTIONS}/:id/subscribers`,
    {
      config: { access: 'SUBSCRIBER_WRITE' },
      schema: {
        tags,
        summary: 'Add a subscriber who has agreed',
        description:
          'ACTIVE at once, also with `doubleOptIn`: the member states the consent. An address that had unsubscribed is PENDING until its owner confirms by mail.',
        params: BusinessRecordParams,
        body: AddSubscriberInput,
        response: { 200: Subscriber },
      },
    },
    (request) => command(request, addSubscriber, { ...request.body, collectionId: request.params.id }),
  );

  app.get(
    `${COLLECTIONS}/:id/subscribers/:subscriberId`,
    {
      config: { access: 'SUBSCRIBER_READ', versioned: true },
      schema: { tags, summary: 'Read a subscriber', params: SubscriberParams, response: { 200: SubscriberDetail } },
    },
    (request, reply) => readOne(request, reply, readSubscriber, pathOf(request.params)),
  );

  app.get(
    `${COLLECTIONS}/:id/subscribers/:subscriberId/consent`,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        summary: 'What a subscriber has agreed to, when and how',
        description: '404 as long as they have not.',
        params: SubscriberParams,
        response: { 200: Consent },
      },
    },
    (request) => query(request, readConsent, pathOf(request.params)),
  );

  app.post(
    `${COLLECTIONS}/:id/subscribers/:subscriberId/portal`,
    {
      config: { access: 'SUBSCRIBER_WRITE' },
      schema: {
        tags,
        operationId: 'openSubscriberPortal',
        summary: 'Get the page where a subscriber manages their paid plan',
        description: 'For the subscriber alone. 409 when nothing renews.',
        params: SubscriberParams,
        response: { 200: PortalLink },
      },
    },
    (request) => perform(request, readPortal, pathOf(request.params)),
  );

  app.put(
    `${COLLECTIONS}/:id/subscribers/:subscriberId`,
    {
      config: { access: 'SUBSCRIBER_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Change name or plan of a subscriber, or end the subscription',
        description: 'Only its owner makes a subscription ACTIVE.',
        params: SubscriberParams,
        body: SubscriberChanges,
        response: { 200: SubscriberDetail },
      },
    },
    (request, reply) => change(request, reply, changeSubscriber, { ...pathOf(request.params), changes: request.body }),
  );

  app.delete(
    `${COLLECTIONS}/:id/subscribers/:subscriberId`,
    {
      config: { access: 'SUBSCRIBER_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Delete a subscriber',
        description:
          'One who has unsubscribed, or whose address bounced, is kept (409), so that nobody writes to them again.',
        params: SubscriberParams,
        response: { 200: Success },
      },
    },
    (request) => command(request, deleteSubscriber, pathOf(request.params)),
  );

  app.post(
    `${COLLECTIONS}/confirm`,
    {
      config: { access: 'public' },
      schema: {
        tags,
        summary: 'Confirm a subscription with the token of the mail that asked for it',
        description: 'Repeatable.',
        params: BusinessParams,
        body: ConfirmInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, confirmSubscription, request.body.token),
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
