-- A media file. `stem` names its objects in storage: the hash of the upload and part of the ID, so no two rows share
-- objects. `details` contains an image's dimensions, sizes and texts. `words` is the search index.
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
  -- The sweep did not find the object in storage.
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

-- Records that use a file (`product:…`, `entry:…`). Written with the record, which contains a copy of the item.
create table media_references (
  business_id text not null,
  media_id text collate "C" not null,
  entity text not null,
  primary key (business_id, media_id, entity),
  foreign key (business_id, media_id) references media on delete cascade
);
create index media_references_entity on media_references (business_id, entity);

-- A large file uploaded in parts. Counts against the quota from the start.
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

-- Bytes of all files and open uploads of a business.
create table media_usage (
  business_id text primary key,
  bytes bigint not null
);
