import type { Db } from '../../db/sql.ts';
import type { CursorValue } from '../../shared/paging.ts';
import type { ListedRow } from './queries.ts';
import type { Sort } from './schemas.ts';

/** Null, or absent: not asked for. */
export type ListFilter = {
  status: string | null;
  category: string | null;
  slug: string | null;
  ids: readonly string[] | null;
  lowStock: boolean;
  /** A tsquery that the product's words must match. */
  match: string | null;
};
export type ListOrder = { sort: Exclude<Sort, 'relevance'>; market: string };

/** Adds a value to the statement and returns the name it goes by there. */
export type AddValue = (value: unknown) => string;

/**
 * Runs a statement that is written as text. Lists are read often and have many shapes: putting nested fragments together
 * would cost more than the rest of the request.
 */
export function runText<Row extends object>(db: Db, write: (add: AddValue) => string) {
  const values: unknown[] = [];
  const text = write((value) => `$${values.push(value)}`);
  return db.text<Row[]>(text, values);
}

type RawPage = { ids: string | null; key: string | null; quantities: string | null };
/** `key`: what the list sorts by besides the id, of the row at `limit`. */
export type ListPage = { rows: ListedRow[]; key: string | null };

/**
 * Products in the given order, from after `position` on, and one more than `limit` when there is one. Each order reads its own
 * index and stops there. The answer is one row of texts: the stock of all products is read in one pass over its index, and
 * twenty rows of four columns would cost more than what is in them.
 */
export async function listProductPage(
  db: Db,
  businessId: string,
  filter: ListFilter,
  { sort, market }: ListOrder,
  position: CursorValue[] | null,
  limit: number,
): Promise<ListPage> {
  const { key, by, after } = ORDERS[sort];
  const isPrice = sort === 'price';
  const from = isPrice
    ? 'product_prices m join products p on p.business_id = m.business_id and p.id = m.product_id'
    : 'products p';
  const at = isPrice ? 'm' : 'p';
  const [page] = await runText<RawPage>(
    db,
    (add) => `
      with page as materialized (
        select p.id, p.version, ${key} as key from ${from}
        where ${at}.business_id = ${add(businessId)}
          ${isPrice ? `and m.market = ${add(market.toLowerCase())}` : ''}
          ${filter.status === null ? '' : `and ${at}.status = ${add(filter.status)}`}
          ${filter.category === null ? '' : `and ${at}.category = ${add(filter.category)}`}
          ${productConditions(add, filter)}
          ${position === null ? '' : `and ${after(add, position)}`}
        order by ${by} limit ${limit + 1}
      )
      select (select string_agg(id || ' ' || version, ',' order by ${by}) from page) as ids,
        (select key from page order by ${by} offset ${limit - 1} limit 1)::text as key,
        (select string_agg(product_id || ' ' || quantity, ',') from (
          select product_id, quantity from stock
          where business_id = ${add(businessId)} and product_id = any(array(select id from page))
          order by product_id, variant_id
        ) s) as quantities`,
  );
  return { rows: parseRows(page!), key: page!.key };
}

function parseRows({ ids, quantities }: RawPage): ListedRow[] {
  if (ids === null) return [];
  const known = new Map<string, string>();
  for (const entry of quantities?.split(',') ?? []) {
    const end = entry.indexOf(' ');
    const id = entry.slice(0, end);
    const before = known.get(id);
    known.set(id, before === undefined ? entry.slice(end + 1) : `${before},${entry.slice(end + 1)}`);
  }
  return ids.split(',').map((entry) => {
    const end = entry.indexOf(' ');
    const id = entry.slice(0, end);
    return { id, version: Number(entry.slice(end + 1)), quantities: `{${known.get(id) ?? ''}}` };
  });
}

/** What each order sorts by, and the condition that goes on after a position. By price: cheapest first. */
const ORDERS: Record<
  ListOrder['sort'],
  { key: string; by: string; after: (add: AddValue, position: CursorValue[]) => string }
> = {
  newest: { key: 'null', by: 'id desc', after: (add, [, id]) => `p.id < ${add(id)}` },
  oldest: { key: 'null', by: 'id', after: (add, [, id]) => `p.id > ${add(id)}` },
  name: {
    key: 'p.name_key',
    by: 'key, id',
    after: (add, [key, id]) => `(p.name_key, p.id) > (${add(key)}, ${add(id)})`,
  },
  price: {
    key: 'm.price',
    by: 'key, id',
    after: (add, [key, id]) => `(m.price, m.product_id) > (${add(key)}::bigint, ${add(id)})`,
  },
};

/** The conditions on `p` that no index of a list holds. */
export const productConditions = (add: AddValue, { slug, ids, lowStock, match }: ListFilter) => `
  ${slug === null ? '' : `and p.slug = ${add(slug)}`}
  ${ids === null ? '' : `and p.id = any(${add(ids)}::text[])`}
  ${lowStock ? 'and exists (select from stock s where s.business_id = p.business_id and s.product_id = p.id and s.is_low)' : ''}
  ${
    match === null
      ? ''
      : `and exists (select from product_search w
          where w.business_id = p.business_id and w.product_id = p.id and w.words @@ ${add(match)}::tsquery)`
  }`;
