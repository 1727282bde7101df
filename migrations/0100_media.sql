-- A file of a business. Its objects in the store are named by `stem`, which holds the hash of what was uploaded and a part of the
-- id: no two rows ever share one, so that deleting one's objects cannot take another's. `details` holds what is known of an image
-- and which sizes of it there are, and the texts that people gave it. `words` is what it is searched by.
create table media (
  business_id text not null,
  id text collate "C" not null,
  stem text not null,
  hash text not null,
  kind text not null,
  mime_type text not null,
  extension text not null,
  file_name text not null,
  size bigint not null,
  details jsonb not null,
  words tsvector not null,
  -- The sweep did not find its object in the store.
  is_missing boolean not null default false,
  version integer not null default 1,
  created_by text,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id),
  constraint media_hash unique (business_id, hash),
  constraint media_stem unique (business_id, stem)
);
create index media_kind on media (business_id, kind, id);
create index media_words on media using gin (business_id, words);

-- Who uses a file: `product:…`, `entry:…`. Written with the record, which holds a copy of the item.
create table media_references (
  business_id text not null,
  media_id text collate "C" not null,
  entity text not null,
  primary key (business_id, media_id, entity),
  foreign key (business_id, media_id) references media on delete cascade
);
create index media_references_entity on media_references (business_id, entity);

-- A large file that arrives in parts. Its bytes count as used from the beginning.
create table media_uploads (
  business_id text not null,
  id text not null,
  status text not null,
  file_name text not null,
  size bigint not null,
  part_size integer not null,
  is_direct boolean not null,
  media_id text,
  problem text,
  created_by text,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);
create index media_uploads_age on media_uploads (business_id, created_at);

-- Bytes of all files of a business and of its open uploads.
create table media_usage (
  business_id text primary key,
  bytes bigint not null
);
