import type { Versioned } from '../../../context/index.ts';
import type { PreparedTexts } from '../../../shared/blocks.ts';
import { answered } from '../../../shared/own-addresses.ts';
import { inStoredOrder, type ScheduledStatus } from '../../../shared/statuses.ts';
import { findUsedMedia, mediaIdsIn, saveReferences } from '../../media/index.ts';
import { changedFields, type NewVersion, planScheduled, type VersionAction } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { findDraftOf } from './find-draft.ts';
import { type EntryRow, updateEntry } from './queries.ts';
import type { Entry } from './schemas.ts';

/** An entry that is locked, and what is in it. */
export type LockedEntry = { row: EntryRow; entry: Entry };

export const lockedEntry = (row: EntryRow): LockedEntry => ({ row, entry: JSON.parse(row.doc) });

export type EntrySave = {
  record: Entry;
  /** Null: its texts are as they were, and so is what the text search knows of it. */
  words: PreparedTexts['words'] | null;
  /** The files of the library that it uses; null: the same as before. */
  media: string[] | null;
  action: VersionAction;
  userId: string | null;
  restoredFrom?: number;
  /** It becomes public by this, or its content does. */
  isPublishing: boolean;
};

/** Writes the record that a change makes, with its version, what waits in it and what is told of it. */
export async function saveEntry(ctx: Command, { row, entry }: LockedEntry, save: EntrySave): Promise<Versioned<Entry>> {
  const { db: tx, businessId } = ctx;
  const record = inStoredOrder(save.record);
  const entity = `entry:${record.id}` as const;
  await updateEntry(tx, record, save.words, versionOf(ctx, { row, entry }, save));
  if (entry.hasDraft) await saveMedia(ctx, record);
  else if (save.media) await saveReferences(tx, businessId, entity, save.media);
  await planScheduled(ctx, entity, entry.scheduled, record.scheduled);
  const shown = answered(record, ctx.publicUrl());
  const told = { entity, data: shown, before: answered(entry, ctx.publicUrl()) };
  await ctx.emit(
    { type: 'entry.updated', ...told },
    ...(save.isPublishing ? [{ type: 'entry.published' as const, ...told }] : []),
  );
  return { record: shown, version: row.version + 1 };
}

/** Null: nothing of the content has changed. */
export function versionOf(
  { businessId, now, config }: Command,
  { row, entry }: LockedEntry,
  {
    record,
    action,
    userId,
    restoredFrom,
    draft,
  }: Pick<EntrySave, 'record' | 'action' | 'userId' | 'restoredFrom'> & Pick<NewVersion, 'draft'>,
): NewVersion | null {
  const changed = changedFields(entry, record);
  if (changed.length === 0) return null;
  return {
    ...{ businessId, entity: `entry:${record.id}`, action, userId, restoredFrom, changed, now, draft },
    ...{ keep: config.versionsKept, former: formerOf(row.version, entry) },
  };
}

/** Who made an entry is known of its first version only. */
export const formerOf = (number: number, { statuses, updatedAt }: Pick<Entry, 'statuses' | 'updatedAt'>) => ({
  number,
  userId: number === 1 ? (statuses[0]?.userId ?? null) : null,
  createdAt: updatedAt,
});

/** Notes which files of the library the entry uses, in public and in its draft. */
export async function saveMedia(ctx: Command, record: Entry): Promise<void> {
  const draft = await findDraftOf(ctx.db, record);
  const ids = [record, ...(draft ? [draft.entry] : [])].flatMap(({ blocks }) => [
    ...mediaIdsIn(blocks),
    ...blocks.filter(({ type }) => type === 'RELATIONSHIP').flatMap(({ value }) => [value].flat()),
  ]);
  const used = await findUsedMedia(ctx, ids);
  await saveReferences(ctx.db, ctx.businessId, `entry:${record.id}`, [...used.keys()]);
}

export const becomesPublic = (scheduled: readonly ScheduledStatus[] = []) =>
  scheduled.some(({ status, error }) => status === 'PUBLISHED' && error === undefined);
