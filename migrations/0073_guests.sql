-- Guests who own nothing are deleted after 30 days. One who was found to own something is not looked at again.
alter table users add column is_kept boolean not null default false;
create index users_guests on users (created_at, id) where is_guest and not is_kept;
