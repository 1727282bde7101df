import type { Command } from '../../context/index.ts';
import type { MediaServices, RefreshUser } from '../media/index.ts';
import type { PublishedRecord, RecordKind, ReplaceMedia } from './kinds.ts';
import { saveMedia } from './save-record.ts';
import { shown } from './stored-record.ts';
import { findDraft, updateDraftDocument } from './version-queries.ts';

/** Updates the embedded copies of a changed, replaced or deleted media file in a record and its draft. Creates no version. */
export async function refreshMedia<R extends PublishedRecord>(
  ctx: Command<MediaServices>,
  { kind, id, mediaId, current }: { kind: RecordKind<R> } & Parameters<RefreshUser>[1],
): Promise<void> {
  const { db: tx } = ctx;
  const stored = await kind.lock(ctx, id);
  if (!stored) return;
  const { record: before } = stored;
  const item = await current();
  const replace: ReplaceMedia = (each) => (each.id === mediaId ? item : each);
  const after = kind.replaceMedia(before, replace);
  const entity = `${kind.name}:${before.id}` as const;
  const draft = before.hasDraft ? await findDraft(tx, ctx.businessId, entity) : null;
  if (draft) {
    const doc = kind.replaceMedia(kind.parse(draft.doc), replace);
    await updateDraftDocument(ctx, entity, draft.number, doc);
  }
  await kind.update(tx, { record: after, words: null }, null);
  await saveMedia(ctx, kind, after);
  ctx.emit({ type: `${kind.name}.updated`, entity, data: shown(ctx, kind, after), before: shown(ctx, kind, before) });
}
