import type { Db } from '../../db/connection.ts';
import type { CursorValue } from '../../shared/paging.ts';
import type { ListedRow } from './document-cache.ts';
import { QUANTITIES } from './queries.ts';
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
export type ListRow = ListedRow & { key: string | number | null };
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
  return db.unsafe<Row[]>(text, values as never[], { prepare: true });
}

/** Products in the given order, from after `position` on. Each order reads its own index and stops at the limit. */
export function listProductRows(
  db: Db,
  businessId: string,
  filter: ListFilter,
  { sort, market }: ListOrder,
  position: CursorValue[] | null,
  limit: number,
) {
  return runText<ListRow>(db, (add) => {
    const narrowed = sort === 'price' ? 'm' : 'p';
    const { key, by, after } = ORDERS[sort];
    return `
      select p.id, p.version, ${QUANTITIES}, ${key} as key
      from ${
        sort === 'price'
          ? 'product_prices m join products p on p.business_id = m.business_id and p.id = m.product_id'
          : 'products p'
      }
      where ${narrowed}.business_id = ${add(businessId)}
        ${sort === 'price' ? `and m.market = ${add(market.toLowerCase())}` : ''}
        ${filter.status === null ? '' : `and ${narrowed}.status = ${add(filter.status)}`}
        ${filter.category === null ? '' : `and ${narrowed}.category = ${add(filter.category)}`}
        ${productConditions(add, filter)}
        ${position === null ? '' : `and ${after(add, position)}`}
      order by ${by} limit ${limit}`;
  });
}

/** What each order sorts by, and the condition that goes on after a position. By price: cheapest first. */
const ORDERS: Record<
  ListOrder['sort'],
  { key: string; by: string; after: (add: AddValue, position: CursorValue[]) => string }
> = {
  newest: { key: 'null', by: 'p.id desc', after: (add, [, id]) => `p.id < ${add(id)}` },
  oldest: { key: 'null', by: 'p.id', after: (add, [, id]) => `p.id > ${add(id)}` },
  name: {
    key: 'p.name_key',
    by: 'p.name_key, p.id',
    after: (add, [key, id]) => `(p.name_key, p.id) > (${add(key)}, ${add(id)})`,
  },
  price: {
    key: 'm.price',
    by: 'm.price, m.product_id',
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
