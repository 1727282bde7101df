import Type, { type Static } from 'typebox';
import { CountedPageQuery } from '../../../shared/paging.ts';
import {
  BusinessId,
  ChosenId,
  Email,
  Etag,
  Id,
  IdOrSlug,
  Input,
  Known,
  Line,
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

export const FeedLink = Type.Object({
  url: Type.String({ examples: ['https://shop.example/s/linen/letters/feed.xml?token=biz_…'] }),
});

export const Subscription = Type.Object({
  id: Id,
  entity: Type.String({
    description: 'The newsletter, as `collection:<collectionId>`.',
    examples: ['collection:col_01jd3x8q6kz5v0n4t7w2m9c1ab'],
  }),
  email: Type.String({ examples: ['ada@example.com'] }),
  planId: Type.String({ examples: ['free'] }),
  status: Known(SUBSCRIPTION_STATUSES, Type.String({ examples: ['ACTIVE'] })),
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

export const Tags = Type.Array(Line(50, { minLength: 1, examples: ['vip'] }), {
  maxItems: 50,
  description: 'Tags, for segments. Stored in lower case.',
});
const Fields = Type.Record(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), Type.String({ maxLength: 200 }), {
  maxProperties: 50,
  description: 'Custom fields, for segments.',
  examples: [{ birthday: '05-17' }],
});

export const ListedSubscription = Type.Object({ ...Subscription.properties, tags: Tags, etag: Etag });
export type ListedSubscription = Static<typeof ListedSubscription>;

const TimeZone = Line(64, { description: 'An IANA time zone, for sends in local time.', examples: ['Europe/Berlin'] });
const DoNotTrack = Type.Boolean({
  description: "If true, this subscriber's opens and clicks are counted only in totals.",
  examples: [false],
});

/** A subscription as members see it. */
export const Subscriber = Type.Object({
  ...Subscription.properties,
  name: Type.String({ description: 'The name of the subscriber, used for `{{subscriber.name}}`.', examples: ['Ada'] }),
  tags: Tags,
  fields: Fields,
  timeZone: Nullable({ ...TimeZone, description: 'Null means the time zone of the business.' }),
  doNotTrack: DoNotTrack,
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

/** The billing of a recurring plan. */
export const Billing = Type.Object({
  planId: Type.String({ examples: ['club'] }),
  status: OneOf(['ACTIVE', 'PAST_DUE', 'ENDED'], { examples: ['ACTIVE'] }),
  amount: MoneyMinor,
  currency: Type.String({ examples: ['eur'] }),
  interval: OneOf(INTERVALS, { examples: ['MONTHLY'] }),
  provider: OneOf(['SANDBOX', 'STRIPE'], { examples: ['STRIPE'] }),
  paidUntil: Timestamp,
  cancelAtPeriodEnd: Type.Boolean({ description: 'If true, the plan ends at `paidUntil` instead of renewing.' }),
  charges: Type.Array(Charge, { description: 'The latest charges, newest first.' }),
});
export type Billing = Static<typeof Billing>;

const Referrals = Type.Integer({ description: "Confirmed sign-ups through the subscriber's link.", examples: [3] });

/** A subscription with its billing. */
export const SubscriberDetail = Type.Object({
  ...Subscriber.properties,
  referrals: Referrals,
  billing: Nullable(Billing),
});
export type SubscriberDetail = Static<typeof SubscriberDetail>;

export const PortalLink = Type.Object({
  url: Type.String({
    description:
      'The page where the subscriber updates their card, sees their payments and cancels. Share it only with them.',
    examples: ['https://billing.stripe.com/p/session/test_1'],
  }),
});
export type PortalLink = Static<typeof PortalLink>;

export const subscriberOf = (row: SubscriptionRow): Subscriber => ({
  ...subscriptionOf(row),
  name: row.name,
  tags: [...row.tags],
  fields: { ...row.fields },
  timeZone: row.timeZone,
  doNotTrack: row.doNotTrack,
});

export const Consent = Type.Object({
  subscriptionId: Id,
  email: Type.String({ examples: ['ada@example.com'] }),
  source: Type.String({
    description: 'How consent was given: `DOUBLE_OPT_IN`, `SUBSCRIBE`, `PAYMENT`, or text entered by a member.',
    examples: ['DOUBLE_OPT_IN'],
  }),
  at: Timestamp,
  address: Nullable(Type.String({ description: 'The IP address of the subscriber.', examples: ['203.0.113.7'] })),
  text: Nullable(Type.String({ description: 'The text that the subscriber agreed to.' })),
  userId: Nullable(Id),
});
export type Consent = Static<typeof Consent>;

const SubscriberName = Type.String({
  maxLength: MAX_NAME,
  description: 'The name of the subscriber, used for `{{subscriber.name}}`. One line, without a URL.',
  examples: ['Ada'],
});

const RedirectUrl = Type.String({ maxLength: 2000, examples: ['https://shop.example/thanks'] });

export const SubscribeInput = Input({
  email: Email,
  planId: Type.Optional(ChosenId),
  plan_id: Type.Optional(ChosenId),
  market: Type.Optional(MarketCode),
  name: Type.Optional(SubscriberName),
  timeZone: Type.Optional(TimeZone),
  returnUrl: Type.Optional(RedirectUrl),
  cancelUrl: Type.Optional(RedirectUrl),
});
export type SubscribeInput = Static<typeof SubscribeInput>;

export const Subscribed = Type.Union([Subscription, Type.Object({ checkoutUrl: Type.String() })], {
  description: 'The subscription or, for a paid plan, the URL of the payment page.',
});
export type Subscribed = Static<typeof Subscribed>;

export const AddSubscriberInput = Input({
  email: Email,
  planId: Type.Optional(ChosenId),
  plan_id: Type.Optional(ChosenId),
  name: Type.Optional(SubscriberName),
  tags: Type.Optional(Tags),
  fields: Type.Optional(Fields),
  timeZone: Type.Optional(TimeZone),
  consent: Input({
    source: Text(200, {
      description: 'Where and how the subscriber gave consent.',
      examples: ['Paper form at a trade show'],
    }),
    at: Timestamp,
  }),
});
export type AddSubscriberInput = Static<typeof AddSubscriberInput>;

const ManageUrl = (example: string, description: string) =>
  Type.String({ description, examples: [`https://souk.example/${example}`] });

export const OwnSubscription = Type.Object({
  id: Id,
  collectionId: Id,
  name: Type.String({ description: 'The name of the newsletter.', examples: ['Weekly Letter'] }),
  email: Type.String({ examples: ['ada@example.com'] }),
  planId: ChosenId,
  planName: Type.String({ examples: ['Free'] }),
  status: OneOf(SUBSCRIPTION_STATUSES),
  unsubscribeUrl: Nullable(
    ManageUrl('unsubscribe/…', 'The page for unsubscribing and turning off tracking. Null in a support session.'),
  ),
  planUrl: Nullable(ManageUrl('plan/…', 'The page for managing a paid plan.')),
  referrals: Referrals,
  referralUrl: Nullable(
    ManageUrl(
      'r/…',
      "The subscriber's referral link. Null if referrals are turned off for the newsletter or the subscription is not active.",
    ),
  ),
});
export type OwnSubscription = Static<typeof OwnSubscription>;

export const SubscriberChanges = Input({
  name: Type.Optional(SubscriberName),
  tags: Type.Optional(Tags),
  fields: Type.Optional(Fields),
  timeZone: Type.Optional(Nullable(TimeZone)),
  doNotTrack: Type.Optional(DoNotTrack),
  planId: Type.Optional(ChosenId),
  status: Type.Optional(
    OneOf(SUBSCRIPTION_STATUSES, { description: 'Set to `UNSUBSCRIBED` to end the subscription.' }),
  ),
  cancelAtPeriodEnd: Type.Optional(
    Type.Boolean({
      description: 'For a recurring plan: true cancels it at the end of the period; false undoes the cancellation.',
    }),
  ),
});
export type SubscriberChanges = Static<typeof SubscriberChanges>;

export const SubscriberQuery = Type.Object({
  ...CountedPageQuery.properties,
  status: Type.Optional(OneOf(SUBSCRIPTION_STATUSES)),
  planId: Type.Optional(Type.String({ maxLength: 64 })),
  email: Type.Optional(Type.String({ maxLength: 254, description: 'An exact email address.' })),
  query: Type.Optional(Type.String({ maxLength: 254, description: 'Part of an email address.' })),
  tag: Type.Optional(Line(50, { minLength: 1, description: 'Only subscribers with this tag.', examples: ['vip'] })),
});
export type SubscriberQuery = Static<typeof SubscriberQuery>;

export const UnsubscribeInput = Input({
  token: Type.String({ maxLength: 500, description: 'The token from the link in the email.' }),
});

export const TrackingInput = Input({
  ...UnsubscribeInput.properties,
  doNotTrack: DoNotTrack,
});
export type TrackingInput = Static<typeof TrackingInput>;

export const ConfirmInput = Input({
  token: Type.String({ maxLength: 4000, description: 'The token from the link in the email.' }),
});

export const SubscriberParams = Type.Object({ businessId: BusinessId, id: IdOrSlug, subscriberId: Id });

export const CollectionParams = Type.Object({ businessId: BusinessId, collectionId: IdOrSlug });
