-- A request to erase what a business holds of a person. `person` (who it is: ids and e-mails) is sealed, and gone when the
-- erasure is complete: what stays says when, by whom and how much, and names nobody. `step` and `after` are how far it has come.
create table erasures (
  business_id text not null,
  id text not null,
  -- The id that was named: of a customer, a user or a subscription. It leads to nobody once the erasure is complete.
  subject text not null,
  status text not null check (status in ('RUNNING', 'DONE')),
  person text,
  step integer not null default 0,
  after text,
  report jsonb not null,
  requested_by text,
  created_at bigint not null,
  completed_at bigint,
  primary key (business_id, id)
);
create index erasures_running on erasures (business_id, subject) where status = 'RUNNING';

-- A deleted account whose data is being erased in all businesses, one after the other: `after` is the last one that is done.
create table account_erasures (
  id text primary key,
  status text not null check (status in ('RUNNING', 'DONE')),
  person text,
  after text not null default '',
  report jsonb not null,
  created_at bigint not null,
  completed_at bigint
);
create index account_erasures_running on account_erasures (id) where status = 'RUNNING';

-- Subscriptions are looked for by address in all newsletters of a business.
create index subscriptions_email_key on subscriptions (business_id, email_key);

-- Payments for plans are looked for by their subscription. Those of orders have the order's id.
create index payments_subscription on payments (business_id, reference text_pattern_ops) where purpose = 'SUBSCRIPTION';
