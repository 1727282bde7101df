import type { Db } from '../../../db/sql.ts';

type Period = { from: number; to: number };

/** Orders of the period that were paid, even if they were refunded later. Canceled orders don't count. */
const sold = (db: Db, businessId: string, { from, to }: Period) => db`
  business_id = ${businessId} and created_at >= ${from} and created_at < ${to} and status <> 'CANCELLED'
    and payment_status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')`;

/** `sales` is the amount received, before refunds. */
export type SalesRow = { at: number; market: string; currency: string; orders: number; sales: number; refunds: number };

/** Sales by market and interval, in the time zone of the business. */
export const listSales = (db: Db, businessId: string, period: Period & { interval: string; timeZone: string }) => db<
  SalesRow[]
>`
  select extract(epoch from date_trunc(${period.interval}, to_timestamp(created_at), ${period.timeZone}))::bigint as at,
    market, currency, count(*)::int as orders, sum(paid)::bigint as sales, sum(refunded)::bigint as refunds
  from orders where ${sold(db, businessId, period)}
  group by 1, 2, 3 order by 1, 2, 3`;

type ProductSales = { productId: string; name: string; currency: string; quantity: number; sales: number };

/** How many items of each product were sold. */
export const listItemsSold = (db: Db, businessId: string, period: Period) => db<
  { productId: string; quantity: number }[]
>`
  select line ->> 'productId' as product_id, sum((line ->> 'quantity')::bigint)::bigint as quantity
  from orders, jsonb_array_elements(doc -> 'lines') as line
  where ${sold(db, businessId, period)} and line ->> 'productId' is not null
  group by 1`;

/** The products with the highest sales. */
export const listProductSales = (db: Db, businessId: string, period: Period, limit: number) => db<ProductSales[]>`
  select line ->> 'productId' as product_id, max(line ->> 'name') as name, currency,
    sum((line ->> 'quantity')::bigint)::bigint as quantity,
    sum((line ->> 'totalPrice')::bigint - coalesce((line ->> 'discount')::bigint, 0))::bigint as sales
  from orders, jsonb_array_elements(doc -> 'lines') as line
  where ${sold(db, businessId, period)}
  group by 1, 3 order by sales desc, product_id limit ${limit}`;

type SendSalesRow = { currency: string; orders: number; gross: number; refunds: number; net: number };

/** Paid orders that are attributed to a send. */
export const listSendSales = (db: Db, businessId: string, sendId: string) => db<SendSalesRow[]>`
  select currency, count(*)::int as orders, sum(paid)::bigint as gross, sum(refunded)::bigint as refunds,
    sum(paid - refunded)::bigint as net
  from orders
  where business_id = ${businessId} and send_id = ${sendId}
    and payment_status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')
  group by currency order by currency`;
