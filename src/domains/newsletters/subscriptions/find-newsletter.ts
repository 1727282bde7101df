import type { Db } from '../../../db/sql.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { getCollection } from '../../content/index.ts';
import type { SubscriptionRow } from './queries.ts';

/** Returns null if the newsletter was deleted. */
export async function findNewsletter(
  { db }: { db: Db },
  { businessId, collectionId }: Pick<SubscriptionRow, 'businessId' | 'collectionId'>,
) {
  try {
    return await getCollection(db, businessId, collectionId);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'NOT_FOUND') return null;
    throw error;
  }
}
