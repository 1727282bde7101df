import Type, { type Static } from 'typebox';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessId, Etag, Id, IdOrSlug, Input, Name, Nullable, OneOf, Timestamp } from '../../shared/schemas.ts';

const VersionOf = Type.Integer({ description: 'The version of the record that the change made.', examples: [3] });

const versionFields = {
  number: VersionOf,
  action: OneOf(['CREATED', 'UPDATED', 'DRAFT_SAVED', 'PUBLISHED', 'RESTORED']),
  isDraft: Type.Boolean({ description: 'A draft beside the public record; readers do not see it.' }),
  restoredFrom: Nullable(Type.Integer({ description: 'The version whose content it has.' })),
  userId: Nullable(Type.String({ description: 'Who made it; null: the service, or nobody knows.' })),
  keyId: Nullable(Type.String({ description: 'The API key that it was made with.' })),
  userName: Nullable(Type.String({ examples: ['Ada'] })),
  changed: Type.Array(Type.String(), {
    description: 'Fields that differ from the version before, 100 at most.',
    examples: [['name', 'blocks.title', 'variants.m.pricing']],
  }),
  createdAt: Timestamp,
};
export const Version = Type.Object(versionFields);
export type Version = Static<typeof Version>;

export const VersionDetail = Type.Object({
  ...versionFields,
  comparedWith: Nullable(Type.Integer({ description: 'The version that `changes` begin at; null: there is none.' })),
  changes: Type.Array(
    Type.Object({
      field: Type.String({ examples: ['blocks.title'] }),
      before: Type.Optional(Type.Unknown({ description: 'Absent: there was none.' })),
      after: Type.Optional(Type.Unknown({ description: 'Absent: there is none any more.' })),
      omitted: Type.Optional(Type.Literal(true, { description: 'The values are too large to be shown together.' })),
    }),
  ),
  document: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'The record as it was. Of a product without quantities: stock has no versions.',
    },
  ),
});
export type VersionDetail = Static<typeof VersionDetail>;

const VersionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [3] });
export const EntryVersionParams = Type.Object({ businessId: BusinessId, id: Id, number: VersionNumber });
export const ProductVersionParams = Type.Object({ businessId: BusinessId, id: IdOrSlug, number: VersionNumber });
export const CompareQuery = Type.Object({
  against: Type.Optional(
    Type.Integer({ ...VersionNumber, description: 'The version to compare with; else the one before it.' }),
  ),
});
export const DraftQuery = Type.Object({
  draft: Type.Optional(Type.Boolean({ description: 'The draft beside the public record.' })),
});

/** A read by `?draft=true`, which `GET …/draft` is documented for: clients call a read with what stands in its path alone. */
export const asksForDraft = (query: unknown) => (query as { draft?: unknown }).draft === 'true';

export const PublishInput = Input({
  at: Type.Optional(Type.Integer({ ...Timestamp, description: 'Unix time in seconds; now when it is left out.' })),
});
export type PublishInput = Static<typeof PublishInput>;

export const PreviewLink = Type.Object({
  url: Type.String({ examples: ['https://api.example.com/v1/previews/eyJ…'] }),
  expiresAt: Timestamp,
});
export type PreviewLink = Static<typeof PreviewLink>;
export const PreviewParams = Type.Object({ token: Type.String({ maxLength: 500 }) });

const At = Type.Integer({ ...Timestamp, description: 'When; now when it is left out or has passed.' });
const Items = Type.Array(Id, {
  minItems: 1,
  maxItems: 1000,
  description: 'Ids of entries, products and collections.',
  examples: [['ent_01jd3x8q6kz5v0n4t7w2m9c1ab']],
});
export const ReleaseInput = Input({ name: Name, at: Type.Optional(At), items: Items });
export type ReleaseInput = Static<typeof ReleaseInput>;
export const ReleaseChanges = Input({
  name: Type.Optional(Name),
  at: Type.Optional(At),
  items: Type.Optional(Items),
});
export type ReleaseChanges = Static<typeof ReleaseChanges>;

const RELEASE_STATUSES = ['SCHEDULED', 'PUBLISHED', 'FAILED', 'CANCELLED'] as const;
const listedFields = {
  id: Id,
  businessId: BusinessId,
  name: Name,
  status: OneOf(RELEASE_STATUSES),
  at: Timestamp,
  itemCount: Type.Integer({ examples: [12] }),
  failure: Nullable(
    Type.Object(
      {
        item: Nullable(Type.String({ examples: ['ent_01jd3x8q6kz5v0n4t7w2m9c1ab'] })),
        message: Type.String({ examples: ['blocks.title is required.'] }),
      },
      { description: 'Why nothing of it was published.' },
    ),
  ),
  publishedAt: Nullable(Timestamp),
  userId: Nullable(Type.String({ description: 'Who made it.' })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
export const ListedRelease = Type.Object({ ...listedFields, etag: Etag });
export type ListedRelease = Static<typeof ListedRelease>;
export const Release = Type.Object({ ...listedFields, items: Type.Array(Id) });
export type Release = Static<typeof Release>;
export type ReleaseStatus = (typeof RELEASE_STATUSES)[number];
export const ReleaseQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(OneOf(RELEASE_STATUSES)),
});
export type ReleaseQuery = Static<typeof ReleaseQuery>;
