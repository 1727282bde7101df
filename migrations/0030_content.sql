create extension if not exists btree_gin;

-- `doc` is the answer of a read as JSON text, passed on unparsed; everything that is searched or sorted has a column.
create table collections (
  business_id text not null,
  id text not null,
  slug text not null,
  type text not null,
  status text not null,
  doc text not null,
  version integer not null default 1,
  created_at bigint not null,
  primary key (business_id, id),
  constraint collections_slug unique (business_id, slug)
);
create index collections_newest on collections (business_id, created_at, id);

-- `owner` is `collection:…`, `order:…` or `reservation:…`. `search` holds the words of the texts, folded.
create table entries (
  business_id text not null,
  id text not null,
  owner text not null,
  status text not null,
  doc text not null,
  search tsvector not null,
  version integer not null default 1,
  created_at bigint not null,
  primary key (business_id, id)
);
-- A list names every status it wants, so that this one index serves the public and the staff, newest or oldest first.
create index entries_newest on entries (business_id, owner, status, created_at, id);
create index entries_search on entries using gin (business_id, search);

-- What entries can be filtered and sorted by: a row for each value of each block, and for `$locale` and `$updatedAt`. `key`
-- compares as the value does, whatever its type. `n` is 0 for the value that sorts. Status and time are the entry's own, so
-- that one index finds the values of a block in their order, and the entries with one value in the order of their age.
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
