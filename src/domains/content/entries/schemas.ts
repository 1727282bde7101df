import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { Block, type BlockValue, EntryBlock, MAX_BLOCKS } from '../../../shared/blocks/index.ts';
import { CountedPageQuery, SortDirection } from '../../../shared/paging.ts';
import { plannedFields } from '../../../shared/records/planned-fields.ts';
import { ScheduledInput } from '../../../shared/records/status-schemas.ts';
import { BusinessId, Etag, Id, IdOrSlug, Input, OneOf, Timestamp } from '../../../shared/schemas.ts';
import { Locale } from '../../../shared/text/locales.ts';
import {
  ContentStatusEntry,
  ContentStatusInput,
  PublicContentStatus,
  ScheduledContentStatus,
} from '../collections/schemas.ts';
import { ContentStatus, StatusShorthand } from '../statuses.ts';

const Owner = Type.String({
  maxLength: 120,
  pattern: '^(?:collection:\\S{1,100}|(?:order|reservation):\\S{1,64})$',
  description: 'collection:<collectionId>, order:<orderId> or reservation:<reservationId>.',
  examples: ['collection:col_01jd3x8q6kz5v0n4t7w2m9c1ab'],
});

/** The public fields. Member-only fields come in through `status` and `planned`. */
const recordFields = <S extends TSchema, P extends TProperties>(status: S, planned: P) => ({
  id: Id,
  businessId: BusinessId,
  owner: Owner,
  locale: Locale,
  blocks: Type.Array(Block),
  statuses: Type.Array(status),
  ...planned,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export const Entry = Type.Object(recordFields(ContentStatusEntry, plannedFields(ScheduledContentStatus)));
export const ListedEntry = Type.Object({ ...Entry.properties, etag: Etag });
export const PublicEntry = Type.Object(recordFields(PublicContentStatus, {}));
export const ListedPublicEntry = Type.Object({ ...PublicEntry.properties, etag: Etag });
export type Entry = Omit<Static<typeof Entry>, 'blocks'> & { blocks: BlockValue[] };

const entryFields = {
  collectionId: Type.Optional(IdOrSlug),
  owner: Type.Optional(Owner),
  locale: Type.Optional(Locale),
  blocks: Type.Optional(
    Type.Array(EntryBlock, { maxItems: MAX_BLOCKS, examples: [[{ id: 'title', type: 'TEXT', value: 'Hello' }]] }),
  ),
  statuses: Type.Optional(Type.Array(ContentStatusInput, { maxItems: 1000 })),
  status: Type.Optional(StatusShorthand),
  scheduled: ScheduledInput(ContentStatusInput),
};
export const EntryChanges = Input(entryFields);
export type EntryChanges = Static<typeof EntryChanges>;
export const EntryInput = Input(entryFields);
export type EntryInput = Static<typeof EntryInput>;

const SortField = Type.String({
  maxLength: 65,
  pattern: '^[-+ ]?[A-Za-z0-9_.:-]{1,64}$',
  description: '`createdAt`, `updatedAt` or the ID of a block. A leading `-` sorts in descending order.',
  examples: ['createdAt'],
});

export const EntryQuery = Type.Object({
  ...CountedPageQuery.properties,
  collectionId: Type.Optional(IdOrSlug),
  owner: Type.Optional(Owner),
  locale: Type.Optional(Locale),
  status: Type.Optional(ContentStatus),
  statuses: Type.Optional(Type.Array(ContentStatus, { description: 'Returns entries with any of these statuses.' })),
  createdAtFrom: Type.Optional(Timestamp),
  createdAtTo: Type.Optional(Timestamp),
  query: Type.Optional(Type.String({ maxLength: 200, description: 'Search text.', examples: ['linen'] })),
  ids: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  sort: Type.Optional(SortField),
  order: Type.Optional(OneOf(['asc', 'desc'])),
  sortField: Type.Optional(SortField),
  sortDirection: Type.Optional(SortDirection),
  'filter[blockId]': Type.Optional(
    Type.Unknown({
      description:
        'Returns entries with this value in the given block. Filters on several blocks must all match. If you pass several values for one block, an entry matches if it has any of them.',
      examples: ['news'],
    }),
  ),
});
export type EntryQuery = Static<typeof EntryQuery>;
