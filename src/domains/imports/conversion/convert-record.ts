/** Converts one record, checks its schema and prepares its texts. Whatever is wrong with it, only this record fails. Pure. */
import { serialize } from 'node:v8';
import type { TSchema } from 'typebox';
import { isQuick } from '../../../shared/blocks/index.ts';
import { convert as processTexts } from '../../../shared/blocks/process-texts.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/is-record.ts';
import type { Body, Conversion, Converted, CsvFormat, JsonFormat, Outcome, RowError } from '../formats/format.ts';
import { rowError } from '../formats/format.ts';
import { collectFiles } from '../formats/own/media.ts';
import { locateField } from '../formats/places.ts';
import type { Position } from '../source/rows.ts';
import { convertGroup, type Group, ignoredIn } from './read-records.ts';

/** A record, its first row, its number of rows, the position after them, and the names of its ignored fields. */
export type Item = {
  outcome: Outcome;
  row: number;
  rows: number;
  end: Position;
  ignored: readonly string[];
  /** It took too long, or failed with this error in the code. */
  isSlow?: true;
  failure?: string;
};

/** Of a record. */
export const MAX_OUTPUT_BYTES = 8 * 1_048_576;
const MAX_ERRORS = 100;
const MAX_TEXTS = 100_000;
const WITH_TEXTS: ReadonlySet<Body['kind']> = new Set([
  ...(['product', 'entry', 'order', 'pastOrder', 'category', 'business'] as const),
]);

export type Check = (value: unknown) => FieldError[] | null;
export type Compile = (schema: TSchema) => Check;
export type CheckOf = (kind: Body['kind']) => Check | undefined;

/** `schemas`: by kind, as JSON. Each is compiled on first use. */
export function checksFor(schemas: string, compile: Compile): CheckOf {
  const parsed = JSON.parse(schemas) as Partial<Record<Body['kind'], TSchema>>;
  const compiled = new Map<string, Check>();
  return (kind) => {
    const schema = parsed[kind];
    if (schema && !compiled.has(kind)) compiled.set(kind, compile(schema));
    return compiled.get(kind);
  };
}

type Format = CsvFormat | JsonFormat;

export function convertRecord(group: Group, format: Format, to: Conversion, checkOf: CheckOf): Sized {
  try {
    const item = itemOf(group, withChecks(convertGroup(group, format, to), group.number, checkOf));
    item.ignored = ignoredIn(group, format, to);
    const bytes = serialize(item).byteLength;
    if (bytes <= MAX_OUTPUT_BYTES) return { item, bytes };
    return {
      item: itemOf(group, failed(group, 'TOO_LONG', 'This record is larger than 8 MiB. Shorten it.')),
      bytes: 0,
    };
  } catch (error) {
    const message = "This record can't be converted. Compare it with a record that was imported successfully.";
    const failure = (error as Error).stack ?? String(error);
    return { item: { ...itemOf(group, failed(group, 'TOO_COMPLEX', message)), failure }, bytes: 0 };
  }
}

type Sized = { item: Item; bytes: number };

/** The record took too long before. */
export const slowRecord = (group: Group): Item => ({
  ...itemOf(
    group,
    failed(group, 'TOO_COMPLEX', 'This record takes too long to convert. Simplify it, or remove it from the file.'),
  ),
  isSlow: true,
});

const failed = ({ number }: Group, error: string, message: string): Outcome => ({
  errors: [rowError(number, '', error, message)],
});

const itemOf = ({ number, count, end, last }: Group, outcome: Outcome): Item => ({
  outcome,
  row: number,
  rows: count,
  end: { offset: end, row: last },
  ignored: [],
});

function withChecks(outcome: Outcome, row: number, checkOf: CheckOf): Outcome {
  if ('errors' in outcome) return { errors: outcome.errors.slice(0, MAX_ERRORS) };
  if ('skipped' in outcome) return { skipped: outcome.skipped.slice(0, MAX_ERRORS) };
  const { record } = outcome;
  collectFiles(record, row);
  const input = 'input' in record.data ? record.data.input : null;
  const errors = checkOf(record.kind)?.(input);
  if (errors) return { errors: errors.slice(0, MAX_ERRORS).map((error) => located(record, error, row)) };
  if (record.warnings) record.warnings = record.warnings.slice(0, MAX_ERRORS);
  const texts = WITH_TEXTS.has(record.kind) ? [...new Set(stringsIn(input))] : [];
  if (!isQuick(texts)) record.texts = { texts, processed: processTexts(texts) };
  return outcome;
}

/** All strings of a record, because any of them could be rich text. */
function stringsIn(value: unknown, found: string[] = []): string[] {
  if (typeof value === 'string') found.push(value);
  else if (Array.isArray(value)) for (const each of value) stringsIn(each, found);
  else if (isRecord(value)) for (const each of Object.values(value)) stringsIn(each, found);
  if (found.length > MAX_TEXTS) throw new RangeError(`The record has more than ${MAX_TEXTS} texts`);
  return found;
}

export function located({ places }: Converted, { field, error, message }: FieldError, row: number): RowError {
  return { ...locateField(places ?? { row }, field), error, message };
}
