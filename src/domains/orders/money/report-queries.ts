/** Sales by the date of their payment, refunds by their own date. */
import type { Db, Statement } from '../../../db/sql.ts';

type Fragment = Statement<object[]>;

export type Period = { from: number; to: number };
/** A null `interval` groups the whole period. */
export type Grouping = { groupBy: 'time' | 'country' | 'market'; interval: string | null; timeZone: string };

type Key = { at: number | null; currency: string; key: string | null };
type SoldRow = Key & { orders: number; gross: number };
type RefundedRow = Key & { refunds: number };
export type ProductRow = Key & { name: string; orders: number; quantity: number; gross: number };

/** Canceled orders count until their payment is refunded. */
const counts = (db: Db) => db`o.paid_at is not null and o.payment_status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')`;

const paidIn = (db: Db, businessId: string, { from, to }: Period) => db`
  o.business_id = ${businessId} and o.paid_at >= ${from} and o.paid_at < ${to} and ${counts(db)}`;

/** The start of the interval that contains a time in seconds, in the time zone. */
const startOf = (db: Db, seconds: Fragment, { interval, timeZone }: Pick<Grouping, 'interval' | 'timeZone'>) =>
  interval === null
    ? db`null::bigint`
    : db`extract(epoch from date_trunc(${interval}, to_timestamp(${seconds}), ${timeZone}))::bigint`;
const paidAt = (db: Db) => db`o.paid_at`;
const refundedAt = (db: Db) => db`r.at`;

const keyOf = (db: Db, groupBy: Grouping['groupBy']) => {
  if (groupBy === 'time') return db`null::text`;
  return groupBy === 'country' ? db`o.country` : db`o.market`;
};

export const listSold = (db: Db, businessId: string, period: Period, grouping: Grouping) => db<SoldRow[]>`
  select ${startOf(db, paidAt(db), grouping)} as at, o.currency, ${keyOf(db, grouping.groupBy)} as key,
    count(*)::int as orders, sum(o.paid)::bigint as gross
  from orders o where ${paidIn(db, businessId, period)}
  group by 1, 2, 3`;

/** When the payment status was set. Matches the expression of the index. */
const statusAt = (db: Db) => db`coalesce((o.doc #>> '{paymentStatus,-1,timestamp}')::bigint, o.paid_at)`;

/**
 * The refunds of the period. `before` is the amount refunded earlier. Refunds that staff recorded by setting the payment status, and
 * refunds of imported orders, have no row and are dated by the status.
 */
const refundsIn = (db: Db, businessId: string, { from, to }: Period) => db`
  select r.reference as order_id, r.updated_at as at, r.amount, to_jsonb(r) -> 'parts' as parts, (
      select coalesce(sum(e.amount), 0) from refunds e
      where e.business_id = ${businessId} and e.purpose = 'ORDER' and e.reference = r.reference and e.status = 'SUCCEEDED'
        and (e.updated_at, e.id) < (r.updated_at, r.id)
    )::bigint as before
  from refunds r
  where r.business_id = ${businessId} and r.purpose = 'ORDER' and r.status = 'SUCCEEDED' and r.updated_at >= ${from}
    and r.updated_at < ${to}
  union all
  select o.id, ${statusAt(db)}, o.refunded - coalesce(sum(r.amount), 0)::bigint, null,
    coalesce(sum(r.amount) filter (where r.status = 'SUCCEEDED'), 0)::bigint
  from orders o
  left join refunds r on r.business_id = ${businessId} and r.purpose = 'ORDER' and r.reference = o.id and r.status <> 'FAILED'
  where o.business_id = ${businessId} and o.payment_status in ('PARTIALLY_REFUNDED', 'REFUNDED')
    and ${statusAt(db)} >= ${from} and ${statusAt(db)} < ${to}
  group by o.business_id, o.id
  having o.refunded > coalesce(sum(r.amount), 0)`;

export const listRefunded = (db: Db, businessId: string, period: Period, grouping: Grouping) => db<RefundedRow[]>`
  select ${startOf(db, refundedAt(db), grouping)} as at, o.currency, ${keyOf(db, grouping.groupBy)} as key,
    sum(r.amount)::bigint as refunds
  from (${refundsIn(db, businessId, period)}) r
  join orders o on o.business_id = ${businessId} and o.id = r.order_id and ${counts(db)}
  group by 1, 2, 3`;

/** Reads the fields of an order's document together, because each access to a compressed document decompresses it. */
const docOf = (db: Db) => db`jsonb_to_record(o.doc) as d (lines jsonb, "taxMode" text, "taxExempt" text)`;

/**
 * The lines of an order and their values after discount, with tax. Where the customer doesn't pay the tax of the listed price, or the tax
 * of lines is unknown, the value of all items is shared between the lines. JSON operators are several times as fast as
 * `jsonb_to_recordset`.
 */
const lineValues = (db: Db) => db`
  select line ->> 'productId' as product_id, coalesce(line ->> 'productName', line ->> 'name') as name,
    coalesce(line ->> 'id', 'line_' || n) as line_id, (line ->> 'quantity')::bigint as quantity,
    case
      when d."taxExempt" is null and d."taxMode" = 'INCLUSIVE'
        then (line ->> 'totalPrice')::bigint - coalesce((line ->> 'discount')::bigint, 0)
      when d."taxExempt" is null and line ->> 'tax' is not null
        then (line ->> 'totalPrice')::bigint - coalesce((line ->> 'discount')::bigint, 0) + (line ->> 'tax')::bigint
      else (
        select round(((line ->> 'totalPrice')::bigint - coalesce((line ->> 'discount')::bigint, 0))
          * ((o.doc ->> 'subtotal')::bigint + (o.doc ->> 'tax')::bigint - coalesce((o.doc ->> 'shippingTax')::bigint, 0) - items.discount)
          / nullif(items.listed - items.discount, 0))
        from (
          select sum((item ->> 'totalPrice')::numeric) as listed, sum(coalesce((item ->> 'discount')::numeric, 0)) as discount
          from jsonb_array_elements(d.lines) as item
        ) items)
      end::bigint as value,
    n = 1 or not exists (
      select from jsonb_array_elements(d.lines) with ordinality as previous (item, m)
      where m < n and item ->> 'productId' is not distinct from line ->> 'productId'
    ) as is_first
  from jsonb_array_elements(d.lines) with ordinality as each (line, n)`;

/** Values of the products, without shipping. */
export const listSoldProducts = (db: Db, businessId: string, period: Period, grouping: Omit<Grouping, 'groupBy'>) => db<
  ProductRow[]
>`
  select ${startOf(db, paidAt(db), grouping)} as at, o.currency, v.product_id as key, max(v.name) as name,
    count(*) filter (where v.is_first)::int as orders, sum(v.quantity)::bigint as quantity,
    coalesce(sum(v.value), 0)::bigint as gross
  from orders o cross join lateral ${docOf(db)} cross join lateral (${lineValues(db)}) v
  where ${paidIn(db, businessId, period)}
  group by 1, 2, 3`;

/** Refunds of products. A refund without lines is distributed across the lines in proportion to their values. */
export const listRefundedProducts = (
  db: Db,
  businessId: string,
  period: Period,
  grouping: Omit<Grouping, 'groupBy'>,
) => db<(RefundedRow & { name: string })[]>`
  select ${startOf(db, refundedAt(db), grouping)} as at, o.currency, v.product_id as key, max(v.name) as name,
    coalesce(sum(case when jsonb_typeof(r.parts) = 'object' then (
        select coalesce(sum((part ->> 'amount')::numeric), 0) from jsonb_array_elements(r.parts -> 'lines') as part
        where part ->> 'lineId' = v.line_id)
      else round(v.value::numeric * (r.before + r.amount) / nullif(o.total, 0))
        - round(v.value::numeric * r.before / nullif(o.total, 0))
      end), 0)::bigint as refunds
  from (${refundsIn(db, businessId, period)}) r
  join orders o on o.business_id = ${businessId} and o.id = r.order_id and ${counts(db)}
  cross join lateral ${docOf(db)} cross join lateral (${lineValues(db)}) v
  group by 1, 2, 3`;

/** The number of returns requested in the period, without rejected ones. */
export const countReturns = (db: Db, businessId: string, { from, to }: Period) => db<
  { currency: string; returns: number }[]
>`
  select o.currency, count(*)::int as returns from returns r
  join orders o on o.business_id = ${businessId} and o.id = r.order_id
  where r.business_id = ${businessId} and r.created_at >= ${from} and r.created_at < ${to} and r.status <> 'REJECTED'
  group by 1`;

/**
 * `base` and `tax` are the amounts of orders paid in the interval. `refundedBase` and `refundedTax` are the amounts of refunds made in it.
 */
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

/** The tax lines of an order. Orders from older versions have one rate. */
const taxLines = (db: Db) => db`
  select coalesce(line ->> 'country', o.country) as country, line ->> 'name' as name, (line ->> 'bps')::int as bps,
    (line ->> 'base')::bigint as base, (line ->> 'amount')::bigint as tax, n
  from jsonb_array_elements(coalesce(nullif(o.doc -> 'taxLines', 'null'), jsonb_build_array(jsonb_build_object('name', 'Tax',
    'bps', o.doc -> 'taxBps', 'amount', o.doc -> 'tax', 'base',
    (o.doc ->> 'subtotal')::bigint + (o.doc ->> 'shipping')::bigint - (o.doc ->> 'discount')::bigint)))) with ordinality as lines (line, n)`;

/** The part of an amount that a refund `r` covers, if the refund names no lines. */
const share = (db: Db, amount: Fragment) => db`
  round(${amount} * least(1, (r.before + r.amount)::numeric / nullif(o.total, 0)))
    - round(${amount} * least(1, r.before::numeric / nullif(o.total, 0)))`;

/**
 * Tax by interval, country and rate. Refunds of lines reduce the tax at the rates of those lines. Other refunds reduce the tax at all rates
 * in proportion.
 */
export const listTaxes = (
  db: Db,
  businessId: string,
  period: Period,
  grouping: { interval: string; timeZone: string },
) => db<TaxRow[]>`
  with taxed as (
    select ${startOf(db, paidAt(db), grouping)} as at, t.country, t.name, t.bps, o.currency, 1 as orders, t.base, t.tax,
      0::numeric as refunded_base, 0::numeric as refunded_tax
    from orders o cross join lateral (${taxLines(db)}) t
    where ${paidIn(db, businessId, period)}
    union all
    select ${startOf(db, refundedAt(db), grouping)}, t.country, t.name, t.bps, o.currency, 0, 0, 0,
      case when p.base is null then ${share(db, db`t.base`)} else p.base end,
      case when p.tax is null then ${share(db, db`t.tax`)} else p.tax end
    from (${refundsIn(db, businessId, period)}) r
    join orders o on o.business_id = ${businessId} and o.id = r.order_id and ${counts(db)}
    cross join lateral (
      select *, sum(base) over () as bases, sum(tax) over () as taxes,
        row_number() over (partition by bps order by n) = 1 as is_first
      from (${taxLines(db)}) each
    ) t
    left join lateral (
      select coalesce(sum(base), 0) + coalesce(round(shipping_base * t.base / nullif(t.bases, 0)), 0) as base,
        coalesce(sum(tax), 0) + coalesce(round(shipping_tax * t.tax / nullif(t.taxes, 0)), 0) as tax
      from (
        select (r.parts #>> '{shipping,amount}')::numeric - (r.parts #>> '{shipping,tax}')::numeric as shipping_base,
          (r.parts #>> '{shipping,tax}')::numeric as shipping_tax
      ) s
      left join lateral (
        select (part ->> 'amount')::numeric - (part ->> 'tax')::numeric as base, (part ->> 'tax')::numeric as tax
        from jsonb_array_elements(r.parts -> 'lines') as part
        join jsonb_array_elements(o.doc -> 'lines') with ordinality as lines (line, n)
          on coalesce(line ->> 'id', 'line_' || lines.n) = part ->> 'lineId'
        where t.is_first and (line ->> 'taxBps')::int = t.bps
      ) parts on true
      group by shipping_base, shipping_tax
    ) p on jsonb_typeof(r.parts) = 'object'
  )
  select at, country, name, bps, currency, sum(orders)::int as orders, sum(base)::bigint as base, sum(tax)::bigint as tax,
    coalesce(sum(refunded_base), 0)::bigint as refunded_base, coalesce(sum(refunded_tax), 0)::bigint as refunded_tax
  from taxed group by 1, 2, 3, 4, 5 order by 1, 2, 4, 3, 5`;
