/** Reads a file as UTF-8 from any offset. Other encodings are converted on the fly. */
import type { Encoding } from './encoding.ts';

/** Offsets count UTF-8 bytes after the byte order mark. */
export type Source = { open(offset: number): Promise<AsyncIterable<Buffer>> };

/** Opens the stored file at `start`. */
export type OpenBytes = (start: number) => Promise<AsyncIterable<Buffer> | Buffer>;

/** The length of the byte order mark of UTF-8. */
const MARK_BYTES = 3;

export function createSource(open: OpenBytes, encoding: Encoding, hasMark: boolean): Source {
  if (encoding === 'utf-8') {
    const mark = hasMark ? MARK_BYTES : 0;
    return { open: async (offset) => chunksOf(await open(mark + offset)) };
  }
  // An offset in the converted text can't be mapped to the file, so read from the start.
  return { open: async (offset) => skip(convert(chunksOf(await open(0)), encoding), offset) };
}

async function* chunksOf(body: AsyncIterable<Buffer> | Buffer): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(body)) {
    if (body.length > 0) yield body;
  } else yield* body;
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
