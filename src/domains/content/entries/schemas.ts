import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { Block, type BlockValue, EntryBlock, MAX_BLOCKS } from '../../../shared/blocks/index.ts';
import { CountedPageQuery, SortDirection } from '../../../shared/paging.ts';
import { plannedFields } from '../../../shared/records/planned-fields.ts';
import { ScheduledInput } from '../../../shared/records/status-schemas.ts';
import {
  BusinessId,
  ChosenId,
  Etag,
  Id,
  IdOrSlug,
  Input,
  OneOf,
  Slug,
  Text,
  Timestamp,
} from '../../../shared/schemas.ts';
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

const Access = OneOf(['PUBLIC', 'SUBSCRIBERS', 'PLANS'], {
  description:
    'Who can read the whole entry: everyone, active subscribers of the newsletter, or subscribers with one of the plans in `planIds`.',
});
export type Access = Static<typeof Access>;
const PlanIds = Type.Array(ChosenId, { maxItems: 100, uniqueItems: true, examples: [['premium']] });
const seoFields = {
  title: Type.Optional(Text(200, { description: 'The title in search results.', examples: ['Washing linen'] })),
  description: Type.Optional(
    Text(500, { description: 'The description in search results.', examples: ['How to wash linen at home.'] }),
  ),
};

/** The public fields. Member-only fields come in through `status` and `planned`. */
const recordFields = <S extends TSchema, P extends TProperties>(status: S, planned: P) => ({
  id: Id,
  businessId: BusinessId,
  owner: Owner,
  locale: Locale,
  slug: Type.Optional(Slug('spring-is-here')),
  blocks: Type.Array(Block),
  access: Type.Optional(Access),
  planIds: Type.Optional(PlanIds),
  locked: Type.Optional(
    Type.Boolean({ description: 'True if `blocks` has only the public part because the caller has no access.' }),
  ),
  seo: Type.Optional(Type.Object(seoFields)),
  statuses: Type.Array(status),
  ...planned,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export const Entry = Type.Object(recordFields(ContentStatusEntry, plannedFields(ScheduledContentStatus)));
export const ListedEntry = Type.Object({ ...Entry.properties, etag: Etag });
export const PublicEntry = Type.Object(recordFields(PublicContentStatus, {}));
export const ListedPublicEntry = Type.Object({ ...PublicEntry.properties, etag: Etag });
/** As stored. A public entry has no `access`. */
export type Entry = Omit<Static<typeof Entry>, 'blocks' | 'locked'> & { blocks: BlockValue[] };

const entryFields = {
  collectionId: Type.Optional(IdOrSlug),
  owner: Type.Optional(Owner),
  locale: Type.Optional(Locale),
  slug: Type.Optional(Slug('spring-is-here')),
  access: Type.Optional(Access),
  planIds: Type.Optional(PlanIds),
  seo: Type.Optional(Input(seoFields)),
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

export const EntryPreviewInput = Input({
  blocks: entryFields.blocks,
  locale: entryFields.locale,
  audience: Type.Optional(
    OneOf(['public', 'reader'], { description: 'Who the preview is for. Defaults to `public`.', examples: ['reader'] }),
  ),
});
export type EntryPreviewInput = Static<typeof EntryPreviewInput>;

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
  slug: Type.Optional(Type.String({ maxLength: 100, examples: ['washing-linen'] })),
  status: Type.Optional(ContentStatus),
  statuses: Type.Optional(Type.Array(ContentStatus, { description: 'Returns entries with any of these statuses.' })),
  createdAtFrom: Type.Optional(Timestamp),
  createdAtTo: Type.Optional(Timestamp),
  query: Type.Optional(Type.String({ maxLength: 200, description: 'Search text.', examples: ['linen'] })),
  ids: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  onlySent: Type.Optional(
    Type.Boolean({
      description:
        'Returns only issues that were sent to all subscribers who can read them, not to a segment or by an automation. An issue is listed as soon as its send starts.',
      examples: [true],
    }),
  ),
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
