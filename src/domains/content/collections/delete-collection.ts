import { conflict, notFound } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import { hasEntries } from '../entries/queries.ts';
import { collectionOwner } from '../owners.ts';
import { CLEAR_COLLECTIONS } from './clear-collections.ts';
import { findCollectionId, lockCollectionForDelete, markDeleted } from './queries.ts';

/**
 * With `cascade` its entries go with it; without, a collection that has any stays. From the commit on neither is found. The
 * transaction touches the collection's row alone; a job deletes the rest.
 */
export async function deleteCollection(ctx: Command, { id: idOrSlug, cascade }: { id: string; cascade: boolean }) {
  const { db: tx, businessId } = ctx;
  const id = await findCollectionId(tx, businessId, idOrSlug);
  const row = id && (await lockCollectionForDelete(tx, businessId, id));
  if (!id || !row) throw notFound('Collection');
  ctx.checkVersion(row.version);
  if (!cascade && (await hasEntries(tx, businessId, collectionOwner(id)))) {
    throw conflict('The collection has entries. Delete them first, or send cascade=true.');
  }
  await ctx.content.deletionGuards.beforeCollection(ctx, id, { cascade });
  await markDeleted(tx, businessId, id, ctx.now);
  await ctx.emit({ type: 'collection.deleted', entity: `collection:${id}`, data: JSON.parse(row.doc) });
  await ctx.enqueue(CLEAR_COLLECTIONS, { businessId, collectionId: id });
  return SUCCESS;
}
