import type { Db } from '../../../db/sql.ts';
import { type CursorValue, MAX_TOTAL } from '../../../shared/paging.ts';
import { type ListOrder, type ListPage, parseRows, type RawPage } from '../lists/list-queries.ts';
import { versionOf } from '../products/queries.ts';
import { type AddValue, runText } from '../text-statement.ts';
import { type Candidates, candidateRows, type Deferred, deferrable, NOTHING_DEFERRED } from './candidates.ts';
import { NO_FACETS } from './filters.ts';
import { isInRange, priceIn, soldOutAmong } from './queries.ts';

const MAX_TERMS = 2000;
/** More rows than needed are read, because the deferred filters exclude some. */
const SPARE = 1.25;

/** What to count: prefixes of terms, prices in a market, availability. */
export type Counted = { prefixes?: readonly string[]; market?: string | null; availability?: boolean };
export type Counts = {
  total: number;
  terms: { term: string; count: number }[] | null;
  /** A deferred price range doesn't apply to these. */
  min: number | null;
  max: number | null;
  /** A deferred availability doesn't apply to these: the number of products, and of available ones. */
  stocked: number;
  available: number;
  deferred: Deferred;
};

type PageRequest = { order: ListOrder; position: CursorValue[] | null; limit: number };
/** The page is null if it was not requested, or if there are too many candidates. */
export type Found = { counts: Counts; page: ListPage | null };
type Reading = { count: Counted; list?: PageRequest | null; max?: number };
type Row = Omit<Counts, 'deferred'> & { rows: number; page?: RawPage | null };

/**
 * Counts the candidates and, with `list`, sorts them in memory and returns a page of them. One statement does both, because most of its
 * time goes into reading the rows. If there are too many, there is no page: the index of the sort order then finds a page quickly.
 */
export async function readCandidates(
  db: Db,
  candidates: Candidates,
  reading: Reading,
  deferred: Deferred = deferrable(candidates),
): Promise<Found> {
  const { max = MAX_TOTAL } = reading;
  const isDeferred = deferred.price || deferred.availability;
  const rows = isDeferred ? Math.ceil(max * SPARE) : max;
  const [row] = await runText<Row>(db, (add) => statementOf(add, candidates, reading, { rows, deferred }));
  const total = Math.min(row!.total, max);
  if (isDeferred && row!.rows === rows && total < max) return readCandidates(db, candidates, reading, NOTHING_DEFERRED);
  const { page = null } = row!;
  return { counts: { ...row!, total, deferred }, page: page && { rows: parseRows(page), key: page.key } };
}

function statementOf(
  add: AddValue,
  candidates: Candidates,
  { count: { prefixes = [], market = null, availability = false }, list = null }: Reading,
  { rows, deferred }: { rows: number; deferred: Deferred },
): string {
  const { businessId, filter } = candidates;
  const { price, available } = filter.facets ?? NO_FACETS;
  const needsStock = availability || deferred.availability;
  const inRange = deferred.price ? 'is_in_range' : 'true';
  const inStock = deferred.availability ? `is_available = ${available}` : 'true';
  const isMatch = `${inRange} and ${inStock}`;
  const isFlagged = needsStock && (deferred.price || deferred.availability);
  const flag = ', has_variants and product_id not in (select product_id from sold_out) as is_available';
  // Without deferred filters, the number of sold-out products suffices.
  const countStocked = isFlagged
    ? `count(*) filter (where ${inRange} and is_available)`
    : 'count(*) filter (where has_variants) - (select count(*) from sold_out)';
  return `
    with read as materialized (
      select f.product_id
        ${needsStock ? ', f.has_variants' : ''}
        ${prefixes.length > 0 ? ', f.terms' : ''}
        ${market === null ? '' : `, ${priceIn(add, market)} as price`}
        ${deferred.price ? `, coalesce(${isInRange(add, price!)}, false) as is_in_range` : ''}
        ${list ? `, ${keyOf(add, list.order)} as key` : ''}
      from (${candidateRows(add, candidates, rows, deferred)}) f
    )
    ${needsStock ? `, sold_out as materialized (${soldOutAmong(add, businessId, 'read')})` : ''}
    , found as ${isFlagged ? '' : 'not'} materialized (select * ${isFlagged ? flag : ''} from read)
    select count(*)::int as rows
      , count(*) filter (where ${isMatch})::int as total
      , ${market === null ? 'null' : `min(price) filter (where ${inStock})`}::bigint as min
      , ${market === null ? 'null' : `max(price) filter (where ${inStock})`}::bigint as max
      , count(*) filter (where ${inRange})::int as stocked
      , ${needsStock ? countStocked : '0'}::int as available
      , ${prefixes.length > 0 ? countTerms(add, prefixes, isMatch) : 'null'} as terms
      ${list ? `, case when count(*) < ${rows} then (${pageOf(add, businessId, list, isMatch)}) end as page` : ''}
    from found`;
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
