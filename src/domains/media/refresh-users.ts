import type { Media } from '../../shared/schemas.ts';
import type { Command, Steps } from './context.ts';
import { toMedia } from './item.ts';
import { findMedia, listEntitiesUsing } from './queries.ts';

export const REFRESH_USERS = 'media-refresh';
const MAX_USERS = 100_000;

/**
 * Puts an item into a record that has a copy of it. `current` must be read once the record is locked, so that of two changes the
 * later one stays. Null: the file is gone, and so is the copy.
 */
export type RefreshUser = (
  ctx: Command,
  user: { id: string; mediaId: string; current: () => Promise<Media | null> },
) => Promise<unknown>;

/**
 * Records carry copies of the items they use, so that reading them costs nothing more. When a file gets another text or crop, or
 * is deleted, the copies follow by this job. `entities`: those that a deleted file was used by.
 */
export async function refreshUsers(
  ctx: Steps,
  { mediaId, entities }: { mediaId: string; entities?: string[] },
): Promise<void> {
  const users = entities ?? (await listEntitiesUsing(ctx.db, ctx.businessId, mediaId, MAX_USERS));
  for (const entity of users) {
    if (ctx.signal.aborted) throw new Error('The process is stopping: the rest follows at the next try.');
    const [kind, id] = entity.split(':', 2) as [string, string];
    const refresh = ctx.media.users.get(kind);
    await ctx.transaction(async (tx) => {
      const current = async () => {
        const row = await findMedia(tx.db, ctx.businessId, mediaId);
        return row && toMedia(row, ctx.media.storedBase);
      };
      await refresh?.(tx, { id, mediaId, current });
    });
  }
}
