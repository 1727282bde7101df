import Type, { type Static, type TSchema } from 'typebox';
import type { FieldError } from '../errors.ts';
import { ChosenId, Documented, Input, Media, MediaInput, Nullable, OneOf } from '../schemas.ts';

export const BLOCK_TYPES = [
  'TEXT',
  'NUMBER',
  'BOOLEAN',
  'DATE',
  'RELATIONSHIP',
  'GEO_LOCATION',
  'MEDIA',
  'SELECT',
  'MULTI_SELECT',
] as const;
export type BlockType = (typeof BLOCK_TYPES)[number];

/** The records that a RELATIONSHIP can refer to. */
export const TARGET_TYPES = ['USER', 'ENTRY', 'PRODUCT', 'COLLECTION', 'ORDER', 'MEDIA'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** The prefix of an ID identifies the type of its record. */
const PREFIXES: ReadonlyMap<string, TargetType> = new Map([
  ['usr', 'USER'],
  ['ent', 'ENTRY'],
  ['prod', 'PRODUCT'],
  ['col', 'COLLECTION'],
  ['ord', 'ORDER'],
  ['media', 'MEDIA'],
]);

export const targetOf = (id: string): TargetType | undefined => PREFIXES.get(id.slice(0, id.indexOf('_')));

export const MAX_BLOCKS = 500;
export const MAX_LOCALES = 100;

const BlockType = OneOf(BLOCK_TYPES, { examples: ['TEXT'] });

const SETTINGS: Partial<Record<BlockType, string>> = {
  TEXT: '`minLength`, `maxLength`, `variant` (`PLAIN` or `HTML`).',
  NUMBER: '`min`, `max`, `integer`.',
  RELATIONSHIP: '`targetType` (default: any record of the business), `many`.',
  SELECT: '`options`.',
  MULTI_SELECT: '`options`.',
};

const Settings = (description: string | undefined) =>
  Type.Record(Type.String(), Type.Unknown(), { ...(description && { description }), examples: [{ maxLength: 200 }] });

const Label = Type.String({ maxLength: 200, examples: ['Title'] });

const definition = {
  id: ChosenId,
  type: BlockType,
  label: Type.Optional(Label),
  required: Type.Optional(Type.Boolean()),
  settings: Type.Optional(
    Settings(
      Object.entries(SETTINGS)
        .map(([type, settings]) => `\`${type}\`: ${settings}`)
        .join(' '),
    ),
  ),
};

/** A block of a schema. */
export const BlockDefinition = Input(definition, {
  examples: [{ id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 200 } }],
});
export type BlockDefinition = Static<typeof BlockDefinition>;

const valuesWith = (media: TSchema): Record<BlockType, TSchema> => ({
  TEXT: Type.Union([Type.String(), Type.Record(Type.String(), Type.String())], {
    description: 'A string, or an object with one string per locale. Null means empty.',
    examples: ['Hello'],
  }),
  NUMBER: Type.Number(),
  BOOLEAN: Type.Boolean(),
  DATE: Type.Integer({ description: 'Unix time in seconds.' }),
  RELATIONSHIP: Type.Union([Type.String(), Type.Array(Type.String())], {
    description: 'An ID, or an array of IDs if `settings.many` is true.',
  }),
  GEO_LOCATION: Type.Object({ latitude: Type.Number(), longitude: Type.Number() }),
  MEDIA: media,
  SELECT: Type.String({ description: 'One of `settings.options`.' }),
  MULTI_SELECT: Type.Array(Type.String(), { description: 'Values from `settings.options`.' }),
});

const SentMedia = Type.Union([Type.String(), MediaInput]);
const INPUTS = valuesWith(
  Type.Union([...SentMedia.anyOf, Type.Array(SentMedia)], {
    description: 'A media file, the ID of a file in the media library, or an array of either.',
  }),
);
/** A file that is not in the media library only has the fields that were sent. */
export const BlockMedia = Type.Object({ ...Type.Partial(Media).properties, url: Media.properties.url });
const OUTPUTS = valuesWith(
  Type.Union([BlockMedia, Type.Array(BlockMedia)], { description: 'A media file, or an array of media files.' }),
);

/** A union by type, for documentation only: `checkBlocks` or a compiled schema checks the value and names the invalid field. */
const byType = (values: Record<BlockType, TSchema>, typed: <T extends TSchema>(type: T) => TSchema = (type) => type) =>
  Type.Union(
    BLOCK_TYPES.map((type) =>
      Type.Object({
        ...definition,
        type: typed(Type.Literal(type)),
        settings: Type.Optional(Settings(SETTINGS[type])),
        value: Type.Optional(Nullable(values[type])),
      }),
    ),
    { examples: [{ id: 'title', type: 'TEXT', value: 'Hello' }] },
  );

const fields = { ...definition, value: Type.Optional(Type.Unknown()) };

/** A block in a request. */
export const BlockInput = Documented(byType(INPUTS), Input(fields));
export type BlockInput = Static<typeof BlockInput>;

/** A block of an entry in a request. The type defaults to the type in the collection's schema. */
export const EntryBlock = Documented(
  byType(INPUTS, Type.Optional),
  Input({ ...fields, type: Type.Optional(BlockType) }),
);
export type EntryBlock = Static<typeof EntryBlock>;

/** A block in a response. */
export const Block = Documented(byType(OUTPUTS), Type.Object(fields));

/** A checked block with its cleaned value. Null means empty. */
export type BlockValue = BlockDefinition & { value: unknown };

/** A record that a RELATIONSHIP value refers to. It must exist. `field` is the path of the value. */
export type Reference = { targetType: TargetType; id: string; field: string };

/** The findings of a check so far. */
export type Findings = { errors: FieldError[]; references: Reference[] };

/** Returns null if the text is nested too deeply. */
export type Sanitize = (html: string) => string | null;

/** A check in progress. */
export type Checking = Findings & { sanitize: Sanitize };

/** A response lists at most this many invalid fields. */
const MAX_ERRORS = 1000;

export function report({ errors }: Findings, field: string, error: string, message: string): void {
  if (errors.length < MAX_ERRORS) errors.push({ field, error, message: `${field} ${message}` });
}
