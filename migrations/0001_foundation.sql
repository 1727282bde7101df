create extension if not exists pg_trgm;
create extension if not exists unaccent;

create table idempotency_keys (
  business_id text not null,
  user_id text not null,
  key text not null,
  fingerprint text not null,
  answer jsonb,
  reference text,
  expires_at timestamptz not null,
  primary key (business_id, user_id, key)
);
create index idempotency_keys_expires_at on idempotency_keys (expires_at);
