-- An index whose condition is only a status is also taken for reads of one row by its key, and then all open rows are read. This
-- condition is met by no statement but the one that looks for what is due.
drop index payments_due;
create index payments_due on payments ((case when status = 'OPEN' then due_at end))
  where (case when status = 'OPEN' then due_at end) is not null;
drop index refunds_due;
create index refunds_due on refunds ((case when status = 'PENDING' then due_at end))
  where (case when status = 'PENDING' then due_at end) is not null;
