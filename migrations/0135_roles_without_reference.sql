-- Tables of the accounts stay on the coordinator of a Citus cluster, businesses are copied to every node. A reference from one
-- to the other would make each statement on roles, members, users and sessions one of the cluster. The job that clears a
-- deleted business deletes its roles like everything else of it.
alter table roles drop constraint roles_business_id_fkey;
