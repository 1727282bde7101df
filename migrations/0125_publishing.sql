-- What a record was after each change that somebody made, and the drafts beside the public one. `number` is the version of the
-- record that the change made. A record that was never changed has no rows: the first change also writes what was before it.
-- Of a draft, `words` are what the text search will know of it once it is published.
create table versions (
  business_id text not null,
  entity text not null,
  number integer not null,
  is_draft boolean not null,
  action text not null,
  restored_from integer,
  user_id text,
  -- Fields that differ from the version before, as a JSON list.
  changed text not null,
  doc text not null,
  words text[],
  created_at bigint not null,
  primary key (business_id, entity, number)
);

-- What happens by itself at a time: a record with a status that waits (its earliest), or a release.
create table planned (
  business_id text not null,
  entity text not null,
  due_at bigint not null,
  primary key (business_id, entity)
);
create index planned_due on planned (due_at);

-- Many records that are published at one instant. `items` are their names, `entry:…`, `product:…`, `collection:…`.
create table releases (
  business_id text not null,
  id text not null,
  name text not null,
  status text not null,
  at bigint not null,
  items text[] not null,
  user_id text,
  -- Why it failed, as JSON.
  failure text,
  published_at bigint,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);
create index releases_newest on releases (business_id, created_at, id);
