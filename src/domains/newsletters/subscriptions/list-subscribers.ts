import { countRows } from '../../../db/count.ts';
import { addTotal, MAX_TOTAL, type Page, pageLimit } from '../../../shared/paging.ts';
import { etagOf } from '../../../shared/records/etag.ts';
import { getCollection } from '../../content/index.ts';
import type { Query } from '../context.ts';
import { listSubscriptions } from './queries.ts';
import { type ListedSubscription, type SubscriberQuery, subscriptionOf } from './schemas.ts';

/** Newest first. `collection` is an ID or slug. */
export async function listSubscribers(
  { db, replica, businessId, cursors }: Query,
  { collection, ...query }: SubscriberQuery & { collection: string },
): Promise<Page<ListedSubscription>> {
  const { id: collectionId } = await getCollection(db, businessId, collection);
  const limit = pageLimit(query.limit);
  const scope = `subscribers:${businessId}:${collectionId}`;
  const [before] = cursors.decode(scope, query.cursor) ?? [null];
  const list = (from: string | null, max: number) =>
    listSubscriptions(replica, businessId, collectionId, query, from, max);
  const page = cursors.page(
    scope,
    await list(before as string | null, limit + 1),
    limit,
    (row) => [row.id],
    (row) => ({ ...subscriptionOf(row), tags: [...row.tags], etag: etagOf(row.version) }),
  );
  return addTotal(page, query, () => countRows(replica, list(null, MAX_TOTAL)));
}
