import type { Db, Tx } from '../../../db/sql.ts';

export const deleteTags = (tx: Tx, businessId: string, orderId: string) => tx`
  delete from order_tags where business_id = ${businessId} and order_id = ${orderId}`;

type TagRow = { orderId: string; key: string; tag: string };

/** The orders must exist. */
export const insertTags = (tx: Tx, businessId: string, rows: readonly TagRow[]) => tx`
  insert into order_tags (business_id, order_id, key, tag, created_at, number)
  select o.business_id, o.id, t.key, t.tag, o.created_at, o.number
  from unnest(${rows.map(({ orderId }) => orderId)}::text[], ${rows.map(({ key }) => key)}::text[],
    ${rows.map(({ tag }) => tag)}::text[]) as t (order_id, key, tag)
  join orders o on o.business_id = ${businessId} and o.id = t.order_id
  on conflict do nothing`;

/** Tags in use, sorted. Each step finds the next tag in the index, however many orders have it. */
export const listTags = (db: Db, businessId: string, limit: number) => db<{ tag: string }[]>`
  with recursive used as (
    (select key, tag from order_tags where business_id = ${businessId} order by key, created_at, number limit 1)
    union all
    select next.key, next.tag from used cross join lateral (
      select key, tag from order_tags where business_id = ${businessId} and key > used.key order by key, created_at, number limit 1
    ) next
  )
  select tag from used limit ${limit}`;
