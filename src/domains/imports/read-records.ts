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
  const rows = readCsv(source, position, { delimiter: options.delimiter!, maxCells: options.header!.length });
  return groups(rows, columnsOf(options.header!), options.header!.length, format as CsvFormat);
}

async function* singles(rows: AsyncIterable<RawRow>): AsyncGenerator<Group> {
  for await (const { number, end, value, problem } of rows) {
    const problems = problem ? [wrong(number, '', problem.error, problem.message)] : [];
    yield { rows: [], value, number, count: 1, end, last: number, problems };
  }
}

async function* groups(
  rows: AsyncIterable<RawRow>,
  columns: ReadonlyMap<string, number>,
  width: number,
  format: CsvFormat,
): AsyncGenerator<Group> {
  let open: Group | null = null;
  for await (const raw of rows) {
    // The header is the first row of the file.
    if (raw.number === 1) continue;
    const { number, end, cells = [] } = raw;
    const row = new Row(number, columns, cells);
    const problem = raw.problem ?? shapeProblem(cells, width);
    const problems = problem ? [wrong(number, '', problem.error, problem.message)] : [];
    // Of a broken row only the cells before the break are known. Where they do not tell whose it is, it may be the open record's.
    const isOpenEnded = raw.problem !== undefined && cells.length === 0;
    if (open && format.joins && (isOpenEnded || format.joins(open.rows, row))) {
      if (open.count < MAX_GROUP) open.rows.push(row);
      if (open.count === MAX_GROUP)
        problems.push(wrong(number, '', 'TOO_LONG', `A record has at most ${MAX_GROUP} rows. Split it into several.`));
      open.count++;
      open.end = end;
      open.last = number;
      open.problems.push(...problems);
      continue;
    }
    if (open) yield open;
    open = { rows: [row], number, count: 1, end, last: number, problems };
  }
  if (open) yield open;
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
