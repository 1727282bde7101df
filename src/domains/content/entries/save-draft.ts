import type { Versioned } from '../../../context/index.ts';
import type { PreparedTexts } from '../../../shared/blocks.ts';
import { type FieldError, invalid, notFound } from '../../../shared/errors.ts';
import { answered } from '../../../shared/own-addresses.ts';
import { inStoredOrder } from '../../../shared/statuses.ts';
import { authorOf, changedFields, planScheduled, versionOf } from '../../publishing/index.ts';
import { visibleStatuses } from '../access.ts';
import type { Command, Query } from '../context.ts';
import { findOwner } from '../find-owner.ts';
import { extendStatuses } from '../statuses.ts';
import { findDraftOf } from './find-draft.ts';
import { searchWords } from './index-values.ts';
import { lockVisibleEntry } from './lock-visible-entry.ts';
import { findEntry, updateDraft } from './queries.ts';
import { checkContent } from './rules.ts';
import { type LockedEntry, lockedEntry, saveEntry, saveMedia } from './save-entry.ts';
import type { Entry, EntryChanges } from './schemas.ts';

/** A change of the draft; the first one begins with what is public. Values may be missing, those that are there must be right. */
export async function saveDraft(
  ctx: Command,
  { row, entry }: LockedEntry,
  changes: EntryChanges,
  texts: PreparedTexts,
): Promise<Versioned<Entry>> {
  const { db: tx, caller } = ctx;
  const before = (await findDraftOf(tx, entry))?.entry ?? entry;
  const errors: FieldError[] = [];
  const owner = (await findOwner(ctx, changes, errors)) ?? entry.owner;
  if (owner !== entry.owner) {
    errors.push({ field: 'owner', error: 'INVALID_VALUE', message: 'A draft stays with the owner of its entry.' });
  }
  const planned = extendStatuses(ctx, entry, changes, errors);
  if (planned && planned.statuses.length > entry.statuses.length) {
    errors.push({
      field: 'statuses',
      error: 'INVALID_VALUE',
      message: 'A draft changes no status: publish it, or send the status without draft=true.',
    });
  }
  const content = await checkContent(ctx, {
    ...{
      owner,
      ownerField: 'owner',
      blocks: changes.blocks ?? before.blocks,
      draft: true,
      texts,
      current: before.blocks,
    },
  });
  errors.push(...content.errors);
  if (errors.length > 0 || !planned) throw invalid(errors);
  const { blocks } = content;
  const draft: Entry = { ...before, locale: changes.locale ?? before.locale, blocks, updatedAt: ctx.now };
  const record = inStoredOrder({ ...entry, scheduled: planned.scheduled, hasDraft: true });
  const shown = answered(inStoredOrder({ ...record, ...contentOf(draft) }), ctx.publicUrl());
  const isPlanned = JSON.stringify(entry.scheduled ?? []) !== JSON.stringify(planned.scheduled);
  if (changedFields(before, draft).length === 0 && !isPlanned) return { record: shown, version: row.version };
  const stored = { doc: JSON.stringify(draft), words: searchWords(blocks, texts.words) };
  const noted = { action: 'DRAFT_SAVED', ...authorOf(caller), draft: stored } as const;
  await updateDraft(tx, record, versionOf(ctx, 'entry', { number: row.version, before, after: draft }, noted));
  await saveMedia(ctx, record);
  await planScheduled(ctx, `entry:${entry.id}`, entry.scheduled, record.scheduled);
  await ctx.emit({ type: 'entry.draft_saved', entity: `entry:${entry.id}`, data: answered(record, ctx.publicUrl()) });
  return { record: shown, version: row.version + 1 };
}

const contentOf = ({ locale, blocks, updatedAt }: Entry) => ({ locale, blocks, updatedAt });

/** What staff edit: the draft, or else the entry. */
export async function readDraft(ctx: Query, id: string): Promise<Versioned<Entry>> {
  const row = await findEntry(ctx.db, ctx.businessId, id);
  if (!row || !(await isStaffOf(ctx, row.owner))) throw notFound('Entry');
  const { entry } = lockedEntry(row);
  const draft = (await findDraftOf(ctx.db, entry))?.entry ?? entry;
  return { record: answered(draft, ctx.publicUrl()), version: row.version };
}

/** Whoever sees entries of this owner that are not public. */
export const isStaffOf = async (ctx: Query | Command, owner: string) =>
  (await visibleStatuses(ctx, owner)).includes('DRAFT');

/** The public entry stays as it is; the versions keep what was drafted. */
export async function discardDraft(ctx: Command, id: string): Promise<Versioned<Entry>> {
  const locked = lockedEntry(await lockVisibleEntry(ctx, id));
  ctx.checkVersion(locked.row.version);
  if (!locked.entry.hasDraft) throw notFound('Draft');
  return saveEntry(ctx, locked, {
    record: { ...locked.entry, hasDraft: false },
    ...{ words: null, media: null, action: 'UPDATED', ...authorOf(ctx.caller), isPublishing: false },
  });
}
