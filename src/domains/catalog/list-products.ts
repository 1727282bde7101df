import { may } from '../../shared/caller.ts';
import { invalidField } from '../../shared/errors.ts';
import { type Page, pageLimit } from '../../shared/paging.ts';
import type { Query } from './context.ts';
import { type ListFilter, listProductPage } from './list-queries.ts';
import type { ProductQuery } from './schemas.ts';
import { matchOf, searchProducts } from './search-products.ts';

const NONE: Page<Buffer> = { items: [], cursor: null };

/** A page of products, each as the JSON it is stored as. */
export async function listProducts(ctx: Query, query: ProductQuery): Promise<Page<Buffer>> {
  const { businessId, cursors } = ctx;
  const { sort = query.query ? 'relevance' : 'newest', market = '' } = query;
  if (sort === 'price' && market === '')
    throw invalidField('market', 'REQUIRED', 'market is required to sort by price.');
  if (sort === 'relevance' && !query.query) {
    throw invalidField('query', 'REQUIRED', 'query is required to sort by relevance.');
  }
  const seesAll = may(ctx.caller, businessId, 'CATALOG_WRITE');
  if (!seesAll && query.status !== undefined && query.status !== 'ACTIVE') return NONE;
  const filter: ListFilter = {
    status: query.status ?? (seesAll ? null : 'ACTIVE'),
    category: query.category ?? null,
    slug: query.slug ?? null,
    ids: query.ids ?? null,
    lowStock: query.lowStock ?? false,
    match: null,
  };
  const limit = pageLimit(query.limit);
  if (sort === 'relevance') {
    return searchProducts(ctx, { text: query.query!, filter, cursor: query.cursor, limit });
  }
  if (query.query) {
    filter.match = await matchOf(ctx.db, businessId, query.query);
    if (filter.match === null) return NONE;
  }
  const scope = sort === 'price' ? `products:price:${market.toLowerCase()}` : `products:${sort}`;
  const position = cursors.decode(scope, query.cursor);
  const isPlain = filter.match === null && filter.category === null && !filter.lowStock;
  const db = isPlain ? ctx.quick : ctx.db;
  const { rows, key } = await listProductPage(db, businessId, filter, { sort, market }, position, limit);
  const { items, cursor } = cursors.page(
    scope,
    rows,
    limit,
    (row) => [key, row.id],
    (row) => row,
  );
  return { items: await ctx.catalog.documents.page(ctx, items, filter.status), cursor };
}
