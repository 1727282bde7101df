import Type, { type Static } from 'typebox';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessId, ChosenId, Email, Id, Input, MarketCode, Nullable, Text, Timestamp } from '../../shared/schemas.ts';
import { DELIVERY_STATUSES, type DeliveryRow } from './delivery-queries.ts';
import { SEND_STATUSES, type SendView } from './send-queries.ts';
import { SUBSCRIPTION_STATUSES, type SubscriptionRow } from './subscription-queries.ts';

const oneOf = <T extends string>(values: readonly T[]) => Type.Union(values.map((value) => Type.Literal(value)));

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

export const SubscriberQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(oneOf(SUBSCRIPTION_STATUSES)),
  planId: Type.Optional(Type.String({ maxLength: 64 })),
  email: Type.Optional(Type.String({ maxLength: 254, description: 'The whole address.' })),
  query: Type.Optional(Type.String({ maxLength: 254, description: 'A part of the address.' })),
});
export type SubscriberQuery = Static<typeof SubscriberQuery>;

export const UnsubscribeInput = Input({
  token: Type.String({ maxLength: 500, description: 'From the link in a mail.' }),
});

export const SendInput = Input({
  scheduledAt: Type.Optional(Nullable(Timestamp)),
  resend: Type.Optional(Type.Boolean({ description: 'Send it although it was sent before.' })),
});
export type SendInput = Static<typeof SendInput>;

const SendStatus = Type.String({ description: SEND_STATUSES.join(', '), examples: ['SENDING'] });

export const SendStarted = Type.Object({
  id: Id,
  entryId: Id,
  status: SendStatus,
  scheduledAt: Timestamp,
  recipients: Type.Integer({ examples: [2] }),
});

const Count = Type.Integer({ examples: [0] });

export const Send = Type.Object({
  ...SendStarted.properties,
  total: Count,
  sent: Count,
  failed: Count,
  skipped: Type.Integer({
    description: 'Unsubscribed before their turn, or left out by a cancellation.',
    examples: [0],
  }),
  unknown: Type.Integer({ description: 'Nobody knows whether these arrived.', examples: [0] }),
  error: Nullable(Type.String({ description: 'Why a FAILED send did not begin.', examples: ['ENTRY_NOT_FOUND'] })),
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
  completedAt: Nullable(Timestamp),
});

export const sendOf = (row: SendView): Static<typeof Send> => ({
  id: row.id,
  entryId: row.entryId,
  status: row.status,
  scheduledAt: row.scheduledAt,
  recipients: row.recipients,
  total: row.total,
  sent: row.sent,
  failed: row.failed,
  skipped: row.skipped,
  unknown: row.unknown,
  error: row.error,
  createdAt: row.createdAt,
  startedAt: row.startedAt,
  completedAt: row.completedAt,
});

export const DeliveryQuery = Type.Object({ ...PageQuery.properties, status: Type.Optional(oneOf(DELIVERY_STATUSES)) });

export const Delivery = Type.Object({
  subscriptionId: Id,
  email: Type.String({ examples: ['ada@example.com'] }),
  status: Type.String({ description: DELIVERY_STATUSES.join(', '), examples: ['SENT'] }),
  attempts: Count,
  error: Nullable(Type.String()),
  updatedAt: Timestamp,
});

export const deliveryOf = ({ name: _, ...row }: DeliveryRow): Static<typeof Delivery> => row;

export const TestInput = Input({ email: Email });

export const Variables = Type.Object({
  variables: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['subscriber.name'] }),
      description: Type.String(),
      example: Type.String({ examples: ['Ada'] }),
    }),
  ),
});

export const CollectionParams = Type.Object({ businessId: BusinessId, collectionId: Id });
export const EntryParams = Type.Object({ businessId: BusinessId, entryId: Id });
export const SendParams = Type.Object({ businessId: BusinessId, entryId: Id, sendId: Id });
