import Type, { type Static } from 'typebox';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessId, Etag, Id, Input, Name, Nullable, OneOf, Timestamp } from '../../shared/schemas.ts';

const VersionAfterChange = Type.Integer({
  description: 'The version number of the record after the change.',
  examples: [3],
});

const versionFields = {
  number: VersionAfterChange,
  action: OneOf(['CREATED', 'UPDATED', 'DRAFT_SAVED', 'PUBLISHED', 'RESTORED']),
  isDraft: Type.Boolean({ description: 'Whether this version is a draft. Drafts are not public.' }),
  restoredFrom: Nullable(
    Type.Integer({
      description: 'The number of the restored version. Null unless this version was created by a restore.',
    }),
  ),
  userId: Nullable(
    Type.String({ description: 'The user who made the change. Null if the system made it or the user is unknown.' }),
  ),
  keyId: Nullable(Type.String({ description: 'The ID of the API key that made the change, if any.' })),
  userName: Nullable(Type.String({ examples: ['Ada'] })),
  changed: Type.Array(Type.String(), {
    description: 'The fields that differ from the previous version, up to 100.',
    examples: [['name', 'blocks.title', 'variants.m.pricing']],
  }),
  createdAt: Timestamp,
};
export const Version = Type.Object(versionFields);
export type Version = Static<typeof Version>;

export const VersionDetail = Type.Object({
  ...versionFields,
  comparedWith: Nullable(
    Type.Integer({ description: 'The version that `changes` compares with. Null if there is no earlier version.' }),
  ),
  changes: Type.Array(
    Type.Object({
      field: Type.String({ examples: ['blocks.title'] }),
      before: Type.Optional(Type.Unknown({ description: 'The previous value. Absent if the field did not exist.' })),
      after: Type.Optional(Type.Unknown({ description: 'The new value. Absent if the field was removed.' })),
      omitted: Type.Optional(
        Type.Literal(true, { description: '`true` if the values are omitted because they are too large.' }),
      ),
    }),
  ),
  document: Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'The record at this version. Products have no stock quantities, because stock is not versioned.',
    },
  ),
});
export type VersionDetail = Static<typeof VersionDetail>;

export const VersionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [3] });
export const CompareQuery = Type.Object({
  against: Type.Optional(
    Type.Integer({ ...VersionNumber, description: 'The version to compare with. Defaults to the previous version.' }),
  ),
});
export const DraftQuery = Type.Object({
  draft: Type.Optional(
    Type.Boolean({ description: 'Set to `true` to work with the draft instead of the published version.' }),
  ),
});

/** `?draft=true` on a read works like the documented `GET …/draft`. */
export const isDraftRequested = (query: unknown) => (query as { draft?: unknown }).draft === 'true';

export const PublishInput = Input({
  at: Type.Optional(
    Type.Integer({ ...Timestamp, description: 'When to publish, as Unix time in seconds. Defaults to now.' }),
  ),
});
export type PublishInput = Static<typeof PublishInput>;

export const PreviewLink = Type.Object({
  url: Type.String({ description: 'The draft as JSON.', examples: ['https://api.example.com/v1/previews/eyJ…'] }),
  siteUrl: Type.String({
    description: 'The draft on the storefront. Works even while the storefront is closed.',
    examples: ['https://shop.example.com/?preview=eyJ…'],
  }),
  expiresAt: Timestamp,
});
export type PreviewLink = Static<typeof PreviewLink>;
export const PreviewQuery = Type.Object({
  audience: Type.Optional(
    OneOf(['public', 'reader'], { description: 'Who the preview is for. Defaults to `public`.', examples: ['reader'] }),
  ),
});
export const PreviewParams = Type.Object({ token: Type.String({ maxLength: 500 }) });
export const PreviewedRecord = Type.Object(
  { id: Id, businessId: BusinessId, createdAt: Timestamp, updatedAt: Timestamp },
  { description: 'The entry or product, with all its public fields' },
);

const At = Type.Integer({
  ...Timestamp,
  description: 'When to publish, as Unix time in seconds. Defaults to now. Times in the past are treated as now.',
});
const Items = Type.Array(Id, {
  minItems: 1,
  maxItems: 1000,
  description: 'The IDs of the entries, products and collections to publish.',
  examples: [['ent_01jd3x8q6kz5v0n4t7w2m9c1ab']],
});
export const ReleaseInput = Input({ name: Name('Spring collection'), at: Type.Optional(At), items: Items });
export type ReleaseInput = Static<typeof ReleaseInput>;
export const ReleaseChanges = Input({
  name: Type.Optional(Name('Spring collection')),
  at: Type.Optional({
    ...At,
    description: 'When to publish. Omit it to keep the time. Times in the past are treated as now.',
  }),
  items: Type.Optional(Items),
});
export type ReleaseChanges = Static<typeof ReleaseChanges>;

const RELEASE_STATUSES = ['SCHEDULED', 'PUBLISHED', 'FAILED', 'CANCELLED'] as const;
const listedFields = {
  id: Id,
  businessId: BusinessId,
  name: Name('Spring collection'),
  status: OneOf(RELEASE_STATUSES),
  at: Timestamp,
  itemCount: Type.Integer({ examples: [12] }),
  failure: Nullable(
    Type.Object(
      {
        item: Nullable(Type.String({ examples: ['ent_01jd3x8q6kz5v0n4t7w2m9c1ab'] })),
        message: Type.String({ examples: ['blocks.title is required.'] }),
      },
      { description: 'Why the release failed. Null unless the status is `FAILED`.' },
    ),
  ),
  publishedAt: Nullable(Timestamp),
  userId: Nullable(Type.String({ description: 'The user who created the release.' })),
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
