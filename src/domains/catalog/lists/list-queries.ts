import type { Db } from '../../../db/sql.ts';
import { type CursorValue, MAX_TOTAL } from '../../../shared/paging.ts';
import type { FacetFilter } from '../facets/filters.ts';
import { facetConditions } from '../facets/queries.ts';
import { type ListedRow, versionOf } from '../products/queries.ts';
import { type AddValue, runText } from '../text-statement.ts';

/** A null value doesn't filter. */
export type ListFilter = {
  statuses: readonly string[] | null;
  categories: readonly string[] | null;
  slug: string | null;
  ids: readonly string[] | null;
  lowStock: boolean;
  /** Unix seconds, inclusive. */
  createdFrom: number | null;
  createdTo: number | null;
  /** A tsquery that the product's words must match. */
  match: string | null;
  /** The filters of a storefront. */
  facets: FacetFilter | null;
};
export type ListOrder = { by: 'age' | 'name' | 'price' | 'sold'; descending: boolean; market: string };

export type RawPage = { ids: string | null; key: string | null };
/** `key` is the sort key, besides the ID, of the row at `limit`. */
export type ListPage = { rows: ListedRow[]; key: string | null };

/**
 * Lists products in the given order, starting after `position`, with one row beyond `limit` if there is one. Each order reads
 * its own index and stops early. The result is a single row of text, because decoding many rows would cost more than reading
 * them. Stock is looked up per product, so that no plan reads all stock rows, whatever the table statistics.
 */
export async function listProductPage(
  db: Db,
  businessId: string,
  filter: ListFilter,
  order: ListOrder,
  position: CursorValue[] | null,
  limit: number,
): Promise<ListPage> {
  const [page] = await runText<RawPage>(
    db,
    (add) => `
      select string_agg(p.id || ' ' || ${versionOf(add(businessId))} || ' ' || bytes, ',') as ids,
        ${order.by === 'age' ? 'null' : `(array_agg(key))[${limit}]::text`} as key
      from (${pageOf(add, businessId, filter, order, position, limit + 1)}) p`,
  );
  return { rows: parseRows(page!), key: page!.key };
}

/** The number of products in the list, up to a limit. */
export async function countProducts(db: Db, businessId: string, filter: ListFilter, order: ListOrder): Promise<number> {
  const [row] = await runText<{ total: number }>(
    db,
    (add) => `
      select count(*)::int as total from (${pageOf(add, businessId, filter, order, null, MAX_TOTAL)}) p`,
  );
  return row!.total;
}

/** With several statuses or categories, reads a page of each and merges them. */
function pageOf(
  add: AddValue,
  businessId: string,
  filter: ListFilter,
  order: ListOrder,
  position: CursorValue[] | null,
  limit: number,
): string {
  const { statuses, categories } = filter;
  const direction = order.descending ? 'desc' : 'asc';
  const by = order.by === 'age' ? `id ${direction}` : `key ${direction}, id ${direction}`;
  const isPrice = order.by === 'price';
  const isNumber = isPrice || order.by === 'sold';
  const at = isNumber ? 'm' : 'p';
  const parts: string[] = [];
  const equals = (column: string, values: readonly string[] | null) => {
    if (values === null) return '';
    const from = column === 'category' && order.by === 'sold' ? 'p' : at;
    if (values.length === 1) return `and ${from}.${column} = ${add(values[0])}`;
    parts.push(`unnest(${add(values)}::text[]) as each_${column} (value)`);
    return `and ${from}.${column} = each_${column}.value`;
  };
  const { key, from, columns } = ORDERS[order.by];
  const after = () => {
    const [lastKey, lastId] = position!;
    const beyond = order.descending ? '<' : '>';
    if (order.by === 'age') return `and p.id ${beyond} ${add(lastId)}`;
    return `and (${columns}) ${beyond} (${add(lastKey)}${isNumber ? '::bigint' : ''}, ${add(lastId)})`;
  };
  const page = `
    select p.id, p.version, p.doc_bytes as bytes, ${key} as key from ${from}
    where ${at}.business_id = ${add(businessId)}
      ${isPrice ? `and m.market = ${add(order.market.toLowerCase())}` : ''}
      ${isPrice ? rangeOf(add, filter, order) : ''}
      ${equals('status', statuses)}
      ${equals('category', categories)}
      ${productConditions(add, businessId, filter)}
      ${position === null ? '' : after()}
    order by ${by} limit ${limit}`;
  if (parts.length === 0) return page;
  return `select part.* from ${parts.join(' cross join ')} cross join lateral (${page}) part order by ${by} limit ${limit}`;
}

export function parseRows({ ids }: Pick<RawPage, 'ids'>): ListedRow[] {
  if (ids === null) return [];
  return ids.split(',').map((entry) => {
    const [id, version, bytes] = entry.split(' ') as [string, string, string];
    return { id, version, bytes: Number(bytes) };
  });
}

/** Starts at the lowest price of the filter, if it is for the same market. */
function rangeOf(add: AddValue, { facets }: ListFilter, { market }: ListOrder): string {
  const { price } = facets ?? { price: null };
  if (price?.market !== market.toLowerCase()) return '';
  return `and m.price between ${add(price.min ?? 0)}::bigint and ${add(price.max ?? Number.MAX_SAFE_INTEGER)}::bigint`;
}

/** The sort key of each sort order, and the index columns that a position is compared with. */
const ORDERS: Record<ListOrder['by'], { key: string; from: string; columns: string }> = {
  age: { key: 'null', from: 'products p', columns: 'p.id' },
  name: { key: 'p.name_key', from: 'products p', columns: 'p.name_key, p.id' },
  price: {
    key: 'm.price',
    from: 'product_prices m join products p on p.business_id = m.business_id and p.id = m.product_id',
    columns: 'm.price, m.product_id',
  },
  sold: {
    key: 'm.sold',
    from: 'product_facets m join products p on p.business_id = m.business_id and p.id = m.product_id',
    columns: 'm.sold, m.product_id',
  },
};

/**
 * Conditions on `p` that no list index covers. Facets are looked up per product: the planner underestimates the matches of several
 * filters, and could turn `exists` into a join that finds all of them first.
 */
export const productConditions = (
  add: AddValue,
  businessId: string,
  { slug, ids, lowStock, match, createdFrom, createdTo, facets }: Omit<ListFilter, 'statuses' | 'categories'>,
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
  }
  ${
    facets === null
      ? ''
      : `and (select true from product_facets f where f.business_id = ${add(businessId)} and f.product_id = p.id
          ${facetConditions(add, facets)} limit 1)`
  }`;

export type CategoryCount = { category: string; count: number };

/** Counting stops at this number per category. */
const MAX_COUNT = 10_000;

/** Skips from category to category in the index and counts there, without reading the products themselves. */
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
