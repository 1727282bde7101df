import Type, { type Static } from 'typebox';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessId, Id, Nullable, OneOf, Timestamp } from '../../shared/schemas.ts';

const Actor = Type.Object({
  type: OneOf(['USER', 'API_KEY', 'SYSTEM']),
  userId: Type.Optional(Id),
  keyId: Type.Optional(Id),
  requestId: Type.Optional(Type.String({ description: 'The `x-request-id` of the request that caused it.' })),
});

const Changes = Type.Object(
  {},
  {
    additionalProperties: true,
    description: 'By field: `{"old": …, "new": …}`, or `{"omitted": true}` where the values are too large.',
    examples: [{ name: { old: 'Cup', new: 'Mug' } }],
  },
);

export const Event = Type.Object({
  id: Type.String({ examples: ['evt_demo_42'] }),
  type: Type.String({ examples: ['order.created'] }),
  businessId: BusinessId,
  entity: Type.String({ description: 'The kind of the record and its id.', examples: ['order:ord_01jd3x8q6k'] }),
  actor: Actor,
  sequence: Type.Integer({ description: 'Grows by one with each event of the entity.', examples: [1] }),
  data: Type.Unknown({ description: 'The record after the change, as a reader with full rights sees it.' }),
  changes: Nullable(Changes),
  createdAt: Timestamp,
});
export type Event = Static<typeof Event>;

export const AuditEntry = Type.Object({
  id: Type.String({ examples: ['evt_demo_42'] }),
  type: Type.String({ examples: ['product.updated'] }),
  entity: Type.String({ examples: ['product:prod_01jd3x8q6k'] }),
  actor: Actor,
  actorName: Nullable(Type.String({ description: 'The name or e-mail of the person, where the business may see it.' })),
  address: Nullable(Type.String({ description: 'The network address that the request came from.' })),
  changes: Nullable(Changes),
  createdAt: Timestamp,
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AccountEvent = Type.Object({
  id: Type.String(),
  type: Type.String({ examples: ['user.login'] }),
  actor: Actor,
  address: Nullable(Type.String()),
  data: Type.Unknown(),
  createdAt: Timestamp,
});
export type AccountEvent = Static<typeof AccountEvent>;

/** `order.*` is every type that begins with `order.`; `*` is all of them. */
export const TypePattern = Type.String({
  maxLength: 64,
  pattern: '^(\\*|[a-z_]+\\.(\\*|[a-z_]+))$',
  description: 'A type of event, all of a kind as `order.*`, or `*`.',
  examples: ['order.*'],
});

export const EventQuery = Type.Object({
  ...PageQuery.properties,
  after: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Oldest first, from after this event on; `0`: from the beginning. Without it: newest first.',
      examples: ['0'],
    }),
  ),
  types: Type.Optional(Type.Array(TypePattern, { maxItems: 50 })),
  entity: Type.Optional(Type.String({ maxLength: 200, examples: ['order:ord_01jd3x8q6k'] })),
  actor: Type.Optional(Type.String({ maxLength: 64, description: 'A user id.' })),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
});
export type EventQuery = Static<typeof EventQuery>;

export const StreamQuery = Type.Object({
  after: EventQuery.properties.after,
  types: EventQuery.properties.types,
});
export type StreamQuery = Static<typeof StreamQuery>;
