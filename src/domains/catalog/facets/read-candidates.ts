import type { Db } from '../../../db/sql.ts';
import { type CursorValue, MAX_TOTAL } from '../../../shared/paging.ts';
import { type ListOrder, type ListPage, parseRows, type RawPage } from '../lists/list-queries.ts';
import { versionOf } from '../products/queries.ts';
import { type AddValue, runText } from '../text-statement.ts';
import { type Candidates, type Counted, candidateRows } from './candidates.ts';
import { type FacetFilter, isFiltering } from './filters.ts';
import { hasTerms, IS_AVAILABLE, IS_UNAVAILABLE, isInRange, priceIn } from './queries.ts';

const MAX_TERMS = 2000;
/** More rows than needed are read, because the deferred filters exclude some. */
const SPARE = 1.25;

type TermCounts = { term: string; count: number }[];
export type Counts = {
  total: number;
  terms: TermCounts | null;
  /** The terms of each deferred group, counted without the group's own filter. */
  own: (TermCounts | null)[];
  /** The lowest and the highest price, ignoring a deferred price range. */
  min: number | null;
  max: number | null;
  /** The number of products, and of available ones, ignoring a deferred filter by availability. */
  stocked: number;
  available: number;
};

type PageRequest = { order: ListOrder; position: CursorValue[] | null; limit: number };
/** The page is null if it was not requested, or if there are too many candidates. */
export type Found = { counts: Counts; page: ListPage | null };
type Reading = { count: Counted; list?: PageRequest | null; max?: number };
type Row = Counts & { rows: number; page?: RawPage | null };

/**
 * Counts the candidates and, with `list`, sorts them in memory and returns a page of them. One statement does both, because most of its
 * time goes into reading the rows. If there are too many, there is no page: the index of the sort order then finds a page quickly.
 * If the deferred filters exclude too many rows, it reads again, with a limit based on the share of rows that passed.
 */
export async function readCandidates(
  db: Db,
  candidates: Candidates,
  reading: Reading,
  rows = startOf(candidates, reading),
): Promise<Found> {
  const { max = MAX_TOTAL } = reading;
  const [row] = await runText<Row>(db, (add) => statementOf(add, candidates, reading, rows));
  const total = Math.min(row!.total, max);
  if (row!.rows === rows && total < max) {
    return readCandidates(db, candidates, reading, Math.ceil((rows * max * SPARE) / Math.max(total, 1)));
  }
  const { page = null } = row!;
  return { counts: { ...row!, total }, page: page && { rows: parseRows(page), key: page.key } };
}

const startOf = ({ deferred }: Candidates, { max = MAX_TOTAL }: Reading) =>
  isFiltering(deferred) ? Math.ceil(max * SPARE) : max;

function statementOf(
  add: AddValue,
  candidates: Candidates,
  { count: { prefixes = [], market = null, availability = false }, list = null }: Reading,
  rows: number,
): string {
  const { businessId, deferred } = candidates;
  const misses = missColumns(add, deferred);
  const passes = (ignored?: string) => {
    const names = [...misses.keys()].filter((name) => name !== ignored);
    return names.length === 0 ? 'true' : `${names.join(' + ')} = 0`;
  };
  const own = deferred.groups.map(({ facet }, i) => countTerms(add, [`${facet}\u001f`], passes(`miss_${i}`)));
  return `
    with found as (
      select f.product_id
        ${availability ? `, ${IS_AVAILABLE} as is_available` : ''}
        ${prefixes.length > 0 ? ', f.terms' : ''}
        ${market === null ? '' : `, ${priceIn(add, market)} as price`}
        ${[...misses].map(([name, condition]) => `, coalesce(not (${condition}), true)::int as ${name}`).join('')}
        ${list ? `, ${keyOf(add, list.order)} as key` : ''}
      from (${candidateRows(add, candidates, rows)}) f
    )
    select count(*)::int as rows
      , count(*) filter (where ${passes()})::int as total
      , ${market === null ? 'null' : `min(price) filter (where ${passes('miss_price')})`}::bigint as min
      , ${market === null ? 'null' : `max(price) filter (where ${passes('miss_price')})`}::bigint as max
      , count(*) filter (where ${passes('miss_stock')})::int as stocked
      , ${availability ? `count(*) filter (where ${passes('miss_stock')} and is_available)` : '0'}::int as available
      , ${prefixes.length > 0 ? countTerms(add, prefixes, passes()) : 'null'} as terms
      , json_build_array(${own.join(', ')}) as own
      ${list ? `, case when count(*) < ${rows} then (${pageOf(add, businessId, list, passes())}) end as page` : ''}
    from found`;
}

/** A column for each deferred filter: 1 if the product fails it, otherwise 0. */
function missColumns(add: AddValue, { groups, price, available }: FacetFilter): Map<string, string> {
  const misses = new Map(groups.map((group, i) => [`miss_${i}`, hasTerms(add, group)]));
  if (price) misses.set('miss_price', isInRange(add, price));
  if (available !== null) misses.set('miss_stock', available ? IS_AVAILABLE : IS_UNAVAILABLE);
  return misses;
}

/** Each combination of terms is read once, not once per product. */
const countTerms = (add: AddValue, prefixes: readonly string[], isMatch: string) => `(
  select json_agg(counted) from (
    select term, sum(number)::int as count from (
      select unnest(terms) as term, number from (
        select terms, count(*) as number from found where ${isMatch} group by terms
      ) alike
    ) each
    where ${prefixes.map((prefix) => `starts_with(term, ${add(prefix)})`).join(' or ')}
    group by term order by count desc, term limit ${MAX_TERMS}
  ) counted)`;

function pageOf(add: AddValue, businessId: string, { order, position, limit }: PageRequest, isMatch: string): string {
  const direction = order.descending ? 'desc' : 'asc';
  const by = `key ${direction}, product_id ${direction}`;
  return `
    select json_build_object(
      'ids', string_agg(p.id || ' ' || ${versionOf(add(businessId))} || ' ' || p.doc_bytes, ',' order by n),
      'key', (array_agg(c.key order by n))[${limit}]::text)
    from (
      select *, row_number() over (order by ${by}) as n from (
        select product_id, key from found
        where ${isMatch} ${order.by === 'price' ? 'and key is not null' : ''}
          ${position === null ? '' : `and ${after(add, order, position)}`}
        order by ${by} limit ${limit + 1}
      ) first
    ) c
    join products p on p.business_id = ${add(businessId)} and p.id = c.product_id`;
}

function keyOf(add: AddValue, { by, market }: ListOrder): string {
  if (by === 'price') return priceIn(add, market.toLowerCase());
  if (by === 'sold') return 'f.sold';
  return by === 'name' ? 'f.name_key' : 'null::text';
}

function after(add: AddValue, { by, descending }: ListOrder, [key, id]: CursorValue[]): string {
  const beyond = descending ? '<' : '>';
  if (by === 'age') return `product_id ${beyond} ${add(id)}`;
  return `(key, product_id) ${beyond} (${add(key)}${by === 'name' ? ' collate "C"' : '::bigint'}, ${add(id)})`;
}
