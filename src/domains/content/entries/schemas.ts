import Type, { type Static } from 'typebox';
import { Block, BlockInput, type BlockValue, MAX_BLOCKS } from '../../../shared/blocks.ts';
import { Locale } from '../../../shared/locales.ts';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessId, Id, Input, OneOf, Timestamp } from '../../../shared/schemas.ts';
import { StatusEntry, StatusInput } from '../../../shared/statuses.ts';
import { ContentStatus } from '../statuses.ts';

const Owner = Type.String({
  maxLength: 100,
  pattern: '^(?:collection|order|reservation):\\S{1,64}$',
  description: 'collection:<collectionId>, order:<orderId> or reservation:<reservationId>.',
  examples: ['collection:col_01jd3x8q6kz5v0n4t7w2m9c1ab'],
});

export const Entry = Type.Object({
  id: Id,
  businessId: BusinessId,
  owner: Owner,
  locale: Locale,
  blocks: Type.Array(Block),
  statuses: Type.Array(StatusEntry),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Entry = Omit<Static<typeof Entry>, 'blocks'> & { blocks: BlockValue[] };

export const EntryBlock = Input({ ...BlockInput.properties, type: Type.Optional(BlockInput.properties.type) });

/** Of a POST and of a PUT. */
export const EntryInput = Input({
  collectionId: Type.Optional(Id),
  owner: Type.Optional(Owner),
  locale: Type.Optional(Locale),
  blocks: Type.Optional(
    Type.Array(EntryBlock, { maxItems: MAX_BLOCKS, examples: [[{ id: 'title', type: 'TEXT', value: 'Hello' }]] }),
  ),
  statuses: Type.Optional(Type.Array(StatusInput, { maxItems: 1000 })),
});
export type EntryInput = Static<typeof EntryInput>;

export const EntryQuery = Type.Object({
  ...PageQuery.properties,
  collectionId: Type.Optional(Id),
  owner: Type.Optional(Owner),
  locale: Type.Optional(Locale),
  status: Type.Optional(ContentStatus),
  query: Type.Optional(Type.String({ maxLength: 200, description: 'Words of the texts.', examples: ['linen'] })),
  ids: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  sort: Type.Optional(
    Type.String({
      maxLength: 65,
      pattern: '^[-+ ]?[A-Za-z0-9_.:-]{1,64}$',
      description: 'createdAt, updatedAt or the id of a block. A leading - means descending.',
      examples: ['createdAt'],
    }),
  ),
  order: Type.Optional(OneOf(['asc', 'desc'])),
  'filter[blockId]': Type.Optional(
    Type.Unknown({
      description:
        'Entries with this value in the block of this id. Several blocks: all must fit. One block twice: either.',
      examples: ['news'],
    }),
  ),
});
export type EntryQuery = Static<typeof EntryQuery>;
