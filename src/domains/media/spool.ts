import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { orAway } from '../../providers/storage/port.ts';
import { tooLarge } from '../../shared/errors.ts';
import { noteGarbage } from './garbage.ts';
import { HEAD_BYTES } from './types.ts';

/** What was learned of bytes that came by. */
export type Measured = { bytes: number; hash: string; head: Buffer };
/** A file that has arrived and belongs to nobody yet. Whoever has it removes it. */
export type Spooled = Measured & { path: string };

/** Lets bytes through, counts and hashes them and remembers the first ones. */
export function measure(maxBytes: number): { stream: Transform; result: () => Measured } {
  const hash = createHash('sha256');
  const head: Buffer[] = [];
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (bytes < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - bytes));
      bytes += chunk.length;
      if (bytes > maxBytes) return done(tooLarge(`A file may have ${mebibytes(maxBytes)} MiB at most here.`));
      hash.update(chunk);
      noteGarbage(chunk.length);
      done(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, hash: hash.digest('hex'), head: Buffer.concat(head) }) };
}

export const mebibytes = (bytes: number) => Math.floor(bytes / 1_048_576);

/** Writes a stream into a file in the folder `scraps`, at the pace of the disk. */
export async function spool(scraps: string, body: Readable, maxBytes: number): Promise<Spooled> {
  await orAway(mkdir(scraps, { recursive: true }));
  const path = join(scraps, randomUUID());
  const { stream, result } = measure(maxBytes);
  try {
    await orAway(pipeline(body, stream, createWriteStream(path, { flags: 'wx' })));
    return { ...result(), path };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}
