-- A file being imported. `position` is the byte offset up to which rows are written, and `row` the number of the last one: an
-- interrupted import resumes there. `owner` and `lease_until` name the worker that runs it.
create table imports (
  business_id text not null,
  id text not null,
  type text not null,
  format text not null,
  options jsonb not null,
  dry_run boolean not null,
  status text not null check (status in ('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED')),
  file_key text not null,
  -- A file in the media library, which outlives the import.
  media_id text,
  file_name text not null,
  size bigint not null,
  position bigint not null default 0,
  row bigint not null default 0,
  rows bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  skipped bigint not null default 0,
  failed bigint not null default 0,
  error_count bigint not null default 0,
  error text,
  notes jsonb not null default '[]',
  user_id text not null,
  key_id text,
  owner text,
  lease_until bigint not null default 0,
  created_at bigint not null,
  started_at bigint,
  completed_at bigint,
  primary key (business_id, id)
);
create index imports_open on imports (business_id, id) where status in ('QUEUED', 'RUNNING');
create index imports_created on imports (business_id, created_at);

create table import_errors (
  business_id text not null,
  import_id text not null,
  n bigint not null,
  row bigint not null,
  field text not null,
  error text not null,
  message text not null,
  primary key (business_id, import_id, n),
  foreign key (business_id, import_id) references imports on delete cascade
);

-- Keys of the rows imported so far, to report duplicates. Unlogged: after a crash, a duplicate row may go unreported.
create unlogged table import_keys (
  business_id text not null,
  import_id text not null,
  key text not null,
  row bigint not null,
  primary key (business_id, import_id, key)
);

-- Images to fetch by URL. `product_id` is the ID of the product or entry that uses the image.
create table import_pictures (
  business_id text not null,
  import_id text not null,
  address_id text not null,
  product_id text not null,
  url text not null,
  row bigint not null,
  status text not null default 'WAITING' check (status in ('WAITING', 'DONE', 'FAILED')),
  -- The alt text: a string, or strings by locale.
  alt jsonb not null default '""',
  -- Title and focal point.
  details jsonb not null default '{}',
  primary key (business_id, import_id, address_id, product_id),
  foreign key (business_id, import_id) references imports on delete cascade
);
create index import_pictures_waiting on import_pictures (business_id, address_id) where status = 'WAITING';

-- Files fetched from a URL, so that the next import finds them.
create table import_addresses (
  business_id text not null,
  address_id text not null,
  media_id text not null,
  primary key (business_id, address_id)
);
