import { NOTHING_PREPARED } from '../../../shared/blocks.ts';
import { type FieldError, invalid, invalidField } from '../../../shared/errors.ts';
import { type FormerIdentity, isId, newId } from '../../../shared/ids.ts';
import { answered } from '../../../shared/own-addresses.ts';
import { currentStatus, inStoredOrder, sentStatuses } from '../../../shared/statuses.ts';
import { saveReferences } from '../../media/index.ts';
import { planScheduled } from '../../publishing/index.ts';
import type { Command } from '../context.ts';
import { findOwner } from '../find-owner.ts';
import { extendStatuses, NEW } from '../statuses.ts';
import { insertEntry } from './queries.ts';
import { checkContent } from './rules.ts';
import { becomesPublic } from './save-entry.ts';
import type { Entry, EntryInput } from './schemas.ts';

const DEFAULT_LOCALE = 'en';

/** Required blocks may be missing only when the entry says that it is a DRAFT. */
export async function createEntry(
  ctx: Command,
  input: EntryInput,
  texts = NOTHING_PREPARED,
  /** Of an import. `trusts`: what it refers to may come later in the same file. */
  kept: FormerIdentity & { trusts?: boolean } = {},
): Promise<Entry> {
  const { businessId, now } = ctx;
  const errors: FieldError[] = [];
  const owner = await findOwner(ctx, input, errors);
  if (owner === undefined) throw invalidField('collectionId', 'REQUIRED', 'collectionId or owner is required.');
  const incoming = sentStatuses(input);
  const planned = extendStatuses(ctx, NEW, { statuses: incoming, scheduled: input.scheduled }, errors);
  const isDraft = Boolean(incoming?.length) && planned && currentStatus(planned.statuses) === 'DRAFT';
  const content = await checkContent(ctx, {
    owner,
    ownerField: input.collectionId === undefined ? 'owner' : 'collectionId',
    blocks: input.blocks ?? [],
    texts,
    trusts: kept.trusts ?? false,
    draft: Boolean(isDraft && !becomesPublic(planned?.scheduled)),
  });
  errors.push(...content.errors);
  if (errors.length > 0 || !planned) throw invalid(errors);
  const entry: Entry = inStoredOrder({
    id: kept.id !== undefined && isId('ent', kept.id) ? kept.id : newId('ent'),
    businessId,
    owner,
    locale: input.locale ?? DEFAULT_LOCALE,
    blocks: content.blocks,
    ...planned,
    createdAt: kept.createdAt ?? now,
    updatedAt: kept.updatedAt ?? now,
  });
  await insertEntry(ctx.db, entry, texts);
  if (content.media.length > 0) await saveReferences(ctx.db, businessId, `entry:${entry.id}`, content.media);
  await planScheduled(ctx, `entry:${entry.id}`, [], entry.scheduled);
  const shown = answered(entry, ctx.publicUrl());
  const told = { entity: `entry:${entry.id}`, data: shown } as const;
  const isPublished = currentStatus(entry.statuses) === 'PUBLISHED';
  await ctx.emit(
    { type: 'entry.created', ...told },
    ...(isPublished ? [{ type: 'entry.published' as const, ...told }] : []),
  );
  return shown;
}
