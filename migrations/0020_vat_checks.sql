-- Results of VIES, so that a VAT ID is checked once a day at most. Deleted after 90 days, and when the customer is erased.
create table vat_checks (
  business_id text not null,
  vat_id text not null,
  valid boolean not null,
  -- The customer who entered it last.
  user_id text,
  checked_at bigint not null,
  primary key (business_id, vat_id)
);
create index vat_checks_user on vat_checks (business_id, user_id);
create index vat_checks_checked on vat_checks (checked_at);
