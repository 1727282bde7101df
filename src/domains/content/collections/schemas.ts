import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { Block, BlockDefinition, MAX_BLOCKS } from '../../../shared/blocks/index.ts';
import { CountedPageQuery } from '../../../shared/paging.ts';
import { plannedFields } from '../../../shared/records/planned-fields.ts';
import {
  PublicStatusEntry,
  ScheduledInput,
  ScheduledStatus,
  StatusEntry,
  StatusInput,
  withStatuses,
} from '../../../shared/records/status-schemas.ts';
import {
  BusinessId,
  ChosenId,
  Currency,
  Description,
  Email,
  Etag,
  Id,
  Input,
  Known,
  MoneyMinor,
  Name,
  OneOf,
  SenderName,
  Slug,
  Text,
  Timestamp,
} from '../../../shared/schemas.ts';
import { CONTENT_STATUSES, ContentStatus, StatusShorthand } from '../statuses.ts';

export const NEWSLETTER = 'NEWSLETTER';

export const ContentStatusEntry = withStatuses(StatusEntry, CONTENT_STATUSES);
export const ScheduledContentStatus = withStatuses(ScheduledStatus, CONTENT_STATUSES);
export const ContentStatusInput = withStatuses(StatusInput, CONTENT_STATUSES);
export const PublicContentStatus = withStatuses(PublicStatusEntry, CONTENT_STATUSES);

const Price = {
  amount: MoneyMinor,
  currency: Currency,
  interval: Type.Optional(OneOf(['ONCE', 'WEEKLY', 'MONTHLY', 'YEARLY'])),
};
const Features = Type.Array(Text(500), { maxItems: 50, examples: [['Weekly newsletter']] });
export const Plan = Type.Object({
  id: ChosenId,
  name: Name('Monthly'),
  description: Description,
  price: Type.Optional(Type.Object(Price)),
  features: Features,
});
export type Plan = Static<typeof Plan>;
export const PlanInput = Input({
  id: ChosenId,
  name: Name('Monthly'),
  description: Type.Optional(Description),
  price: Type.Optional(Input(Price)),
  features: Type.Optional(Features),
});
export type PlanInput = Static<typeof PlanInput>;

export const completePlan = (plan: PlanInput): Plan => ({ description: '', features: [], ...plan });

const DesignText = Type.String({
  maxLength: 5000,
  description: 'HTML without variables. It is sanitized.',
  examples: ['<p>News from the workshop</p>'],
});
export const NewsletterDesign = Input(
  {
    color: Type.Optional(
      Type.String({
        maxLength: 7,
        pattern: '^#[0-9a-fA-F]{6}$',
        description: 'The color of buttons and links. Defaults to the brand color.',
        examples: ['#a4401f'],
      }),
    ),
    header: Type.Optional({
      ...DesignText,
      description: 'Shown above every issue. HTML without variables. It is sanitized.',
    }),
    footer: Type.Optional({
      ...DesignText,
      description: 'Shown below every issue. HTML without variables. It is sanitized.',
    }),
  },
  { description: 'For newsletters: the look of every issue.' },
);

export const CollectionSettings = Input({
  onUnknown: Type.Optional(
    OneOf(['RETRY', 'HOLD'], {
      description:
        'For newsletters: whether an email is sent again (`RETRY`) or not (`HOLD`) if its delivery result is unknown.',
    }),
  ),
  doubleOptIn: Type.Optional(
    Type.Boolean({
      description: 'For newsletters: subscriptions stay `PENDING` until the subscriber confirms by email.',
    }),
  ),
  fromName: Type.Optional(SenderName),
  replyTo: Type.Optional(Email),
  referrals: Type.Optional(Type.Boolean({ description: 'For newsletters: each subscriber gets a referral link.' })),
  tracking: Type.Optional(
    Input(
      { opens: Type.Optional(Type.Boolean()), clicks: Type.Optional(Type.Boolean()) },
      {
        description:
          'For newsletters: whether opens and clicks are tracked. Off by default. Emails with tracking say so in their footer.',
        examples: [{ opens: false, clicks: true }],
      },
    ),
  ),
  design: Type.Optional(NewsletterDesign),
});
export type CollectionSettings = Static<typeof CollectionSettings>;

export const COLLECTION_TYPES: readonly string[] = ['COLLECTION', NEWSLETTER];

const CollectionType = Known(
  COLLECTION_TYPES,
  Type.String({
    maxLength: 40,
    description: `${COLLECTION_TYPES.join(' or ')}. A newsletter has plans and subscribers, and its entries can be sent.`,
    examples: ['NEWSLETTER'],
  }),
);

/** The public fields. Member-only fields come in through `status` and `planned`. */
const recordFields = <S extends TSchema, P extends TProperties>(status: S, planned: P) => ({
  id: Id,
  businessId: BusinessId,
  name: Name('News'),
  slug: Slug('news'),
  description: Description,
  type: CollectionType,
  blocks: Type.Array(BlockDefinition),
  statuses: Type.Array(status),
  ...planned,
  plans: Type.Array(Plan),
  settings: CollectionSettings,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
const { scheduled } = plannedFields(ScheduledContentStatus);
export const Collection = Type.Object(recordFields(ContentStatusEntry, { scheduled }));
export type Collection = Static<typeof Collection>;
export const ListedCollection = Type.Object({ ...Collection.properties, etag: Etag });
export const PublicCollection = Type.Object(recordFields(PublicContentStatus, {}));
export const ListedPublicCollection = Type.Object({ ...PublicCollection.properties, etag: Etag });

const collectionFields = {
  slug: Type.Optional(Slug('news')),
  description: Type.Optional(Description),
  type: Type.Optional(CollectionType),
  blocks: Type.Optional(Type.Array(BlockDefinition, { maxItems: MAX_BLOCKS })),
  statuses: Type.Optional(Type.Array(ContentStatusInput, { maxItems: 1000 })),
  status: Type.Optional(StatusShorthand),
  scheduled: ScheduledInput(ContentStatusInput),
  plans: Type.Optional(Type.Array(PlanInput, { maxItems: 100 })),
  settings: Type.Optional(CollectionSettings),
};
export const CollectionInput = Input({ name: Name('News'), ...collectionFields });
export type CollectionInput = Static<typeof CollectionInput>;
export const CollectionChanges = Input({ name: Type.Optional(Name('News')), ...collectionFields });
export type CollectionChanges = Static<typeof CollectionChanges>;

export const CollectionQuery = Type.Object({
  ...CountedPageQuery.properties,
  type: Type.Optional(CollectionType),
  status: Type.Optional(ContentStatus),
  statuses: Type.Optional(
    Type.Array(ContentStatus, { description: 'Returns collections with any of these statuses.' }),
  ),
  ids: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  name: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name, case-insensitive.' })),
  createdAtFrom: Type.Optional(Timestamp),
  createdAtTo: Type.Optional(Timestamp),
  slug: Type.Optional(Type.String({ maxLength: 100 })),
});
export type CollectionQuery = Static<typeof CollectionQuery>;

export const GenerateInput = Input({
  prompt: Text(10_000, { examples: ['A newsletter about summer linen'] }),
  blocks: Type.Array(BlockDefinition, { minItems: 1, maxItems: 100 }),
});
export type GenerateInput = Static<typeof GenerateInput>;
export const GeneratedBlocks = Type.Object({ blocks: Type.Array(Block) });

/** An entry that no longer matches the schema. */
export const InvalidEntry = Type.Object({
  entryId: Type.String({ examples: ['ent_01jd3x8q6kz5v0n4t7w2m9c1ab'] }),
  errors: Type.Array(
    Type.Object({
      field: Type.String({ examples: ['blocks.title'] }),
      error: Type.String({ examples: ['REQUIRED'] }),
      message: Type.String({ examples: ['blocks.title is required.'] }),
    }),
  ),
});
