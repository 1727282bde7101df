create table subscriptions (
  business_id text not null,
  id text not null,
  collection_id text not null,
  email text not null,
  email_key text not null,
  name text not null default '',
  -- Set when a logged-in user subscribed their own, confirmed address.
  user_id text,
  plan_id text not null,
  -- A paid plan that starts when the address is confirmed.
  paid_plan_id text,
  status text not null check (status in ('PENDING', 'ACTIVE', 'PAST_DUE', 'UNSUBSCRIBED', 'BOUNCED')),
  -- When, from where and to which wording the subscriber agreed, or who vouches for it. Null: no consent yet.
  consent jsonb,
  version bigint not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id),
  constraint subscriptions_email unique (business_id, collection_id, email_key),
  foreign key (business_id, collection_id) references collections on delete cascade
);
create index subscriptions_newest on subscriptions (business_id, collection_id, id);
create index subscriptions_user on subscriptions (business_id, user_id) where user_id is not null;
create index subscriptions_status on subscriptions (business_id, collection_id, status, id);
create index subscriptions_pending on subscriptions (business_id, updated_at) where status = 'PENDING';
create index subscriptions_created_at on subscriptions (business_id, created_at) include (status);
create index subscriptions_email_key on subscriptions (business_id, email_key);

create table sends (
  business_id text not null,
  id text not null,
  entry_id text not null,
  collection_id text not null,
  status text not null check (status in ('SCHEDULED', 'SENDING', 'SENT', 'CANCELLED', 'FAILED')),
  -- Blocks another send of the entry unless that one is a resend.
  exclusive boolean not null,
  -- Whether work is left.
  open boolean not null default true,
  on_unknown text not null default 'RETRY' check (on_unknown in ('RETRY', 'HOLD')),
  scheduled_at bigint not null,
  -- When the send starts.
  due_at bigint not null default 0,
  recipients integer not null,
  content jsonb,
  frozen boolean not null default false,
  sent integer not null default 0,
  failed integer not null default 0,
  skipped integer not null default 0,
  unknown integer not null default 0,
  error text,
  created_at bigint not null,
  started_at bigint,
  completed_at bigint,
  primary key (business_id, id)
);
create unique index sends_once on sends (business_id, entry_id) where exclusive;
create index sends_entry on sends (business_id, entry_id, id);
create index sends_open on sends (business_id, id) where open;
create index sends_due on sends ((case when open and not frozen then due_at end))
  where (case when open and not frozen then due_at end) is not null;

-- One message of a send to one subscriber. No index covers a column that sending updates, and pages keep free space, so status
-- changes are heap-only updates.
create table deliveries (
  business_id text not null,
  send_id text not null,
  subscription_id text not null,
  email text not null,
  name text not null,
  status text not null default 'PENDING'
    check (status in ('PENDING', 'ATTEMPTING', 'SENT', 'FAILED', 'SKIPPED', 'UNKNOWN')),
  epoch integer not null default 0,
  attempts smallint not null default 0,
  due_at bigint not null default 0,
  error text,
  updated_at bigint not null,
  primary key (business_id, send_id, subscription_id)
) with (fillfactor = 70);

-- A range of deliveries, first_id to last_id, that one worker leases at a time.
create table delivery_batches (
  business_id text not null,
  send_id text not null,
  number integer not null,
  first_id text not null,
  last_id text not null,
  size integer not null,
  done boolean not null default false,
  due_at bigint not null default 0,
  epoch integer not null default 0,
  owner text,
  lease_until timestamptz,
  sent integer not null default 0,
  failed integer not null default 0,
  skipped integer not null default 0,
  unknown integer not null default 0,
  primary key (business_id, send_id, number)
);
create index delivery_batches_open on delivery_batches (business_id, send_id, number) where not done;
