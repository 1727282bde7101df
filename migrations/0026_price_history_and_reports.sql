-- The prices that customers were offered. A row is valid from `since` until the next row of the same variant, market and currency.
-- A null amount means that the variant was no longer for sale. The newest row equals the price in the product's document.
create table price_history (
  business_id text not null,
  product_id text not null,
  variant_id text collate "C" not null,
  -- Market and currency are in lower case.
  market text not null,
  currency text not null,
  since bigint not null,
  id bigint generated always as identity,
  amount bigint,
  compare_at bigint,
  primary key (business_id, product_id, variant_id, market, currency, since, id),
  foreign key (business_id, product_id) references products on delete cascade
);

-- Earlier prices are unknown. The current ones are valid since the last change of their product at the latest.
insert into price_history (business_id, product_id, variant_id, market, currency, since, amount, compare_at)
select p.business_id, p.id, variant ->> 'id', lower(price ->> 'marketId'), lower(price ->> 'currency'),
  (p.doc ->> 'updatedAt')::bigint, (price ->> 'price')::bigint, (price ->> 'compareAtPrice')::bigint
from products p cross join lateral jsonb_array_elements(p.doc -> 'variants') as variant
  cross join lateral jsonb_array_elements(variant #> '{pricing,markets}') as price
where p.status = 'ACTIVE';

-- When an order was first paid, and where it goes: reports group by both without reading documents. After
-- an erasure, the country of the tax is left.
alter table orders
  add column paid_at bigint generated always as
    ((jsonb_path_query_first(doc, '$.paymentStatus[*] ? (@.status == "PAID").timestamp'))::bigint) stored,
  add column country text generated always as
    (coalesce(doc #>> '{shippingAddress,country}', doc #>> '{billingAddress,country}', doc #>> '{taxLines,0,country}')) stored,
  -- The customer started to pay online, and the payment expired or the customer canceled it.
  add column is_abandoned boolean not null generated always as
    (status = 'CANCELLED' and payment_status = 'FAILED' and paid = 0
      and coalesce(doc ->> 'paymentMethod' in ('CREDIT_CARD', 'STRIPE', 'CARD_PROVIDER'), false)
      and coalesce(doc #>> '{statuses,-1,changedBy}' = 'SYSTEM' or doc #>> '{statuses,-1,userId}' = customer_id, false)) stored;
create index orders_abandoned on orders (business_id, created_at, number) where is_abandoned;
create index orders_paid on orders (business_id, paid_at) include (id, payment_status, currency, market, country, paid)
  where paid_at is not null;
create index refunds_made on refunds (business_id, updated_at) where purpose = 'ORDER' and status = 'SUCCEEDED';
