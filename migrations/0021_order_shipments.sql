-- The shipment that an email to the customer is about.
alter table order_tasks add column shipment_id text;

-- Lists of orders by fulfillment. Orders of older versions have no fulfillment in their document until they change.
create index orders_fulfillment on orders (business_id, (coalesce(doc ->> 'fulfillment', case
    when status in ('SHIPPED', 'DELIVERED') then 'FULFILLED'
    when status = 'REFUNDED' and (doc @> '{"statuses": [{"status": "SHIPPED"}]}' or doc @> '{"statuses": [{"status": "DELIVERED"}]}')
      then 'FULFILLED'
    else 'UNFULFILLED' end)), created_at, number);
