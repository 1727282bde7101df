import type { StepsOf, Versioned } from '../../context/index.ts';
import { conflict, invalid, notFound } from '../../shared/errors.ts';
import type { MediaServices } from './context.ts';
import { toItem } from './item.ts';
import { MAKE_FORMATS, makeThumbnail } from './make-formats.ts';
import { findMedia, lockMedia, type MediaRow, updateMedia } from './queries.ts';
import { REFRESH_USERS } from './refresh-users.ts';
import type { MediaChange, MediaItem } from './schemas.ts';
import { BadFile } from './store-file.ts';
import { tellMedia } from './tell.ts';

type Input = { id: string; changes: MediaChange };

/** A new focal point needs a new crop, which is made before the row changes. */
export const changeMedia: StepsOf<MediaServices, Input, MediaRow | null, Versioned<MediaItem>, Versioned<MediaItem>> = {
  async prepare(ctx, { id, changes: { focalPoint } }) {
    if (!focalPoint) return null;
    const row = await findMedia(ctx.db, ctx.businessId, id);
    if (!row?.details.files.some(({ size }) => size === 'thumbnail')) return null;
    try {
      return await makeThumbnail(ctx, { ...row, details: { ...row.details, focalPoint } });
    } catch (error) {
      throw error instanceof BadFile ? invalid([error.at('focalPoint')]) : error;
    }
  },
  async execute(ctx, { id, changes }, cropped) {
    const { db: tx, businessId } = ctx;
    const row = await lockMedia(tx, businessId, id);
    if (!row) throw notFound('Media');
    ctx.checkVersion(row.version);
    if (cropped && cropped.version !== row.version) throw conflict('The file was changed meanwhile. Try again.');
    const { title, alt, focalPoint } = changes;
    const details = {
      ...row.details,
      // What has no crop of ours, such as a drawing, has the point for those who crop it themselves.
      ...(focalPoint === undefined ? {} : { focalPoint, files: cropped?.details.files ?? row.details.files }),
      ...(title === undefined ? {} : { title }),
      ...(alt === undefined ? {} : { alt }),
    };
    const changed = { ...row, details, version: row.version + 1, updatedAt: ctx.now };
    await updateMedia(tx, changed);
    await tellMedia(ctx, 'media.updated', changed, row);
    if (cropped) await ctx.enqueue(MAKE_FORMATS, { businessId, mediaId: id });
    await ctx.enqueue(REFRESH_USERS, { businessId, mediaId: id });
    return { record: toItem(changed, ctx.media.baseUrl()), version: changed.version };
  },
};
