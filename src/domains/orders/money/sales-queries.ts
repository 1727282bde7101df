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

/** The products with the highest sales. */
export const listProductSales = (db: Db, businessId: string, period: Period, limit: number) => db<ProductSales[]>`
  select line ->> 'productId' as product_id, max(line ->> 'name') as name, currency,
    sum((line ->> 'quantity')::bigint)::bigint as quantity, sum((line ->> 'totalPrice')::bigint)::bigint as sales
  from orders, jsonb_array_elements(doc -> 'lines') as line
  where ${sold(db, businessId, period)}
  group by 1, 3 order by sales desc, product_id limit ${limit}`;

/** `base` and `tax` are the amounts of paid orders. Refunds reduce both in proportion. */
export type TaxRow = {
  at: number;
  country: string | null;
  name: string;
  bps: number;
  currency: string;
  orders: number;
  base: number;
  tax: number;
  refundedBase: number;
  refundedTax: number;
};

/** Tax by interval, country and rate. Orders without tax lines, from older versions, have one rate. */
export const listTaxes = (db: Db, businessId: string, period: Period & { interval: string; timeZone: string }) => db<
  TaxRow[]
>`
  with taxed as (
    select created_at, currency, doc #>> '{shippingAddress,country}' as country,
      least(1, refunded::numeric / nullif((doc ->> 'total')::numeric, 0)) as refunded,
      coalesce(doc -> 'taxLines', jsonb_build_array(jsonb_build_object('name', 'Tax', 'bps', doc -> 'taxBps', 'amount', doc -> 'tax',
        'base', (doc ->> 'subtotal')::bigint + (doc ->> 'shipping')::bigint - (doc ->> 'discount')::bigint))) as lines
    from orders where ${sold(db, businessId, period)}
  ), lines as (
    select created_at, currency, coalesce(line ->> 'country', country) as country, line ->> 'name' as name,
      (line ->> 'bps')::int as bps, (line ->> 'base')::bigint as base, (line ->> 'amount')::bigint as tax,
      coalesce(refunded, 0) as refunded
    from taxed, jsonb_array_elements(lines) as line
  )
  select extract(epoch from date_trunc(${period.interval}, to_timestamp(created_at), ${period.timeZone}))::bigint as at,
    country, name, bps, currency, count(*)::int as orders, sum(base)::bigint as base, sum(tax)::bigint as tax,
    sum(round(base * refunded))::bigint as refunded_base, sum(round(tax * refunded))::bigint as refunded_tax
  from lines group by 1, 2, 3, 4, 5 order by 1, 2, 4, 3, 5`;
