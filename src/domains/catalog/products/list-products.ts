import { invalidField } from '../../../shared/errors.ts';
import { addTotal, countRowsPerPage, type Page, pageLimit } from '../../../shared/paging.ts';
import { readConsistently } from '../../../shared/records/response-page.ts';
import type { SerializedJson } from '../../../shared/records/serializer.ts';
import { may } from '../../../shared/security/caller.ts';
import type { Query } from '../context.ts';
import { matchOf, searchProducts } from '../search/search-products.ts';
import { countProducts, type ListFilter, type ListOrder, listProductPage } from './list-queries.ts';
import type { ProductQuery } from './schemas.ts';

/** A page of products as the caller sees them. */
export const listProducts = (ctx: Query, query: ProductQuery): Promise<Page<SerializedJson>> =>
  readConsistently((isStrict) => listOnce(ctx, query, isStrict));

async function listOnce(ctx: Query, query: ProductQuery, isStrict: boolean): Promise<Page<SerializedJson> | null> {
  const { businessId, cursors } = ctx;
  const order = orderOf(query);
  const filter = filterOf(ctx, query);
  const none = () => addTotal<SerializedJson>({ items: [], cursor: null }, query, async () => 0);
  if (filter.statuses?.length === 0 || filter.categories?.length === 0) return none();
  const limit = pageLimit(query.limit);
  if (order === 'relevance') {
    return searchProducts(ctx, { ...query, text: query.query!, filter, limit });
  }
  if (query.query) {
    filter.match = await matchOf(ctx.db, businessId, query.query);
    if (filter.match === null) return none();
  }
  const scope = `products:${businessId}:${order.by}:${order.descending}:${order.market.toLowerCase()}`;
  const position = cursors.decode(scope, query.cursor);
  const db = isPlain(filter) ? ctx.quick : ctx.db;
  const { rows, key } = await listProductPage(db, businessId, filter, order, position, limit);
  const rowsPerPage = countRowsPerPage(rows, limit);
  // Read again with a smaller limit, because only the position of the last row is known. Products this large are rare.
  if (rowsPerPage < Math.min(limit, rows.length)) return listOnce(ctx, { ...query, limit: rowsPerPage }, isStrict);
  const { items, cursor } = cursors.page(
    scope,
    rows,
    limit,
    (row) => [key, row.id],
    (row) => row,
  );
  const responses = await ctx.catalog.responses.page(ctx, items, filter.statuses, isStrict);
  const count = () => countProducts(ctx.db, businessId, filter, order);
  return responses && addTotal({ items: responses, cursor }, query, count);
}

/** `sort` selects a predefined order. `sortField` and `sortDirection` define one explicitly. */
function orderOf({ sort, sortField, sortDirection, query, market = '' }: ProductQuery): ListOrder | 'relevance' {
  const named = sort ?? (sortField ? FIELDS[sortField] : query ? 'relevance' : 'newest');
  if (named === 'price' && market === '') {
    throw invalidField('market', 'REQUIRED', 'market is required to sort by price.');
  }
  if (named === 'relevance') {
    if (!query) throw invalidField('query', 'REQUIRED', 'query is required to sort by relevance.');
    return 'relevance';
  }
  const by = named === 'name' || named === 'price' ? named : 'age';
  const direction = sortDirection?.toLowerCase() ?? (named === 'newest' ? 'desc' : 'asc');
  return { by, descending: direction === 'desc', market: by === 'price' ? market : '' };
}

const FIELDS = { createdAt: 'newest', name: 'name', price: 'price', relevance: 'relevance' } as const;

/** Callers without CATALOG_WRITE see only ACTIVE products; filtering by other statuses finds nothing. */
function filterOf({ caller, businessId }: Query, query: ProductQuery): ListFilter {
  const { status, category } = query;
  const statuses = status === undefined ? query.statuses : [status];
  const canSeeAll = may(caller, businessId, 'CATALOG_WRITE');
  return {
    statuses: canSeeAll
      ? (unique(statuses) ?? null)
      : (unique(statuses) ?? ['ACTIVE']).filter((value) => value === 'ACTIVE'),
    categories: category === undefined ? (unique(query.categoryIds) ?? null) : [category],
    slug: query.slug ?? null,
    ids: query.ids ?? null,
    lowStock: query.lowStock ?? false,
    createdFrom: query.createdAtFrom ?? null,
    createdTo: query.createdAtTo ?? null,
    match: null,
  };
}

const unique = <T>(values: readonly T[] | undefined) => values && [...new Set(values)];

/** Typical storefront lists, which always take well under a millisecond. */
const isPlain = ({ statuses, categories, lowStock, createdFrom, createdTo, match }: ListFilter) =>
  categories === null &&
  match === null &&
  !lowStock &&
  (statuses?.length ?? 1) === 1 &&
  (createdFrom ?? createdTo) === null;
