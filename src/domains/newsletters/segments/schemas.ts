import Type, { type Static } from 'typebox';
import { PageQuery } from '../../../shared/paging.ts';
import { Etag, Id, Input, Name, Timestamp } from '../../../shared/schemas.ts';
import { FILTER_FIELDS, FILTER_OPS, type Filter } from './filter.ts';
import type { PersonRow, SegmentRow } from './queries.ts';

export const FilterTree = Type.Unsafe<Filter>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      title: 'FilterTree',
      description:
        'A tree of `{all: […]}`, `{any: […]}`, `{not: …}` and conditions `{field, op, value, days}`, with at most 50 conditions, nested at most 5 levels deep. ' +
        `Fields: ${FILTER_FIELDS.map((field) => `\`${field}\``).join(', ')} and \`subscriber.fields.NAME\`. Operators: ${FILTER_OPS.map((op) => `\`${op}\``).join(', ')}. ` +
        'For dates, set `value` to a Unix time in seconds, or `days` to a number of days before now. In conditions on orders, `days` limits the orders to those placed in the last `days` days.',
      examples: [
        {
          all: [
            { field: 'subscriber.newsletter', op: 'is', value: 'col_01jd3x8q6kz5v0n4t7w2m9c1ab' },
            { field: 'order.category', op: 'is', value: 'Coffee', days: 90 },
          ],
        },
      ],
    },
  ),
);

export const Segment = Type.Object({
  id: Id,
  name: Name('Regular customers'),
  filter: FilterTree,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Segment = Static<typeof Segment>;

export const ListedSegment = Type.Object({ ...Segment.properties, etag: Etag });
export type ListedSegment = Static<typeof ListedSegment>;

export const segmentOf = ({ id, name, filter, createdAt, updatedAt }: SegmentRow): Segment => ({
  id,
  name,
  filter,
  createdAt,
  updatedAt,
});

export const SegmentInput = Input({ name: Name('Regular customers'), filter: FilterTree });
export type SegmentInput = Static<typeof SegmentInput>;

export const SegmentChange = Input({
  name: Type.Optional(Name('Regular customers')),
  filter: Type.Optional(FilterTree),
});
export type SegmentChange = Static<typeof SegmentChange>;

export const FilterInput = Input({ filter: FilterTree });

export const SegmentCount = Type.Object({
  count: Type.Integer({ description: 'The number of people: distinct email addresses.', examples: [120] }),
});
export type SegmentCount = Static<typeof SegmentCount>;

export const SegmentQuery = PageQuery;
export type SegmentQuery = Static<typeof SegmentQuery>;

export const SegmentPerson = Type.Object({
  email: Type.String({ examples: ['ada@example.com'] }),
  name: Type.String({ examples: ['Ada'] }),
  isCustomer: Type.Boolean({ examples: [true] }),
  isSuppressed: Type.Boolean({ description: 'Whether the address is on the suppression list.', examples: [false] }),
});
export type SegmentPerson = Static<typeof SegmentPerson>;

export const personOf = ({ email, name, isCustomer, isSuppressed }: PersonRow): SegmentPerson => ({
  email,
  name,
  isCustomer,
  isSuppressed,
});

const Names = (example: string) => Type.Array(Type.String({ examples: [example] }), { description: 'At most 200.' });

export const SegmentChoices = Type.Object({
  subscriberTags: Names('vip'),
  subscriberFields: Names('birthday'),
  customerTags: Names('wholesale'),
});
export type SegmentChoices = Static<typeof SegmentChoices>;
