-- Requests to erase a person's data in a business. `person` (IDs and email addresses) is encrypted, and deleted when
-- the erasure is complete. `step` and `after` record its progress.
create table erasures (
  business_id text not null,
  id text not null,
  -- The ID in the request: a customer, user or subscription.
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

-- Deleted accounts whose data is being erased, one business at a time. `after` is the last business done.
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
