import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { orUnavailable } from '../../../providers/storage/port.ts';
import { tooLarge } from '../../../shared/errors.ts';
import { countGarbage } from '../garbage.ts';
import { HEAD_BYTES } from './file-types.ts';

/** Size, hash and first bytes of a stream. */
export type Measured = { bytes: number; hash: string; head: Buffer };
/** A temporary file on disk. The caller removes it. */
export type Spooled = Measured & { path: string };

/** A pass-through stream that measures the bytes. */
export function measure(
  maxBytes: number,
  onChunk: (chunk: Buffer) => void = () => {},
): { stream: Transform; result: () => Measured } {
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (bytes < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - bytes));
      bytes += chunk.length;
      if (bytes > maxBytes) return done(tooLarge(`Files can be at most ${mebibytes(maxBytes)} MiB.`));
      hash.update(chunk);
      onChunk(chunk);
      countGarbage(chunk.length);
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, hash: hash.digest('hex'), head: Buffer.concat(head) }) };
}

export const mebibytes = (bytes: number) => Math.floor(bytes / 1_048_576);

/** Writes a stream to a temporary file in `folder`, with backpressure. `onChunk` is called for each chunk. */
export async function spool(
  folder: string,
  body: Readable,
  maxBytes: number,
  onChunk?: (chunk: Buffer) => void,
): Promise<Spooled> {
  // It can fail before `pipeline` listens. An error that nobody listens for would end the process.
  body.once('error', () => {});
  await orUnavailable(mkdir(folder, { recursive: true }));
  const path = join(folder, randomUUID());
  const { stream, result } = measure(maxBytes, onChunk);
  // `pipeline` aborts the request of an HTTP response, which has no effect once the connection is closed, and would wait forever.
  stream.once('error', (error) => body.destroy(error));
  try {
    await orUnavailable(pipeline(body, stream, createWriteStream(path, { flags: 'wx' })));
    return { ...result(), path };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
