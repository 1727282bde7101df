-- The job queue makes its tables in a schema of its own. A role that may not make schemas finds it made by an administrator.
do $$
begin
  if to_regnamespace('jobs') is null then
    create schema jobs;
  end if;
end
$$;
