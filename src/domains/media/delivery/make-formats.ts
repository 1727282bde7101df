import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LARGE_EDGE, SIZES, type Size } from '../../../providers/images/port.ts';
import { orUnavailable } from '../../../providers/storage/port.ts';
import type { Steps } from '../context.ts';
import { findMedia, type MediaRow } from '../queries.ts';
import { BadFile, inStore, makeImage, putSizes, withoutPath } from '../uploads/store-file.ts';
import { privateKey, publicKey } from './names.ts';

export const MAKE_FORMATS = 'media-formats';

/**
 * Creates the WebP and AVIF versions of an image, the slowest part of an upload. The item does not change: until they exist, browsers get
 * the original format. The full size gets them too, unless the size `large` is served in its place.
 */
export async function makeFormats(ctx: Steps, { mediaId }: { mediaId: string }): Promise<void> {
  const row = await findMedia(ctx.db, ctx.businessId, mediaId);
  if (!row) return;
  const sizes = SIZES.filter((size) => row.details.files.some((file) => file.size === size));
  await withOriginal(ctx, row, async (path, folder) => {
    const { mimeType, details } = row;
    const original = details.files.find(({ size }) => size === 'original');
    const isSmall = original && Math.max(original.width, original.height) <= LARGE_EDGE;
    for (const format of ['webp', 'avif'] as const) {
      const fullSize = isSmall === true && original.extension !== format;
      const base = { path, mimeType, folder, whole: false, fullSize, focalPoint: details.focalPoint };
      const task = { ...base, sizes, formats: [format] };
      try {
        await putSizes(ctx, row, (await makeImage(ctx, task)).files);
      } catch (error) {
        // A retry would fail the same way, and browsers fall back to another format.
        if (!(error instanceof BadFile)) throw error;
        ctx.log.warn({ mediaId, format }, `The image ${error.message}`);
      }
    }
  });
}

/** Crops the thumbnail around the focal point and stores it under a new name. */
export async function makeThumbnail(ctx: Steps, row: MediaRow): Promise<MediaRow> {
  const sizes: Size[] = ['thumbnail'];
  let changed = row;
  await withOriginal(ctx, row, async (path, folder) => {
    const { mimeType, details } = row;
    const task = { path, mimeType, folder, whole: false, sizes, focalPoint: details.focalPoint };
    const { files } = await makeImage(ctx, { ...task, formats: ['own'] });
    await putSizes(ctx, row, files);
    const others = details.files.filter(({ size }) => size !== 'thumbnail');
    changed = { ...row, details: { ...details, files: [...others, ...files.map(withoutPath)] } };
  });
  return changed;
}

async function withOriginal(
  ctx: Steps,
  row: MediaRow,
  work: (path: string, folder: string) => Promise<void>,
): Promise<void> {
  const { storage, temporaryFolder } = ctx.media;
  const isPublic = row.mimeType === 'image/svg+xml';
  const key = isPublic
    ? publicKey(row.businessId, `${row.stem}.svg`)
    : privateKey(row.businessId, row.stem, row.extension);
  const found = await inStore(storage.open(key));
  if (!found) return;
  const folder = await inStore(orUnavailable(newFolder(temporaryFolder)));
  try {
    const path = join(folder, 'source');
    const body = Buffer.isBuffer(found.body) ? Readable.from([found.body]) : found.body;
    await inStore(orUnavailable(pipeline(body, createWriteStream(path))));
    await work(path, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function newFolder(temporaryFolder: string): Promise<string> {
  await mkdir(temporaryFolder, { recursive: true });
  return mkdtemp(join(temporaryFolder, 'image-'));
}
