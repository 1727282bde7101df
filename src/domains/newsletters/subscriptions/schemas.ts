import Type, { type Static } from 'typebox';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessId, ChosenId, Email, Id, Input, MarketCode, OneOf, Text, Timestamp } from '../../../shared/schemas.ts';
import { SUBSCRIPTION_STATUSES, type SubscriptionRow } from './queries.ts';

export const Subscription = Type.Object({
  id: Id,
  entity: Type.String({
    description: 'collection:<collectionId>',
    examples: ['collection:col_01jd3x8q6kz5v0n4t7w2m9c1ab'],
  }),
  email: Type.String({ examples: ['ada@example.com'] }),
  planId: Type.String({ examples: ['free'] }),
  status: Type.String({ description: SUBSCRIPTION_STATUSES.join(', '), examples: ['ACTIVE'] }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Subscription = Static<typeof Subscription>;

export const subscriptionOf = (row: SubscriptionRow): Subscription => ({
  id: row.id,
  entity: `collection:${row.collectionId}`,
  email: row.email,
  planId: row.planId,
  status: row.status,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

const WebAddress = Type.String({ maxLength: 2000, examples: ['https://shop.example/thanks'] });

export const SubscribeInput = Input({
  email: Email,
  planId: Type.Optional(ChosenId),
  plan_id: Type.Optional(ChosenId),
  market: Type.Optional(MarketCode),
  name: Type.Optional(Text(200, { description: 'For {{subscriber.name}}.', examples: ['Ada'] })),
  returnUrl: Type.Optional(WebAddress),
  cancelUrl: Type.Optional(WebAddress),
});
export type SubscribeInput = Static<typeof SubscribeInput>;

export const Subscribed = Type.Union([Subscription, Type.Object({ checkoutUrl: Type.String() })], {
  description: 'Free plan: the Subscription. Paid plan: where to pay.',
});
export type Subscribed = Static<typeof Subscribed>;

export const SubscriberQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(SUBSCRIPTION_STATUSES)),
  planId: Type.Optional(Type.String({ maxLength: 64 })),
  email: Type.Optional(Type.String({ maxLength: 254, description: 'The whole address.' })),
  query: Type.Optional(Type.String({ maxLength: 254, description: 'A part of the address.' })),
});
export type SubscriberQuery = Static<typeof SubscriberQuery>;

export const UnsubscribeInput = Input({
  token: Type.String({ maxLength: 500, description: 'From the link in a mail.' }),
});

export const CollectionParams = Type.Object({ businessId: BusinessId, collectionId: Id });
