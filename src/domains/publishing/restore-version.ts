import type { Versioned } from '../../context/index.ts';
import { prepareTexts } from '../../shared/blocks/index.ts';
import { notFound } from '../../shared/errors.ts';
import { findUsedMedia } from '../media/index.ts';
import { saveDraft } from './change-record.ts';
import { type Command, command } from './context.ts';
import type { PublishedRecord, RecordKind } from './kinds.ts';
import { authorOf } from './new-version.ts';
import { saveRecord } from './save-record.ts';
import { lockForChange, responseOf } from './stored-record.ts';
import { findVersion } from './version-queries.ts';

type Restore = { kind: RecordKind; id: string; number: number };

/**
 * Applies a version's content as a regular change: validated, stored as a new version, and public if the record is. If the record has
 * a draft, the version replaces the draft and nothing is published.
 */
export const restoreVersion = command({
  async prepare(ctx, { kind, id, number }: Restore) {
    const stored = await kind.find(ctx, id);
    const version = stored && (await findVersion(ctx.db, ctx.businessId, `${kind.name}:${stored.record.id}`, number));
    const content = version && kind.parse(version.doc);
    const texts = await prepareTexts(ctx.businessId, content?.blocks, content ? kind.richTextsOf?.(content) : []);
    return { kind, id, number, texts };
  },
  async execute(ctx, { kind, id, number, texts }): Promise<Versioned<PublishedRecord>> {
    const stored = await lockForChange(ctx, kind, id);
    ctx.checkVersion(stored.version);
    const { record } = stored;
    const version = await findVersion(ctx.db, ctx.businessId, `${kind.name}:${record.id}`, number);
    // The current version has no row until the content changes.
    if (!version && number === stored.version) return responseOf(ctx, kind, stored);
    if (!version) throw notFound('Version');
    const changes = kind.changesFrom(await withoutDeletedMedia(ctx, kind, kind.parse(version.doc)));
    const made = { action: 'RESTORED', restoredFrom: number } as const;
    if (record.hasDraft) return saveDraft(ctx, kind, stored, changes, texts, made);
    const composed = await kind.compose(ctx, { before: record, changes, texts, isDraft: false });
    return saveRecord(ctx, kind, stored, composed, { ...made, ...authorOf(ctx.caller) });
  },
});

async function withoutDeletedMedia(ctx: Command, kind: RecordKind, version: PublishedRecord): Promise<PublishedRecord> {
  const existing = await findUsedMedia(ctx, kind.mediaIdsOf(version));
  return kind.replaceMedia(version, (item) => ('hash' in item && !existing.has(item.id ?? '') ? null : item));
}
