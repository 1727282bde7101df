-- Counting a segment reads these indexes and columns instead of whole rows.

-- The products of an order. Null if they are too long for an index.
alter table orders add column bought jsonb generated always as (
  case when octet_length(jsonb_path_query_array(doc, '$.lines[*].productId')::text) <= 1800
    then jsonb_path_query_array(doc, '$.lines[*].productId') end) stored;
create index orders_bought on orders (business_id, created_at) include (customer_email, bought)
  where payment_status in ('PAID', 'PARTIALLY_REFUNDED') and customer_email is not null;
create index orders_bought_large on orders (business_id, created_at)
  where bought is null and payment_status in ('PAID', 'PARTIALLY_REFUNDED') and customer_email is not null;
create index orders_people on orders (business_id, customer_email) include (paid, refunded)
  where payment_status in ('PAID', 'PARTIALLY_REFUNDED') and customer_email is not null;

-- Replaces the index on the email alone.
create index subscriptions_people on subscriptions (business_id, email_key) include (collection_id, status, plan_id, created_at);
drop index subscriptions_email_key;
create index subscriptions_tags on subscriptions using gin (business_id, tags) where tags <> '{}';

-- The countries of the addresses, in lower case.
alter table customers add column countries jsonb
  generated always as (lower(jsonb_path_query_array(addresses, '$[*].country')::text)::jsonb) stored;
