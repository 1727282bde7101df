import type { Db, Tx } from '../../../db/sql.ts';
import { derivedColumns } from '../derived-columns.ts';
import type { OrderRow } from '../order.ts';
import { columns } from '../queries.ts';

/**
 * Returns the IDs of inserted orders. Orders whose ID or number is taken are skipped. `linksPromos`: canceling the order gives back
 * the use of its promo code.
 */
export async function insertImported(
  tx: Tx,
  businessId: string,
  orders: readonly OrderRow[],
  { linksPromos }: { linksPromos: boolean },
): Promise<string[]> {
  if (orders.length === 0) return [];
  const all = <K extends keyof OrderRow>(field: K) => orders.map((order) => order[field]);
  const docs = orders.map(({ doc }) => tx.json(doc));
  const derived = orders.map(derivedColumns);
  const derivedOf = <K extends keyof (typeof derived)[number]>(field: K) => derived.map((columns) => columns[field]);
  const rows = await tx<{ id: string }[]>`
    insert into orders (business_id, id, number, status, payment_status, customer_id, customer_email, holds, paid, refunded,
      doc, doc_bytes, total, market, currency, paid_at, country, is_abandoned, bought, version, created_at, updated_at)
    select ${businessId}, o.id, o.number, o.status, o.payment_status, o.customer_id, o.customer_email, o.status <> 'CANCELLED',
      o.paid, o.refunded, o.doc::jsonb || jsonb_build_object('promoId', p.id), o.doc_bytes, o.total, o.market,
      o.currency, o.paid_at, o.country, o.is_abandoned,
      o.bought::jsonb, 1, o.created_at, o.updated_at
    from unnest(${all('id')}::text[], ${all('number')}::bigint[], ${all('status')}::text[], ${all('paymentStatus')}::text[],
      ${all('customerId')}::text[], ${all('customerEmail')}::text[], ${all('paid')}::bigint[], ${all('refunded')}::bigint[],
      ${docs.map(({ text }) => text)}::text[], ${docs.map(({ bytes }) => bytes)}::int[],
      ${derivedOf('total')}::bigint[], ${derivedOf('market')}::text[], ${derivedOf('currency')}::text[],
      ${derivedOf('paidAt')}::bigint[], ${derivedOf('country')}::text[], ${derivedOf('isAbandoned')}::boolean[],
      ${derived.map(({ bought }) => bought && JSON.stringify(bought))}::text[],
      ${all('createdAt')}::bigint[], ${all('updatedAt')}::bigint[])
      as o (id, number, status, payment_status, customer_id, customer_email, paid, refunded, doc, doc_bytes, total, market, currency, paid_at, country,
        is_abandoned, bought, created_at, updated_at)
    left join promo_codes p on ${linksPromos} and p.business_id = ${businessId} and p.code_key = lower(o.doc::jsonb ->> 'promoCode')
    order by o.id
    on conflict do nothing
    returning id`;
  return rows.map(({ id }) => id);
}

/** Raises the counter, so that new orders get numbers above `last`. */
export async function raiseOrderNumber(tx: Tx, businessId: string, last: number): Promise<void> {
  if (last === 0) return;
  await tx`
    insert into order_counters as c (business_id, last) values (${businessId}, ${last})
    on conflict (business_id) do update set last = greatest(c.last, excluded.last)`;
}

/** Locks the counter and returns the last number. */
export async function lockOrderNumber(tx: Tx, businessId: string): Promise<number> {
  const [row] = await tx<{ last: number }[]>`
    insert into order_counters as c (business_id, last) values (${businessId}, 0)
    on conflict (business_id) do update set last = c.last returning last`;
  return row!.last;
}

/** The IDs among these that refunds or returns already have. */
export async function listTakenIds(db: Db, businessId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from refunds where business_id = ${businessId} and id = any(${ids as string[]})
    union all select id from returns where business_id = ${businessId} and id = any(${ids as string[]})`;
  return rows.map(({ id }) => id);
}

/** The orders among `ids`. */
export const listExisting = (db: Db, businessId: string, ids: readonly string[]) => db<OrderRow[]>`
  select ${columns(db)} from orders where business_id = ${businessId} and id = any(${ids as string[]})`;

/** The numbers among these that orders already have. */
export async function listTakenNumbers(db: Db, businessId: string, numbers: readonly number[]): Promise<number[]> {
  const rows = await db<{ number: number }[]>`
    select number from orders where business_id = ${businessId} and number = any(${numbers as number[]}::bigint[])`;
  return rows.map(({ number }) => number);
}

/** Sorted by ID, starting after the given ID. */
export const listOrdersForExport = (db: Db, businessId: string, after: string, limit: number) => db<OrderRow[]>`
  select ${columns(db)} from orders where business_id = ${businessId} and id > ${after} order by id limit ${limit}`;
