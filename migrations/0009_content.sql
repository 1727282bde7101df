-- Deleting a collection sets `deleted_at`, which hides it and its entries and frees its slug. A job then deletes the entries in
-- batches, and this row last.
create table collections (
  business_id text not null,
  id text not null,
  slug text not null,
  type text not null,
  status text not null,
  doc jsonb not null,
  doc_bytes integer not null generated always as (octet_length(doc::text)) stored,
  name_key text not null generated always as (lower(doc ->> 'name')) stored,
  version integer not null default 1,
  created_at bigint not null,
  deleted_at bigint,
  primary key (business_id, id)
);
create unique index collections_slug on collections (business_id, slug) where deleted_at is null;
create index collections_newest on collections (business_id, created_at, id);
create index collections_deleted on collections (business_id, id) where deleted_at is not null;

-- `owner` is `collection:…`, `order:…` or `reservation:…`. `search` holds the normalized words of the texts. `index_rules` is the
-- version of the rules that `search` and `entry_values` were built with: a job rebuilds older ones.
create table entries (
  business_id text not null,
  id text not null,
  owner text not null,
  status text not null,
  doc jsonb not null,
  doc_bytes integer not null generated always as (octet_length(doc::text)) stored,
  search tsvector not null,
  index_rules smallint not null default 1,
  version integer not null default 1,
  created_at bigint not null,
  primary key (business_id, id)
);
-- A list names every status it wants, so this one index serves the public and staff, newest or oldest first.
create index entries_newest on entries (business_id, owner, status, created_at, id);
create index entries_search on entries using gin (business_id, search);
create index entries_outdated on entries (business_id, id) where index_rules < 2;

-- The values entries can be filtered and sorted by: one row per value of each block, and for `$locale` and `$updatedAt`. `key`
-- sorts as the value does, whatever its type. `n` is 0 for the value that sorts. Status and time are copied from the entry, so
-- that one index finds values in their order and entries with one value by age.
create table entry_values (
  business_id text not null,
  entry_id text not null,
  block_id text not null,
  n smallint not null,
  owner text not null,
  status text not null,
  key text collate "C" not null,
  created_at bigint not null,
  primary key (business_id, entry_id, block_id, n)
);
create index entry_values_key on entry_values (business_id, owner, block_id, status, key, created_at, entry_id);
