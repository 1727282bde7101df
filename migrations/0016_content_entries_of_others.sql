-- Entries of orders and reservations by age, for lists of all entries.
create index entries_others on entries (business_id, created_at, id) where owner not like 'collection:%';
