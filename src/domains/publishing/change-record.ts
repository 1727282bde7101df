import { isDeepStrictEqual } from 'node:util';
import type { Versioned } from '../../context/index.ts';
import { NOTHING_PREPARED, type PreparedTexts } from '../../shared/blocks/index.ts';
import { notFound } from '../../shared/errors.ts';
import { compactPlanned } from '../../shared/records/planned-fields.ts';
import type { Command, Query } from './context.ts';
import { changedFields } from './diff.ts';
import { fullVersion, type PublishedRecord, type RecordKind, type Stored } from './kinds.ts';
import { authorOf, newVersion, type VersionDetails } from './new-version.ts';
import { saveMedia, saveRecord } from './save-record.ts';
import { planScheduled } from './schedule.ts';
import { findDraftOf, getForStaff, isLive, lockForChange, responseOf, shown } from './stored-record.ts';

export type RecordChange<R extends PublishedRecord, Changes> = {
  kind: RecordKind<R, Changes>;
  id: string;
  changes: Changes;
  isDraft?: boolean | undefined;
  texts?: PreparedTexts | undefined;
};

/** The content a change starts from: the draft's if the change is saved as a draft, or else the record's. */
export async function findChanged<R extends PublishedRecord, Changes>(
  ctx: Query,
  { kind, id, isDraft = false }: RecordChange<R, Changes>,
): Promise<R | null> {
  const stored = await kind.find(ctx, id);
  if (!stored) return null;
  const { record } = stored;
  const draft = isDraft && isLive(kind, record) ? await findDraftOf(ctx.db, kind, record) : null;
  return draft?.record ?? record;
}

/** With `isDraft`, a live record keeps its published version. A record that isn't live has no draft and is changed directly. */
export async function changeRecord<R extends PublishedRecord, Changes>(
  ctx: Command,
  { kind, id, changes, isDraft = false, texts = NOTHING_PREPARED }: RecordChange<R, Changes>,
): Promise<Versioned<R>> {
  const stored = await lockForChange(ctx, kind, id);
  const savesDraft = isDraft && isLive(kind, stored.record);
  // Drafts exclude quantities. Any other change that sets quantities must not undo a sale.
  const needsStock = !savesDraft && kind.setsStock?.(changes);
  ctx.checkVersion(needsStock ? fullVersion(stored) : stored.version);
  if (savesDraft) return saveDraft(ctx, kind, stored, changes, texts);
  const composed = await kind.compose(ctx, { before: stored.record, changes, texts, isDraft: false });
  return saveRecord(ctx, kind, stored, composed, { action: 'UPDATED', ...authorOf(ctx.caller) });
}

/** The first save of a draft starts from the published content. */
export async function saveDraft<R extends PublishedRecord, Changes>(
  ctx: Command,
  kind: RecordKind<R, Changes>,
  { record, version, stockVersion }: Stored<R>,
  changes: Changes,
  texts: PreparedTexts,
  made: Omit<VersionDetails, 'userId' | 'keyId'> = { action: 'DRAFT_SAVED' },
): Promise<Versioned<R>> {
  const { db: tx, caller } = ctx;
  const before = (await findDraftOf(tx, kind, record))?.record ?? record;
  const composed = await kind.compose(ctx, { before, changes, texts, isDraft: true });
  const { scheduled = [] } = composed.record;
  const draft = kind.withContent(record, composed.record);
  const isChanged = changedFields(before, draft).length > 0;
  const isRescheduled = !isDeepStrictEqual(scheduled, record.scheduled ?? []);
  const hasDraft = isChanged || record.hasDraft === true;
  const after = compactPlanned({ ...record, scheduled, hasDraft });
  const response = kind.withContent(after, draft);
  if (!isChanged && !isRescheduled) return responseOf(ctx, kind, { record: response, version, stockVersion });
  const content = { doc: draft, words: composed.words };
  const details = { ...made, ...authorOf(caller), draft: content };
  await kind.updateDraft(tx, after, newVersion(ctx, kind, { number: version, before, after: draft }, details));
  await saveMedia(ctx, kind, after);
  const entity = `${kind.name}:${record.id}` as const;
  await planScheduled(ctx, entity, record.scheduled, after.scheduled);
  ctx.emit({ type: `${kind.name}.draft_saved`, entity, data: shown(ctx, kind, after) });
  return responseOf(ctx, kind, { record: response, version: version + 1, stockVersion });
}

type RecordName<R extends PublishedRecord> = { kind: RecordKind<R>; id: string };

/** The draft, or the record itself if there is none. */
export async function readDraft<R extends PublishedRecord>(
  ctx: Query,
  { kind, id }: RecordName<R>,
): Promise<Versioned<R>> {
  const stored = await getForStaff(ctx, kind, id);
  const draft = await findDraftOf(ctx.db, kind, stored.record);
  return responseOf(ctx, kind, { ...stored, ...(draft && { record: draft.record }) });
}

/** The public record is not changed, and the draft's content stays in the version history. */
export async function discardDraft<R extends PublishedRecord>(
  ctx: Command,
  { kind, id }: RecordName<R>,
): Promise<Versioned<R>> {
  const stored = await lockForChange(ctx, kind, id);
  ctx.checkVersion(stored.version);
  if (!stored.record.hasDraft) throw notFound('Draft');
  const record = { ...stored.record, hasDraft: false };
  return saveRecord(ctx, kind, stored, { record, words: null }, { action: 'UPDATED', ...authorOf(ctx.caller) });
}
