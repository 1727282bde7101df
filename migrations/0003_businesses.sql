-- Deleting a business sets `deleted_at`, which hides it and frees its slug. A job then deletes its rows in batches, and this row
-- last. No foreign key points here: deleting the row would cascade at once, and every write would lock it.
create table businesses (
  id text primary key,
  name text not null,
  slug text not null,
  configs jsonb not null default '{}',
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint
);
create unique index businesses_slug on businesses (slug) where deleted_at is null;
create index businesses_deleted on businesses (deleted_at) where deleted_at is not null;

create table roles (
  business_id text not null,
  id text not null,
  name text not null,
  permissions text[] not null,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);

-- `used_at`: when the member first used the role or accepted an invitation to it. Null: an ADMIN assigned the role.
create table members (
  business_id text not null,
  user_id text not null references users on delete cascade,
  role_id text not null,
  used_at bigint,
  primary key (business_id, user_id, role_id),
  foreign key (business_id, role_id) references roles on delete cascade
);
create index members_user on members (user_id);

-- Open invitations. Accepting, declining or revoking one deletes its row.
create table invitations (
  business_id text not null,
  id text not null,
  email text not null,
  email_key text not null,
  role_ids text[] not null,
  secret_hash bytea not null,
  invited_by text not null,
  created_at bigint not null,
  expires_at bigint not null,
  primary key (business_id, id),
  constraint invitations_email unique (business_id, email_key)
);

-- `user_id` is set once the person has ordered or subscribed in this business. `email_key` is the normalized address.
create table customers (
  business_id text not null,
  id text not null,
  user_id text,
  email text,
  email_key text,
  name text not null default '',
  phone text,
  addresses jsonb not null default '[]',
  tags text[] not null default '{}',
  note text not null default '',
  consent jsonb,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);
create unique index customers_user on customers (business_id, user_id) where user_id is not null;
create unique index customers_email on customers (business_id, email_key) where email_key is not null;
