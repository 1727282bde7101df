-- Uploaded bank statements. They name payers, so they are deleted after 90 days.
create table bank_statements (
  business_id text not null,
  id text not null,
  file_name text not null,
  format text not null,
  -- The account of the statement, if the file has it.
  iban text,
  -- Rows of the file that are not incoming payments.
  skipped integer not null,
  user_id text not null,
  created_at bigint not null,
  primary key (business_id, id)
);
create index bank_statements_created on bank_statements (created_at);

-- Incoming payments. `key` identifies a payment in all statements that contain it.
create table bank_entries (
  business_id text not null,
  statement_id text not null,
  key text not null,
  position integer not null,
  amount bigint not null,
  currency text not null,
  date text not null,
  -- The payer. Null in an erased entry.
  name text,
  iban text,
  text text,
  -- The order that the text refers to, or that staff chose.
  order_id text,
  primary key (business_id, statement_id, key),
  constraint bank_entries_statement foreign key (business_id, statement_id)
    references bank_statements (business_id, id) on delete cascade
);
create index bank_entries_order on bank_entries (business_id, order_id);

-- Payments that were booked, each once. Kept when their statement is deleted.
create table bank_bookings (
  business_id text not null,
  key text not null,
  order_id text not null,
  amount bigint not null,
  user_id text not null,
  created_at bigint not null,
  primary key (business_id, key)
);
