import { NOTHING_PREPARED } from '../../../shared/blocks.ts';
import { mapMedia, type RefreshUser } from '../../media/index.ts';
import { lockEntry, updateEntry } from './queries.ts';
import type { Entry } from './schemas.ts';

/** A file of the library that the entry carries has changed or is gone. */
export const refreshEntryMedia: RefreshUser = async (ctx, { id, mediaId, current }) => {
  const row = await lockEntry(ctx.db, ctx.businessId, id);
  if (!row) return;
  const item = await current();
  const entry = JSON.parse(row.doc) as Entry;
  const blocks = mapMedia(entry.blocks, (each) => (each.id === mediaId ? item : each));
  await updateEntry(ctx.db, { ...entry, blocks }, NOTHING_PREPARED);
};
