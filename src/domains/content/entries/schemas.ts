import Type, { type Static } from 'typebox';
import { Block, BlockInput, type BlockValue, MAX_BLOCKS } from '../../../shared/blocks.ts';
import { Locale } from '../../../shared/locales.ts';
import { PageQuery, SortDirection } from '../../../shared/paging.ts';
import { BusinessId, Etag, Id, IdOrSlug, Input, OneOf, Timestamp } from '../../../shared/schemas.ts';
import { plannedFields, ScheduledInput, StatusEntry, StatusInput } from '../../../shared/statuses.ts';
import { ContentStatus, FirstStatus } from '../statuses.ts';

const Owner = Type.String({
  maxLength: 120,
  pattern: '^(?:collection:\\S{1,100}|(?:order|reservation):\\S{1,64})$',
  description: 'collection:<collectionId>, order:<orderId> or reservation:<reservationId>.',
  examples: ['collection:col_01jd3x8q6kz5v0n4t7w2m9c1ab'],
});

const recordFields = {
  id: Id,
  businessId: BusinessId,
  owner: Owner,
  locale: Locale,
  blocks: Type.Array(Block),
  statuses: Type.Array(StatusEntry),
  ...plannedFields,
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
export const Entry = Type.Object(recordFields);
export const ListedEntry = Type.Object({ ...recordFields, etag: Etag });
export type Entry = Omit<Static<typeof Entry>, 'blocks'> & { blocks: BlockValue[] };

export const EntryBlock = Input({ ...BlockInput.properties, type: Type.Optional(BlockInput.properties.type) });

const entryFields = {
  collectionId: Type.Optional(IdOrSlug),
  owner: Type.Optional(Owner),
  locale: Type.Optional(Locale),
  blocks: Type.Optional(
    Type.Array(EntryBlock, { maxItems: MAX_BLOCKS, examples: [[{ id: 'title', type: 'TEXT', value: 'Hello' }]] }),
  ),
  statuses: Type.Optional(Type.Array(StatusInput, { maxItems: 1000 })),
  scheduled: ScheduledInput,
};
export const EntryChanges = Input(entryFields);
export type EntryChanges = Static<typeof EntryChanges>;
export const EntryInput = Input({ ...entryFields, status: Type.Optional(FirstStatus) });
export type EntryInput = Static<typeof EntryInput>;

const SortField = Type.String({
  maxLength: 65,
  pattern: '^[-+ ]?[A-Za-z0-9_.:-]{1,64}$',
  description: 'createdAt, updatedAt or the id of a block. A leading - means descending.',
  examples: ['createdAt'],
});

export const EntryQuery = Type.Object({
  ...PageQuery.properties,
  collectionId: Type.Optional(IdOrSlug),
  owner: Type.Optional(Owner),
  locale: Type.Optional(Locale),
  status: Type.Optional(ContentStatus),
  statuses: Type.Optional(Type.Array(ContentStatus, { description: 'In any of these statuses.' })),
  createdAtFrom: Type.Optional(Timestamp),
  createdAtTo: Type.Optional(Timestamp),
  query: Type.Optional(Type.String({ maxLength: 200, description: 'Words of the texts.', examples: ['linen'] })),
  ids: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  sort: Type.Optional(SortField),
  order: Type.Optional(OneOf(['asc', 'desc'])),
  sortField: Type.Optional(SortField),
  sortDirection: Type.Optional(SortDirection),
  'filter[blockId]': Type.Optional(
    Type.Unknown({
      description:
        'Entries with this value in the block of this id. Several blocks: all must fit. One block twice: either.',
      examples: ['news'],
    }),
  ),
});
export type EntryQuery = Static<typeof EntryQuery>;
