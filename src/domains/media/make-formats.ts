import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { SIZES, type Size } from '../../providers/images/port.ts';
import { orAway } from '../../providers/storage/port.ts';
import type { Steps } from './context.ts';
import { privateKey, publicKey } from './names.ts';
import { findMedia, type MediaRow } from './queries.ts';
import { BadFile, inStore, makeImage, putSizes, sized } from './store-file.ts';

export const MAKE_FORMATS = 'media-formats';

/**
 * Makes the formats that modern browsers prefer, which is what takes longest. The item does not change by it: who asks before
 * gets the image in its own format. A size that can be made no more, because the item was deleted meanwhile, is not missed.
 */
export async function makeFormats(ctx: Steps, { mediaId }: { mediaId: string }): Promise<void> {
  const row = await findMedia(ctx.db, ctx.businessId, mediaId);
  if (!row) return;
  const sizes = SIZES.filter((size) => row.details.files.some((file) => file.size === size));
  await withOriginal(ctx, row, async (path, folder) => {
    const { mimeType, details } = row;
    for (const format of ['webp', 'avif'] as const) {
      const task = { path, mimeType, folder, whole: false, sizes, formats: [format], focalPoint: details.focalPoint };
      try {
        await putSizes(ctx, row, (await makeImage(ctx, task)).files);
      } catch (error) {
        // Who cannot be given this format gets another; trying again would come to the same.
        if (!(error instanceof BadFile)) throw error;
        ctx.log.warn({ mediaId, format }, `an image ${error.message}`);
      }
    }
  });
}

/** Crops the thumbnail anew, and puts it into the store under its own name. */
export async function makeThumbnail(ctx: Steps, row: MediaRow): Promise<MediaRow> {
  const sizes: Size[] = ['thumbnail'];
  let changed = row;
  await withOriginal(ctx, row, async (path, folder) => {
    const { mimeType, details } = row;
    const task = { path, mimeType, folder, whole: false, sizes, focalPoint: details.focalPoint };
    const { files } = await makeImage(ctx, { ...task, formats: ['own'] });
    await putSizes(ctx, row, files);
    const others = details.files.filter(({ size }) => size !== 'thumbnail');
    changed = { ...row, details: { ...details, files: [...others, ...files.map(sized)] } };
  });
  return changed;
}

async function withOriginal(
  ctx: Steps,
  row: MediaRow,
  work: (path: string, folder: string) => Promise<void>,
): Promise<void> {
  const { storage, scraps } = ctx.media;
  const isPublic = row.mimeType === 'image/svg+xml';
  const key = isPublic
    ? publicKey(row.businessId, `${row.stem}.svg`)
    : privateKey(row.businessId, row.stem, row.extension);
  const found = await inStore(storage.open(key));
  if (!found) return;
  const folder = await inStore(orAway(newFolder(scraps)));
  try {
    const path = join(folder, 'source');
    const body = Buffer.isBuffer(found.body) ? Readable.from([found.body]) : found.body;
    await inStore(orAway(pipeline(body, createWriteStream(path))));
    await work(path, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function newFolder(scraps: string): Promise<string> {
  await mkdir(scraps, { recursive: true });
  return mkdtemp(join(scraps, 'image-'));
}
