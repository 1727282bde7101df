-- What the ETag of a subscriber names; it grows with each change.
alter table subscriptions add column version bigint not null default 1;
