-- Open invitations: one that was accepted, declined or taken back has no row. The link's secret is stored as a hash.
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
