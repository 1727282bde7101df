import Type, { type Static } from 'typebox';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessId, Id, Input, Nullable, OneOf, Timestamp } from '../../shared/schemas.ts';
import { EventPattern } from '../events/index.ts';

const Url = Type.String({ minLength: 1, maxLength: 2000, examples: ['https://example.com/hooks'] });
const Patterns = Type.Array(EventPattern, { minItems: 1, maxItems: 50, uniqueItems: true });
const WebhookDescription = Type.String({ maxLength: 500 });

export const WebhookInput = Input({
  url: Url,
  events: Patterns,
  description: Type.Optional(WebhookDescription),
  enabled: Type.Optional(Type.Boolean()),
});
export type WebhookInput = Static<typeof WebhookInput>;

export const WebhookChange = Input({
  url: Type.Optional(Url),
  events: Type.Optional(Patterns),
  description: Type.Optional(WebhookDescription),
  enabled: Type.Optional(Type.Boolean()),
});
export type WebhookChange = Static<typeof WebhookChange>;

export const Webhook = Type.Object({
  id: Id,
  businessId: BusinessId,
  url: Url,
  events: Type.Array(EventPattern),
  description: Type.String(),
  enabled: Type.Boolean(),
  disabledReason: Nullable(Type.String({ description: 'Why the webhook was disabled automatically.' })),
  failingSince: Nullable(Timestamp),
  payloadVersion: Type.Integer({ examples: [1] }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Webhook = Static<typeof Webhook>;

const Secret = Type.String({
  description: 'The signing secret. Shown only once.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
});
export const NewWebhook = Type.Object({ ...Webhook.properties, secret: Secret });
export type NewWebhook = Static<typeof NewWebhook>;

export const Rotated = Type.Object(
  {
    secret: Secret,
    previousValidUntil: Type.Integer({
      description: 'Until this time, requests are also signed with the previous secret.',
    }),
  },
  { description: 'The new secret' },
);
export type Rotated = Static<typeof Rotated>;

const DELIVERY_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;

export const WebhookAttempt = Type.Object({
  at: Timestamp,
  status: Nullable(Type.Integer({ description: 'The HTTP status, or null if there was no response.' })),
  durationMs: Type.Integer(),
  error: Nullable(Type.String()),
  answer: Nullable(Type.String({ description: 'The first 1 KiB of the response body.' })),
});
export type WebhookAttempt = Static<typeof WebhookAttempt>;

export const WebhookDelivery = Type.Object({
  id: Type.String({ description: 'The ID of the event.', examples: ['evt_demo_42'] }),
  type: Type.String(),
  entity: Type.String(),
  status: OneOf(DELIVERY_STATUSES),
  attempts: Type.Array(WebhookAttempt),
  nextAttemptAt: Nullable(Timestamp),
  createdAt: Timestamp,
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const DeliveryQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(DELIVERY_STATUSES)),
});
export type DeliveryQuery = Static<typeof DeliveryQuery>;

export const ReplayInput = Input({ from: Timestamp, to: Timestamp });
export type ReplayInput = Static<typeof ReplayInput>;
export const Replayed = Type.Object(
  {
    success: Type.Boolean({ examples: [true] }),
    events: Type.Integer({ description: 'The number of matching events.', examples: [42] }),
  },
  { description: 'The number of events that are sent again' },
);
export type Replayed = Static<typeof Replayed>;

export const TestInput = Input({ url: Url });
export type TestInput = Static<typeof TestInput>;

export const TestResult = Type.Object(
  { ...WebhookAttempt.properties, success: Type.Boolean() },
  { description: 'The result of the test event' },
);
export type TestResult = Static<typeof TestResult>;
