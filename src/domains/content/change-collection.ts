import { type Tx, violatesUnique } from '../../db/connection.ts';
import type { Caller } from '../../shared/caller.ts';
import { collect } from '../../shared/collect.ts';
import { invalid, notFound } from '../../shared/errors.ts';
import { checkIfMatch } from '../../shared/etag.ts';
import { extendHistory } from '../../shared/statuses.ts';
import { lockCollection, updateCollection } from './collection-queries.ts';
import { checkCollection } from './collection-rules.ts';
import type { ContentContext } from './context.ts';
import { slugTaken } from './create-collection.ts';
import { CONTENT_STATUSES, type Collection, type CollectionChanges } from './schemas.ts';

/** Entries are left as they are: they stay readable, and are checked against the new schema when they are written next. */
export async function changeCollection(
  { clock }: ContentContext,
  tx: Tx,
  caller: Caller,
  address: { businessId: string; id: string },
  changes: CollectionChanges,
  ifMatch: string | undefined,
): Promise<{ collection: Collection; version: number }> {
  const { businessId, id } = address;
  const row = await lockCollection(tx, businessId, id);
  if (!row) throw notFound('Collection');
  checkIfMatch(ifMatch, row.version);
  const before = JSON.parse(row.doc) as Collection;
  const now = clock.seconds();
  const { statuses: incoming, blocks = before.blocks, ...fields } = changes;
  const after: Collection = { ...before, ...fields, blocks, updatedAt: now };
  const errors = checkCollection(after);
  const statuses = collect(errors, () =>
    extendHistory({
      history: before.statuses,
      incoming,
      allowed: CONTENT_STATUSES,
      initial: 'DRAFT',
      caller,
      businessId,
      nowSeconds: now,
    }),
  );
  if (errors.length > 0 || !statuses) throw invalid(errors);
  const collection = { ...after, statuses };
  await updateCollection(tx, collection).catch((error) => {
    throw violatesUnique(error, 'collections_slug') ? slugTaken() : error;
  });
  return { collection, version: row.version + 1 };
}
