import { type Page, pageLimit } from '../../../shared/paging.ts';
import { getEntry } from '../../content/index.ts';
import type { Query } from '../context.ts';
import { type Send, sendOf } from './schemas.ts';
import { listSendViews } from './send-queries.ts';

/** Newest first. Sends are kept after their entry is deleted. */
export async function listSends(
  { db, replica, businessId, cursors }: Query,
  query: { entryId: string; limit?: number; cursor?: string },
): Promise<Page<Send>> {
  const { entryId } = query;
  const limit = pageLimit(query.limit);
  const scope = `sends:${businessId}:${entryId}`;
  const [before] = cursors.decode(scope, query.cursor) ?? [null];
  const rows = await listSendViews(replica, businessId, entryId, before as string | null, limit);
  if (rows.length === 0) await getEntry(db, businessId, entryId);
  return cursors.page(scope, rows, limit, (row) => [row.id], sendOf);
}
