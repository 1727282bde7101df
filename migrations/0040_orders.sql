-- The last number given to an order of each business. Locked last in the transaction that places an order.
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
  -- Its stock and its promo use are taken. False exactly while the order is cancelled.
  holds boolean not null,
  paid bigint not null default 0,
  -- Given back to the customer, or promised: reserved before the provider is asked.
  refunded bigint not null default 0,
  doc jsonb not null,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id),
  constraint orders_number unique (business_id, number),
  constraint orders_refunded check (refunded between 0 and paid)
);
create index orders_newest on orders (business_id, created_at, number);
create index orders_status on orders (business_id, status, created_at, number);
create index orders_payment_status on orders (business_id, payment_status, created_at, number);
create index orders_customer on orders (business_id, customer_id, created_at, number);
create index orders_email on orders (business_id, customer_email text_pattern_ops) where customer_email is not null;

create table promo_codes (
  business_id text not null,
  id text not null,
  code text not null,
  code_key text not null,
  doc jsonb not null,
  status text not null,
  max_uses bigint,
  max_uses_per_user bigint,
  uses bigint not null default 0,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id),
  constraint promo_codes_code unique (business_id, code_key)
) with (fillfactor = 80);
create index promo_codes_newest on promo_codes (business_id, created_at, id);

create table promo_uses (
  business_id text not null,
  promo_id text not null,
  user_id text not null,
  uses bigint not null,
  primary key (business_id, promo_id, user_id)
);

create table quotes (
  business_id text not null,
  id text not null,
  doc jsonb not null,
  expires_at bigint not null,
  primary key (business_id, id)
);
create index quotes_expires_at on quotes (expires_at);

-- One attempt to get money through a provider. OPEN: it can still be paid; PAID; CLOSED: it cannot any more.
create table payments (
  business_id text not null,
  id text not null,
  purpose text not null,
  reference text not null,
  provider text not null,
  status text not null,
  amount bigint not null,
  currency text not null,
  -- What was really paid, and the provider's name for it, by which it is refunded.
  paid bigint not null default 0,
  charge_id text,
  session_id text,
  doc jsonb not null,
  expires_at bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);

-- Events of a provider that have had their effect.
create table payment_events (
  business_id text not null,
  id text not null,
  received_at bigint not null,
  primary key (business_id, id)
);
create index payment_events_received_at on payment_events (received_at);

create table refunds (
  business_id text not null,
  id text not null,
  payment_id text,
  order_id text,
  amount bigint not null,
  reason text,
  -- Null: by the service itself.
  user_id text,
  status text not null,
  provider_refund_id text,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);
create index refunds_order on refunds (business_id, order_id, id);
