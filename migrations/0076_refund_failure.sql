-- Why the provider has refused a refund: who asks again is told.
alter table refunds add column failure text;
