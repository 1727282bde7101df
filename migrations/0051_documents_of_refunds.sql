-- Most documents have no refund, and need no entry in this index.
create unique index documents_by_refund on documents (business_id, refund_id, type) where refund_id is not null;
alter table documents drop constraint documents_refund;
alter index documents_by_refund rename to documents_refund;
