import type { Db, Tx } from '../../../db/sql.ts';
import { MAX_TOTAL } from '../../../shared/paging.ts';
import { saveFacets } from '../facets/queries.ts';
import { type ListFilter, productConditions } from '../lists/list-queries.ts';
import { statusOf } from '../products/compose.ts';
import { type ListedRow, versionOf } from '../products/queries.ts';
import type { Product } from '../products/schemas.ts';
import { type AddValue, runText } from '../text-statement.ts';
import { saveVocabulary } from './word-queries.ts';
import { type Weight, wordsOf } from './words.ts';

/** Average number of products per bucket. */
export const BUCKET_SIZE = 4096;
/** Buckets per block, as in the table's `places`. */
const BLOCK = 16;

/** The searchable text of a product. */
export const searchTexts = (product: Product): { text: string; weight: Weight }[] => [
  { text: product.name, weight: 'A' },
  { text: product.category, weight: 'B' },
  ...product.variants.flatMap((variant) => [
    { text: variant.sku, weight: 'B' } as const,
    { text: [variant.name, ...variant.attributes.map(({ value }) => value)].join(' '), weight: 'C' } as const,
  ]),
  { text: product.description, weight: 'D' },
];

/**
 * Indexes the product for search. A new product joins the bucket of the business's newest product or, at random, opens the
 * next one: buckets reach their size on average without a counter that concurrent writers would contend for.
 */
export async function saveSearch(tx: Tx, product: Product): Promise<void> {
  const { vector, vocabulary } = wordsOf(searchTexts(product));
  await Promise.all([
    tx`
      insert into product_search as s (business_id, product_id, bucket, status, category, words)
      select ${product.businessId}, ${product.id}, coalesce((
          select bucket from product_search where business_id = ${product.businessId}
          order by product_id desc limit 1
        ), 0) + (random() * ${BUCKET_SIZE} < 1)::int,
        ${statusOf(product)}, ${product.category}, ${vector}::tsvector
      on conflict (business_id, product_id) do update
        set status = excluded.status, category = excluded.category, words = excluded.words
        where (s.status, s.category, s.words) is distinct from (excluded.status, excluded.category, excluded.words)`,
    saveFacets(tx, product.businessId, [product]),
    saveVocabulary(tx, product.businessId, vocabulary),
  ]);
}

/**
 * Number of matches ranked at once before older ones are considered. If all products fit in one block, a larger window costs
 * the same.
 */
const windowSize = (newestBucket: number) => (newestBucket < BLOCK ? 512 : 128);

export type SearchTerms = {
  /** A tsquery: every typed word matches itself or its alternatives. */
  match: string;
  /** Two tsqueries for ranking: words with the typed prefix, and exact words. They don't depend on other products, so a
   * product keeps its rank while the caller pages. */
  prefixes: string;
  exact: string;
};
export type Place = { bucket: number; productId: string };
export type Window = {
  /** Only products before this place (or at it, if `inclusive`). Null starts at the newest. */
  top: Place | null;
  inclusive: boolean;
  /** Known end of the window. Null if it ends when full. */
  bottom: Place | null;
};
export type SearchRow = Place & ListedRow & { score: number };
type WindowPage = { rows: SearchRow[]; top: Place | null; bottom: Place | null; isFull: boolean };
export type Search = { businessId: string; terms: SearchTerms; filter: ListFilter; newestBucket: number };

/** The bucket of the newest product. Another process may be opening the next one. */
export async function findNewestBucket(db: Db, businessId: string): Promise<number> {
  const [row] = await db<{ bucket: number }[]>`
    select bucket from product_search where business_id = ${businessId} order by product_id desc limit 1`;
  return row?.bucket ?? 0;
}

type RawSearchRow = SearchRow & { matches: number; topId: string; topBucket: number; endId: string; endBucket: number };

/**
 * Returns the window's best matches after the last product of the previous page. Reads places in order, until the window is
 * full.
 */
export async function searchWindow(
  db: Db,
  search: Search,
  window: Window,
  after: { score: number; productId: string } | null,
  limit: number,
): Promise<WindowPage> {
  const { businessId } = search;
  // A window with a known end is fixed: products added to it later must not push others out.
  const size = windowSize(search.newestBucket) * (window.bottom ? 2 : 1);
  const start = window.top?.bucket ?? search.newestBucket + 1;
  const places = placesBetween(businessId, start, window.bottom?.bucket ?? 0);
  const rows = await runText<RawSearchRow>(
    db,
    (add) => `
      with found as materialized (
        select m.* from unnest(${add(places)}::text[]) as place
        cross join lateral (${matchesAt(add, search, window)} limit ${size}) m
        limit ${size}
      ),
      ends as (
        select count(*)::int as matches, (array_agg(product_id order by bucket desc, product_id desc))[1] as top_id,
          max(bucket) as top_bucket, (array_agg(product_id order by bucket, product_id))[1] as end_id,
          min(bucket) as end_bucket
        from found
      )
      select page.*, ends.*, p.id, ${versionOf(add(businessId))} as version, p.doc_bytes as bytes
      from ends
      left join (
        select product_id, bucket, score from found
        ${after === null ? '' : `where (score, product_id) < (${add(after.score)}::int, ${add(after.productId)})`}
        order by score desc, product_id desc limit ${limit}
      ) page on true
      left join products p on p.business_id = ${add(businessId)} and p.id = page.product_id
      order by page.score desc, page.product_id desc`,
  );
  const [first] = rows;
  if (!first || first.matches === 0) return { rows: [], top: null, bottom: null, isFull: false };
  return {
    rows: rows.filter((row) => row.productId !== null),
    top: { bucket: first.topBucket, productId: first.topId },
    bottom: { bucket: first.endBucket, productId: first.endId },
    isFull: first.matches >= size,
  };
}

/** The number of matches, up to a limit. */
export async function countMatches(db: Db, search: Search): Promise<number> {
  const places = placesOf(search.businessId, search.newestBucket);
  const [row] = await runText<{ total: number }>(
    db,
    (add) => `
      select count(*)::int as total from (
        select from unnest(${add(places)}::text[]) as place
        cross join lateral (${matchesAt(add, search, { top: null, inclusive: false, bottom: null })}) m
        limit ${MAX_TOTAL}
      ) counted`,
  );
  return row!.total;
}

/** All buckets, newest first. */
export const placesOf = (businessId: string, newestBucket: number) => placesBetween(businessId, newestBucket + 1, 0);

/** The newest full bucket, a middle one and the oldest. Empty if the business has a single block, because it has few buckets. */
export function sampleBuckets(businessId: string, newestBucket: number): string[] {
  if (newestBucket < BLOCK) return [];
  return [newestBucket - 1, newestBucket >> 1, 0].map((bucket) => `${businessId}:${bucket}`);
}

/** Newest first: at least one block's worth of single buckets, then whole blocks. */
function placesBetween(businessId: string, start: number, end: number): string[] {
  const fine = Math.max(Math.floor((start - BLOCK + 1) / BLOCK) * BLOCK, 0);
  const places: string[] = [];
  for (let bucket = start; bucket >= Math.max(fine, end); bucket--) places.push(`${businessId}:${bucket}`);
  for (let block = fine / BLOCK - 1; block >= Math.floor(end / BLOCK); block--) places.push(`${businessId}/${block}`);
  return places;
}

/** The matches at one `place`, newest first. */
function matchesAt(add: AddValue, { businessId, terms, filter }: Search, { top, bottom, inclusive }: Window): string {
  const hasMoreFilters =
    filter.slug !== null ||
    filter.ids !== null ||
    filter.lowStock ||
    filter.facets !== null ||
    (filter.createdFrom ?? filter.createdTo) !== null;
  const value = (at: Place) => `(${add(at.bucket)}::int, ${add(at.productId)})`;
  return `
    select s.product_id, s.bucket, round(1e6 * (ts_rank(s.words, ${add(terms.prefixes)}::tsquery)
      + 2 * ts_rank(s.words, ${add(terms.exact)}::tsquery)))::int as score
    from product_search s
    where s.business_id = ${add(businessId)} and s.places @> array[place] and s.words @@ ${add(terms.match)}::tsquery
      ${oneOf(add, 's.status', filter.statuses)}
      ${oneOf(add, 's.category', filter.categories)}
      ${top === null ? '' : `and (s.bucket, s.product_id) ${inclusive ? '<=' : '<'} ${value(top)}`}
      ${bottom === null ? '' : `and (s.bucket, s.product_id) >= ${value(bottom)}`}
      ${
        hasMoreFilters
          ? `and exists (select from products p where p.business_id = ${add(businessId)} and p.id = s.product_id
              ${productConditions(add, businessId, filter)})`
          : ''
      }
    order by s.bucket desc, s.product_id desc`;
}

function oneOf(add: AddValue, column: string, values: readonly string[] | null): string {
  if (values === null) return '';
  return values.length === 1 ? `and ${column} = ${add(values[0])}` : `and ${column} = any(${add(values)}::text[])`;
}
