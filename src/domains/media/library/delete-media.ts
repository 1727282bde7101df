import { conflict, notFound } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command, Steps } from '../context.ts';
import { keysOf } from '../delivery/names.ts';
import { emitMedia } from '../emit-media.ts';
import { addUsage, deleteMediaRow, listEntitiesUsing, lockMedia } from '../queries.ts';
import { REFRESH_USERS } from './refresh-users.ts';

export const DELETE_FILES = 'media-delete-files';
const MAX_LISTED = 100;
const MAX_USERS = 100_000;

/** Throws 409 with the list of records that use the file. With `force`, a job removes the file from those records. */
export async function deleteMedia(ctx: Command, { id, force = false }: { id: string; force?: boolean }) {
  const { db: tx, businessId } = ctx;
  const row = await lockMedia(tx, businessId, id);
  if (!row) throw notFound('Media file');
  ctx.checkVersion(row.version);
  const users = await listEntitiesUsing(tx, businessId, id, force ? MAX_USERS : MAX_LISTED);
  if (users.length > 0 && !force) {
    throw conflict(
      'This file is in use. Remove it from the listed records first, or set force=true.',
      users.map((entity) => ({ field: entity, error: 'IN_USE', message: `${entity} uses this file.` })),
    );
  }
  await deleteMediaRow(tx, businessId, id);
  emitMedia(ctx, 'media.deleted', row);
  for (let at = 0; at < users.length; at += MAX_LISTED) {
    await ctx.enqueue(REFRESH_USERS, { mediaId: id, entities: users.slice(at, at + MAX_LISTED) });
  }
  await ctx.enqueue(DELETE_FILES, { keys: keysOf(row) });
  await addUsage(tx, businessId, -row.size, ctx.config.mediaQuotaBytes);
  return SUCCESS;
}

/** No two rows share an object, so this can't delete another item's file. */
export const deleteFiles = (ctx: Steps, { keys }: { keys: string[] }): Promise<void> => ctx.media.storage.delete(keys);
