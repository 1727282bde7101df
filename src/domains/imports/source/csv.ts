/**
 * Reads CSV (RFC 4180) row by row, in bounded memory, starting at any row. A broken row is reported and the rows
 * after it are still read. Libraries stop at the first broken row, so none is used here.
 */
import { isUtf8 } from 'node:buffer';
import { badCharacter, MAX_ROW_BYTES, notUtf8, type Position, type Problem, type RawRow, tooLong } from './rows.ts';
import type { Source } from './source.ts';

const [QUOTE, CR, LF] = [0x22, 0x0d, 0x0a];
/** How far to look for the end of a row that is too long. */
const MAX_SKIPPED_BYTES = 64 * 1_048_576;

const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

export const MAX_COLUMNS = 1000;

const openQuote: Problem = {
  error: 'OPEN_QUOTE',
  message: 'A quote in this row is not closed. Close it, and double any quotes within a cell.',
};

/** The offset after the row. */
type Read = number | 'MORE' | 'OPEN_QUOTE';

/** Reads the row at `from` into `cells`. `isLast`: no bytes follow. A broken row yields the cells before the break. */
function readRow(
  cells: string[],
  bytes: Buffer,
  from: number,
  isLast: boolean,
  { delimiter, maxCells }: { delimiter: number; maxCells: number },
): Read {
  for (let at = from; ; at++) {
    const before = cells.length;
    if (bytes[at] === QUOTE) {
      let end = at + 1;
      let hasEscapes = false;
      for (;;) {
        end = bytes.indexOf(QUOTE, end);
        if (end === -1) return isLast ? 'OPEN_QUOTE' : 'MORE';
        if (end + 1 === bytes.length && !isLast) return 'MORE';
        if (bytes[end + 1] !== QUOTE) break;
        hasEscapes = true;
        end += 2;
      }
      const text = bytes.toString('utf8', at + 1, end);
      if (cells.length <= maxCells) cells.push(hasEscapes ? text.replaceAll('""', '"') : text);
      at = end + 1;
    } else {
      let end = at;
      for (; end < bytes.length; end++) {
        const byte = bytes[end];
        if (byte === delimiter || byte === LF || byte === CR) break;
      }
      if (end === bytes.length && !isLast) return 'MORE';
      if (cells.length <= maxCells) cells.push(end === at ? '' : bytes.toString('utf8', at, end));
      at = end;
    }
    if (at >= bytes.length) return isLast ? bytes.length : 'MORE';
    const byte = bytes[at];
    if (byte === LF) return at + 1;
    if (byte === CR) {
      if (at + 1 === bytes.length && !isLast) return 'MORE';
      return at + (bytes[at + 1] === LF ? 2 : 1);
    }
    if (byte !== delimiter) {
      // The quote that seems to close the cell opens another cell several rows later.
      cells.length = before;
      return 'OPEN_QUOTE';
    }
  }
}

const isSpace = (byte: number) => byte === CR || byte === LF || byte === 0x20;

type CsvOptions = { delimiter: Delimiter; maxCells?: number };

/** Empty rows, including rows with only delimiters, are counted but not returned. */
export async function* readCsv(
  source: Source,
  { offset, row }: Position,
  { delimiter, maxCells = MAX_COLUMNS }: CsvOptions,
): AsyncGenerator<RawRow> {
  const separator = delimiter.charCodeAt(0);
  const layout = { delimiter: separator, maxCells };
  let number = row;
  let start: number | null = offset;
  while (start !== null) {
    const chunks = (await source.open(start))[Symbol.asyncIterator]();
    let bytes: Buffer = Buffer.alloc(0);
    let at = 0;
    let base: number = start;
    let isLast = false;
    start = null;
    try {
      for (;;) {
        if (at === bytes.length && isLast) return;
        const cells: string[] = [];
        let read: Read = at === bytes.length ? 'MORE' : readRow(cells, bytes, at, isLast, layout);
        const line = read === 'OPEN_QUOTE' ? bytes.indexOf(LF, at) : -1;
        if (read === 'OPEN_QUOTE' && line === -1 && !isLast) read = 'MORE';
        if (read === 'MORE' && bytes.length - at > MAX_ROW_BYTES) {
          const end = await findEnd(bytes.subarray(at), chunks, separator);
          number++;
          start = base + at + end.at;
          yield { number, end: start, cells, problem: end.isClosed ? tooLong : openQuote };
          break;
        }
        if (read === 'MORE') {
          const next = await chunks.next();
          if (next.done) isLast = true;
          else {
            bytes = at === bytes.length ? next.value : Buffer.concat([bytes.subarray(at), next.value]);
            base += at;
            at = 0;
          }
          continue;
        }
        number++;
        const from = at;
        if (read === 'OPEN_QUOTE') {
          at = line === -1 ? bytes.length : line + 1;
          yield { number, end: base + at, cells, problem: openQuote };
          continue;
        }
        at = read;
        if (cells.length <= maxCells && cells.every((cell) => cell === '')) continue;
        const raw = bytes.subarray(from, at);
        const problem = raw.length > MAX_ROW_BYTES ? tooLong : isUtf8(raw) ? raw.includes(0) && badCharacter : notUtf8;
        yield problem ? { number, end: base + at, cells, problem } : { number, end: base + at, cells };
      }
    } finally {
      await chunks.return?.();
    }
  }
}

/**
 * Finds the end of a row that is too long without loading it into memory. If its quote is never closed, returns the
 * start of its second line, so that the rows after it are still read.
 */
async function findEnd(
  first: Buffer,
  chunks: AsyncIterator<Buffer>,
  delimiter: number,
): Promise<{ at: number; isClosed: boolean }> {
  let state: 'START' | 'PLAIN' | 'QUOTED' | 'QUOTE' = 'START';
  let [passed, secondLine] = [0, -1];
  for (let bytes: Buffer | null = first; bytes !== null && passed < MAX_SKIPPED_BYTES; ) {
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (state === 'QUOTED') {
        if (byte === QUOTE) state = 'QUOTE';
        else if (byte === LF && secondLine === -1) secondLine = passed + i + 1;
      } else if (byte === LF) return { at: passed + i + 1, isClosed: true };
      else if (byte === delimiter) state = 'START';
      else if (byte === QUOTE && state !== 'PLAIN') state = 'QUOTED';
      else if (state === 'QUOTE' && byte !== CR)
        return { at: secondLine === -1 ? passed + i : secondLine, isClosed: false };
      else if (byte !== CR) state = 'PLAIN';
    }
    passed += bytes.length;
    const next: IteratorResult<Buffer> = await chunks.next();
    bytes = next.done ? null : next.value;
  }
  if (state === 'QUOTED') return { at: secondLine === -1 ? passed : secondLine, isClosed: false };
  return { at: passed, isClosed: true };
}

/** The delimiter that the file names (`sep=;`), or the most frequent one outside quotes in the first row with text. */
export function detectDelimiter(file: Buffer): Delimiter {
  const hint = /^\s*"?sep=([,;|\t])"?\s*[\r\n]/i.exec(file.toString('latin1', 0, 1024))?.[1];
  if (hint !== undefined) return hint as Delimiter;
  const head = file.subarray(file.findIndex((byte) => !isSpace(byte)));
  const counts = new Map<string, number>(DELIMITERS.map((each) => [each, 0]));
  let isQuoted = false;
  for (const byte of head) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (byte === LF || byte === CR) break;
    else {
      const character = String.fromCharCode(byte);
      const count = counts.get(character);
      if (count !== undefined) counts.set(character, count + 1);
    }
  }
  return DELIMITERS.reduce((most, each) => (counts.get(each)! > counts.get(most)! ? each : most), DELIMITERS[0]);
}
