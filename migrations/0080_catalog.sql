-- Grows with each change of the quantity. The sum over a product's variants is the version of its stock: together with the
-- product's own version it names one answer, and is its ETag.
alter table stock add column changes bigint not null default 0;

-- For lists of a span of time. The document ends with the time it was made and the time of its last change.
alter table products add column created_at bigint not null default 0;
update products set created_at = substring(doc from '"createdAt":(\d+),"updatedAt":\d+\}$')::bigint
  where doc ~ '"createdAt":\d+,"updatedAt":\d+\}$';
create index products_created on products (business_id, created_at, id);
