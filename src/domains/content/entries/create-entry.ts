import { NOTHING_PREPARED } from '../../../shared/blocks.ts';
import { type FieldError, invalid, invalidField } from '../../../shared/errors.ts';
import { isId, type Kept, newId } from '../../../shared/ids.ts';
import { answered } from '../../../shared/own-addresses.ts';
import { currentStatus, sentStatuses } from '../../../shared/statuses.ts';
import { saveReferences } from '../../media/index.ts';
import type { Command } from '../context.ts';
import { findOwner } from '../find-owner.ts';
import { extendStatuses } from '../statuses.ts';
import { insertEntry } from './queries.ts';
import { checkContent } from './rules.ts';
import type { Entry, EntryInput } from './schemas.ts';

const DEFAULT_LOCALE = 'en';

/** Required blocks may be missing only when the entry says that it is a DRAFT. */
export async function createEntry(
  ctx: Command,
  input: EntryInput,
  texts = NOTHING_PREPARED,
  /** Of an import. `trusts`: what it refers to may come later in the same file. */
  kept: Kept & { trusts?: boolean } = {},
): Promise<Entry> {
  const { businessId, now } = ctx;
  const errors: FieldError[] = [];
  const owner = await findOwner(ctx, input, errors);
  if (owner === undefined) throw invalidField('collectionId', 'REQUIRED', 'collectionId or owner is required.');
  const incoming = sentStatuses(input);
  const statuses = extendStatuses(ctx, [], incoming, errors);
  const content = await checkContent(ctx, {
    owner,
    ownerField: input.collectionId === undefined ? 'owner' : 'collectionId',
    blocks: input.blocks ?? [],
    texts,
    trusts: kept.trusts ?? false,
    draft: Boolean(incoming?.length && statuses && currentStatus(statuses) === 'DRAFT'),
  });
  errors.push(...content.errors);
  if (errors.length > 0 || !statuses) throw invalid(errors);
  const entry: Entry = {
    id: kept.id !== undefined && isId('ent', kept.id) ? kept.id : newId('ent'),
    businessId,
    owner,
    locale: input.locale ?? DEFAULT_LOCALE,
    blocks: content.blocks,
    statuses,
    createdAt: kept.createdAt ?? now,
    updatedAt: kept.updatedAt ?? now,
  };
  await insertEntry(ctx.db, entry, texts);
  if (content.media.length > 0) await saveReferences(ctx.db, businessId, `entry:${entry.id}`, content.media);
  const shown = answered(entry, ctx.publicUrl());
  const told = { entity: `entry:${entry.id}`, data: shown } as const;
  const isPublished = currentStatus(statuses) === 'PUBLISHED';
  await ctx.emit(
    { type: 'entry.created', ...told },
    ...(isPublished ? [{ type: 'entry.published' as const, ...told }] : []),
  );
  return shown;
}
