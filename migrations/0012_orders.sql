-- The last order number of each business. Locked last in the transaction that places an order.
create table order_counters (
  business_id text primary key,
  last bigint not null
) with (fillfactor = 20);

create table orders (
  business_id text not null,
  id text not null,
  number bigint not null,
  status text not null,
  payment_status text not null,
  customer_id text not null,
  customer_email text,
  -- Whether its stock and promo code use are reserved. False only while the order is canceled.
  holds boolean not null,
  paid bigint not null default 0,
  -- Refunded or reserved for a refund: reserved before the provider is called.
  refunded bigint not null default 0,
  doc jsonb not null,
  -- Allows a list to limit its page by size, and statistics to add up, without reading documents.
  doc_bytes integer not null generated always as (octet_length(doc::text)) stored,
  total bigint not null generated always as ((doc ->> 'total')::bigint) stored,
  market text not null generated always as (lower(doc ->> 'market')) stored,
  currency text not null generated always as (lower(doc ->> 'currency')) stored,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id),
  constraint orders_number unique (business_id, number),
  constraint orders_refunded check (refunded between 0 and paid)
);
create index orders_newest on orders (business_id, created_at, number) include (status, total, refunded, market, currency);
create index orders_status on orders (business_id, status, created_at, number);
create index orders_payment_status on orders (business_id, payment_status, created_at, number);
create index orders_customer on orders (business_id, customer_id, created_at, number);
create index orders_email on orders (business_id, customer_email text_pattern_ops) where customer_email is not null;

-- Work an order still needs: an email to its customer, or its expiry if nobody pays. Deleted when done.
create table order_tasks (
  business_id text not null,
  id bigint generated always as identity,
  order_id text not null,
  -- A kind of email, or EXPIRY.
  kind text not null,
  -- The amount of a refund.
  amount bigint,
  due_at bigint not null,
  primary key (business_id, id)
);
create index order_tasks_due on order_tasks (due_at);
