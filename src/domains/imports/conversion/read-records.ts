/** Groups the rows of a file into records and converts them one by one. */
import { isRecord } from '../../../shared/is-record.ts';
import {
  type Conversion,
  type CsvFormat,
  columnsOf,
  type JsonFormat,
  type Outcome,
  type Related,
  Row,
  type RowError,
  rowError,
} from '../formats/format.ts';
import type { ImportOptions } from '../queries.ts';
import { readCsv } from '../source/csv.ts';
import { type ParseJson, readArrays, readElements, readNdjson } from '../source/json.ts';
import type { Position, RawRow } from '../source/rows.ts';
import type { Source } from '../source/source.ts';
import { JSON_PATHS, MAX_IGNORED_NAME } from './detect.ts';
import { findParts, NO_PARTS, type Parts, type ReadRow } from './read-parts.ts';

/** The rows of one record, and where they end. */
export type Group = {
  rows: Row[];
  /** Set for JSON files. */
  value?: unknown;
  number: number;
  count: number;
  end: number;
  last: number;
  problems: RowError[];
  /** The first row that was left out because the record has too many. */
  cutAt?: number;
};

/** More variants and images than any product has. */
const MAX_GROUP = 1000;

export function readGroups(
  source: Source,
  position: Position,
  format: CsvFormat | JsonFormat,
  options: ImportOptions,
  parse: ParseJson,
): AsyncGenerator<Group> {
  if (options.shape !== 'csv') {
    const rows =
      options.shape === 'ndjson'
        ? readNdjson(source, position, parse)
        : readElements(source, position, JSON_PATHS, parse);
    const { related } = format as JsonFormat;
    return related && options.shape === 'json' ? completed(source, oneByOne(rows), related, parse) : oneByOne(rows);
  }
  const read = (from: Position) => readRows(source, from, format as CsvFormat, options);
  return groups(read, position, format as CsvFormat);
}

async function* readRows(
  source: Source,
  position: Position,
  { plain }: CsvFormat,
  { delimiter, header, headerRow = 1 }: ImportOptions,
): AsyncGenerator<ReadRow> {
  const columns = columnsOf(header!);
  const width = header!.length;
  for await (const raw of readCsv(source, position, { delimiter: delimiter!, maxCells: width })) {
    if (raw.number <= headerRow) continue;
    const { number, end, cells = [] } = raw;
    const problem = raw.problem ?? shapeProblem(cells, width);
    yield {
      row: new Row(number, columns, plain ? cells.map(plain) : cells),
      number,
      end,
      problems: problem ? [rowError(number, '', problem.error, problem.message)] : [],
      isOpenEnded: raw.problem !== undefined && cells.length === 0,
    };
  }
}

async function* oneByOne(rows: AsyncIterable<RawRow>): AsyncGenerator<Group> {
  for await (const { number, end, value, problem } of rows) {
    const problems = problem ? [rowError(number, '', problem.error, problem.message)] : [];
    yield { rows: [], value, number, count: 1, end, last: number, problems };
  }
}

/** Bytes of the file to search for related lists, and bytes of their items to keep in memory. */
const RELATED = { maxBytes: 512 * 1_048_576, maxKeptBytes: 16 * 1_048_576 };

/** Adds the items from other lists in the document to each record. */
async function* completed(
  source: Source,
  records: AsyncIterable<Group>,
  { paths, complete }: Related,
  parse: ParseJson,
): AsyncGenerator<Group> {
  const { lists, isCut } = await readArrays(source, paths, parse, RELATED);
  const items = [...lists].map(([path, list]) => [path, list.filter(isRecord)] as const);
  const add = complete(new Map(items), isCut);
  for await (const group of records) yield isRecord(group.value) ? { ...group, value: add(group.value) } : group;
}

async function* groups(
  read: (from: Position) => AsyncIterable<ReadRow>,
  position: Position,
  format: CsvFormat,
): AsyncGenerator<Group> {
  const parts = format.parts ? await findParts(read({ offset: 0, row: 0 }), format) : NO_PARTS;
  let open: Group | null = null;
  for await (const each of read(position)) {
    const { row, number, end, problems } = each;
    // Only the cells before the break are known. If they don't show which record the row belongs to, assume the open
    // one.
    if (open && format.isContinuation && (each.isOpenEnded || format.isContinuation(open.rows, row))) {
      add(open, each);
      open.end = end;
      open.last = number;
      continue;
    }
    // This row is written together with its record, which is elsewhere in the file.
    if (parts.isKept(number)) continue;
    if (open) yield whole(open, parts);
    open = { rows: [row], number, count: 1, end, last: number, problems };
  }
  if (open) yield whole(open, parts);
}

function whole(group: Group, parts: Parts): Group {
  for (const part of parts.partsOf(group.rows[0]!)) add(group, part);
  return group;
}

function add(group: Group, { row, number, problems }: ReadRow): void {
  if (group.count < MAX_GROUP) group.rows.push(row);
  else group.cutAt ??= number;
  group.problems.push(...problems);
  group.count++;
}

/** A truncated row has empty cells at its end. A row with a single cell, or too many, does not belong to this file. */
function shapeProblem(cells: readonly string[], width: number): { error: string; message: string } | null {
  if (cells.length > width)
    return {
      error: 'TOO_LONG',
      message: `The row has more cells than the header, which has ${width} columns. Check its quotes and delimiters.`,
    };
  if (cells.length === 1 && width > 1)
    return {
      error: 'TOO_SHORT',
      message: `The row has one cell instead of ${width}. Check its quotes and delimiters.`,
    };
  return null;
}

/** The fields of a JSON record that the import ignores. */
export const ignoredIn = ({ value }: Group, format: CsvFormat | JsonFormat, to: Conversion): string[] =>
  'ignored' in format && isRecord(value)
    ? (format.ignored?.(value, to) ?? []).map((name) => name.slice(0, MAX_IGNORED_NAME))
    : [];

/** Converts the rows of a record, and reports rows that were left out. */
export function convertGroup(group: Group, format: CsvFormat | JsonFormat, to: Conversion): Outcome {
  const outcome = convertRows(group, format, to);
  if (group.cutAt === undefined || !('record' in outcome)) return outcome;
  const message = `The record has ${group.count} rows. Only the first ${MAX_GROUP} were imported.`;
  const warnings = [rowError(group.cutAt, '', 'TOO_MANY', message), ...(outcome.record.warnings ?? [])];
  return { record: { ...outcome.record, warnings } };
}

/** Converts the rows of a record. One broken row fails the whole record: products are never imported partially. */
function convertRows(group: Group, format: CsvFormat | JsonFormat, to: Conversion): Outcome {
  if (group.problems.length > 0) {
    const broken = new Set(group.problems.map(({ row }) => row));
    const whole =
      group.count > broken.size
        ? [
            rowError(
              group.number,
              '',
              'INCOMPLETE',
              `Row ${group.problems[0]!.row} of this record is invalid, so the record was not imported.`,
            ),
          ]
        : [];
    return { errors: [...whole.filter(({ row }) => !broken.has(row)), ...group.problems] };
  }
  if ('isRecognized' in format && group.rows.length > 0) return (format as CsvFormat).convert(group.rows, to);
  if (!isRecord(group.value))
    return {
      errors: [rowError(group.number, '', 'INVALID_TYPE', 'The record must be a JSON object.')],
    };
  return (format as JsonFormat).convert(group.value, group.number, to);
}
