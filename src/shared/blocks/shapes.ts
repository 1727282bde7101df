import Type, { type Static } from 'typebox';
import type { FieldError } from '../errors.ts';
import { ChosenId, Input, OneOf } from '../schemas.ts';

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

/** What a RELATIONSHIP may point to. */
export const TARGET_TYPES = ['USER', 'ENTRY', 'PRODUCT', 'COLLECTION', 'ORDER', 'MEDIA'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** Ids tell by their prefix what they name. */
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

const BlockType = OneOf(BLOCK_TYPES, { examples: ['TEXT'] });

const Settings = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'TEXT: minLength, maxLength, variant (PLAIN or HTML). NUMBER: min, max, integer. RELATIONSHIP: targetType (any record of the business without it), many. SELECT and MULTI_SELECT: options.',
  examples: [{ maxLength: 200 }],
});

const Value = Type.Unknown({
  description:
    'TEXT: a string, or an object of strings by locale. NUMBER: a number. BOOLEAN: a boolean. DATE: Unix seconds. RELATIONSHIP: an id, or ids with settings.many. GEO_LOCATION: {latitude, longitude}. MEDIA: a media item, the id of one in the media library, or an array of them. SELECT: an option. MULTI_SELECT: options. Null: empty.',
  examples: ['Hello'],
});

const Label = Type.String({ maxLength: 200, examples: ['Title'] });

const definition = {
  id: ChosenId,
  type: BlockType,
  label: Type.Optional(Label),
  required: Type.Optional(Type.Boolean()),
  settings: Type.Optional(Settings),
};

/** A block of a schema: what a value must be. */
export const BlockDefinition = Input(definition, {
  examples: [{ id: 'title', type: 'TEXT', label: 'Title', required: true, settings: { maxLength: 200 } }],
});
export type BlockDefinition = Static<typeof BlockDefinition>;

/** A block as a request carries it. `checkBlocks` or a compiled schema checks the value. */
export const BlockInput = Input(
  { ...definition, value: Type.Optional(Value) },
  { examples: [{ id: 'title', type: 'TEXT', value: 'Hello' }] },
);
export type BlockInput = Static<typeof BlockInput>;

/** A block as an answer carries it. */
export const Block = Type.Object(
  { ...definition, value: Type.Optional(Value) },
  { examples: [{ id: 'title', type: 'TEXT', value: 'Hello' }] },
);

/** A checked block: its value is cleaned, and null when it is empty. */
export type BlockValue = BlockDefinition & { value: unknown };

/** A record that a RELATIONSHIP value names and that has to exist. `field` is where it was named. */
export type Reference = { targetType: TargetType; id: string; field: string };

/** What a check has found so far. */
export type Findings = { errors: FieldError[]; references: Reference[] };

/** Null: it is nested too deeply. */
export type Sanitize = (html: string) => string | null;

/** A check under way. */
export type Checking = Findings & { sanitize: Sanitize };

/** One answer names at most this many wrong fields. */
const MAX_ERRORS = 1000;

export function report({ errors }: Findings, field: string, error: string, message: string): void {
  if (errors.length < MAX_ERRORS) errors.push({ field, error, message: `${field} ${message}` });
}
