import type { Versioned } from '../../../context/index.ts';
import { conflict, invalid, notFound } from '../../../shared/errors.ts';
import { command, type Steps } from '../context.ts';
import { MAKE_FORMATS, makeThumbnail } from '../delivery/make-formats.ts';
import { emitMedia } from '../emit-media.ts';
import { toItem } from '../item.ts';
import { findMedia, lockMedia, type MediaRow, updateMedia } from '../queries.ts';
import type { MediaChange, MediaItem } from '../schemas.ts';
import { BadFile } from '../uploads/store-file.ts';
import { REFRESH_USERS } from './refresh-users.ts';

type Input = { id: string; changes: MediaChange };

/**
 * Updates title, alt text or focal point. A new focal point needs a new thumbnail, which is created before the row
 * changes.
 */
export const changeMedia = command({
  prepare: async (ctx, input: Input) => ({ ...input, cropped: await crop(ctx, input) }),
  async execute(ctx, { id, changes, cropped }): Promise<Versioned<MediaItem>> {
    const { db: tx, businessId } = ctx;
    const row = await lockMedia(tx, businessId, id);
    if (!row) throw notFound('Media file');
    ctx.checkVersion(row.version);
    if (cropped && cropped.version !== row.version) throw conflict('Someone else edited this file. Try again.');
    const { title, alt, focalPoint } = changes;
    const details = {
      ...row.details,
      // A file without a thumbnail, such as an SVG, keeps the focal point for clients that crop it themselves.
      ...(focalPoint === undefined ? {} : { focalPoint, files: cropped?.details.files ?? row.details.files }),
      ...(title === undefined ? {} : { title }),
      ...(alt === undefined ? {} : { alt }),
    };
    const changed = { ...row, details, version: row.version + 1, updatedAt: ctx.now };
    await updateMedia(tx, changed);
    emitMedia(ctx, 'media.updated', changed, row);
    if (cropped) await ctx.enqueue(MAKE_FORMATS, { mediaId: id });
    await ctx.enqueue(REFRESH_USERS, { mediaId: id });
    return { record: toItem(changed, ctx.media.baseUrl()), version: changed.version };
  },
});

async function crop(ctx: Steps, { id, changes: { focalPoint } }: Input): Promise<MediaRow | null> {
  if (!focalPoint) return null;
  const row = await findMedia(ctx.db, ctx.businessId, id);
  if (!row?.details.files.some(({ size }) => size === 'thumbnail')) return null;
  try {
    return await makeThumbnail(ctx, { ...row, details: { ...row.details, focalPoint } });
  } catch (error) {
    throw error instanceof BadFile ? invalid([error.at('focalPoint')]) : error;
  }
}
