import type { Versioned } from '../../../context/index.ts';
import { NOTHING_PREPARED, type PreparedTexts } from '../../../shared/blocks.ts';
import { type FieldError, invalid } from '../../../shared/errors.ts';
import { currentStatus } from '../../../shared/statuses.ts';
import { authorOf, type VersionAction } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { findOwner } from '../find-owner.ts';
import { extendStatuses } from '../statuses.ts';
import { lockVisibleEntry } from './lock-visible-entry.ts';
import { checkContent } from './rules.ts';
import { saveDraft } from './save-draft.ts';
import { becomesPublic, type LockedEntry, lockedEntry, saveEntry } from './save-entry.ts';
import type { Entry, EntryChanges } from './schemas.ts';

export type EntryChange = { id: string; changes: EntryChanges; isDraft?: boolean | undefined };

/** As a draft, what readers see of a PUBLISHED entry stays; of another one they see nothing anyway. */
export async function changeEntry(
  ctx: Command,
  { id, changes, isDraft = false }: EntryChange,
  texts = NOTHING_PREPARED,
): Promise<Versioned<Entry>> {
  const row = await lockVisibleEntry(ctx, id);
  ctx.checkVersion(row.version);
  const locked = lockedEntry(row);
  if (isDraft && row.status === 'PUBLISHED') return saveDraft(ctx, locked, changes, texts);
  return applyChanges(ctx, locked, changes, texts, { action: 'UPDATED' });
}

/**
 * The blocks are checked when they are sent, when the entry gets another owner and when it becomes PUBLISHED, now or at a time.
 * Any other change goes through although the schema has moved on meanwhile.
 */
export async function applyChanges(
  ctx: Command,
  { row, entry: before }: LockedEntry,
  changes: EntryChanges,
  texts: PreparedTexts,
  { action, restoredFrom }: { action: VersionAction; restoredFrom?: number },
): Promise<Versioned<Entry>> {
  const errors: FieldError[] = [];
  const owner = (await findOwner(ctx, changes, errors)) ?? before.owner;
  const planned = extendStatuses(ctx, before, changes, errors);
  const status = currentStatus(planned?.statuses ?? before.statuses);
  const isPublishing = status === 'PUBLISHED' && row.status !== 'PUBLISHED';
  const willPublish = becomesPublic(planned?.scheduled);
  const isPlanning = willPublish && !becomesPublic(before.scheduled);
  let { blocks } = before;
  let media: string[] | null = null;
  if (changes.blocks !== undefined || owner !== before.owner || isPublishing || isPlanning) {
    const content = await checkContent(ctx, {
      owner,
      ownerField: changes.collectionId === undefined ? 'owner' : 'collectionId',
      blocks: changes.blocks ?? before.blocks,
      draft: status === 'DRAFT' && !willPublish,
      texts,
      ...(owner === before.owner && !isPublishing && !isPlanning ? { current: before.blocks } : {}),
    });
    errors.push(...content.errors);
    blocks = content.blocks;
    media = content.media;
  }
  if (errors.length > 0 || !planned) throw invalid(errors);
  const locale = changes.locale ?? before.locale;
  return saveEntry(
    ctx,
    { row, entry: before },
    {
      record: { ...before, ...planned, owner, locale, blocks, updatedAt: ctx.now },
      ...{ words: texts.words, media, action, ...authorOf(ctx.caller), isPublishing },
      ...(restoredFrom === undefined ? {} : { restoredFrom }),
    },
  );
}
