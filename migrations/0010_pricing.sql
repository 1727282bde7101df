-- `doc_bytes` allows a list to limit its page by size without reading documents.
create table promo_codes (
  business_id text not null,
  id text not null,
  code text not null,
  code_key text not null,
  doc jsonb not null,
  doc_bytes integer not null generated always as (octet_length(doc::text)) stored,
  status text not null,
  max_uses bigint,
  max_uses_per_user bigint,
  uses bigint not null default 0,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id),
  constraint promo_codes_code unique (business_id, code_key)
) with (fillfactor = 80);
create index promo_codes_newest on promo_codes (business_id, created_at, id);

create table promo_uses (
  business_id text not null,
  promo_id text not null,
  user_id text not null,
  uses bigint not null,
  primary key (business_id, promo_id, user_id)
);

-- A quote lives for 15 minutes and can be requested again. Unlogged: writing one doesn't wait for the disk.
create unlogged table quotes (
  business_id text not null,
  id text not null,
  doc jsonb not null,
  expires_at bigint not null,
  primary key (business_id, id)
);
create index quotes_expires_at on quotes (expires_at);
