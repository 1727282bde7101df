create table webhooks (
  business_id text not null,
  id text not null,
  url text not null,
  events text[] not null,
  description text not null,
  enabled boolean not null,
  disabled_reason text,
  payload_version smallint not null,
  secret text not null,
  -- Still signs until `previous_until`, after a rotation.
  previous_secret text,
  previous_until bigint,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);

-- One queue per webhook: when its next delivery is due, and which process holds its lease. Times are in milliseconds. `wakes`
-- grows with each new delivery, so that a process that found the queue empty notices deliveries added since.
create table webhook_queues (
  business_id text not null,
  webhook_id text not null,
  due_at bigint,
  wakes bigint not null default 0,
  lease text,
  leased_until bigint not null default 0,
  failing_since bigint,
  primary key (business_id, webhook_id),
  foreign key (business_id, webhook_id) references webhooks (business_id, id) on delete cascade
);
create index webhook_queues_due on webhook_queues (due_at) where due_at is not null;

-- Events to deliver to a webhook. Deliveries of one entity are sent one after the other.
create table webhook_deliveries (
  business_id text not null,
  webhook_id text not null,
  position bigint not null,
  type text not null,
  entity text not null,
  status text not null,
  attempts jsonb not null default '[]',
  attempt_count integer not null default 0,
  next_attempt_at bigint not null,
  created_at bigint not null,
  primary key (business_id, webhook_id, position),
  foreign key (business_id, webhook_id) references webhooks (business_id, id) on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (business_id, webhook_id, next_attempt_at, position)
  where status = 'PENDING';
create index webhook_deliveries_entity on webhook_deliveries (business_id, webhook_id, entity, position)
  where status = 'PENDING';
create index webhook_deliveries_failed on webhook_deliveries (business_id, webhook_id, position) where status = 'FAILED';
