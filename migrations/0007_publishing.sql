-- A record after each change, and drafts next to the published record. `number` is the version of the record that the
-- change produced. A record that never changed has no rows: its first change also writes the version before it.
create table versions (
  business_id text not null,
  entity text not null,
  number integer not null,
  is_draft boolean not null,
  action text not null,
  restored_from integer,
  user_id text,
  -- The API key used for the change. Null for a session or the system.
  key_id text,
  -- Names of the fields that differ from the previous version.
  changed jsonb not null,
  doc jsonb not null,
  -- Search words of a draft.
  words text[],
  created_at bigint not null,
  primary key (business_id, entity, number)
);

-- When a record's next scheduled status, or a release, is due.
create table planned (
  business_id text not null,
  entity text not null,
  due_at bigint not null,
  -- A worker that publishes the record leases the row.
  leased_until bigint not null default 0,
  primary key (business_id, entity)
);
create index planned_due on planned (greatest(due_at, leased_until));

-- Records published together at one instant. `items` contains entity names: `entry:…`, `product:…`, `collection:…`.
create table releases (
  business_id text not null,
  id text not null,
  name text not null,
  status text not null,
  at bigint not null,
  items text[] not null,
  user_id text,
  failure jsonb,
  published_at bigint,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);
create index releases_newest on releases (business_id, created_at, id);
