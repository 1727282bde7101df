import { conflict, notFound } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import { hasEntries } from '../entries/queries.ts';
import { collectionOwner } from '../owners.ts';
import { CLEAR_COLLECTIONS } from './clear-collections.ts';
import { emitCollection } from './emit-collection.ts';
import { findCollectionId, lockCollectionForDelete, markDeleted } from './queries.ts';

/**
 * With `cascade`, the entries are deleted too. Without it, a collection with entries is not deleted. After the commit, neither
 * the collection nor its entries are found. The transaction only touches the collection's row. A job deletes the rest.
 */
export async function deleteCollection(ctx: Command, { id: idOrSlug, cascade }: { id: string; cascade: boolean }) {
  const { db: tx, businessId } = ctx;
  const id = await findCollectionId(tx, businessId, idOrSlug);
  const row = id && (await lockCollectionForDelete(tx, businessId, id));
  if (!id || !row) throw notFound('Collection');
  ctx.checkVersion(row.version);
  if (!cascade && (await hasEntries(tx, businessId, collectionOwner(id)))) {
    throw conflict(
      'The collection has entries. Delete them first, or set cascade=true to delete all entries and subscribers.',
    );
  }
  await ctx.content.deletionGuard.beforeCollection(ctx, id, { cascade });
  await markDeleted(tx, businessId, id, ctx.now);
  emitCollection(ctx, 'collection.deleted', row.doc);
  await ctx.enqueue(CLEAR_COLLECTIONS, { collectionId: id });
  return SUCCESS;
}
