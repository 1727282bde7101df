-- One attempt to collect money through a provider. OPEN: can still be paid. PAID. CLOSED: can't be paid any more.
create table payments (
  business_id text not null,
  id text not null,
  purpose text not null,
  reference text not null,
  provider text not null,
  status text not null,
  amount bigint not null,
  currency text not null,
  -- The amount received, and the provider's ID of the charge, which refunds name.
  paid bigint not null default 0,
  charge_id text,
  session_id text,
  doc jsonb not null,
  expires_at bigint not null,
  due_at bigint not null default 0,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);
-- With a plain `where status = 'OPEN'` the planner would also use this index to read single rows by key, and scan all open rows.
create index payments_due on payments ((case when status = 'OPEN' then due_at end))
  where (case when status = 'OPEN' then due_at end) is not null;
create index payments_subscription on payments (business_id, reference text_pattern_ops) where purpose = 'SUBSCRIPTION';

-- Provider events that have been handled.
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
  purpose text not null,
  reference text not null,
  amount bigint not null,
  reason text,
  -- Null for the system.
  user_id text,
  status text not null,
  provider_refund_id text,
  -- Why the provider rejected it.
  failure text,
  due_at bigint not null default 0,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);
create index refunds_reference on refunds (business_id, reference, id);
create index refunds_due on refunds ((case when status = 'PENDING' then due_at end))
  where (case when status = 'PENDING' then due_at end) is not null;

-- A recurring payment. Its ID is that of the payment that started it.
create table agreements (
  business_id text not null,
  id text not null,
  purpose text not null,
  reference text not null,
  provider text not null,
  -- The provider's IDs of the agreement and of the payer.
  provider_id text not null,
  customer_id text,
  status text not null check (status in ('ACTIVE', 'PAST_DUE', 'ENDED')),
  amount bigint not null,
  currency text not null,
  interval text not null,
  -- Paid until this time.
  period_end bigint not null,
  -- RENEW, CANCEL at the end of the period, or END now: the requested status, and the status the provider last
  -- confirmed.
  wanted text not null check (wanted in ('RENEW', 'CANCEL', 'END')),
  told text not null check (told in ('RENEW', 'CANCEL', 'END')),
  -- When to compare it with the provider's state. Null if it ended there too.
  due_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id),
  constraint agreements_provider_id unique (business_id, provider_id)
);
create index agreements_reference on agreements (business_id, reference text_pattern_ops);
create index agreements_due on agreements (due_at) where due_at is not null;

-- Charges of an agreement, paid or failed. The ID is the provider's, so each counts once.
create table agreement_charges (
  business_id text not null,
  agreement_id text not null,
  id text not null,
  status text not null check (status in ('PAID', 'FAILED')),
  amount bigint not null,
  currency text not null,
  period_end bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, agreement_id, id)
);
