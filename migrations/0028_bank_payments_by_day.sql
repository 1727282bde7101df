-- Finds a payment that another file calls by another reference.
create index bank_entries_payment on bank_entries (business_id, date, amount);
