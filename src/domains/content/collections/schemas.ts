import Type, { type Static } from 'typebox';
import { Block, BlockDefinition, MAX_BLOCKS } from '../../../shared/blocks.ts';
import { PageQuery } from '../../../shared/paging.ts';
import {
  BusinessId,
  ChosenId,
  Currency,
  Description,
  Email,
  Etag,
  Id,
  Input,
  MoneyMinor,
  Name,
  OneOf,
  SenderName,
  Slug,
  Text,
  Timestamp,
} from '../../../shared/schemas.ts';
import { plannedFields, ScheduledInput, StatusEntry, StatusInput } from '../../../shared/statuses.ts';
import { ContentStatus, FirstStatus } from '../statuses.ts';

export const NEWSLETTER = 'NEWSLETTER';

const Price = {
  amount: MoneyMinor,
  currency: Currency,
  interval: Type.Optional(OneOf(['ONCE', 'WEEKLY', 'MONTHLY', 'YEARLY'])),
};
const Features = Type.Array(Text(500), { maxItems: 50, examples: [['Weekly letter']] });
export const Plan = Input({
  id: ChosenId,
  name: Name,
  description: Type.Optional(Description),
  price: Type.Optional(Input(Price)),
  features: Type.Optional(Features),
});
export type Plan = Static<typeof Plan>;

export const CollectionSettings = Input({
  onUnknown: Type.Optional(
    OneOf(['RETRY', 'HOLD'], {
      description: 'Newsletters: what happens to a mail of which nobody knows whether it went out.',
    }),
  ),
  doubleOptIn: Type.Optional(
    Type.Boolean({ description: 'Newsletters: a subscription is PENDING until its owner confirms by mail.' }),
  ),
  fromName: Type.Optional(SenderName),
  replyTo: Type.Optional(Email),
});
export type CollectionSettings = Static<typeof CollectionSettings>;

const CollectionType = Type.String({
  pattern: '^[A-Z][A-Z0-9_]{0,39}$',
  description: 'NEWSLETTER makes it a newsletter.',
  examples: ['NEWSLETTER'],
});

const recordFields = {
  id: Id,
  businessId: BusinessId,
  name: Name,
  slug: Slug,
  description: Description,
  type: CollectionType,
  blocks: Type.Array(BlockDefinition),
  statuses: Type.Array(StatusEntry),
  scheduled: plannedFields.scheduled,
  plans: Type.Array(Plan),
  settings: CollectionSettings,
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
export const Collection = Type.Object(recordFields);
export type Collection = Static<typeof Collection>;
export const ListedCollection = Type.Object({ ...recordFields, etag: Etag });

const collectionFields = {
  slug: Type.Optional(Slug),
  description: Type.Optional(Description),
  type: Type.Optional(CollectionType),
  blocks: Type.Optional(Type.Array(BlockDefinition, { maxItems: MAX_BLOCKS })),
  statuses: Type.Optional(Type.Array(StatusInput, { maxItems: 1000 })),
  scheduled: ScheduledInput,
  plans: Type.Optional(Type.Array(Plan, { maxItems: 100 })),
  settings: Type.Optional(CollectionSettings),
};
export const CollectionInput = Input({ name: Name, ...collectionFields, status: Type.Optional(FirstStatus) });
export type CollectionInput = Static<typeof CollectionInput>;
export const CollectionChanges = Input({ name: Type.Optional(Name), ...collectionFields });
export type CollectionChanges = Static<typeof CollectionChanges>;

export const CollectionQuery = Type.Object({
  ...PageQuery.properties,
  type: Type.Optional(CollectionType),
  status: Type.Optional(ContentStatus),
  statuses: Type.Optional(Type.Array(ContentStatus, { description: 'In any of these statuses.' })),
  ids: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  name: Type.Optional(Type.String({ maxLength: 200, description: 'A part of the name, in any case.' })),
  createdAtFrom: Type.Optional(Timestamp),
  createdAtTo: Type.Optional(Timestamp),
  slug: Type.Optional(Type.String({ maxLength: 100 })),
});
export type CollectionQuery = Static<typeof CollectionQuery>;

export const GenerateInput = Input({
  prompt: Text(10_000, { examples: ['A letter about linen in summer'] }),
  blocks: Type.Array(BlockDefinition, { minItems: 1, maxItems: 100 }),
});
export type GenerateInput = Static<typeof GenerateInput>;
export const GeneratedBlocks = Type.Object({ blocks: Type.Array(Block) });

/** An entry that no longer fits the schema. */
export const Misfit = Type.Object({
  entryId: Type.String({ examples: ['ent_01jd3x8q6kz5v0n4t7w2m9c1ab'] }),
  errors: Type.Array(
    Type.Object({
      field: Type.String({ examples: ['blocks.title'] }),
      error: Type.String({ examples: ['REQUIRED'] }),
      message: Type.String({ examples: ['blocks.title is required.'] }),
    }),
  ),
});
