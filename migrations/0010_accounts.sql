-- password_version: grows with every change of the password, so that tokens mailed before it are void.
-- verified_phones: those of phone_numbers, or former ones, that a code was entered for.
alter table users
  add column password_version integer not null default 1,
  add column verified_phones text[] not null default '{}';

create table identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  created_at bigint not null,
  primary key (issuer, subject)
);
create index identities_user on identities (user_id);

create table oauth_flows (
  state_hash bytea primary key,
  origin text not null,
  redirect_url text not null,
  address text not null,
  sealed text not null,
  created_at bigint not null,
  expires_at bigint not null
);
create index oauth_flows_origin on oauth_flows (origin, address, created_at);
create index oauth_flows_expires_at on oauth_flows (expires_at);

create table phone_codes (
  user_id text not null references users on delete cascade,
  phone_number text not null,
  code_hash bytea not null,
  tries integer not null,
  sent_at bigint not null,
  expires_at bigint not null,
  primary key (user_id, phone_number)
);
create index phone_codes_expires_at on phone_codes (expires_at);

create index sessions_expires_at on sessions (expires_at) where expires_at is not null;

-- Counters of the last minutes: nothing is lost that matters when a crash empties them.
create unlogged table limits (
  key text primary key,
  count integer not null,
  resets_at bigint not null
);
create index limits_resets_at on limits (resets_at);
