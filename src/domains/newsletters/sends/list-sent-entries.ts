import type { Db } from '../../../db/sql.ts';

/** More than a daily newsletter sends in 25 years. */
const MAX_ISSUES = 10_000;

/**
 * The entries that were sent to all subscribers of a newsletter, or of any newsletter, newest first. Leaves out sends to a segment or by an
 * automation.
 */
export async function listSentEntries(db: Db, businessId: string, collectionId: string | null): Promise<string[]> {
  const rows = await db<{ entryId: string }[]>`
    select distinct entry_id from sends
    where business_id = ${businessId} and (${collectionId}::text is null or collection_id = ${collectionId})
      and started_at is not null and automation_id is null and segment_id is null
    order by entry_id desc limit ${MAX_ISSUES}`;
  return rows.map(({ entryId }) => entryId);
}
