-- Each registration of an address that is not confirmed yet has its own link, which confirms its own password.
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
