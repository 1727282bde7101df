import { NOTHING_PREPARED } from '../../../shared/blocks.ts';
import { answered } from '../../../shared/own-addresses.ts';
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
  const refreshed = { ...entry, blocks };
  await updateEntry(ctx.db, refreshed, NOTHING_PREPARED);
  const shown = (each: Entry) => answered(each, ctx.publicUrl());
  const entity = `entry:${id}` as const;
  await ctx.emit({ type: 'entry.updated', entity, data: shown(refreshed), before: shown(entry) });
};
