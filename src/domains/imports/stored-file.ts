/** Opens the file of an import, from disk or from storage. */
import { createReadStream } from 'node:fs';
import type { MediaServices } from '../media/index.ts';
import type { ImportRow } from './queries.ts';
import type { OpenBytes } from './source/source.ts';

/** The file is no longer in storage, for example because it was deleted from the media library. */
export class FileGone extends Error {
  constructor() {
    super('The file is no longer in storage');
  }
}

/** `path`: the local path of a file that is not in storage yet. */
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
