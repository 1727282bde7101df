-- A command writes its events to the outbox in its own transaction. Transactions don't commit in the order they began, so the
-- outbox has no numbers. The sequencer moves committed events to `events`, one business at a time, and numbers them: `position`
-- within the business, `sequence` within the entity. A reader that has seen a position never misses a smaller one.
create table event_outbox (
  business_id text not null,
  inserted bigint generated always as identity,
  type text not null,
  entity text not null,
  actor jsonb not null,
  address text not null,
  data jsonb not null,
  changes jsonb,
  created_at bigint not null,
  primary key (business_id, inserted)
);

create table events (
  business_id text not null,
  position bigint not null,
  type text not null,
  entity text not null,
  sequence bigint not null,
  actor jsonb not null,
  actor_id text,
  address text not null,
  data jsonb not null,
  changes jsonb,
  bytes integer not null generated always as (octet_length(data::text) + coalesce(octet_length(changes::text), 0)) stored,
  created_at bigint not null,
  primary key (business_id, position)
);
create index events_entity on events (business_id, entity, position);
create index events_created_at on events (business_id, created_at);

-- The last position of each business. The sequencer locks this row while it numbers.
create table event_heads (
  business_id text primary key,
  position bigint not null
);

-- The last sequence of each entity. Outlives the events.
create table event_sequences (
  business_id text not null,
  entity text not null,
  sequence bigint not null,
  primary key (business_id, entity)
);

-- Security events of an account: logins, password changes, keys.
create table account_events (
  user_id text not null,
  id text not null,
  type text not null,
  actor jsonb not null,
  address text not null,
  data jsonb not null,
  created_at bigint not null,
  primary key (user_id, id)
);
create index account_events_created_at on account_events (created_at);
