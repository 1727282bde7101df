-- The last number of each series of invoices and credit notes. Locked last, and until the commit, so that numbers have no gaps.
create table document_counters (
  business_id text not null,
  series text not null,
  last bigint not null,
  primary key (business_id, series)
) with (fillfactor = 20);

-- Invoices and credit notes. Rows are never updated, and deleted only with their business.
create table documents (
  business_id text not null,
  id text not null,
  order_id text not null,
  type text not null check (type in ('INVOICE', 'CREDIT_NOTE')),
  series text not null,
  sequence bigint not null,
  -- The refund that it is about. Null for the invoice of the order, and if staff set the payment status.
  refund_id text,
  issued_at bigint not null,
  currency text not null,
  total bigint not null,
  -- Everything that is printed, except the number.
  snapshot jsonb not null,
  primary key (business_id, id),
  constraint documents_number unique (business_id, series, sequence),
  constraint documents_refund unique (business_id, refund_id, type)
);
create index documents_order on documents (business_id, order_id, issued_at);
