/**
 * The products that match a filter, up to `MAX_TOTAL`. Each source reads an index that returns few other products: the words of a search, a
 * narrow price range, or terms. Words and terms are read starting with the newest bucket, so that a term that a million products
 * have costs no more than a rare one. If few products have all terms, one read of the index without the buckets costs half as much.
 */
import type { Db } from '../../../db/sql.ts';
import { MAX_TOTAL } from '../../../shared/paging.ts';
import { type ListFilter, productConditions } from '../lists/list-queries.ts';
import { findNewestBucket, placesOf, sampleBuckets } from '../search/queries.ts';
import type { AddValue } from '../text-statement.ts';
import { CATEGORY_FACET, type FacetFilter, NO_FACETS, type PriceRange, type TermGroup, without } from './filters.ts';
import { countPrices, countTerms, facetConditions, samplePrices } from './queries.ts';

type Source = { kind: 'words' | 'terms'; places: string[] } | { kind: 'few' | 'narrow' | 'price' | 'all' };
/**
 * The rows of `filter` are read. Those that fail a `deferred` filter don't match, but the facet of that filter counts them, so that
 * it needs no read of its own.
 */
export type Candidates = { businessId: string; filter: ListFilter; deferred: FacetFilter; source: Source };
/** What to count: prefixes of terms, prices in a market, availability. */
export type Counted = { prefixes?: readonly string[]; market?: string | null; availability?: boolean };

export const isCounted = (facet: string, { prefixes = [] }: Counted) =>
  prefixes.some((prefix) => `${facet}\u001f`.startsWith(prefix));

/** The filters of counted facets may be deferred. */
export type FindCandidates = (filter: ListFilter, counted?: Counted) => Promise<Candidates>;

/** Below these shares, the index of prices finds matches faster than reading products until enough of them match. */
const RARE = 0.25;
const RARE_WITH_TERMS = 0.025;
/** Up to this number of products, one read of the index without the buckets is faster. */
const FEW = 2 * MAX_TOTAL;

/** Finds the sources for one request, which uses the same filter with and without some of its parts. */
export function candidateFinder(db: Db, businessId: string): FindCandidates {
  let bucket: Promise<number> | undefined;
  const newestBucket = () => (bucket ??= findNewestBucket(db, businessId));
  const shares = new Map<PriceRange, Promise<number>>();

  /** The share of products with a price in this range: 0 if they are so few that reading all of them is fastest. */
  function shareOf(price: PriceRange): Promise<number> {
    const known = shares.get(price) ?? findShare(price);
    shares.set(price, known);
    return known;
  }

  const findShare = async (price: PriceRange) =>
    (await countPrices(db, businessId, price, MAX_TOTAL)) < MAX_TOTAL ? 0 : samplePrices(db, businessId, price);

  async function sourceOf({ match, facets }: ListFilter): Promise<Source> {
    const { groups, price, available } = facets ?? NO_FACETS;
    if (match !== null) return { kind: 'words', places: placesOf(businessId, await newestBucket()) };
    const share = price ? await shareOf(price) : 1;
    if (share === 0) return { kind: 'narrow' };
    if (await hasFewMatches(groups)) return { kind: 'few' };
    if (share < (groups.length === 0 ? RARE : RARE_WITH_TERMS)) return { kind: 'price' };
    const isAll = groups.length === 0 && available !== false;
    return isAll ? { kind: 'all' } : { kind: 'terms', places: placesOf(businessId, await newestBucket()) };
  }

  /**
   * Whether a large business probably has few products with these terms, estimated from a few buckets. Requires a
   * category: without the buckets, only its ID excludes the products of other businesses from the index scan.
   */
  async function hasFewMatches(groups: readonly TermGroup[]): Promise<boolean> {
    if (!groups.some(({ facet }) => facet === CATEGORY_FACET)) return false;
    const newest = await newestBucket();
    const sample = sampleBuckets(businessId, newest);
    if (sample.length === 0) return false;
    const max = Math.ceil((FEW * sample.length) / newest);
    return (await countTerms(db, businessId, groups, sample, max)) < max;
  }

  /** Filters that can be deferred: their facets are counted, and without them the source still returns few products. */
  async function deferrable({ groups, price, available }: FacetFilter, { kind }: Source, counted: Counted) {
    const isSmall = ['words', 'few', 'narrow'].includes(kind);
    const deferred: TermGroup[] = [];
    for (const group of isSmall ? groups.filter(({ facet }) => isCounted(facet, counted)) : []) {
      const rest = groups.filter((each) => each !== group && !deferred.includes(each));
      if (kind !== 'few' || (await hasFewMatches(rest))) deferred.push(group);
    }
    return {
      groups: deferred,
      price: isSmall && kind !== 'narrow' && counted.market ? price : null,
      available: counted.availability && (isSmall || available) ? available : null,
    };
  }

  return async (filter, counted = {}) => {
    const source = await sourceOf(filter);
    if (!filter.facets) return { businessId, filter, deferred: NO_FACETS, source };
    const deferred = await deferrable(filter.facets, source, counted);
    return { businessId, filter: { ...filter, facets: without(filter.facets, deferred) }, deferred, source };
  };
}

/** A query for the rows of `product_facets`, as `f`. */
export function candidateRows(add: AddValue, { businessId, filter, source }: Candidates, max: number): string {
  const business = add(businessId);
  const where = `where f.business_id = ${business} ${statusIn(add, filter)} ${conditions(add, businessId, filter)}`;
  const limit = `limit ${max}`;
  // One by one: for a join, the planner may read the whole table.
  const rowsOf = (table: string) => `
    cross join lateral (select f.* from product_facets f ${where} and f.product_id = ${table}.product_id offset 0) f`;
  switch (source.kind) {
    case 'words':
      return `
        select f.* from unnest(${add(source.places)}::text[]) as place cross join lateral (
          select f.* from product_search s ${rowsOf('s')}
          where s.business_id = ${business} and s.places @> array[place] and s.words @@ ${add(filter.match)}::tsquery
          ${limit}) f ${limit}`;
    case 'terms':
      return `
        select f.* from unnest(${add(source.places)}::text[]) as place cross join lateral (
          select f.* from product_facets f ${where} and f.places @> array[place] ${limit}) f ${limit}`;
    case 'few':
      return `select f.* from product_facets f ${where} ${limit}`;
    case 'narrow':
    case 'price': {
      const { market, min, max } = filter.facets!.price!;
      return `
        select f.* from product_prices m ${rowsOf('m')}
        where m.business_id = ${business} and m.market = ${add(market)}
          and m.price between ${add(min ?? 0)}::bigint and ${add(max ?? Number.MAX_SAFE_INTEGER)}::bigint
        ${limit}`;
    }
    case 'all':
      // Planned without the filters, whose estimates are too low: a plan for few rows would read and sort the whole table.
      return `
        select f.* from (
          select * from product_facets where business_id = ${business} order by product_id desc offset 0
        ) f ${where} ${limit}`;
  }
}

const statusIn = (add: AddValue, { statuses }: ListFilter) =>
  statuses === null ? '' : `and f.status = any(${add(statuses)}::text[])`;

function conditions(add: AddValue, businessId: string, filter: ListFilter): string {
  const { categories, slug, ids, lowStock, createdFrom, createdTo, facets } = filter;
  const own = facetConditions(add, facets ?? NO_FACETS);
  const isPlain = !lowStock && [categories, slug, ids, createdFrom, createdTo].every((value) => value === null);
  if (isPlain) return own;
  return `${own} and exists (
    select from products p where p.business_id = ${add(businessId)} and p.id = f.product_id
      ${categories === null ? '' : `and p.category = any(${add(categories)}::text[])`}
      ${productConditions(add, businessId, { ...filter, match: null, facets: null })})`;
}
