import { change, command, query, queryOnce, readOne, readUnversioned } from '../../../http/command.ts';
import type { App } from '../../../http/server.ts';
import { BusinessParams, BusinessSlugParams, CountedPageOf, PageOf, Success } from '../../../shared/schemas.ts';
import { addSubscriber } from './add-subscriber.ts';
import { changeSubscriber } from './change-subscriber.ts';
import { deleteSubscriber } from './delete-subscriber.ts';
import { readFeedLink, replaceFeedLink } from './feeds/feed-link.ts';
import { confirmSubscription } from './joining/confirm-subscription.ts';
import { subscribe } from './joining/subscribe.ts';
import { listSubscribers } from './list-subscribers.ts';
import { listOwnSubscriptions } from './own-subscriptions.ts';
import { readConsent, readPortal, readSubscriber, type SubscriberPath } from './read-subscriber.ts';
import {
  AddSubscriberInput,
  CollectionParams,
  ConfirmInput,
  Consent,
  FeedLink,
  ListedSubscription,
  OwnSubscription,
  PortalLink,
  Subscribed,
  SubscribeInput,
  Subscriber,
  SubscriberChanges,
  SubscriberDetail,
  SubscriberParams,
  SubscriberQuery,
  TrackingInput,
  UnsubscribeInput,
} from './schemas.ts';
import { setTracking } from './set-tracking.ts';
import { unsubscribe } from './unsubscribe.ts';

const COLLECTIONS = '/v1/businesses/:businessId/collections';
const tags = ['Newsletters'];

const pathOf = ({ id, subscriberId }: { id: string; subscriberId: string }): SubscriberPath => ({
  collection: id,
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
        summary: 'Subscribe an email address to a newsletter',
        description:
          'Each email address has one subscription per newsletter. With a free plan, the subscription is `ACTIVE`, or `PENDING` until its owner ' +
          'confirms by email. Confirmation is required if the newsletter uses `doubleOptIn`, or if the address previously ' +
          'unsubscribed and is not the confirmed address of the caller. With a paid plan, the response contains the URL of the payment page. ' +
          'If confirmation is required, the owner also gets an email with a payment link. Paying through that link confirms the subscription. If someone ' +
          'else pays, the subscription stays pending until the owner opens the link.',
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
    '/v1/businesses/:businessId/subscriptions',
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'listOwnSubscriptions',
        summary: 'List my subscriptions',
        description: 'Returns all your newsletter subscriptions in this business, with links to manage them.',
        params: BusinessParams,
        response: { 200: PageOf(OwnSubscription) },
      },
    },
    (request) => query(request, listOwnSubscriptions, undefined),
  );

  app.get(
    `${COLLECTIONS}/:id/subscribers`,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        summary: 'List newsletter subscribers',
        description: 'Returns the subscribers, newest first.',
        params: BusinessSlugParams,
        querystring: SubscriberQuery,
        response: { 200: CountedPageOf(ListedSubscription) },
      },
    },
    (request) => query(request, listSubscribers, { ...request.query, collection: request.params.id }),
  );

  app.post(
    `${COLLECTIONS}/:id/subscribers`,
    {
      config: { access: 'SUBSCRIBER_WRITE' },
      schema: {
        tags,
        summary: 'Add a subscriber',
        description:
          'The subscription is `ACTIVE` immediately, even with `doubleOptIn`, because you confirm that the subscriber gave consent. A ' +
          'previously unsubscribed address is `PENDING` until its owner confirms by email.',
        params: BusinessSlugParams,
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
      schema: { tags, summary: 'Get a subscriber', params: SubscriberParams, response: { 200: SubscriberDetail } },
    },
    (request, reply) => readOne(request, reply, readSubscriber, pathOf(request.params)),
  );

  app.get(
    `${COLLECTIONS}/:id/subscribers/:subscriberId/consent`,
    {
      config: { access: 'SUBSCRIBER_READ' },
      schema: {
        tags,
        summary: "Get a subscriber's consent",
        description:
          'Returns when and how the subscriber gave consent, and the text they agreed to. Fails with 404 if the subscriber has not given consent yet.',
        params: SubscriberParams,
        response: { 200: Consent },
      },
    },
    (request, reply) => readUnversioned(request, reply, readConsent, pathOf(request.params)),
  );

  app.post(
    `${COLLECTIONS}/:id/subscribers/:subscriberId/portal`,
    {
      config: { access: 'SUBSCRIBER_WRITE' },
      schema: {
        tags,
        operationId: 'openSubscriberPortal',
        summary: 'Create a billing portal link',
        description:
          'Returns the URL of the page where the subscriber manages their paid plan. Share it only with the subscriber. Fails with ' +
          '409 if the plan does not renew.',
        params: SubscriberParams,
        response: { 200: PortalLink },
      },
    },
    (request) => queryOnce(request, readPortal, pathOf(request.params)),
  );

  app.put(
    `${COLLECTIONS}/:id/subscribers/:subscriberId`,
    {
      config: { access: 'SUBSCRIBER_WRITE', versioned: true },
      schema: {
        tags,
        summary: 'Update a subscriber',
        description:
          'Omitted fields keep their values. Changing the plan, or setting `status` to `UNSUBSCRIBED`, stops future charges. Only the subscriber can reactivate the subscription.',
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
          "Subscribers who have unsubscribed or whose address bounced can't be deleted (409), so that they are never emailed again.",
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
        summary: 'Confirm a subscription',
        description:
          'Send the token from the confirmation email. Confirming again has no effect. Fails with 422 `PAYMENT_REQUIRED` if a paid plan has not been paid for yet.',
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
        summary: 'Unsubscribe',
        description: 'Send the token from a newsletter email. Unsubscribing again has no effect.',
        params: BusinessParams,
        body: UnsubscribeInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, unsubscribe, request.body.token),
  );

  app.post(
    `${COLLECTIONS}/tracking`,
    {
      config: { access: 'public' },
      schema: {
        tags,
        operationId: 'setTracking',
        summary: 'Turn tracking on or off',
        description:
          "Called by subscribers with the token from an email's unsubscribe link. Opens and clicks of subscribers who opted out are counted only in totals.",
        params: BusinessParams,
        body: TrackingInput,
        response: { 200: Success },
      },
    },
    (request) => command(request, setTracking, request.body),
  );

  app.get(
    `${COLLECTIONS}/:collectionId/feed-link`,
    {
      config: { access: 'token', returnsSecret: true },
      schema: {
        tags,
        operationId: 'getFeedLink',
        summary: 'Get my feed URL for a newsletter',
        description:
          'Returns the secret URL of an Atom feed with everything that you can read. Fails with 404 if you have no active subscription to the newsletter.',
        params: CollectionParams,
        response: { 200: FeedLink },
      },
    },
    (request) => query(request, readFeedLink, request.params.collectionId),
  );

  app.post(
    `${COLLECTIONS}/:collectionId/feed-link`,
    {
      config: { access: 'token' },
      schema: {
        tags,
        operationId: 'replaceFeedLink',
        summary: 'Replace my feed URL',
        description: 'The previous URL stops working immediately.',
        params: CollectionParams,
        response: { 200: FeedLink },
      },
    },
    (request) => command(request, replaceFeedLink, request.params.collectionId),
  );
}
