import type { Db } from '../../../../db/sql.ts';
import { type ActivePlan, opens } from '../../access.ts';
import type { Collection } from '../../collections/schemas.ts';
import { collectionOwner } from '../../owners.ts';
import { isGated, publicPart } from '../public-part.ts';
import { listNewest } from '../queries.ts';
import type { Entry } from '../schemas.ts';
import { withFullUrls } from '../show-entry.ts';

/** A feed ends with the entry that exceeds this size. */
const FEED_BYTES = 524_288;

/** The newest entries of a published collection, as a reader with these plans sees them. */
export async function listFeed(
  db: Db,
  { businessId, id }: Pick<Collection, 'businessId' | 'id'>,
  { plans, limit, publicUrl }: { plans: readonly ActivePlan[]; limit: number; publicUrl: string },
): Promise<(Entry & { locked?: boolean })[]> {
  const entries = await listNewest(db, businessId, collectionOwner(id), { limit, maxBytes: FEED_BYTES });
  return entries.map((entry) =>
    withFullUrls(isGated(entry) && !opens(plans, entry) ? publicPart(entry) : entry, publicUrl),
  );
}
