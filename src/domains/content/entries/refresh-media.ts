import { answered } from '../../../shared/own-addresses.ts';
import type { Media } from '../../../shared/schemas.ts';
import { mapMedia, type RefreshUser } from '../../media/index.ts';
import { updateDraftDocument } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { findDraftOf } from './find-draft.ts';
import { lockEntry, updateEntry } from './queries.ts';
import { saveMedia } from './save-entry.ts';
import type { Entry } from './schemas.ts';

/** A file of the library that the entry or its draft carries has changed or is gone. Returns the entry as it is then. */
export async function refreshEntryMedia(
  ...[ctx, { id, mediaId, current }]: Parameters<RefreshUser>
): Promise<Entry | null> {
  const row = await lockEntry(ctx.db, ctx.businessId, id);
  if (!row) return null;
  const item = await current();
  const entry = JSON.parse(row.doc) as Entry;
  const refresh = (each: Entry): Entry => ({
    ...each,
    blocks: mapMedia(each.blocks, (media) => (media.id === mediaId ? item : media)),
  });
  const refreshed = refresh(entry);
  const entity = `entry:${id}` as const;
  const draft = await findDraftOf(ctx.db, entry);
  if (draft) await updateDraftDocument(ctx, entity, draft.number, JSON.stringify(refresh(draft.entry)));
  await updateEntry(ctx.db, refreshed, null, null);
  const shown = (each: Entry) => answered(each, ctx.publicUrl());
  await ctx.emit({ type: 'entry.updated', entity, data: shown(refreshed), before: shown(entry) });
  return refreshed;
}

/** A file that the entry knew by its address lies in the library now. */
export async function setEntryMedia(
  ctx: Command,
  { id, from, to }: { id: string; from: string; to: Media },
): Promise<void> {
  const entry = await refreshEntryMedia(ctx, { id, mediaId: from, current: async () => to });
  if (entry) await saveMedia(ctx, entry);
}
