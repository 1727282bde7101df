-- What happened in a business. A command writes its events to the outbox, in its own transaction. Transactions commit in
-- another order than they began, so nothing is numbered there. The sequencer moves committed events to `events`, one business
-- at a time, and numbers them: by position in the business, and by sequence within the entity that they tell of. A reader that
-- has seen a position never misses a smaller one.
create table event_outbox (
  business_id text not null,
  inserted bigint generated always as identity,
  type text not null,
  entity text not null,
  actor text not null,
  address text not null,
  data text not null,
  changes text,
  created_at bigint not null,
  primary key (business_id, inserted)
);

create table events (
  business_id text not null,
  position bigint not null,
  type text not null,
  entity text not null,
  sequence bigint not null,
  actor text not null,
  actor_id text,
  address text not null,
  data text not null,
  changes text,
  created_at bigint not null,
  primary key (business_id, position)
);
create index events_entity on events (business_id, entity, position);
create index events_created_at on events (business_id, created_at);

-- The last position of each business. Its row is the lock of whoever numbers.
create table event_heads (
  business_id text primary key,
  position bigint not null
);

-- The last sequence of each entity, which outlives the events themselves.
create table event_sequences (
  business_id text not null,
  entity text not null,
  sequence bigint not null,
  primary key (business_id, entity)
);

-- What happened to an account: log-ins, passwords, keys.
create table account_events (
  user_id text not null,
  id text not null,
  type text not null,
  actor text not null,
  address text not null,
  data text not null,
  created_at bigint not null,
  primary key (user_id, id)
);
create index account_events_created_at on account_events (created_at);
