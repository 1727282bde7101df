import type { Versioned } from '../../../context/index.ts';
import { NOTHING_PREPARED } from '../../../shared/blocks.ts';
import { type FieldError, invalid } from '../../../shared/errors.ts';
import { answered } from '../../../shared/own-addresses.ts';
import { currentStatus } from '../../../shared/statuses.ts';
import { saveReferences } from '../../media/index.ts';
import type { Command } from '../context.ts';
import { findOwner } from '../find-owner.ts';
import { extendStatuses } from '../statuses.ts';
import { lockVisibleEntry } from './lock-visible-entry.ts';
import { updateEntry } from './queries.ts';
import { checkContent } from './rules.ts';
import type { Entry, EntryChanges } from './schemas.ts';

/**
 * The blocks are checked when they are sent, when the entry gets another owner and when it becomes PUBLISHED. Any other
 * change goes through although the schema has moved on meanwhile.
 */
export async function changeEntry(
  ctx: Command,
  { id, changes }: { id: string; changes: EntryChanges },
  texts = NOTHING_PREPARED,
): Promise<Versioned<Entry>> {
  const row = await lockVisibleEntry(ctx, id);
  ctx.checkVersion(row.version);
  const before = JSON.parse(row.doc) as Entry;
  const errors: FieldError[] = [];
  const owner = (await findOwner(ctx, changes, errors)) ?? before.owner;
  const statuses = extendStatuses(ctx, before.statuses, changes.statuses, errors);
  const status = currentStatus(statuses ?? before.statuses);
  const isPublishing = status === 'PUBLISHED' && row.status !== 'PUBLISHED';
  let { blocks } = before;
  let media: string[] | null = null;
  if (changes.blocks !== undefined || owner !== before.owner || isPublishing) {
    const content = await checkContent(ctx, {
      owner,
      ownerField: changes.collectionId === undefined ? 'owner' : 'collectionId',
      blocks: changes.blocks ?? before.blocks,
      draft: status === 'DRAFT',
      texts,
    });
    errors.push(...content.errors);
    blocks = content.blocks;
    media = content.media;
  }
  if (errors.length > 0 || !statuses) throw invalid(errors);
  const locale = changes.locale ?? before.locale;
  const record: Entry = { ...before, owner, locale, blocks, statuses, updatedAt: ctx.now };
  await updateEntry(ctx.db, record, texts);
  if (media) await saveReferences(ctx.db, ctx.businessId, `entry:${id}`, media);
  const shown = answered(record, ctx.publicUrl());
  const told = { entity: `entry:${id}`, data: shown, before: answered(before, ctx.publicUrl()) } as const;
  await ctx.emit(
    { type: 'entry.updated', ...told },
    ...(isPublishing ? [{ type: 'entry.published' as const, ...told }] : []),
  );
  return { record: shown, version: row.version + 1 };
}
