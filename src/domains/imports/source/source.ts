/** A file as UTF-8 bytes from any offset on. What it was written in is converted on the way. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Offsets count bytes of UTF-8 behind a byte order mark. */
export type Source = { open(offset: number): Promise<AsyncIterable<Buffer>> };

/** The bytes of the stored file from `start` on. */
export type OpenBytes = (start: number) => Promise<Readable | Buffer>;

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** By the first bytes. `isValid`: all of the file is UTF-8. Of one that only says so, the rows that are not are told. */
export function detectEncoding(head: Buffer, isValid: boolean): Encoding {
  if (hasUtf8Mark(head)) return 'utf-8';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (let i = 0; i < Math.min(head.length, 200); i++) if (head[i] === 0) zeros[i % 2]!++;
  if (zeros[1]! > 40 && zeros[0]! < 5) return 'utf-16le';
  if (zeros[0]! > 40 && zeros[1]! < 5) return 'utf-16be';
  return isValid ? 'utf-8' : 'windows-1252';
}

/** Whether bytes that come by are UTF-8; a character may be cut in two by the end of a chunk. */
export function utf8Check() {
  let rest: Buffer = Buffer.alloc(0);
  let isValid = true;
  return {
    add(chunk: Buffer): void {
      if (!isValid) return;
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
      const end = wholeCharacters(bytes);
      isValid = isUtf8(bytes.subarray(0, end));
      rest = bytes.subarray(end);
    },
    isValid: () => isValid && rest.length === 0,
  };
}

/** Where the last character that is there as a whole ends. */
export function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

export function createSource(open: OpenBytes, encoding: Encoding, hasMark: boolean): Source {
  if (encoding === 'utf-8') {
    const mark = hasMark ? UTF8_MARK.length : 0;
    return { open: async (offset) => chunksOf(await open(mark + offset)) };
  }
  // Nobody knows where a character of the converted text stands in the file: it is read from the beginning.
  return { open: async (offset) => skip(convert(chunksOf(await open(0)), encoding), offset) };
}

export const hasUtf8Mark = (head: Buffer) => head.subarray(0, 3).equals(UTF8_MARK);

async function* chunksOf(body: Readable | Buffer): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(body)) {
    if (body.length > 0) yield body;
  } else yield* body as AsyncIterable<Buffer>;
}

async function* convert(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

async function* skip(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes;
  for await (const chunk of chunks) {
    if (chunk.length > left) yield chunk.subarray(left);
    left = Math.max(0, left - chunk.length);
  }
}
