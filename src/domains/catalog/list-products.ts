import { may } from '../../shared/caller.ts';
import { inOneMoment } from '../../shared/document-cache.ts';
import { invalidField } from '../../shared/errors.ts';
import { fittingRows, type Page, pageLimit } from '../../shared/paging.ts';
import type { Query } from './context.ts';
import { type ListFilter, type ListOrder, listProductPage } from './list-queries.ts';
import type { ProductQuery } from './schemas.ts';
import { matchOf, searchProducts } from './search-products.ts';

const NONE: Page<Buffer> = { items: [], cursor: null };

/** A page of products, each as the JSON it is stored as. */
export const listProducts = (ctx: Query, query: ProductQuery): Promise<Page<Buffer>> =>
  inOneMoment((isStrict) => listOnce(ctx, query, isStrict));

async function listOnce(ctx: Query, query: ProductQuery, isStrict: boolean): Promise<Page<Buffer> | null> {
  const { businessId, cursors } = ctx;
  const order = orderOf(query);
  const filter = filterOf(ctx, query);
  if (filter.statuses?.length === 0 || filter.categories?.length === 0) return NONE;
  const limit = pageLimit(query.limit);
  if (order === 'relevance') {
    return searchProducts(ctx, { text: query.query!, filter, cursor: query.cursor, limit });
  }
  if (query.query) {
    filter.match = await matchOf(ctx.db, businessId, query.query);
    if (filter.match === null) return NONE;
  }
  const scope = `products:${businessId}:${order.by}:${order.descending}:${order.market.toLowerCase()}`;
  const position = cursors.decode(scope, query.cursor);
  const db = isPlain(filter) ? ctx.quick : ctx.db;
  const { rows, key } = await listProductPage(db, businessId, filter, order, position, limit);
  const fitting = fittingRows(rows, limit);
  // Read again with what fits: the position is known for the last row only, and products this large are rare.
  if (fitting < Math.min(limit, rows.length)) return listOnce(ctx, { ...query, limit: fitting }, isStrict);
  const { items, cursor } = cursors.page(
    scope,
    rows,
    limit,
    (row) => [key, row.id],
    (row) => row,
  );
  const documents = await ctx.catalog.documents.page(ctx, items, filter.statuses, isStrict);
  return documents && { items: documents, cursor };
}

/** `sort` names a common order; `sortField` and `sortDirection` put it together. */
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

/** Without CATALOG_WRITE only ACTIVE products are seen: asking for others finds nothing. */
function filterOf({ caller, businessId }: Query, query: ProductQuery): ListFilter {
  const { status, category } = query;
  const statuses = status === undefined ? query.statuses : [status];
  const seesAll = may(caller, businessId, 'CATALOG_WRITE');
  return {
    statuses: seesAll
      ? (unique(statuses) ?? null)
      : (unique(statuses) ?? ['ACTIVE']).filter((asked) => asked === 'ACTIVE'),
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

/** What a shop shows: always well under a millisecond. */
const isPlain = ({ statuses, categories, lowStock, createdFrom, createdTo, match }: ListFilter) =>
  categories === null &&
  match === null &&
  !lowStock &&
  (statuses?.length ?? 1) === 1 &&
  (createdFrom ?? createdTo) === null;
