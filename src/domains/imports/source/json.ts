/** Reads the rows of an NDJSON file, or the elements of one array of a JSON document, in bounded memory, from any of them on. */
import { isUtf8 } from 'node:buffer';
import { badCharacter, MAX_ROW_BYTES, notUtf8, type Position, type Problem, type RawRow, tooLong } from './rows.ts';
import type { Source } from './source.ts';

export type ParseJson = (text: string) => unknown;

const [LF, QUOTE, BACKSLASH, COMMA] = [0x0a, 0x22, 0x5c, 0x2c];
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const isSpace = (byte: number) => byte === 0x20 || byte === LF || byte === 0x0d || byte === 0x09;

/** So far the array is looked for. */
const MAX_SOUGHT_BYTES = 64 * 1_048_576;

export async function* readNdjson(source: Source, { offset, row }: Position, parse: ParseJson): AsyncGenerator<RawRow> {
  let number = row;
  let base = offset;
  let rest: Buffer = Buffer.alloc(0);
  /** Bytes of a line that is too long, which were dropped. */
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
 * The elements of the array at `path`: `''` for a document that is an array, `data` or `db.[].data.posts` in others. From
 * another offset than 0 it is the array already.
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
      // Of one that is too long nothing more is needed than that it is.
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

/** The offset behind the `[` of the first array whose path is one of these. Null: there is none. */
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
    if (offset > MAX_SOUGHT_BYTES) return null;
  }
  return null;
}

/** An array stands in the stack as one entry: its key and `[]`. */
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
        : { error: 'INVALID_JSON', message: 'This is not valid JSON. Check its commas, quotes and brackets.' },
    };
  }
}

const isBlank = (line: Buffer) => line.every(isSpace);
