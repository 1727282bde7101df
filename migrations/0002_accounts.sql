create table businesses (
  id text primary key,
  name text not null,
  slug text not null constraint businesses_slug unique,
  configs jsonb not null default '{}',
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null
);

create table roles (
  business_id text not null references businesses on delete cascade,
  id text not null,
  name text not null,
  permissions text[] not null,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);

create table users (
  id text primary key,
  email text,
  email_key text constraint users_email unique,
  name text not null default '',
  password_hash text,
  is_confirmed boolean not null default false,
  is_guest boolean not null default false,
  phone_numbers text[] not null default '{}',
  addresses jsonb not null default '[]',
  business_user_configs jsonb not null default '[]',
  onboarding_completed boolean not null default false,
  last_login_at bigint,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null
);

create table members (
  business_id text not null,
  user_id text not null references users on delete cascade,
  role_id text not null,
  primary key (business_id, user_id, role_id),
  foreign key (business_id, role_id) references roles on delete cascade
);
create index members_user on members (user_id);

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

create table api_keys (
  user_id text not null references users on delete cascade,
  id text not null,
  name text not null,
  provider text not null default 'API',
  hash bytea not null constraint api_keys_hash unique,
  last_four text not null,
  created_at bigint not null,
  expires_at bigint,
  last_used_at bigint,
  primary key (user_id, id)
);

create table signing_keys (
  kid text primary key,
  public_key text not null,
  sealed_private_key text not null,
  created_at bigint not null
);
