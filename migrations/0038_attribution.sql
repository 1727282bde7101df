-- The send whose link led to the order.
alter table orders add column send_id text;
create index orders_send on orders (business_id, send_id) where send_id is not null;
