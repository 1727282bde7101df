/** The bytes of an import's file, wherever it lies. */
import { createReadStream } from 'node:fs';
import type { MediaServices } from '../media/index.ts';
import type { ImportRow } from './queries.ts';
import { createSource, type OpenBytes, type Source } from './source/source.ts';

/** The file is not in the store any more, as when it was deleted from the media library. */
export class FileGone extends Error {
  constructor() {
    super('The file is gone.');
  }
}

/** `path`: of one that is not in the store yet. */
export const opener =
  (
    { media }: MediaServices,
    { fileKey, size, path }: Pick<ImportRow, 'fileKey' | 'size'> & { path?: string },
  ): OpenBytes =>
  async (start) => {
    if (start >= size) return Buffer.alloc(0);
    if (path) return createReadStream(path, { start, highWaterMark: 262_144 });
    const found = await media.storage.open(fileKey, { start, end: size - 1 });
    if (!found) throw new FileGone();
    return found.body;
  };

export const sourceOf = (ctx: MediaServices, row: ImportRow): Source =>
  createSource(opener(ctx, row), row.options.encoding, row.options.hasMark);
