import { conflict, notFound } from '../../shared/errors.ts';
import { SUCCESS } from '../../shared/schemas.ts';
import type { Command, Steps } from './context.ts';
import { toItem } from './item.ts';
import { keysOf } from './names.ts';
import { addUsage, deleteMediaRow, listEntitiesUsing, lockMedia } from './queries.ts';
import { REFRESH_USERS } from './refresh-users.ts';

export const DELETE_FILES = 'media-delete-files';
const MAX_NAMED = 100;
const MAX_USERS = 100_000;

/** Refused while something uses it, with what that is. `force`: it disappears from there, by a job. */
export async function deleteMedia(ctx: Command, { id, force = false }: { id: string; force?: boolean }) {
  const { db: tx, businessId } = ctx;
  const row = await lockMedia(tx, businessId, id);
  if (!row) throw notFound('Media');
  ctx.checkVersion(row.version);
  const users = await listEntitiesUsing(tx, businessId, id, force ? MAX_USERS : MAX_NAMED);
  if (users.length > 0 && !force) {
    throw conflict(
      'This file is in use. Take it out there first, or delete it with force=true.',
      users.map((entity) => ({ field: entity, error: 'IN_USE', message: `${entity} uses this file.` })),
    );
  }
  await deleteMediaRow(tx, businessId, id);
  for (let at = 0; at < users.length; at += MAX_NAMED) {
    await ctx.enqueue(REFRESH_USERS, { businessId, mediaId: id, entities: users.slice(at, at + MAX_NAMED) });
  }
  await ctx.enqueue(DELETE_FILES, { businessId, keys: keysOf(row) });
  await addUsage(tx, businessId, -row.size, ctx.config.mediaQuotaBytes);
  await ctx.emit({ type: 'media.deleted', entity: `media:${id}`, data: toItem(row, ctx.media.baseUrl()) });
  return SUCCESS;
}

/** No other row has these names, so that nothing new can be lost by it. */
export const deleteFiles = (ctx: Steps, { keys }: { keys: string[] }): Promise<void> => ctx.media.storage.delete(keys);
