/**
 * Reads the lines of an NDJSON file, or the elements of one array in a JSON document, in bounded memory and starting
 * at any element.
 */
import { isUtf8 } from 'node:buffer';
import { badCharacter, MAX_ROW_BYTES, notUtf8, type Position, type Problem, type RawRow, tooLong } from './rows.ts';
import type { Source } from './source.ts';

export type ParseJson = (text: string) => unknown;

const [LF, QUOTE, BACKSLASH, COMMA] = [0x0a, 0x22, 0x5c, 0x2c];
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const isSpace = (byte: number) => byte === 0x20 || byte === LF || byte === 0x0d || byte === 0x09;

/** How far to look for the array. */
const MAX_SEARCHED_BYTES = 64 * 1_048_576;

export async function* readNdjson(source: Source, { offset, row }: Position, parse: ParseJson): AsyncGenerator<RawRow> {
  let number = row;
  let base = offset;
  let rest: Buffer = Buffer.alloc(0);
  /** Bytes of an oversized line that were dropped. */
  let dropped = 0;
  const rowOf = (line: Buffer, end: number): RawRow | null => {
    number++;
    const isLong = dropped > 0 || line.length > MAX_ROW_BYTES;
    dropped = 0;
    if (isLong) return { number, end, problem: tooLong };
    return isBlank(line) ? null : readValue(line, number, end, parse);
  };
  for await (const chunk of await source.open(offset)) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let at = 0;
    for (let end = bytes.indexOf(LF, at); end !== -1; end = bytes.indexOf(LF, at)) {
      const line = bytes.subarray(at, end);
      at = end + 1;
      const found = rowOf(line, base + at);
      if (found) yield found;
    }
    rest = bytes.subarray(at);
    base += at;
    if (rest.length > MAX_ROW_BYTES) {
      dropped += rest.length;
      base += rest.length;
      rest = Buffer.alloc(0);
    }
  }
  if (rest.length === 0 && dropped === 0) return;
  const last = rowOf(rest, base + rest.length);
  if (last) yield last;
}

/**
 * The elements of the array at `path`: `''` for a document that is an array, otherwise for example `data` or
 * `db.[].data.posts`. A nonzero offset is already within the array.
 */
export async function* readElements(
  source: Source,
  { offset, row }: Position,
  paths: readonly string[],
  parse: ParseJson,
): AsyncGenerator<RawRow> {
  const begin = offset > 0 ? offset : await findArray(source, paths);
  if (begin === null) return;
  let number = row;
  let [base, depth, isText, isEscaped, start] = [begin, 0, false, false, -1];
  let parts: Buffer[] = [];
  let length = 0;
  const take = (bytes: Buffer, from: number, to: number): Buffer => {
    const whole = Buffer.concat([...parts, bytes.subarray(from, to)]);
    parts = [];
    length = 0;
    start = -1;
    return whole;
  };
  for await (const bytes of await source.open(begin)) {
    if (start !== -1) start = 0;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
        continue;
      }
      const isEnd = depth === 0 && (byte === COMMA || byte === CLOSE_LIST);
      if (isEnd) {
        if (start !== -1) {
          const isLong = length + i - start > MAX_ROW_BYTES;
          const value = take(bytes, start, i);
          number++;
          const end = base + i + (byte === COMMA ? 1 : 0);
          yield isLong ? { number, end, problem: tooLong } : readValue(value, number, end, parse);
        }
        if (byte === CLOSE_LIST) return;
        continue;
      }
      if (start === -1 && !isSpace(byte)) start = i;
      if (byte === QUOTE) isText = true;
      else if (byte === OPEN || byte === OPEN_LIST) depth++;
      else if (byte === CLOSE || byte === CLOSE_LIST) depth--;
    }
    if (start !== -1) {
      const part = bytes.subarray(start);
      length += part.length;
      // The contents of an oversized element are not needed.
      if (length <= MAX_ROW_BYTES) parts.push(part);
      else parts = [];
    }
    base += bytes.length;
  }
  if (start !== -1) yield { number: number + 1, end: base, problem: cutOff };
}

const cutOff: Problem = {
  error: 'INVALID_JSON',
  message: 'The file ends in the middle of this record. Export it again.',
};

/** The offset after the `[` of the first array at one of these paths, or null. */
async function findArray(source: Source, paths: readonly string[]): Promise<number | null> {
  for await (const found of findArrays(source, paths, MAX_SEARCHED_BYTES)) return found?.offset ?? null;
  return null;
}

/** A path, and the offset after the `[` of an array there. */
type FoundArray = { path: string; offset: number };

/** Finds the arrays at these paths. Yields null at the end if the file is larger than `maxBytes`. */
async function* findArrays(
  source: Source,
  paths: readonly string[],
  maxBytes: number,
): AsyncGenerator<FoundArray | null> {
  const isPathPrefix = (path: string) => paths.some((each) => path === '' || each.startsWith(`${path}.`));
  /** The open objects and arrays that lead to a path, and the depth within one that doesn't. */
  const open: { path: string; isList: boolean }[] = [];
  let skippedDepth = 0;
  let [offset, isText, isEscaped, textStart, text] = [0, false, false, 0, ''];
  const pathOfNext = () => {
    const parent = open.at(-1);
    return parent ? [parent.path, parent.isList ? '[]' : text].filter(Boolean).join('.') : '';
  };
  for await (const bytes of await source.open(0)) {
    textStart = 0;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) {
          isText = false;
          if (skippedDepth === 0) text += startOf(bytes, textStart, i);
        }
      } else if (byte === QUOTE) {
        isText = true;
        textStart = i + 1;
        text = '';
      } else if (byte === OPEN || byte === OPEN_LIST) {
        const path = skippedDepth > 0 ? null : pathOfNext();
        const isList = byte === OPEN_LIST;
        if (isList && path !== null && paths.includes(path)) yield { path, offset: offset + i + 1 };
        if (path !== null && isPathPrefix(path)) open.push({ path, isList });
        else skippedDepth++;
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        if (skippedDepth > 0) skippedDepth--;
        else open.pop();
        // The end of the document, or of the first line of an NDJSON file.
        if (open.length === 0) return;
      }
    }
    if (isText && skippedDepth === 0) text += startOf(bytes, textStart, bytes.length);
    offset += bytes.length;
    if (offset > maxBytes) return yield null;
  }
}

/** Enough of a string to tell whether it is a key of a path. */
const startOf = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, Math.min(to, from + 64));

/** Reads the elements of all arrays at these paths. Stops after `maxBytes` of the file, or of elements. Broken elements are left out. */
export async function readArrays(
  source: Source,
  paths: readonly string[],
  parse: ParseJson,
  { maxBytes, maxKeptBytes }: { maxBytes: number; maxKeptBytes: number },
): Promise<{ lists: Map<string, unknown[]>; isCut: boolean }> {
  const lists = new Map<string, unknown[]>();
  let kept = 0;
  for await (const found of findArrays(source, paths, maxBytes)) {
    if (!found) return { lists, isCut: true };
    const { path, offset } = found;
    const list = lists.get(path) ?? [];
    lists.set(path, list);
    let start = offset;
    for await (const { end, value } of readElements(source, { offset, row: 0 }, [], parse)) {
      if (value !== undefined) list.push(value);
      kept += end - start;
      start = end;
      if (kept > maxKeptBytes) return { lists, isCut: true };
    }
  }
  return { lists, isCut: false };
}

function readValue(bytes: Buffer, number: number, end: number, parse: ParseJson): RawRow {
  if (!isUtf8(bytes)) return { number, end, problem: notUtf8 };
  try {
    return { number, end, value: parse(bytes.toString()) };
  } catch (error) {
    const isText = (error as { kind?: string }).kind === 'VALIDATION_FAILED';
    return {
      number,
      end,
      problem: isText
        ? badCharacter
        : { error: 'INVALID_JSON', message: 'Invalid JSON. Check commas, quotes and brackets.' },
    };
  }
}

const isBlank = (line: Buffer) => line.every(isSpace);
