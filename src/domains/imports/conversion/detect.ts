/**
 * Detects the encoding, delimiter and format of a file before anything is written, so that an unsupported file is
 * rejected immediately.
 */
import { invalidField } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/is-record.ts';
import { type CsvFormat, columnsOf, type ImportType, type JsonFormat } from '../formats/format.ts';
import { CSV_FORMATS, JSON_FORMATS } from '../formats/index.ts';
import type { ImportOptions } from '../queries.ts';
import { detectDelimiter, MAX_COLUMNS, readCsv } from '../source/csv.ts';
import { type Encoding, endOfLastCharacter, hasUtf8Mark } from '../source/encoding.ts';
import { type ParseJson, readElements, readNdjson } from '../source/json.ts';
import type { Position, RawRow } from '../source/rows.ts';
import { createSource, type OpenBytes, type Source } from '../source/source.ts';

/** Large enough for any header. */
export const HEAD_BYTES = 262_144;

/** Longer names are cut in notes. */
export const MAX_IGNORED_NAME = 60;

const START: Position = { offset: 0, row: 0 };

/** The paths at which a JSON document can contain its array of records. */
export const JSON_PATHS = ['', 'data', 'posts', 'data.posts', 'db.[].data.posts', 'items', 'results', 'entries'];

export type Detected = {
  format: CsvFormat | JsonFormat;
  options: ImportOptions;
  /** Null unless the file is CSV. */
  columns: ReadonlyMap<string, number> | null;
  notes: string[];
};

const fileError = (error: string, message: string) => invalidField('file', error, message);

export async function detect(
  open: OpenBytes,
  head: Buffer,
  { type, encoding, parse }: { type: ImportType; encoding: Encoding; parse: ParseJson },
): Promise<Detected> {
  if (head.length === 0) throw fileError('EMPTY', 'The file is empty. Export it again or choose another file.');
  if (isBinary(head)) throw fileError('UNSUPPORTED_TYPE', 'This is not a text file. Save it as CSV or JSON.');
  const hasMark = encoding === 'utf-8' && hasUtf8Mark(head);
  const source = createSource(open, encoding, hasMark);
  const text = await firstBytes(source);
  refuseMarkup(text.toString('utf8', 0, 4096).trimStart());
  const shape = await shapeOf(source, text, parse);
  const options: ImportOptions = { shape, encoding, hasMark };
  const found =
    shape === 'csv' ? await detectCsv(source, text, type, options) : await detectJson(source, type, options, parse);
  const notes =
    encoding === 'utf-8'
      ? []
      : [
          `The file was read as ${encoding.toUpperCase()}. If characters look wrong, save the file as UTF-8 and import it again.`,
        ];
  return { ...found, notes: [...notes, ...found.notes, ...(found.format.note ? [found.format.note] : [])] };
}

/** Archives, spreadsheets and images. UTF-16 contains zero bytes too, but starts with a byte order mark. */
const isBinary = (head: Buffer) =>
  head.subarray(0, 2).equals(Buffer.from('PK')) ||
  head.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])) ||
  head.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b])) ||
  head.subarray(0, 4).equals(Buffer.from('%PDF'));

/** XML and web pages. */
function refuseMarkup(text: string): void {
  if (!text.startsWith('<')) return;
  const isWordPress = /wordpress|<rss\b|woocommerce/i.test(text);
  const message = /^<(?:!doctype )?html/i.test(text)
    ? 'This is a web page. Download the file again and check that it is an export.'
    : isWordPress
      ? 'This is a WordPress export in XML, which contains no prices or stock. In WooCommerce, choose Products, then Export, and import the CSV file.'
      : 'XML files are not supported. Export the data as CSV or JSON.';
  throw fileError('MARKUP_FILE', message);
}

async function firstBytes(source: Source): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of await source.open(0)) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  const bytes = Buffer.concat(parts).subarray(0, HEAD_BYTES);
  return bytes.subarray(0, endOfLastCharacter(bytes));
}

async function shapeOf(source: Source, head: Buffer, parse: ParseJson): Promise<ImportOptions['shape']> {
  const text = head.toString().trimStart();
  if (text.startsWith('[')) return 'json';
  if (!text.startsWith('{')) return 'csv';
  const end = text.indexOf('\n');
  try {
    const first = parse(end === -1 ? text : text.slice(0, end));
    if (!isRecord(first)) return 'json';
    const { data, db, posts } = first;
    return [data, db, posts, isRecord(data) && data.posts].some(Array.isArray) ? 'json' : 'ndjson';
  } catch {
    // The start of one long line: either a document with a list of records, or a single record.
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
  const isComplete = head.length < HEAD_BYTES;
  const first = await firstOf(headers(readCsv(isComplete ? source : sourceOfHead(head), START, { delimiter })));
  const header = first?.cells;
  if (!header || first.problem || (!isComplete && first.end >= head.length)) {
    throw fileError('INVALID_HEADER', "The header row can't be parsed. Check its quotes.");
  }
  if (header.length > MAX_COLUMNS)
    throw fileError('TOO_LONG', `The file has more than ${MAX_COLUMNS} columns. Remove the ones you don't need.`);
  const columns = columnsOf(header);
  rejectOrderFile(columns, type);
  const format = CSV_FORMATS.find((each) => each.type === type && each.isRecognized(columns));
  if (!format) {
    const other = CSV_FORMATS.find((each) => each.isRecognized(columns));
    const found = [...columns.keys()].slice(0, 8).join(', ').slice(0, 200);
    throw fileError(
      'UNKNOWN_FORMAT',
      other
        ? `This file seems to contain ${other.type} (${other.label}), not ${type}. Choose ${other.type} or another file.`
        : `The columns don't match any supported format for ${type}. Found: ${found}.`,
    );
  }
  const refusal = format.refusal?.(columns);
  if (refusal) throw fileError('STATUS_COLUMN', refusal);
  return {
    format,
    columns,
    notes: delimiter === ',' ? [] : [`The delimiter is “${delimiter === '\t' ? 'tab' : delimiter}”.`],
    options: { ...options, delimiter, header: header.map((name: string) => name.trim()), headerRow: first.number },
  };
}

/** Orders have emails too. Their buyers must not become customers or subscribers by mistake. */
function rejectOrderFile(columns: ReadonlyMap<string, number>, type: ImportType): void {
  const orders = CSV_FORMATS.find((each) => each.type === 'orders' && each.isRecognized(columns));
  if (!orders || type === 'orders') return;
  throw fileError(
    'ORDERS_FILE',
    `This file contains orders (${orders.label}), not ${type}. Choose orders or another file.`,
  );
}

/** Skips blank rows and the line that names the delimiter for spreadsheets: `sep=;`. */
async function* headers(rows: AsyncIterable<RawRow>): AsyncGenerator<RawRow> {
  for await (const row of rows) {
    const cells = row.cells ?? [];
    const isBlank = !row.problem && cells.every((cell) => cell.trim() === '');
    const isHint = /^sep=.?$/i.test(cells[0] ?? '') && cells.slice(1).every((cell) => cell === '');
    if (!isBlank && !isHint) yield row;
  }
}

/** Treats the first bytes as the whole file: a header must end within them. */
const sourceOfHead = (head: Buffer): Source => ({
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
    throw fileError('UNKNOWN_FORMAT', 'The file contains no list of records. Use an array, or one record per line.');
  if (!isRecord(first.value))
    throw fileError(
      'INVALID_JSON',
      first.problem?.message ?? 'The first record is not an object. Each record must be a JSON object.',
    );
  const sample = first.value;
  const format = JSON_FORMATS.find((each) => each.type === type && each.isRecognized(sample));
  if (format) return { format, options, columns: null, notes: [] };
  const other = JSON_FORMATS.find((each) => each.name === 'souk' && each.isRecognized(sample));
  const found = Object.keys(sample).slice(0, 8).join(', ').slice(0, 200);
  throw fileError(
    'UNKNOWN_FORMAT',
    other
      ? `This file seems to contain ${other.type}, not ${type}. Choose ${other.type} or another file.`
      : `The records don't match any supported format for ${type}. Found: ${found}.`,
  );
}
