import type { Versioned } from '../../../context/index.ts';
import type { PreparedTexts } from '../../../shared/blocks.ts';
import { answered } from '../../../shared/own-addresses.ts';
import { inStoredOrder, isSameRecord, type ScheduledStatus } from '../../../shared/statuses.ts';
import { findUsedMedia, mediaIdsIn, saveReferences } from '../../media/index.ts';
import { type Noted, planScheduled, versionOf } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { findDraftOf } from './find-draft.ts';
import { type EntryRow, updateEntry } from './queries.ts';
import type { Entry } from './schemas.ts';

/** An entry that is locked, and what is in it. */
export type LockedEntry = { row: EntryRow; entry: Entry };

export const lockedEntry = (row: EntryRow): LockedEntry => ({ row, entry: JSON.parse(row.doc) });

type EntrySave = Omit<Noted, 'draft'> & {
  record: Entry;
  /** Null: its texts are as they were, and so is what the text search knows of it. */
  words: PreparedTexts['words'] | null;
  /** The files of the library that it uses; null: the same as before. */
  media: string[] | null;
  /** It becomes public by this, or its content does. */
  isPublishing: boolean;
};

/** Writes the record that a change makes, with its version, what waits in it and what is told of it; nothing when it is as it was. */
export async function saveEntry(ctx: Command, { row, entry }: LockedEntry, save: EntrySave): Promise<Versioned<Entry>> {
  const { db: tx, businessId } = ctx;
  const record = inStoredOrder(save.record);
  if (isSameRecord(record, entry)) return { record: answered(entry, ctx.publicUrl()), version: row.version };
  const entity = `entry:${record.id}` as const;
  const { action, userId, keyId, restoredFrom } = save;
  const noted = { action, userId, keyId, restoredFrom };
  const version = versionOf(ctx, 'entry', { number: row.version, before: entry, after: record }, noted);
  await updateEntry(tx, record, save.words, version);
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
