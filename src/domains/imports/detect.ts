/** What a file is: its encoding, its separator and its format. It is asked before anything is written, so that a wrong file is refused at once. */
import { type FieldError, invalid } from '../../shared/errors.ts';
import { isRecord } from '../../shared/is-record.ts';
import { type Conversion, type CsvFormat, columnsOf, type ImportType, type JsonFormat } from './formats/format.ts';
import { CSV_FORMATS, JSON_FORMATS } from './formats/index.ts';
import type { ImportOptions } from './queries.ts';
import { detectDelimiter, MAX_COLUMNS, readCsv } from './source/csv.ts';
import { type ParseJson, readElements, readNdjson } from './source/json.ts';
import type { Position, RawRow } from './source/rows.ts';
import {
  createSource,
  detectEncoding,
  hasUtf8Mark,
  type OpenBytes,
  type Source,
  wholeCharacters,
} from './source/source.ts';

/** Enough for a header. */
export const HEAD_BYTES = 262_144;

const START: Position = { offset: 0, row: 0 };

/** Where a JSON document may have its array of records. */
export const JSON_PATHS = ['', 'data', 'posts', 'data.posts', 'db.[].data.posts', 'items', 'results', 'entries'];

export type Detected = {
  format: CsvFormat | JsonFormat;
  options: ImportOptions;
  /** Null: it is no CSV file. */
  columns: ReadonlyMap<string, number> | null;
  /** The first record of a JSON file. */
  sample?: Record<string, unknown>;
  notes: string[];
};

const refuse = (error: string, message: string, field = 'file') =>
  invalid([{ field, error, message } satisfies FieldError]);

export async function detect(
  open: OpenBytes,
  head: Buffer,
  isUtf8: boolean,
  type: ImportType,
  parse: ParseJson,
): Promise<Detected> {
  if (head.length === 0) throw refuse('EMPTY', 'The file is empty. Export it again, or choose another one.');
  if (isBinary(head)) throw refuse('UNSUPPORTED_TYPE', 'This is not a text file. Save it as CSV or JSON.');
  const encoding = detectEncoding(head, isUtf8);
  const hasMark = encoding === 'utf-8' && hasUtf8Mark(head);
  const source = createSource(open, encoding, hasMark);
  const text = await firstBytes(source);
  const shape = await shapeOf(source, text, parse);
  const options: ImportOptions = { shape, encoding, hasMark };
  const found =
    shape === 'csv' ? await detectCsv(source, text, type, options) : await detectJson(source, type, options, parse);
  const notes = encoding === 'utf-8' ? [] : [`The file is not UTF-8: it was read as ${encoding.toUpperCase()}.`];
  return { ...found, notes: [...notes, ...found.notes, ...(found.format.notesOn?.(text.toString()) ?? [])] };
}

/** Compressed files, spreadsheets, pictures. UTF-16 has zeros too, but begins otherwise. */
const isBinary = (head: Buffer) =>
  head.subarray(0, 2).equals(Buffer.from('PK')) ||
  head.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])) ||
  head.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b])) ||
  head.subarray(0, 4).equals(Buffer.from('%PDF'));

async function firstBytes(source: Source): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of await source.open(0)) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  const bytes = Buffer.concat(parts).subarray(0, HEAD_BYTES);
  return bytes.subarray(0, wholeCharacters(bytes));
}

async function shapeOf(source: Source, head: Buffer, parse: ParseJson): Promise<ImportOptions['shape']> {
  const text = head.toString().trimStart();
  if (text.startsWith('[')) return 'json';
  if (!text.startsWith('{')) return 'csv';
  const end = text.indexOf('\n');
  try {
    const first = parse(end === -1 ? text : text.slice(0, end));
    return isRecord(first) && !Array.isArray(first.data) && !Array.isArray(first.db) && !Array.isArray(first.posts)
      ? 'ndjson'
      : 'json';
  } catch {
    // The beginning of one long line: of a document with a list of records, or of a record.
    return end !== -1 || (await firstOf(readElements(source, START, JSON_PATHS, parse))) ? 'json' : 'ndjson';
  }
}

async function firstOf(rows: AsyncGenerator<RawRow>): Promise<RawRow | undefined> {
  const { value } = await rows.next();
  await rows.return(undefined);
  return value;
}

async function detectCsv(source: Source, head: Buffer, type: ImportType, options: ImportOptions): Promise<Detected> {
  const delimiter = detectDelimiter(head);
  const isWhole = head.length < HEAD_BYTES;
  const { value: first } = await readCsv(isWhole ? source : headAlone(head), START, { delimiter }).next();
  const header = first?.cells;
  if (!header || first.problem || (!isWhole && first.end >= head.length)) {
    throw refuse('INVALID_HEADER', 'The first row cannot be read as the names of the columns. Check its quotes.');
  }
  if (header.length > MAX_COLUMNS)
    throw refuse('TOO_LONG', `The file has more than ${MAX_COLUMNS} columns. Remove those that nobody needs.`);
  const columns = columnsOf(header);
  const format = CSV_FORMATS.find((each) => each.type === type && each.recognises(columns));
  if (!format) {
    const other = CSV_FORMATS.find((each) => each.recognises(columns));
    const found = [...columns.keys()].slice(0, 8).join(', ').slice(0, 200);
    throw refuse(
      'UNKNOWN_FORMAT',
      other
        ? `This looks like a file of ${other.type} (${other.label}), not of ${type}. Choose ${other.type}, or another file.`
        : `The columns are those of no format that is known for ${type}. Found: ${found}.`,
    );
  }
  return {
    format,
    columns,
    notes: delimiter === ',' ? [] : [`Columns are separated by “${delimiter === '\t' ? 'tab' : delimiter}”.`],
    options: { ...options, delimiter, header: header.map((name: string) => name.trim()) },
  };
}

/** The first bytes as a whole file: a header that does not end in them is none. */
const headAlone = (head: Buffer): Source => ({
  async open(offset) {
    return (async function* () {
      yield head.subarray(offset);
    })();
  },
});

async function detectJson(
  source: Source,
  type: ImportType,
  options: ImportOptions,
  parse: ParseJson,
): Promise<Detected> {
  const first = await firstOf(
    options.shape === 'ndjson' ? readNdjson(source, START, parse) : readElements(source, START, JSON_PATHS, parse),
  );
  if (!first)
    throw refuse(
      'UNKNOWN_FORMAT',
      'The file contains no list of records. It needs an array of them, or one in each row.',
    );
  if (!isRecord(first.value))
    throw refuse(
      'INVALID_JSON',
      first.problem?.message ?? 'The first record is not an object. Write each one in braces.',
    );
  const sample = first.value;
  const format = JSON_FORMATS.find((each) => each.type === type && each.recognises(sample));
  if (format) return { format, options, sample, columns: null, notes: [] };
  const other = JSON_FORMATS.find((each) => each.name === 'souk' && each.recognises(sample));
  const found = Object.keys(sample).slice(0, 8).join(', ').slice(0, 200);
  throw refuse(
    'UNKNOWN_FORMAT',
    other
      ? `This looks like an export of ${other.type}, not of ${type}. Choose ${other.type}, or another file.`
      : `The records are of no format that is known for ${type}. Found: ${found}.`,
  );
}

/** Columns, or fields of the first record, that mean nothing to the format: people should know before they rely on them. */
export function findIgnored({ format, columns, options, sample }: Detected, to: Conversion): string[] {
  if (sample && 'ignored' in format) return format.ignored?.(sample, to) ?? [];
  if (!columns || !('takes' in format)) return [];
  const names = options.header ?? [];
  return [...columns].filter(([column]) => !format.takes(column, to)).map(([column, at]) => names[at] ?? column);
}
