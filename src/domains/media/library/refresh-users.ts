import type { Media } from '../../../shared/schemas.ts';
import type { Command, Steps } from '../context.ts';
import { toMedia } from '../item.ts';
import { findMedia, listEntitiesUsing } from '../queries.ts';

export const REFRESH_USERS = 'media-refresh';
const MAX_USERS = 100_000;

/**
 * Replaces the copy of an item in a record. Call `current` after locking the record, so that the latest change wins. Null means the
 * file was deleted: remove the copy.
 */
export type RefreshUser = (
  ctx: Command,
  user: { id: string; mediaId: string; current: () => Promise<Media | null> },
) => Promise<unknown>;

/**
 * Records contain copies of their items, so that reading a record needs no join. This job updates the copies when a file changes or
 * is deleted. `entities` lists the records that used a deleted file.
 */
export async function refreshUsers(
  ctx: Steps,
  { mediaId, entities }: { mediaId: string; entities?: string[] },
): Promise<void> {
  const users = entities ?? (await listEntitiesUsing(ctx.db, ctx.businessId, mediaId, MAX_USERS));
  for (const entity of users) {
    if (ctx.signal.aborted)
      throw new Error('The process is shutting down. The next attempt will pick up where this one left off.');
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
