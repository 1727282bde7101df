import type { Db } from '../../db/sql.ts';
import type { CursorValue } from '../../shared/paging.ts';
import { type ListedRow, versionOf } from './queries.ts';

/** Null, or absent: not asked for. */
export type ListFilter = {
  statuses: readonly string[] | null;
  categories: readonly string[] | null;
  slug: string | null;
  ids: readonly string[] | null;
  lowStock: boolean;
  /** Unix seconds, both included. */
  createdFrom: number | null;
  createdTo: number | null;
  /** A tsquery that the product's words must match. */
  match: string | null;
};
export type ListOrder = { by: 'age' | 'name' | 'price'; descending: boolean; market: string };

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

type RawPage = { ids: string | null; key: string | null };
/** `key`: what the list sorts by besides the id, of the row at `limit`. */
type ListPage = { rows: ListedRow[]; key: string | null };

/**
 * Products in the given order, from after `position` on, and one more than `limit` when there is one. Each order reads its own
 * index and stops there. The answer is one row of texts: twenty rows of four columns would cost more than what is in them.
 * The stock is looked up product by product, so that no plan can read that of all others, whatever the database knows of them.
 */
export async function listProductPage(
  db: Db,
  businessId: string,
  filter: ListFilter,
  order: ListOrder,
  position: CursorValue[] | null,
  limit: number,
): Promise<ListPage> {
  const direction = order.descending ? 'desc' : 'asc';
  const by = order.by === 'age' ? `id ${direction}` : `key ${direction}, id ${direction}`;
  const [page] = await runText<RawPage>(
    db,
    (add) => `
      select string_agg(p.id || ' ' || ${versionOf(add(businessId))} || ' ' || bytes, ',') as ids,
        ${order.by === 'age' ? 'null' : `(array_agg(key))[${limit}]::text`} as key
      from (${pageOf(add, businessId, filter, order, by, position, limit + 1)}) p`,
  );
  return { rows: parseRows(page!), key: page!.key };
}

/** With several statuses or categories a page of each is read, and the page is merged from those. */
function pageOf(
  add: AddValue,
  businessId: string,
  filter: ListFilter,
  order: ListOrder,
  by: string,
  position: CursorValue[] | null,
  limit: number,
): string {
  const { statuses, categories } = filter;
  const isPrice = order.by === 'price';
  const at = isPrice ? 'm' : 'p';
  const parts: string[] = [];
  const equals = (column: string, values: readonly string[] | null) => {
    if (values === null) return '';
    if (values.length === 1) return `and ${at}.${column} = ${add(values[0])}`;
    parts.push(`unnest(${add(values)}::text[]) as each_${column} (value)`);
    return `and ${at}.${column} = each_${column}.value`;
  };
  const { key, from, columns } = ORDERS[order.by];
  const after = () => {
    const [lastKey, lastId] = position!;
    const beyond = order.descending ? '<' : '>';
    if (order.by === 'age') return `and p.id ${beyond} ${add(lastId)}`;
    return `and (${columns}) ${beyond} (${add(lastKey)}${isPrice ? '::bigint' : ''}, ${add(lastId)})`;
  };
  const page = `
    select p.id, p.version, octet_length(p.doc) as bytes, ${key} as key from ${from}
    where ${at}.business_id = ${add(businessId)}
      ${isPrice ? `and m.market = ${add(order.market.toLowerCase())}` : ''}
      ${equals('status', statuses)}
      ${equals('category', categories)}
      ${productConditions(add, businessId, filter)}
      ${position === null ? '' : after()}
    order by ${by} limit ${limit}`;
  if (parts.length === 0) return page;
  return `select part.* from ${parts.join(' cross join ')} cross join lateral (${page}) part order by ${by} limit ${limit}`;
}

function parseRows({ ids }: RawPage): ListedRow[] {
  if (ids === null) return [];
  return ids.split(',').map((entry) => {
    const [id, version, bytes] = entry.split(' ') as [string, string, string];
    return { id, version, bytes: Number(bytes) };
  });
}

/** What each order sorts by, and the columns of its index that a position is compared with. */
const ORDERS: Record<ListOrder['by'], { key: string; from: string; columns: string }> = {
  age: { key: 'null', from: 'products p', columns: 'p.id' },
  name: { key: 'p.name_key', from: 'products p', columns: 'p.name_key, p.id' },
  price: {
    key: 'm.price',
    from: 'product_prices m join products p on p.business_id = m.business_id and p.id = m.product_id',
    columns: 'm.price, m.product_id',
  },
};

/** The conditions on `p` that no index of a list holds. */
export const productConditions = (
  add: AddValue,
  businessId: string,
  { slug, ids, lowStock, match, createdFrom, createdTo }: Omit<ListFilter, 'statuses' | 'categories'>,
) => `
  ${slug === null ? '' : `and p.slug = ${add(slug)}`}
  ${ids === null ? '' : `and p.id = any(${add(ids)}::text[])`}
  ${createdFrom === null ? '' : `and p.created_at >= ${add(createdFrom)}`}
  ${createdTo === null ? '' : `and p.created_at <= ${add(createdTo)}`}
  ${lowStock ? `and exists (select from stock s where s.business_id = ${add(businessId)} and s.product_id = p.id and s.is_low)` : ''}
  ${
    match === null
      ? ''
      : `and exists (select from product_search w
          where w.business_id = ${add(businessId)} and w.product_id = p.id and w.words @@ ${add(match)}::tsquery)`
  }`;

export type CategoryCount = { category: string; count: number };

/** What is counted at most in one category. */
const MAX_COUNT = 10_000;

/** Goes from one category to the next in the index, and counts in it: nothing else of the products is read. */
export function listCategoryCounts(
  db: Db,
  businessId: string,
  { status, after, limit }: { status: string | null; after: string; limit: number },
) {
  const next = (than: ReturnType<Db>) => db`(
    select category from products
    where business_id = ${businessId} and category > ${than} and (${status}::text is null or status = ${status})
    order by category limit 1
  )`;
  return db<CategoryCount[]>`
    with recursive found (category, n) as (
      select category, 1 from ${next(db`${after}`)} first
      union all
      select ${next(db`found.category`)}, n + 1 from found where category is not null and n < ${limit}
    )
    select category, (
      select count(*)::int from (
        select from products p
        where p.business_id = ${businessId} and p.category = found.category
          and (${status}::text is null or p.status = ${status})
        limit ${MAX_COUNT}
      ) counted
    ) as count
    from found where category is not null order by category`;
}
