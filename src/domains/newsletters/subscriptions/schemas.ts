import Type, { type Static } from 'typebox';
import { PageQuery } from '../../../shared/paging.ts';
import {
  BusinessId,
  ChosenId,
  Email,
  Etag,
  Id,
  Input,
  MarketCode,
  MoneyMinor,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../../shared/schemas.ts';
import { INTERVALS } from '../../payments/index.ts';
import { SUBSCRIPTION_STATUSES, type SubscriptionRow } from './queries.ts';
import { MAX_NAME } from './subscriber-name.ts';

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

export const ListedSubscription = Type.Object({ ...Subscription.properties, etag: Etag });
export type ListedSubscription = Static<typeof ListedSubscription>;

/** One subscription as members see it. */
export const Subscriber = Type.Object({
  ...Subscription.properties,
  name: Type.String({ description: 'For {{subscriber.name}}.', examples: ['Ada'] }),
});
export type Subscriber = Static<typeof Subscriber>;

export const Charge = Type.Object({
  id: Type.String({ examples: ['in_1'] }),
  status: OneOf(['PAID', 'FAILED'], { examples: ['PAID'] }),
  amount: MoneyMinor,
  currency: Type.String({ examples: ['eur'] }),
  paidUntil: Timestamp,
  createdAt: Timestamp,
});

/** A plan that renews. */
export const Billing = Type.Object({
  planId: Type.String({ examples: ['club'] }),
  status: OneOf(['ACTIVE', 'PAST_DUE', 'ENDED'], { examples: ['ACTIVE'] }),
  amount: MoneyMinor,
  currency: Type.String({ examples: ['eur'] }),
  interval: OneOf(INTERVALS, { examples: ['MONTHLY'] }),
  provider: OneOf(['SANDBOX', 'STRIPE'], { examples: ['STRIPE'] }),
  paidUntil: Timestamp,
  cancelAtPeriodEnd: Type.Boolean({ description: 'It ends then, instead of renewing.' }),
  charges: Type.Array(Charge, { description: 'The last ones, newest first.' }),
});
export type Billing = Static<typeof Billing>;

/** One subscription with what is paid for it. */
export const SubscriberDetail = Type.Object({
  ...Subscriber.properties,
  billing: Nullable(Billing),
});
export type SubscriberDetail = Static<typeof SubscriberDetail>;

export const PortalLink = Type.Object({
  url: Type.String({
    description: 'Where the reader changes their card, sees what was paid and cancels. For them alone.',
    examples: ['https://billing.stripe.com/p/session/test_1'],
  }),
});
export type PortalLink = Static<typeof PortalLink>;

export const subscriberOf = (row: SubscriptionRow): Subscriber => ({ ...subscriptionOf(row), name: row.name });

export const Consent = Type.Object({
  subscriptionId: Id,
  email: Type.String({ examples: ['ada@example.com'] }),
  source: Type.String({
    description: 'DOUBLE_OPT_IN, SUBSCRIBE, PAYMENT, or what a member has stated.',
    examples: ['DOUBLE_OPT_IN'],
  }),
  at: Timestamp,
  address: Nullable(Type.String({ description: 'The network address it was given from.', examples: ['203.0.113.7'] })),
  text: Nullable(Type.String({ description: 'The words that were agreed to.' })),
  userId: Nullable(Id),
});
export type Consent = Static<typeof Consent>;

const SubscriberName = Type.String({
  maxLength: MAX_NAME,
  description: 'For {{subscriber.name}}: one line, without a web address.',
  examples: ['Ada'],
});

const WebAddress = Type.String({ maxLength: 2000, examples: ['https://shop.example/thanks'] });

export const SubscribeInput = Input({
  email: Email,
  planId: Type.Optional(ChosenId),
  plan_id: Type.Optional(ChosenId),
  market: Type.Optional(MarketCode),
  name: Type.Optional(SubscriberName),
  returnUrl: Type.Optional(WebAddress),
  cancelUrl: Type.Optional(WebAddress),
});
export type SubscribeInput = Static<typeof SubscribeInput>;

export const Subscribed = Type.Union([Subscription, Type.Object({ checkoutUrl: Type.String() })], {
  description: 'Free plan: the Subscription. Paid plan: where to pay.',
});
export type Subscribed = Static<typeof Subscribed>;

export const AddSubscriberInput = Input({
  email: Email,
  planId: Type.Optional(ChosenId),
  plan_id: Type.Optional(ChosenId),
  name: Type.Optional(SubscriberName),
  consent: Input({
    source: Text(200, { description: 'Where and how they agreed.', examples: ['Paper form at the fair'] }),
    at: Timestamp,
  }),
});
export type AddSubscriberInput = Static<typeof AddSubscriberInput>;

export const SubscriberChanges = Input({
  name: Type.Optional(SubscriberName),
  planId: Type.Optional(ChosenId),
  status: Type.Optional(OneOf(SUBSCRIPTION_STATUSES, { description: 'UNSUBSCRIBED ends the subscription.' })),
  cancelAtPeriodEnd: Type.Optional(
    Type.Boolean({
      description: 'Of a plan that renews: true cancels it at the end of the period, false takes that back.',
    }),
  ),
});
export type SubscriberChanges = Static<typeof SubscriberChanges>;

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

export const ConfirmInput = Input({
  token: Type.String({ maxLength: 2000, description: 'From the link in a mail.' }),
});

export const SubscriberParams = Type.Object({ businessId: BusinessId, id: Id, subscriberId: Id });

export const CollectionParams = Type.Object({ businessId: BusinessId, collectionId: Id });
