import type { Db } from '../../db/connection.ts';
import type { CursorValue } from '../../shared/paging.ts';
import { quantitiesOf } from './queries.ts';
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
export type ListRow = { id: string; doc: string; quantities: string; key: string | number | null };
export type ListOrder = { sort: Exclude<Sort, 'relevance'>; market: string };

/** Products in the given order, from after `position` on. Each order reads its own index and stops at the limit. */
export function listProductRows(
  db: Db,
  businessId: string,
  filter: ListFilter,
  order: ListOrder,
  position: CursorValue[] | null,
  limit: number,
) {
  if (order.sort === 'price') return listByPrice(db, businessId, filter, order.market, position, limit);
  const [key, id] = position ?? [];
  const orders = {
    newest: { key: db`null`, after: db`p.id < ${String(id)}`, by: db`p.id desc` },
    oldest: { key: db`null`, after: db`p.id > ${String(id)}`, by: db`p.id` },
    name: {
      key: db`p.name_key`,
      after: db`(p.name_key, p.id) > (${String(key)}, ${String(id)})`,
      by: db`p.name_key, p.id`,
    },
  };
  const { key: keyColumn, after, by } = orders[order.sort];
  return db<ListRow[]>`
    select p.id, p.doc, ${quantitiesOf(db)}, ${keyColumn} as key
    from products p
    where p.business_id = ${businessId}
      ${filter.status === null ? db`` : db`and p.status = ${filter.status}`}
      ${filter.category === null ? db`` : db`and p.category = ${filter.category}`}
      ${productConditions(db, filter)}
      ${position === null ? db`` : db`and ${after}`}
    order by ${by} limit ${db.unsafe(String(limit))}`;
}

/** Cheapest first; products without a price in the market are not in the list. */
const listByPrice = (
  db: Db,
  businessId: string,
  filter: ListFilter,
  market: string,
  position: CursorValue[] | null,
  limit: number,
) => db<ListRow[]>`
  select p.id, p.doc, ${quantitiesOf(db)}, m.price as key
  from product_prices m join products p on p.business_id = m.business_id and p.id = m.product_id
  where m.business_id = ${businessId} and m.market = ${market.toLowerCase()}
    ${filter.status === null ? db`` : db`and m.status = ${filter.status}`}
    ${filter.category === null ? db`` : db`and m.category = ${filter.category}`}
    ${productConditions(db, filter)}
    ${position === null ? db`` : db`and (m.price, m.product_id) > (${Number(position[0])}::bigint, ${String(position[1])})`}
  order by m.price, m.product_id limit ${db.unsafe(String(limit))}`;

/** The conditions on `p` that no index of a list holds. */
export const productConditions = (db: Db, { slug, ids, lowStock, match }: ListFilter) => db`
  ${slug === null ? db`` : db`and p.slug = ${slug}`}
  ${ids === null ? db`` : db`and p.id = any(${ids as string[]})`}
  ${
    lowStock
      ? db`and exists (select from stock s where s.business_id = p.business_id and s.product_id = p.id and s.is_low)`
      : db``
  }
  ${
    match === null
      ? db``
      : db`and exists (select from product_search w
          where w.business_id = p.business_id and w.product_id = p.id and w.words @@ ${match}::tsquery)`
  }`;
