import type { Harness } from '../harness.ts';

/** Variants whose newest price in the history is not the one that customers see. */
export const listPricesWithoutHistory = (h: Harness) => h.pool<object[]>`
  with offers as (
    select p.business_id, p.id as product_id, v ->> 'id' as variant_id, lower(m ->> 'marketId') as market,
      lower(m ->> 'currency') as currency, (m ->> 'price')::bigint as amount, (m ->> 'compareAtPrice')::bigint as compare_at
    from products p, jsonb_array_elements(p.doc -> 'variants') as v, jsonb_array_elements(v #> '{pricing,markets}') as m
    where p.status = 'ACTIVE'
  ), newest as (
    select distinct on (business_id, product_id, variant_id, market, currency) business_id, product_id, variant_id, market,
      currency, amount, compare_at
    from price_history order by business_id, product_id, variant_id, market, currency, since desc, id desc
  )
  select * from offers o full join newest n using (business_id, product_id, variant_id, market, currency)
  where o.amount is distinct from n.amount or o.compare_at is distinct from n.compare_at`;

type HistoryRow = { variantId: string; market: string; amount: number | null; compareAt: number | null; since: number };

export const listHistory = (h: Harness, productId: string, businessId: string | null = null) => h.pool<HistoryRow[]>`
  select variant_id, market, amount, compare_at, since from price_history where product_id = ${productId} and business_id = coalesce(${businessId}, business_id)
  order by since, id`;
