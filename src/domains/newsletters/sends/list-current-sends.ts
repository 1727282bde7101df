import type { Query } from '../context.ts';
import { type CurrentSendQuery, type CurrentSends, sendOf } from './schemas.ts';
import { listCurrentSendViews } from './send-queries.ts';

/** Which of these entries were sent or are scheduled. Entries without a send are left out. */
export async function listCurrentSends(
  { replica, businessId }: Query,
  { entryIds }: CurrentSendQuery,
): Promise<CurrentSends> {
  return { items: (await listCurrentSendViews(replica, businessId, entryIds)).map(sendOf) };
}
