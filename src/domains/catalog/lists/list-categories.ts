import { type Page, type PageQuery, pageLimit } from '../../../shared/paging.ts';
import { may } from '../../../shared/security/caller.ts';
import type { Query } from '../context.ts';
import { type CategoryCount, listCategoryCounts } from './list-queries.ts';

/** Sorted by name. A category exists while at least one product is in it. */
export async function listCategories(ctx: Query, query: PageQuery): Promise<Page<CategoryCount>> {
  const { replica, businessId, cursors } = ctx;
  const scope = `categories:${businessId}`;
  const limit = pageLimit(query.limit);
  const [after = ''] = (cursors.decode(scope, query.cursor) ?? []) as string[];
  const status = may(ctx.caller, businessId, 'CATALOG_WRITE') ? null : 'ACTIVE';
  const rows = await listCategoryCounts(replica, businessId, { status, after, limit: limit + 1 });
  return cursors.page(
    scope,
    rows,
    limit,
    ({ category }) => [category],
    (row) => row,
  );
}
