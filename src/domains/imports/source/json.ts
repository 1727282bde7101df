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
  const stack: (string | null)[] = [];
  let [offset, isText, isEscaped] = [0, false, false];
  let text: number[] = [];
  let key: string | null = null;
  for await (const bytes of await source.open(0)) {
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
        if (isText && text.length < 64) text.push(byte);
      } else if (byte === QUOTE) {
        isText = true;
        text = [];
      } else if (byte === 0x3a) key = Buffer.from(text).toString('latin1');
      else if (byte === OPEN_LIST) {
        const path = [...stack.slice(1), key].filter((part) => part !== null).join('.');
        if (paths.includes(path)) return offset + i + 1;
        stack.push(key, '[]');
        key = null;
        stack.splice(0, stack.length, ...joined(stack));
      } else if (byte === OPEN) {
        stack.push(key);
        key = null;
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        stack.pop();
        key = null;
      } else if (byte === COMMA) key = null;
      if (stack.length > 64) return null;
    }
    offset += bytes.length;
    if (offset > MAX_SEARCHED_BYTES) return null;
  }
  return null;
}

/**
 * Reads the elements of all arrays at these paths in one pass. Stops after `maxBytes` of the file, or of elements.
 * Broken elements are left out.
 */
export async function readArrays(
  source: Source,
  paths: readonly string[],
  parse: ParseJson,
  { maxBytes, maxKeptBytes }: { maxBytes: number; maxKeptBytes: number },
): Promise<{ lists: Map<string, unknown[]>; isCut: boolean }> {
  const lists = new Map<string, unknown[]>();
  const stack: (string | null)[] = [];
  let [isText, isEscaped, read, kept] = [false, false, 0, 0];
  let text: number[] = [];
  let key: string | null = null;
  /** The list being read, the depth within its element, and the start of the element in the current chunk. */
  let list: unknown[] | null = null;
  let [depth, start] = [0, -1];
  let parts: Buffer[] = [];
  for await (const bytes of await source.open(0)) {
    if (start !== -1) start = 0;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i]!;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isText = false;
        if (!list && isText && text.length < 64) text.push(byte);
        continue;
      }
      if (list) {
        if (depth === 0 && (byte === COMMA || byte === CLOSE_LIST)) {
          if (start !== -1) {
            const element = Buffer.concat([...parts, bytes.subarray(start, i)]);
            kept += element.length;
            const { value } = readValue(element, 0, 0, parse);
            if (value !== undefined) list.push(value);
          }
          parts = [];
          start = -1;
          if (byte === CLOSE_LIST) list = null;
          continue;
        }
        if (start === -1 && !isSpace(byte)) start = i;
        if (byte === QUOTE) isText = true;
        else if (byte === OPEN || byte === OPEN_LIST) depth++;
        else if (byte === CLOSE || byte === CLOSE_LIST) depth--;
        continue;
      }
      if (byte === QUOTE) {
        isText = true;
        text = [];
      } else if (byte === 0x3a) key = Buffer.from(text).toString('latin1');
      else if (byte === OPEN_LIST) {
        const path = [...stack.slice(1), key].filter((part) => part !== null).join('.');
        if (paths.includes(path)) {
          list = lists.get(path) ?? [];
          lists.set(path, list);
          depth = 0;
        } else {
          stack.push(key, '[]');
          stack.splice(0, stack.length, ...joined(stack));
        }
        key = null;
      } else if (byte === OPEN) {
        stack.push(key);
        key = null;
      } else if (byte === CLOSE || byte === CLOSE_LIST) {
        stack.pop();
        key = null;
      } else if (byte === COMMA) key = null;
      if (stack.length > 64) return { lists, isCut: true };
    }
    if (start !== -1) parts.push(bytes.subarray(start));
    read += bytes.length;
    if (read > maxBytes || kept > maxKeptBytes) return { lists, isCut: true };
  }
  return { lists, isCut: false };
}

/** Represents an array on the stack as one entry: its key and `[]`. */
function joined(stack: (string | null)[]): (string | null)[] {
  const [key, list] = stack.slice(-2);
  return [...stack.slice(0, -2), key === null ? list! : `${key}.${list}`];
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
