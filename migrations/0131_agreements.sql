-- A customer pays again at the end of each period until it is cancelled. Its id is that of the payment that began it.
create table agreements (
  business_id text not null,
  id text not null,
  purpose text not null,
  reference text not null,
  provider text not null,
  -- The provider's names for it and for who pays.
  provider_id text not null,
  customer_id text,
  status text not null check (status in ('ACTIVE', 'PAST_DUE', 'ENDED')),
  amount bigint not null,
  currency text not null,
  interval text not null,
  -- Until when it is paid.
  period_end bigint not null,
  -- What is to happen, and what the provider was told: RENEW, CANCEL at the end of the period, END now.
  wanted text not null check (wanted in ('RENEW', 'CANCEL', 'END')),
  told text not null check (told in ('RENEW', 'CANCEL', 'END')),
  -- When it is to be compared with what the provider says. Null: it has ended there too.
  due_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id),
  constraint agreements_provider_id unique (business_id, provider_id)
);
create index agreements_reference on agreements (business_id, reference text_pattern_ops);
create index agreements_due on agreements (due_at) where due_at is not null;

-- What was charged for a period, or could not be; the id is the provider's, so that each counts once.
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
