-- What statistics add up, known without reading the document; the index that lists are read by carries it.
alter table orders
  add column total bigint not null generated always as ((doc ->> 'total')::bigint) stored,
  add column market text not null generated always as (lower(doc ->> 'market')) stored,
  add column currency text not null generated always as (lower(doc ->> 'currency')) stored;
create index orders_newest_sums on orders (business_id, created_at, number)
  include (status, total, refunded, market, currency);
drop index orders_newest;
alter index orders_newest_sums rename to orders_newest;
create index subscriptions_created_at on subscriptions (business_id, created_at) include (status);
