/**
 * The products that match a filter, up to `MAX_TOTAL`. Each source reads an index that returns few other products: the words of a search, a
 * narrow price range, sold-out variants, or terms. Words and terms are read starting with the newest bucket, so that a term of a million
 * products costs no more than a rare one. If few products have all terms, one read of the index without the buckets costs half as much.
 */
import type { Db } from '../../../db/sql.ts';
import { MAX_TOTAL } from '../../../shared/paging.ts';
import { type ListFilter, productConditions } from '../lists/list-queries.ts';
import { findNewestBucket, placesOf, sampleBuckets } from '../search/queries.ts';
import type { AddValue } from '../text-statement.ts';
import { CATEGORY_FACET, type FacetFilter, NO_FACETS, type PriceRange, type TermGroup } from './filters.ts';
import { countPrices, countTerms, facetConditions, samplePrices } from './queries.ts';

export type Source = { kind: 'words' | 'terms'; places: string[] } | { kind: 'few' | 'price' | 'soldOut' | 'all' };
export type Candidates = { businessId: string; filter: ListFilter; source: Source };
/** Filters that are applied to the rows after reading them, so that one read can also count the facets of these filters. */
export type Deferred = { price: boolean; availability: boolean };
export const NOTHING_DEFERRED: Deferred = { price: false, availability: false };

/** A price range is not deferred if reading stops once enough rows match: the range could exclude most of those rows. */
export function deferrable({ filter, source: { kind } }: Candidates): Deferred {
  const { price, available } = filter.facets ?? NO_FACETS;
  return { price: price !== null && (kind === 'few' || kind === 'words'), availability: available !== null };
}

export type FindCandidates = (filter: ListFilter) => Promise<Candidates>;

/** Below these shares, the index of prices finds matches faster than reading products until enough of them match. */
const RARE = 0.25;
const RARE_WITH_TERMS = 0.025;

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
    if (share === 0) return { kind: 'price' };
    const newest = groups.length === 0 ? 0 : await newestBucket();
    if (await areFew(db, businessId, groups, newest)) return { kind: 'few' };
    if (share < (groups.length === 0 ? RARE : RARE_WITH_TERMS)) return { kind: 'price' };
    if (available === false) return { kind: 'soldOut' };
    return groups.length === 0 ? { kind: 'all' } : { kind: 'terms', places: placesOf(businessId, newest) };
  }

  return async (filter) => ({ businessId, filter, source: await sourceOf(filter) });
}

/**
 * Whether a large business probably has fewer than `MAX_TOTAL` products with these terms, estimated from a few buckets. Requires a
 * category: without the buckets, only its ID excludes the products of other businesses from the index scan.
 */
async function areFew(
  db: Db,
  businessId: string,
  groups: readonly TermGroup[],
  newestBucket: number,
): Promise<boolean> {
  const sample = sampleBuckets(businessId, newestBucket);
  if (sample.length === 0 || !groups.some(({ facet }) => facet === CATEGORY_FACET)) return false;
  const max = Math.ceil((MAX_TOTAL * sample.length) / newestBucket);
  return (await countTerms(db, businessId, groups, sample, max)) < max;
}

/** A query for the rows of `product_facets`, as `f`. */
export function candidateRows(
  add: AddValue,
  { businessId, filter, source }: Candidates,
  max: number = MAX_TOTAL,
  deferred: Deferred = NOTHING_DEFERRED,
): string {
  const business = add(businessId);
  const all = filter.facets ?? NO_FACETS;
  const facets = {
    ...all,
    price: deferred.price ? null : all.price,
    available: deferred.availability ? null : all.available,
  };
  const where = `where f.business_id = ${business} ${statusIn(add, filter)} ${conditions(add, businessId, filter, facets)}`;
  const limit = `limit ${max}`;
  const joined = `join product_facets f on f.business_id = ${business} and f.product_id`;
  switch (source.kind) {
    case 'words':
      return `
        select f.* from unnest(${add(source.places)}::text[]) as place cross join lateral (
          select f.* from product_search s ${joined} = s.product_id
          ${where} and s.business_id = ${business} and s.places @> array[place] and s.words @@ ${add(filter.match)}::tsquery
          ${limit}) f ${limit}`;
    case 'terms':
      return `
        select f.* from unnest(${add(source.places)}::text[]) as place cross join lateral (
          select f.* from product_facets f ${where} and f.places @> array[place] ${limit}) f ${limit}`;
    case 'few':
      return `select f.* from product_facets f ${where} ${limit}`;
    case 'price': {
      const { market, min, max } = facets.price!;
      return `
        select f.* from product_prices m ${joined} = m.product_id
        ${where} and m.business_id = ${business} and m.market = ${add(market)}
          and m.price between ${add(min ?? 0)}::bigint and ${add(max ?? Number.MAX_SAFE_INTEGER)}::bigint
        ${limit}`;
    }
    case 'soldOut':
      return `
        select f.* from (
          (select product_id from stock where business_id = ${business} and is_sold_out
            group by product_id order by product_id desc)
          union all
          select product_id from product_facets where business_id = ${business} and not has_variants
        ) o ${joined} = o.product_id ${where} ${limit}`;
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

function conditions(add: AddValue, businessId: string, filter: ListFilter, facets: FacetFilter): string {
  const { categories, slug, ids, lowStock, createdFrom, createdTo } = filter;
  const own = facetConditions(add, businessId, facets);
  const isPlain = !lowStock && [categories, slug, ids, createdFrom, createdTo].every((value) => value === null);
  if (isPlain) return own;
  return `${own} and exists (
    select from products p where p.business_id = ${add(businessId)} and p.id = f.product_id
      ${categories === null ? '' : `and p.category = any(${add(categories)}::text[])`}
      ${productConditions(add, businessId, { ...filter, match: null, facets: null })})`;
}
