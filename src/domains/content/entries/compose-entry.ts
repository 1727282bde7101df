import { isDeepStrictEqual } from 'node:util';
import { AS_IS } from '../../../shared/blocks/index.ts';
import { type FieldError, invalid } from '../../../shared/errors.ts';
import { currentStatus, sentStatuses } from '../../../shared/records/status-history.ts';
import type { ScheduledStatus } from '../../../shared/records/status-schemas.ts';
import { type Change, type Composed, DRAFT_STATUS_ERROR } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { findOwner } from '../find-owner.ts';
import { extendStatuses } from '../statuses.ts';
import { changeSettings, draftedSettings, withSettings } from './entry-settings.ts';
import { searchWords } from './index-values.ts';
import { checkContent } from './rules.ts';
import type { Entry, EntryChanges } from './schemas.ts';

/**
 * Applies changes to an entry or its draft. Blocks are validated when they are sent, when the owner changes, and when the
 * entry is published, now or on a schedule. Other changes are accepted even if the schema has changed since. The blocks of a
 * draft are always validated, but required values may be missing.
 */
export async function composeEntry(
  ctx: Command,
  { before, changes, texts, isDraft }: Change<Entry, EntryChanges>,
): Promise<Composed<Entry>> {
  const errors: FieldError[] = [];
  const owner = (await findOwner(ctx, changes, errors)) ?? before.owner;
  const statuses = sentStatuses(changes, before.statuses);
  const planned = extendStatuses(ctx, before, { statuses, scheduled: changes.scheduled }, errors);
  const status = currentStatus(planned?.statuses ?? before.statuses);
  const willPublish = becomesPublic(planned?.scheduled);
  const isPublishing = status === 'PUBLISHED' && currentStatus(before.statuses) !== 'PUBLISHED';
  const mustBeComplete = isPublishing || (willPublish && !becomesPublic(before.scheduled));
  let { blocks } = before;
  if (isDraft || changes.blocks !== undefined || owner !== before.owner || mustBeComplete) {
    const content = await checkContent(ctx, {
      owner,
      ownerField: changes.collectionId === undefined ? 'owner' : 'collectionId',
      blocks: changes.blocks ?? before.blocks,
      draft: isDraft || (status === 'DRAFT' && !willPublish),
      texts,
      ...(isDraft || (owner === before.owner && !mustBeComplete) ? { current: before.blocks } : {}),
    });
    errors.push(...content.errors);
    blocks = content.blocks;
  }
  const settings = await changeSettings(ctx, { id: before.id, owner, before, changes }, errors);
  if (isDraft) errors.push(...draftErrors(before, { owner, ...settings, ...planned }));
  if (errors.length > 0 || !planned) throw invalid(errors);
  const locale = changes.locale ?? before.locale;
  const record = withSettings({ ...before, ...planned, owner, locale, blocks, updatedAt: ctx.now }, settings);
  return { record, words: searchWords(blocks, texts.words) };
}

/** Publishing an old draft must not give more people access, so access is not part of a draft. */
function draftErrors(before: Entry, { owner, statuses = [], access, planIds }: Partial<Entry>): FieldError[] {
  const refuse = (field: string): FieldError[] => [
    { field, error: 'INVALID_VALUE', message: `${field} can't be changed in a draft.` },
  ];
  const isSameAccess = access === before.access && isDeepStrictEqual(planIds, before.planIds);
  return [
    ...(owner === before.owner ? [] : refuse('owner')),
    ...(isSameAccess ? [] : refuse('access')),
    ...(statuses.length > before.statuses.length ? [DRAFT_STATUS_ERROR] : []),
  ];
}

/** Validates the entry as published content. Its rich text was already sanitized when it was stored. */
export async function completeEntry(ctx: Command, entry: Entry, draft: Entry | null): Promise<Entry> {
  const { owner, locale, blocks } = draft ?? entry;
  const errors: FieldError[] = [];
  const changes = draftedSettings(draft ?? entry);
  const settings = await changeSettings(ctx, { id: entry.id, owner, before: entry, changes }, errors);
  const texts = { sanitize: AS_IS, words: () => [] };
  const content = await checkContent(ctx, { owner, ownerField: 'owner', blocks, draft: false, texts });
  errors.push(...content.errors);
  if (errors.length > 0) throw invalid(errors);
  return withSettings({ ...entry, locale, blocks: content.blocks }, settings);
}

export const becomesPublic = (scheduled: readonly ScheduledStatus[] = []) =>
  scheduled.some(({ status, error }) => status === 'PUBLISHED' && error === undefined);
