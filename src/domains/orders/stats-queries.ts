import type { Db } from '../../db/sql.ts';

type Period = { from: number; to: number };

/** Cancelled orders sold nothing. */
const sold = (db: Db, businessId: string, { from, to }: Period) => db`
  business_id = ${businessId} and created_at >= ${from} and created_at < ${to} and status <> 'CANCELLED'`;

export type SalesRow = { at: number; market: string; currency: string; orders: number; sales: number; refunds: number };

/** By interval of the business's own time, and by market. */
export const listSales = (db: Db, businessId: string, period: Period & { interval: string; timeZone: string }) => db<
  SalesRow[]
>`
  select extract(epoch from date_trunc(${period.interval}, to_timestamp(created_at), ${period.timeZone}))::bigint as at,
    market, currency, count(*)::int as orders, sum(total)::bigint as sales, sum(refunded)::bigint as refunds
  from orders where ${sold(db, businessId, period)}
  group by 1, 2, 3 order by 1, 2, 3`;

export type ProductSales = { productId: string; name: string; currency: string; quantity: number; sales: number };

/** Those that sold for most. */
export const listProductSales = (db: Db, businessId: string, period: Period, limit: number) => db<ProductSales[]>`
  select line ->> 'productId' as product_id, max(line ->> 'name') as name, currency,
    sum((line ->> 'quantity')::bigint)::bigint as quantity, sum((line ->> 'totalPrice')::bigint)::bigint as sales
  from orders, jsonb_array_elements(doc -> 'lines') as line
  where ${sold(db, businessId, period)}
  group by 1, 3 order by sales desc, product_id limit ${limit}`;
