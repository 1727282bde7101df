import Type, { type Static } from 'typebox';
import {
  Bulk,
  BusinessId,
  Currency,
  Id,
  Input,
  Line,
  Nullable,
  PageOf,
  Text,
  Timestamp,
} from '../../../shared/schemas.ts';

export const MAX_TAGS = 20;
export const MAX_NOTES = 200;
const MAX_MENTIONS = 20;

const Tag = Line(40, { minLength: 1, examples: ['gift'] });
export const Tags = Type.Array(Tag, {
  maxItems: MAX_TAGS,
  description:
    'Tags for your team. Tags that differ only in case are the same. Requires `ORDER_READ` or `ORDER_WRITE`.',
  examples: [['gift', 'call first']],
});

const UserId = Type.String({ ...Id, examples: ['usr_01jd3x8q6kz5v0n4t7w2m9c1ab'] });

export const Assignee = Nullable(
  Type.String({
    ...UserId,
    description:
      'The user ID of the member assigned to the order. Null if unassigned, or if the member can no longer see orders. Requires `ORDER_READ` or `ORDER_WRITE`.',
  }),
);

const NoteText = Text(5000, { examples: ['The customer asked for gift wrapping. @Grace, can you add it?'] });
const Mentions = Type.Array(UserId, {
  maxItems: MAX_MENTIONS,
  description: 'The user IDs of the members that the note mentions.',
});

export const OrderNote = Type.Object(
  {
    id: Type.String({ ...Id, examples: ['note_01jd3x8q6kz5v0n4t7w2m9c1ab'] }),
    text: NoteText,
    userId: Type.String({ ...UserId, description: 'The author.' }),
    mentions: Mentions,
    createdAt: Timestamp,
    updatedAt: Type.Optional({
      ...Timestamp,
      description: 'The time of the last change. Omitted if the note has never been changed.',
    }),
  },
  { description: 'A team note on an order.' },
);
export type OrderNote = Static<typeof OrderNote>;

export const OrderNotes = Type.Array(OrderNote, {
  maxItems: MAX_NOTES,
  description: 'Team notes, oldest first. Requires `ORDER_READ` or `ORDER_WRITE`.',
});

export const NoteInput = Input({
  text: NoteText,
  mentions: Type.Optional({
    ...Mentions,
    description:
      'The user IDs of members to notify by email. Members who were already notified about the note are not emailed again.',
  }),
});
export type NoteInput = Static<typeof NoteInput>;

export const NoteParams = Type.Object({ businessId: BusinessId, id: Id, noteId: Id });

/** The origin of an imported order. */
export const OrderSource = Type.Object(
  {
    system: Type.String({ maxLength: 40, examples: ['shopify'] }),
    number: Type.String({
      maxLength: 100,
      description: 'The order number in that system.',
      examples: ['#1001'],
    }),
  },
  { description: 'The system that the order was imported from. Omitted for orders placed in Souk.' },
);
export type OrderSource = Static<typeof OrderSource>;

export const OrderTagsItem = Input({
  orderId: Id,
  add: Type.Optional({ ...Tags, description: 'The tags to add.' }),
  remove: Type.Optional({ ...Tags, description: 'The tags to remove.' }),
});
export type OrderTagsItem = Static<typeof OrderTagsItem>;
export const OrderTagsInputs = Bulk(OrderTagsItem);

export const OrderTagList = PageOf(Type.Object({ tag: Tag }));

export const OrderStaff = PageOf(
  Type.Object({
    id: UserId,
    name: Type.String({ examples: ['Grace Hopper'] }),
    email: Nullable(Type.String({ examples: ['grace@example.com'] })),
  }),
);

export const CustomerSpend = Type.Object({
  currency: Currency,
  orders: Type.Integer({ description: 'The number of orders with a payment in this currency.', examples: [3] }),
  paid: Type.Integer({ description: 'The amount received, in minor units.', examples: [15_000] }),
  refunded: Type.Integer({ description: 'The refunded amount, in minor units.', examples: [5000] }),
  spend: Type.Integer({ description: '`paid - refunded`, in minor units.', examples: [10_000] }),
});
export type CustomerSpend = Static<typeof CustomerSpend>;
