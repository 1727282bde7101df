-- The addresses that a new order of the customer starts with.
alter table customers add column shipping_address jsonb;
alter table customers add column billing_address jsonb;
