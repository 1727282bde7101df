-- A key without scopes acts as its owner. `networks`: the allowed networks in CIDR notation; null allows any address.
alter table api_keys add column scopes jsonb, add column networks text[];

-- `device` and `address`: where the session began. `sso_business`: the session began with the single sign-on of this business, and is
-- limited to it. `support_business`: the ADMIN `support_by` views this business as the user.
alter table sessions
  add column device text,
  add column address text,
  add column sso_business text,
  add column support_business text,
  add column support_by text;
create index sessions_sso on sessions (sso_business, user_id) where sso_business is not null;

-- Keys for pages. They are public: a key only lets guests log in from its origins.
create table publishable_keys (
  business_id text not null,
  id text not null,
  name text not null,
  value text not null,
  origins text[] not null,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);

-- Emailed login codes. Each belongs to the client that requested it and knows the secret.
create table login_codes (
  secret_hash bytea primary key,
  email text not null,
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at bigint not null
);
create index login_codes_expires_at on login_codes (expires_at);

alter table oauth_flows add column sso_business text;

-- The OpenID Connect provider of a business. `scim_hash`: the token with which the provider manages members.
create table sso_connections (
  business_id text primary key,
  issuer text not null,
  client_id text not null,
  client_secret text,
  role_claim text not null,
  role_mappings jsonb not null,
  default_role_id text,
  is_enforced boolean not null default false,
  scim_hash bytea,
  scim_last_four text,
  scim_created_at bigint,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null
);

-- Email domains of a business. A domain counts once its DNS record was found.
create table sso_domains (
  business_id text not null,
  domain text not null,
  token text not null,
  verified_at bigint,
  primary key (business_id, domain)
);
create index sso_domains_verified on sso_domains (domain) where verified_at is not null;

create table sso_identities (
  business_id text not null,
  subject text not null,
  user_id text not null references users on delete cascade,
  created_at bigint not null,
  primary key (business_id, subject)
);
create index sso_identities_user on sso_identities (user_id);

-- Members as the identity provider of the business describes them. An inactive one is no member and can't log in with single sign-on.
create table scim_users (
  business_id text not null,
  user_id text not null references users on delete cascade,
  user_name text not null,
  external_id text,
  given_name text not null default '',
  family_name text not null default '',
  is_active boolean not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, user_id)
);
create index scim_users_user on scim_users (user_id);

create table scim_groups (
  business_id text not null,
  id text not null,
  name text not null,
  external_id text,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);

create table scim_members (
  business_id text not null,
  group_id text not null,
  user_id text not null,
  primary key (business_id, group_id, user_id),
  foreign key (business_id, group_id) references scim_groups on delete cascade,
  foreign key (business_id, user_id) references scim_users on delete cascade
);
create index scim_members_user on scim_members (business_id, user_id);
