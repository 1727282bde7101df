-- A deleted business is marked: from then on it is invisible and its slug is free. A job deletes its rows in every table in
-- batches, and its own row last.
alter table businesses add column deleted_at bigint, drop constraint businesses_slug;
create unique index businesses_slug on businesses (slug) where deleted_at is null;
create index businesses_deleted on businesses (deleted_at) where deleted_at is not null;

-- Nothing that grows with the business refers to its row: such a reference deletes everything at once with the row, and locks
-- the row whenever something is written. Roles, which are few, still do.
alter table products drop constraint products_business_id_fkey;
alter table stock_ledger drop constraint stock_ledger_business_id_fkey;
alter table product_words drop constraint product_words_business_id_fkey;
