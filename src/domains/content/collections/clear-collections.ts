import type { Tx } from '../../../db/sql.ts';
import type { Steps } from '../context.ts';
import { deleteEntriesOf } from '../entries/queries.ts';
import { deleteCollectionRow, listDeletedCollections } from './queries.ts';

export const CLEAR_COLLECTIONS = 'clear-collections';
const BATCH = 1000;

/** Deletes up to `limit` of the collection's rows. Returns the number deleted, 0 if none are left. */
export type DeleteRows = (tx: Tx, businessId: string, collectionId: string, limit: number) => Promise<number>;

/**
 * Deletes the rows of deleted collections in batches, and the collection's own row last. Runs once after a deletion, and on
 * a schedule for all deleted collections: it finds collections by the deletion mark in their row, so the next run completes a killed
 * or lost job. No rows are added in between: writing an entry locks its collection first and fails if it is marked.
 */
export async function clearCollections(ctx: Steps, { collectionId }: { collectionId?: string }): Promise<void> {
  const only = collectionId === undefined ? null : { businessId: ctx.businessId, id: collectionId };
  for (const { businessId, id } of await listDeletedCollections(ctx.db, only)) {
    for (const deleteRows of [ctx.content.deleteDependents, deleteEntriesOf]) {
      for (let deleted = BATCH; deleted > 0; ) {
        if (ctx.signal.aborted)
          throw new Error('The process is shutting down. The next run will delete the remaining rows.');
        deleted = await ctx.write((tx) => deleteRows(tx, businessId, id, BATCH));
      }
    }
    await ctx.write((tx) => deleteCollectionRow(tx, businessId, id));
  }
}
