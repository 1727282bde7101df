import { etagOf } from '../../../shared/etag.ts';
import { type Page, pageLimit } from '../../../shared/paging.ts';
import { getCollection } from '../../content/index.ts';
import type { Query } from '../context.ts';
import { listSubscriptions } from './queries.ts';
import { type ListedSubscription, type SubscriberQuery, subscriptionOf } from './schemas.ts';

/** Newest first. */
export async function listSubscribers(
  { db, businessId, cursors }: Query,
  { collectionId, ...query }: SubscriberQuery & { collectionId: string },
): Promise<Page<ListedSubscription>> {
  await getCollection(db, businessId, collectionId);
  const limit = pageLimit(query.limit);
  const scope = `subscribers:${businessId}:${collectionId}`;
  const [before] = cursors.decode(scope, query.cursor) ?? [null];
  const rows = await listSubscriptions(db, businessId, collectionId, query, before as string | null, limit);
  return cursors.page(
    scope,
    rows,
    limit,
    (row) => [row.id],
    (row) => ({ ...subscriptionOf(row), etag: etagOf(row.version) }),
  );
}
