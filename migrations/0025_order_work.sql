-- The tags of orders, for lists by tag. The document of the order has them too.
create table order_tags (
  business_id text not null,
  order_id text not null,
  -- The tag in lower case: tags that differ only in case are the same.
  key text not null,
  tag text not null,
  -- Of the order. They never change, and sort the orders of a tag.
  created_at bigint not null,
  number bigint not null,
  primary key (business_id, order_id, key)
);
create index order_tags_key on order_tags (business_id, key, created_at, number);

create index orders_assignee on orders (business_id, (doc ->> 'assignee'), created_at, number) where doc ->> 'assignee' is not null;
create index orders_country on orders (business_id, (upper(doc #>> '{shippingAddress,country}')), created_at, number)
  where doc #>> '{shippingAddress,country}' is not null;
-- The number that an imported order has in the system it comes from.
create index orders_source_number on orders (business_id, (lower(doc #>> '{source,number}')))
  where doc #>> '{source,number}' is not null;
