-- Grows with each change, for ETag and If-Match.
alter table subscriptions add column version bigint not null default 1;
