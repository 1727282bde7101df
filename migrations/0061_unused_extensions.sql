-- Search is done with words that the service makes, not with trigrams or unaccent. What belongs to somebody else, or is used by
-- something else in this database, stays.
do $$
declare
  unused text;
begin
  for unused in
    select extname from pg_extension where extname in ('pg_trgm', 'unaccent') and extowner = current_user::regrole
  loop
    begin
      execute format('drop extension %I', unused);
    exception when dependent_objects_still_exist or insufficient_privilege then
      raise notice 'extension % is still used and stays', unused;
    end;
  end loop;
end
$$;
