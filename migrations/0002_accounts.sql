-- Users, sessions and keys are global: they belong to no business.
-- `password_version` grows with every password change, which voids tokens mailed before it.
-- `verified_phones` lists numbers, current or previous, that the user confirmed with a code.
-- `is_kept`: the cleanup of idle guests found that this guest owns something and skips them from then on.
create table users (
  id text primary key,
  email text,
  email_key text constraint users_email unique,
  name text not null default '',
  password_hash text,
  password_version integer not null default 1,
  is_confirmed boolean not null default false,
  is_guest boolean not null default false,
  is_kept boolean not null default false,
  phone_numbers text[] not null default '{}',
  verified_phones text[] not null default '{}',
  addresses jsonb not null default '[]',
  business_user_configs jsonb not null default '[]',
  onboarding_completed boolean not null default false,
  last_login_at bigint,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null
);
create index users_guests on users (created_at, id) where is_guest and not is_kept;

-- Each registration of an unconfirmed address has its own link, which confirms its own password.
create table registrations (
  id text primary key,
  user_id text not null references users on delete cascade,
  email text not null,
  name text not null,
  password_hash text not null,
  created_at bigint not null,
  expires_at bigint not null,
  confirmed_at bigint
);
create index registrations_user on registrations (user_id, created_at);
create index registrations_expires_at on registrations (expires_at);

create table sessions (
  id text primary key,
  user_id text not null references users on delete cascade,
  provider text not null,
  idp_tokens text,
  created_at bigint not null,
  last_used_at bigint not null,
  expires_at bigint
);
create index sessions_user on sessions (user_id, id);
create index sessions_expires_at on sessions (expires_at) where expires_at is not null;

-- Two users may choose the same key value. Refusing the second would reveal that the value is a valid key, so such a key opens
-- neither account instead.
create table api_keys (
  user_id text not null references users on delete cascade,
  id text not null,
  name text not null,
  provider text not null default 'API',
  hash bytea not null,
  last_four text not null,
  created_at bigint not null,
  expires_at bigint,
  last_used_at bigint,
  primary key (user_id, id),
  constraint api_keys_own_hash unique (user_id, hash)
);
create index api_keys_hash on api_keys (hash);

create table signing_keys (
  kid text primary key,
  public_key text not null,
  sealed_private_key text not null,
  created_at bigint not null
);

-- Accounts at an OpenID Connect provider.
create table identities (
  issuer text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  created_at bigint not null,
  primary key (issuer, subject)
);
create index identities_user on identities (user_id);

-- OAuth logins in progress, found by their state or by the nonce of the ID token.
create table oauth_flows (
  state_hash bytea primary key,
  nonce_hash bytea not null constraint oauth_flows_nonce unique,
  origin text not null,
  redirect_url text not null,
  address text not null,
  created_at bigint not null,
  expires_at bigint not null
);
create index oauth_flows_origin on oauth_flows (origin, address, created_at);
create index oauth_flows_expires_at on oauth_flows (expires_at);

-- Redirect URLs that logins from an origin returned to, for clients that send neither state nor redirect URL.
create table oauth_redirects (
  origin text not null,
  redirect_url text not null,
  last_used_at bigint not null,
  primary key (origin, redirect_url)
);

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
