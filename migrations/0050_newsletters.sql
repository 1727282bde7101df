create table subscriptions (
  business_id text not null,
  id text not null,
  collection_id text not null,
  email text not null,
  email_key text not null,
  name text not null default '',
  -- Of somebody who subscribed his own, confirmed address while logged in.
  user_id text,
  plan_id text not null,
  status text not null check (status in ('PENDING', 'ACTIVE', 'PAST_DUE', 'UNSUBSCRIBED', 'BOUNCED')),
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id),
  constraint subscriptions_email unique (business_id, collection_id, email_key),
  foreign key (business_id, collection_id) references collections on delete cascade
);
create index subscriptions_newest on subscriptions (business_id, collection_id, id);
create index subscriptions_user on subscriptions (business_id, user_id) where user_id is not null;
create index subscriptions_status on subscriptions (business_id, collection_id, status, id);

create table sends (
  business_id text not null,
  id text not null,
  entry_id text not null,
  collection_id text not null,
  status text not null check (status in ('SCHEDULED', 'SENDING', 'SENT', 'CANCELLED', 'FAILED')),
  -- Stands in the way of another send of the entry that was not called a resend.
  exclusive boolean not null,
  -- There is still work for the job.
  open boolean not null default true,
  on_unknown text not null default 'RETRY' check (on_unknown in ('RETRY', 'HOLD')),
  scheduled_at bigint not null,
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

-- One message of a send for one subscriber. No index holds a column that sending changes, and pages keep some room, so that
-- each change of status is written in place.
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

-- Deliveries of one send that one worker holds at a time: those from first_id to last_id.
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
