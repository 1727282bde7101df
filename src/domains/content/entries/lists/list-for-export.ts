import type { Db } from '../../../../db/sql.ts';
import { collectionOwner } from '../../owners.ts';
import { OWNER_EXISTS } from '../queries.ts';
import type { Entry } from '../schemas.ts';
import { showEntry } from '../show-entry.ts';

/** Entries of collections as members see them, in ID order, starting after an ID. A null `collectionId` means all collections. */
export async function listEntriesForExport(
  db: Db,
  businessId: string,
  options: { collectionId: string | null; after: string; limit: number; publicUrl: string; withOrders?: boolean },
): Promise<Entry[]> {
  const { collectionId, after, limit, publicUrl, withOrders = false } = options;
  const ownerCondition =
    collectionId === null
      ? withOrders
        ? db``
        : db`and owner like 'collection:%'`
      : db`and owner = ${collectionOwner(collectionId)}`;
  const rows = await db<{ doc: Entry }[]>`
    select doc from entries e
    where business_id = ${businessId} and id > ${after} ${ownerCondition} and ${db.text(OWNER_EXISTS)}
    order by id limit ${limit}`;
  return rows.map(({ doc }) => showEntry(doc, publicUrl));
}
