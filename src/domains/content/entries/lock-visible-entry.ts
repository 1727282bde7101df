import { notFound } from '../../../shared/errors.ts';
import { visibleStatuses } from '../access.ts';
import { lockCollectionForEntry } from '../collections/queries.ts';
import type { Command } from '../context.ts';
import { collectionIdOf } from '../owners.ts';
import { type EntryRow, lockEntry } from './queries.ts';

/**
 * For a change. What the caller may not see they may not change either: 404. Locks the entry, then its collection against
 * deletion: an entry cannot leave a collection that is being deleted.
 */
export async function lockVisibleEntry(ctx: Command, id: string): Promise<EntryRow> {
  const { db: tx, businessId } = ctx;
  const row = await lockEntry(tx, businessId, id);
  if (!row) throw notFound('Entry');
  const collectionId = collectionIdOf(row.owner);
  if (collectionId !== null && !(await lockCollectionForEntry(tx, businessId, collectionId))) throw notFound('Entry');
  if (!(await visibleStatuses(ctx, row.owner)).includes(row.status)) throw notFound('Entry');
  return row;
}
