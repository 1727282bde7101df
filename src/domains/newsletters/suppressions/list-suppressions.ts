import { countRows } from '../../../db/count.ts';
import { addTotal, MAX_TOTAL, type Page, pageLimit } from '../../../shared/paging.ts';
import { emailKey } from '../../../shared/text/email.ts';
import type { Query } from '../context.ts';
import { listSuppressions as listRows } from './queries.ts';
import { type Suppression, type SuppressionQuery, suppressionOf } from './schemas.ts';

/** Newest first. */
export async function listSuppressions(
  { replica: db, businessId, cursors }: Query,
  query: SuppressionQuery,
): Promise<Page<Suppression>> {
  const limit = pageLimit(query.limit);
  const scope = `suppressions:${businessId}`;
  const [before] = cursors.decode(scope, query.cursor) ?? [null];
  const filter = { reason: query.reason, email: query.email === undefined ? undefined : emailKey(query.email) };
  const list = (from: string | null, max: number) => listRows(db, businessId, filter, from, max);
  const rows = await list(before as string | null, limit + 1);
  const page = cursors.page(scope, rows, limit, (row) => [row.id], suppressionOf);
  return addTotal(page, query, () => countRows(db, list(null, MAX_TOTAL)));
}
