import type { Db } from '../../../db/sql.ts';
import { type CursorValue, MAX_TOTAL } from '../../../shared/paging.ts';
import { type ListOrder, type ListPage, parseRows, type RawPage } from '../lists/list-queries.ts';
import { versionOf } from '../products/queries.ts';
import { type AddValue, runText } from '../text-statement.ts';
import { type Candidates, candidateRows } from './candidates.ts';
import { countAvailable, priceIn } from './queries.ts';

const MAX_TERMS = 2000;

/** What to count: prefixes of terms, prices in a market, availability. */
export type Counted = { prefixes?: readonly string[]; market?: string | null; availability?: boolean };
export type Counts = {
  total: number;
  terms: { term: string; count: number }[] | null;
  min: number | null;
  max: number | null;
  available: number;
};

type PageRequest = { order: ListOrder; position: CursorValue[] | null; limit: number };
/** The page is null if it was not requested, or if there are too many candidates. */
export type Found = { counts: Counts; page: ListPage | null };
type Row = Counts & { page?: RawPage | null };

/**
 * Counts the candidates and, with `list`, sorts them in memory and returns a page of them. One statement does both, because most of its
 * time goes into reading the rows. If there are too many, there is no page: the index of the sort order then finds a page quickly.
 */
export async function readCandidates(
  db: Db,
  candidates: Candidates,
  { count, list = null, max = MAX_TOTAL }: { count: Counted; list?: PageRequest | null; max?: number },
): Promise<Found> {
  const { businessId } = candidates;
  const { prefixes = [], market = null, availability = false } = count;
  const [row] = await runText<Row>(
    db,
    (add) => `
      with found as materialized (
        select f.product_id
          ${availability ? ', f.has_variants' : ''}
          ${prefixes.length > 0 ? ', f.terms' : ''}
          ${market === null ? '' : `, ${priceIn(add, market)} as price`}
          ${list ? `, ${keyOf(add, list.order)} as key` : ''}
        from (${candidateRows(add, candidates, max)}) f
      )
      select count(*)::int as total
        , ${market === null ? 'null::bigint as min, null::bigint as max' : 'min(price) as min, max(price) as max'}
        , ${availability ? countAvailable(add, businessId) : '0'} as available
        , ${prefixes.length > 0 ? countTerms(add, prefixes) : 'null'} as terms
        ${list ? `, case when count(*) < ${MAX_TOTAL} then (${pageOf(add, businessId, list)}) end as page` : ''}
      from found`,
  );
  const { page = null } = row!;
  return { counts: row!, page: page && { rows: parseRows(page), key: page.key } };
}

/** Each combination of terms is read once, not once per product. */
const countTerms = (add: AddValue, prefixes: readonly string[]) => `(
  select json_agg(counted) from (
    select term, sum(number)::int as count from (
      select unnest(terms) as term, number from (select terms, count(*) as number from found group by terms) alike
    ) each
    where ${prefixes.map((prefix) => `starts_with(term, ${add(prefix)})`).join(' or ')}
    group by term order by count desc, term limit ${MAX_TERMS}
  ) counted)`;

function pageOf(add: AddValue, businessId: string, { order, position, limit }: PageRequest): string {
  const direction = order.descending ? 'desc' : 'asc';
  const by = `key ${direction}, product_id ${direction}`;
  return `
    select json_build_object(
      'ids', string_agg(p.id || ' ' || ${versionOf(add(businessId))} || ' ' || p.doc_bytes, ',' order by n),
      'key', (array_agg(c.key order by n))[${limit}]::text)
    from (
      select *, row_number() over (order by ${by}) as n from (
        select product_id, key from found
        where true ${order.by === 'price' ? 'and key is not null' : ''}
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
