import type { Tx } from '../../db/connection.ts';
import { conflict, notFound } from '../../shared/errors.ts';
import { checkIfMatch } from '../../shared/etag.ts';
import { deleteCollectionRow, lockCollectionForDelete } from './collection-queries.ts';
import { deleteEntriesOf, hasEntries } from './entry-queries.ts';

/** With `cascade` its entries go with it; without, a collection that has any stays. */
export async function deleteCollection(
  tx: Tx,
  { businessId, id }: { businessId: string; id: string },
  cascade: boolean,
  ifMatch: string | undefined,
): Promise<void> {
  const row = await lockCollectionForDelete(tx, businessId, id);
  if (!row) throw notFound('Collection');
  checkIfMatch(ifMatch, row.version);
  const owner = `collection:${id}`;
  if (cascade) await deleteEntriesOf(tx, businessId, owner);
  else if (await hasEntries(tx, businessId, owner)) {
    throw conflict('The collection has entries. Delete them first, or send cascade=true.');
  }
  await deleteCollectionRow(tx, businessId, id);
}
