import type { Db } from '../../../db/sql.ts';
import { invalidField } from '../../../shared/errors.ts';
import { addTotal, countRowsPerPage, type Page, pageLimit } from '../../../shared/paging.ts';
import { type Attempt, readConsistently } from '../../../shared/records/response-page.ts';
import type { SerializedJson } from '../../../shared/records/serializer.ts';
import { may } from '../../../shared/security/caller.ts';
import { readTree } from '../categories/read-categories.ts';
import { findNode, withDescendants } from '../categories/tree.ts';
import type { Query } from '../context.ts';
import { candidateFinder } from '../facets/candidates.ts';
import { countFacets, sharedCounts } from '../facets/count-facets.ts';
import { CATEGORY_FACET, isFiltering, NO_FACETS, readFacetFilter } from '../facets/filters.ts';
import { type Found, readCandidates } from '../facets/read-candidates.ts';
import type { Facets } from '../facets/schemas.ts';
import { categoryTerm } from '../facets/terms.ts';
import type { ProductQuery } from '../products/schemas.ts';
import { matchOf, searchProducts } from '../search/search-products.ts';
import { countProducts, type ListFilter, type ListOrder, listProductPage } from './list-queries.ts';

export type ProductPage = Page<SerializedJson> & { facets?: Facets };

/** A page of products as the caller sees them. With `facets`, also counts the values to filter by. */
export const listProducts = (ctx: Query, query: ProductQuery): Promise<ProductPage> =>
  readConsistently((attempt) => listOnce(ctx, query, attempt));

const NOTHING: Facets = { total: 0, isCapped: false };

async function listOnce(ctx: Query, query: ProductQuery, attempt: Attempt): Promise<ProductPage | null> {
  const { businessId } = ctx;
  const db = attempt.isFirst ? ctx.replica : ctx.db;
  const order = orderOf(query);
  const wanted = { facets: query.facets ?? [], market: query.market };
  const hasFacets = wanted.facets.length > 0;
  // A search by relevance expands its words itself.
  const filter = await completeFilter(ctx, db, query, hasFacets || order !== 'relevance');
  if (filter === null) {
    const empty = await addTotal<SerializedJson>({ items: [], cursor: null }, query, async () => 0);
    return hasFacets ? { ...empty, facets: NOTHING } : empty;
  }
  const limit = pageLimit(query.limit);
  const find = candidateFinder(db, businessId);
  const list = order !== 'relevance' && filter.facets ? { ...positionOf(ctx, query, order), order, limit } : null;
  const count = sharedCounts(wanted);
  const candidates = list || hasFacets ? find(filter, count) : null;
  const reading = candidates?.then((each) => readCandidates(db, each, { count, list })) ?? null;
  const counts = reading?.then((found) => found.counts);
  // If `candidates` fails, nobody waits for the counts. A rejection that nobody handles would end the process.
  counts?.catch(() => {});
  const [page, facets] = await Promise.all([
    order === 'relevance'
      ? searchProducts(ctx, db, { ...query, text: query.query!, filter: { ...filter, match: null }, limit })
      : listSorted(ctx, query, { filter, order, limit, attempt, reading }),
    hasFacets ? countFacets(db, find, filter, wanted, { candidates: candidates!, counts: counts! }) : null,
  ]);
  return page && facets ? { ...page, facets } : page;
}

/** A position is valid only for the sort order of its list. */
function positionOf({ businessId, cursors }: Query, { cursor }: ProductQuery, { by, descending, market }: ListOrder) {
  const scope = `products:${businessId}:${by}:${descending}:${market.toLowerCase()}`;
  return { scope, position: cursors.decode(scope, cursor) };
}

type Sorted = {
  filter: ListFilter;
  order: ListOrder;
  limit: number;
  attempt: Attempt;
  reading: Promise<Found> | null;
};

/** `reading` finds the page, if the list is filtered and few products match. */
async function listSorted(
  ctx: Query,
  query: ProductQuery,
  { filter, order, limit, attempt, reading }: Sorted,
): Promise<ProductPage | null> {
  const { businessId } = ctx;
  const { scope, position } = positionOf(ctx, query, order);
  const [db, quick] = attempt.isFirst ? [ctx.replica, ctx.quickReplica] : [ctx.db, ctx.quick];
  const found = filter.facets && (await reading);
  const { rows, key } =
    found?.page ?? (await listProductPage(isPlain(filter) ? quick : db, businessId, filter, order, position, limit));
  const rowsPerPage = countRowsPerPage(rows, limit);
  // Read again with a smaller limit, because only the position of the last row is known. Products this large are rare.
  if (rowsPerPage < Math.min(limit, rows.length)) return listOnce(ctx, { ...query, limit: rowsPerPage }, attempt);
  const { items, cursor } = ctx.cursors.page(
    scope,
    rows,
    limit,
    (row) => [key, row.id],
    (row) => row,
  );
  const { locale } = query;
  const { isStrict } = attempt;
  const responses = await ctx.catalog.responses.page(ctx, items, { statuses: filter.statuses, isStrict, locale });
  const total = async () => (found ? found.counts.total : countProducts(db, businessId, filter, order));
  return responses && addTotal({ items: responses, cursor }, query, total);
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
  const by = BY[named];
  const direction = sortDirection?.toLowerCase() ?? (named === 'newest' || by === 'sold' ? 'desc' : 'asc');
  return { by, descending: direction === 'desc', market: by === 'price' ? market : '' };
}

const BY = { newest: 'age', oldest: 'age', name: 'name', price: 'price', 'best-selling': 'sold' } as const;
const FIELDS = { createdAt: 'newest', name: 'name', price: 'price', relevance: 'relevance' } as const;

/** The filter with the terms of its search and its categories. Null if nothing can match. */
async function completeFilter(
  ctx: Query,
  db: Db,
  query: ProductQuery,
  needsMatch: boolean,
): Promise<ListFilter | null> {
  const filter = filterOf(ctx, query);
  if (filter.statuses?.length === 0 || filter.categories?.length === 0) return null;
  if (query.categoryId !== undefined) {
    const tree = await readTree(ctx);
    const node = findNode(tree, query.categoryId, query.locale);
    if (!node) return null;
    const terms = withDescendants(tree, node.id).map(categoryTerm);
    const facets = filter.facets ?? NO_FACETS;
    filter.facets = { ...facets, groups: [{ facet: CATEGORY_FACET, terms }, ...facets.groups] };
  }
  if (query.query && needsMatch) {
    filter.match = await matchOf(db, ctx.businessId, query.query);
    if (filter.match === null) return null;
  }
  return filter;
}

/** Callers without CATALOG_WRITE see only ACTIVE products; filtering by other statuses finds nothing. */
function filterOf({ caller, businessId }: Query, query: ProductQuery): ListFilter {
  const { status, category } = query;
  const statuses = status === undefined ? query.statuses : [status];
  const canSeeAll = may(caller, businessId, 'CATALOG_WRITE');
  const facets = readFacetFilter(query);
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
    facets: isFiltering(facets) ? facets : null,
  };
}

const unique = <T>(values: readonly T[] | undefined) => values && [...new Set(values)];

/** Typical storefront lists, which always take well under a millisecond. */
const isPlain = ({ statuses, categories, lowStock, createdFrom, createdTo, match, facets }: ListFilter) =>
  categories === null &&
  facets === null &&
  match === null &&
  !lowStock &&
  (statuses?.length ?? 1) === 1 &&
  (createdFrom ?? createdTo) === null;
