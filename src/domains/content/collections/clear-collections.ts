import type { Tx } from '../../../db/sql.ts';
import type { Steps } from '../context.ts';
import { deleteEntriesOf } from '../entries/queries.ts';
import { deleteCollectionRow, listDeletedCollections } from './queries.ts';

export const CLEAR_COLLECTIONS = 'clear-collections';
const BATCH = 1000;

/** Deletes up to `limit` rows that belong to the collection, and returns how many: 0 when none is left. */
export type DeleteRows = (tx: Tx, businessId: string, collectionId: string, limit: number) => Promise<number>;

/**
 * Deletes what deleted collections have left, in batches, and the collection's row last. Runs for one collection after its
 * deletion, and on a schedule for all that are left: the mark in the row says what there is to do, so that a job that was
 * killed or lost is made up for by the next one. Nothing is added meanwhile: whoever writes an entry locks its collection
 * first, and does not find a marked one.
 */
export async function clearCollections(ctx: Steps, { collectionId }: { collectionId?: string }): Promise<void> {
  const only = collectionId === undefined ? null : { businessId: ctx.businessId, id: collectionId };
  for (const { businessId, id } of await listDeletedCollections(ctx.db, only)) {
    for (const deleteRows of [...ctx.content.dependents, deleteEntriesOf]) {
      for (let deleted = BATCH; deleted > 0; ) {
        if (ctx.signal.aborted) throw new Error('The process is stopping: the rest is deleted at the next try.');
        deleted = await ctx.write((tx) => deleteRows(tx, businessId, id, BATCH));
      }
    }
    await ctx.write((tx) => deleteCollectionRow(tx, businessId, id));
  }
}
