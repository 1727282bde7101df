/** From the rows of a file to records of ours, one after the other. */
import { isRecord } from '../../shared/is-record.ts';
import { JSON_PATHS } from './detect.ts';
import {
  type Conversion,
  type CsvFormat,
  columnsOf,
  type JsonFormat,
  type Outcome,
  Row,
  type RowError,
  wrong,
} from './formats/format.ts';
import type { ImportOptions } from './queries.ts';
import { findParts, NO_PARTS, type Parts } from './read-parts.ts';
import { readCsv } from './source/csv.ts';
import { type ParseJson, readElements, readNdjson } from './source/json.ts';
import type { Position, RawRow } from './source/rows.ts';
import type { Source } from './source/source.ts';

/** Rows that make one record, and where they end. */
export type Group = {
  rows: Row[];
  /** Of a JSON file. */
  value?: unknown;
  number: number;
  count: number;
  end: number;
  last: number;
  problems: RowError[];
};

/** More than any product has variants and pictures. */
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
    return singles(rows);
  }
  const read = (from: Position) => readRows(source, from, format as CsvFormat, options);
  return groups(read, position, format as CsvFormat);
}

/** A row with what is wrong with it. */
export type ReadRow = {
  row: Row;
  number: number;
  end: number;
  problems: RowError[];
  /** Broken before its first cell ended: nobody knows whose it is. */
  isOpenEnded: boolean;
};

async function* readRows(
  source: Source,
  position: Position,
  { plain }: CsvFormat,
  { delimiter, header }: ImportOptions,
): AsyncGenerator<ReadRow> {
  const columns = columnsOf(header!);
  const width = header!.length;
  for await (const raw of readCsv(source, position, { delimiter: delimiter!, maxCells: width })) {
    // The header is the first row of the file.
    if (raw.number === 1) continue;
    const { number, end, cells = [] } = raw;
    const problem = raw.problem ?? shapeProblem(cells, width);
    yield {
      row: new Row(number, columns, plain ? cells.map(plain) : cells),
      number,
      end,
      problems: problem ? [wrong(number, '', problem.error, problem.message)] : [],
      isOpenEnded: raw.problem !== undefined && cells.length === 0,
    };
  }
}

async function* singles(rows: AsyncIterable<RawRow>): AsyncGenerator<Group> {
  for await (const { number, end, value, problem } of rows) {
    const problems = problem ? [wrong(number, '', problem.error, problem.message)] : [];
    yield { rows: [], value, number, count: 1, end, last: number, problems };
  }
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
    // Of a broken row only the cells before the break are known. Where they do not tell whose it is, it may be the open record's.
    if (open && format.joins && (each.isOpenEnded || format.joins(open.rows, row))) {
      add(open, each);
      open.end = end;
      open.last = number;
      continue;
    }
    // It is written with its record, wherever that stands.
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
  group.problems.push(...problems);
  if (group.count === MAX_GROUP)
    group.problems.push(
      wrong(number, '', 'TOO_LONG', `A record has at most ${MAX_GROUP} rows. Split it into several.`),
    );
  group.count++;
}

/** A row that lost its tail has empty cells there; one with a single cell, or too many, is not a row of this file. */
function shapeProblem(cells: readonly string[], width: number): { error: string; message: string } | null {
  if (cells.length > width)
    return {
      error: 'TOO_LONG',
      message: `The row has more cells than the ${width} columns. Check its quotes and separators.`,
    };
  if (cells.length === 1 && width > 1)
    return {
      error: 'TOO_SHORT',
      message: `The row has one cell instead of ${width}. Check its quotes and separators.`,
    };
  return null;
}

/** The record of these rows. A broken row takes the whole record with it: nothing is half a product. */
export function convertGroup(group: Group, format: CsvFormat | JsonFormat, to: Conversion): Outcome {
  if (group.problems.length > 0) {
    const broken = new Set(group.problems.map(({ row }) => row));
    const whole =
      group.count > broken.size
        ? [
            wrong(
              group.number,
              '',
              'INCOMPLETE',
              `Row ${group.problems[0]!.row} of this record is broken, so that none of it was taken.`,
            ),
          ]
        : [];
    return { errors: [...whole.filter(({ row }) => !broken.has(row)), ...group.problems] };
  }
  if ('recognises' in format && group.rows.length > 0) return (format as CsvFormat).convert(group.rows, to);
  if (!isRecord(group.value))
    return {
      errors: [wrong(group.number, '', 'INVALID_TYPE', 'The record is not an object. Write each one in braces.')],
    };
  return (format as JsonFormat).convert(group.value, group.number, to);
}
