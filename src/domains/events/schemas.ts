import Type, { type Static } from 'typebox';
import { ACCOUNT_EVENT_TYPES, EVENT_TYPES, type EventType } from '../../shared/events.ts';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessId, Id, Known, Nullable, OneOf, Timestamp } from '../../shared/schemas.ts';

const Actor = Type.Object({
  type: OneOf(['USER', 'API_KEY', 'SYSTEM']),
  userId: Type.Optional(Id),
  keyId: Type.Optional(Id),
  requestId: Type.Optional(Type.String({ description: 'The `x-request-id` of the request that caused the event.' })),
});

export type Actor = Static<typeof Actor>;

const Changes = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'The changes by field: `{"old": …, "new": …}`, or `{"omitted": true}` if the values are too large.',
    examples: [{ name: { old: 'Cup', new: 'Mug' } }],
  },
);

export const Event = Type.Object({
  id: Type.String({ examples: ['evt_demo_42'] }),
  type: Known(EVENT_TYPES, Type.String({ examples: ['order.created'] })),
  businessId: BusinessId,
  entity: Type.String({ description: 'The type and ID of the record.', examples: ['order:ord_01jd3x8q6k'] }),
  actor: Actor,
  sequence: Type.Integer({ description: 'Increases by one with each event for the entity.', examples: [1] }),
  data: Type.Unknown({
    description:
      'The record after the change, as an admin sees it. `EventData` has the fields of each event type. `{"erased": true}` if the person was erased.',
  }),
  changes: Nullable(Changes),
  createdAt: Timestamp,
});
export type Event = Static<typeof Event>;

export const AuditEntry = Type.Object({
  id: Type.String({ examples: ['evt_demo_42'] }),
  type: Known(EVENT_TYPES, Type.String({ examples: ['product.updated'] })),
  entity: Type.String({ examples: ['product:prod_01jd3x8q6k'] }),
  entityName: Nullable(
    Type.String({
      description: 'The name, number or code of the record, or its email, file, URL or path.',
      examples: ['Linen shirt'],
    }),
  ),
  actor: Actor,
  actorName: Nullable(Type.String({ description: 'The name or email of the user, if visible to the business.' })),
  address: Nullable(Type.String({ description: 'The IP address of the request.' })),
  changes: Nullable(Changes),
  createdAt: Timestamp,
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AccountEvent = Type.Object({
  id: Type.String(),
  type: Known(ACCOUNT_EVENT_TYPES, Type.String({ examples: ['user.login'] })),
  actor: Actor,
  address: Nullable(Type.String()),
  data: Type.Unknown(),
  createdAt: Timestamp,
});
export type AccountEvent = Static<typeof AccountEvent>;

export const TypePattern = Type.String({
  maxLength: 64,
  pattern: '^(\\*|[a-z_]+\\.(\\*|[a-z_]+))$',
  description: 'An event type, a group of types such as `order.*`, or `*` for all types.',
  examples: ['order.*'],
});

const GROUPS = [...new Set(EVENT_TYPES.map((type) => `${type.split('.')[0]}.*`))] as `${EventGroup<EventType>}.*`[];
type EventGroup<Type extends string> = Type extends `${infer Group}.${string}` ? Group : never;

const PATTERNS = ['*', ...GROUPS, ...EVENT_TYPES] as const;

/** A pattern that matches at least one type. */
export const EventPattern = OneOf(PATTERNS, {
  description: 'An event type, a group of types such as `order.*`, or `*` for all types.',
  examples: ['order.*'],
});

export const EventQuery = Type.Object({
  ...PageQuery.properties,
  after: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Returns events after this ID, oldest first. Use `0` to start from the beginning.',
      examples: ['0'],
    }),
  ),
  types: Type.Optional(Type.Array(Known(PATTERNS, TypePattern), { maxItems: 50 })),
  entity: Type.Optional(Type.String({ maxLength: 200, examples: ['order:ord_01jd3x8q6k'] })),
  actor: Type.Optional(Type.String({ maxLength: 64, description: 'A user ID.' })),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
});
export type EventQuery = Static<typeof EventQuery>;

export const StreamQuery = Type.Object({
  after: EventQuery.properties.after,
  types: EventQuery.properties.types,
});
export type StreamQuery = Static<typeof StreamQuery>;
