-- No table refers to the row of its business: a reference locks that row with every write, and on a Citus cluster ties a table
-- that is spread to one that is copied. The job that clears a deleted business deletes imports like everything else of it.
alter table imports drop constraint imports_business_id_fkey;
alter table import_addresses drop constraint import_addresses_business_id_fkey;
