-- The lines and the shipping that a refund pays back. Null for refunds of older versions.
alter table refunds add column parts jsonb;

-- Items that a customer sends back, or withdraws from before they are shipped.
create table returns (
  business_id text not null,
  id text not null,
  order_id text not null,
  type text not null,
  status text not null,
  doc jsonb not null,
  version integer not null,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);
create index returns_order on returns (business_id, order_id, id);
create index returns_created on returns (business_id, created_at, id);
create index returns_status on returns (business_id, status, created_at, id);

-- The return that an email to the customer is about.
alter table order_tasks add column return_id text;
