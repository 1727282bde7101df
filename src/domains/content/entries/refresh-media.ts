import { answered } from '../../../shared/own-addresses.ts';
import { mapMedia, type RefreshUser } from '../../media/index.ts';
import { updateDraftDocument } from '../../publishing/index.ts';
import { findDraftOf } from './find-draft.ts';
import { lockEntry, updateEntry } from './queries.ts';
import type { Entry } from './schemas.ts';

/** A file of the library that the entry or its draft carries has changed or is gone. */
export const refreshEntryMedia: RefreshUser = async (ctx, { id, mediaId, current }) => {
  const row = await lockEntry(ctx.db, ctx.businessId, id);
  if (!row) return;
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
};
