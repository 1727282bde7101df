-- Ends the transaction from within a statement: for transactions whose COMMIT is sent along with their statements.
create function abort_transaction(reason text, detail text) returns boolean language plpgsql volatile as $$
begin
  raise exception using errcode = 'SK001', message = reason, detail = detail;
end
$$;
