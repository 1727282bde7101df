-- A deleted collection is marked: from then on neither it nor its entries are found, and its slug is free. A job deletes what
-- belongs to it in batches, and its own row last.
alter table collections add column deleted_at bigint, drop constraint collections_slug;
create unique index collections_slug on collections (business_id, slug) where deleted_at is null;
create index collections_deleted on collections (business_id, id) where deleted_at is not null;

-- By which rules `search` and the entry's `entry_values` were made. Entries of older rules are found until a job has made them
-- anew, but not by words and values that the new rules write otherwise.
alter table entries add column index_rules smallint not null default 1;
create index entries_outdated on entries (business_id, id) where index_rules < 2;
