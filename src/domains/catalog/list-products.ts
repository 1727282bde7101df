import type { Deps } from '../../deps.ts';
import { type Caller, may } from '../../shared/caller.ts';
import { invalidField } from '../../shared/errors.ts';
import { type Page, pageLimit } from '../../shared/paging.ts';
import { type ListFilter, listProductPage } from './list-queries.ts';
import type { ProductJson } from './product-json.ts';
import type { ProductQuery } from './schemas.ts';
import { matchOf, searchProducts } from './search-products.ts';

const NONE: Page<Buffer> = { items: [], cursor: null };

/** A page of products, each as the JSON it is stored as. */
export async function listProducts(
  deps: Deps,
  products: ProductJson,
  businessId: string,
  caller: Caller,
  query: ProductQuery,
): Promise<Page<Buffer>> {
  const { sort = query.query ? 'relevance' : 'newest', market = '' } = query;
  if (sort === 'price' && market === '')
    throw invalidField('market', 'REQUIRED', 'market is required to sort by price.');
  if (sort === 'relevance' && !query.query) {
    throw invalidField('query', 'REQUIRED', 'query is required to sort by relevance.');
  }
  const seesAll = may(caller, businessId, 'CATALOG_WRITE');
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
    return searchProducts(deps, products, businessId, query.query!, filter, query.cursor, limit);
  }
  if (query.query) {
    filter.match = await matchOf(deps.pool, businessId, query.query);
    if (filter.match === null) return NONE;
  }
  const scope = sort === 'price' ? `products:price:${market.toLowerCase()}` : `products:${sort}`;
  const position = deps.cursors.decode(scope, query.cursor);
  const isPlain = filter.match === null && filter.category === null && !filter.lowStock;
  const db = isPlain ? deps.quick : deps.pool;
  const { rows, key } = await listProductPage(db, businessId, filter, { sort, market }, position, limit);
  const { items, cursor } = deps.cursors.page(
    scope,
    rows,
    limit,
    (row) => [key, row.id],
    (row) => row,
  );
  return { items: await products.page(businessId, items, filter.status), cursor };
}
