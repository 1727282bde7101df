-- The second factors of an account, so that a login reads them with the user: TOTP, PASSKEY.
alter table users add column second_factors text[] not null default '{}';

-- From when members without a second factor have no permissions here.
alter table businesses add column second_factor_from bigint
  generated always as ((configs #>> '{security,enforcedFrom}')::bigint) stored;

create table passkeys (
  user_id text not null references users (id) on delete cascade,
  id text not null,
  -- The authenticator's ID of the credential, in Base64url.
  credential_id text not null unique,
  public_key bytea not null,
  -- The highest signature counter seen. 0 if the authenticator doesn't count.
  counter bigint not null,
  transports text[] not null,
  -- The host name that the passkey works on.
  rp_id text not null,
  name text not null,
  created_at bigint not null,
  last_used_at bigint,
  primary key (user_id, id)
);

create table totp_secrets (
  user_id text primary key references users (id) on delete cascade,
  -- Encrypted.
  secret text not null,
  -- Null until the first code has been entered.
  confirmed_at bigint,
  -- The time step of the last accepted code. Codes up to it are not accepted again.
  last_step bigint not null default 0,
  created_at bigint not null
);

-- Unused recovery codes, hashed with a key.
create table recovery_codes (
  user_id text not null references users (id) on delete cascade,
  hash bytea not null,
  primary key (user_id, hash)
);

-- Challenges that were answered. Each can be used once.
create table used_challenges (
  id text primary key,
  expires_at bigint not null
);
create index used_challenges_expires_at on used_challenges (expires_at);
