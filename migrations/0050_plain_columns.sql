-- The service writes these columns with the document. Deriving them here took a tenth of the CPU time of a checkout.
-- Citus doesn't forward this change, so each node of a cluster makes it by itself. A run that was interrupted can be repeated.
do $$
declare
  is_distributed boolean := false;
  relation regclass;
  changes text;
  failure text;
begin
  for relation, changes in
    select t.name::regclass, string_agg(format('alter column %I drop expression if exists', c), ', ')
    from (values ('orders', '{doc_bytes,total,market,currency,paid_at,country,is_abandoned,bought}'::text[]), ('events', '{bytes}'))
      as t (name, columns), unnest(t.columns) as c
    group by 1
  loop
    if exists (select from pg_extension where extname = 'citus') then
      is_distributed := exists (select from pg_dist_partition where logicalrelid = relation);
    end if;
    if is_distributed then
      select result into failure
      from (select success, result from run_command_on_placements(relation, 'alter table %s ' || changes)
        union all select success, result from run_command_on_all_nodes(format(
          'do $do$ begin set local citus.enable_ddl_propagation = off; alter table %s %s; end $do$', relation, changes))) as done
      where not success limit 1;
      if found then
        raise exception '%', failure;
      end if;
    else
      execute format('alter table %s %s', relation, changes);
    end if;
  end loop;
end $$;

-- Like orders: rows up to 8 KB are stored as they are. Compressing an event took longer than the rest of its write.
alter table event_outbox set (toast_tuple_target = 8160);
alter table events set (toast_tuple_target = 8160);

-- What the provider was last asked to do.
alter table agreements rename column told to last_sent;
alter table agreements drop constraint agreements_told_check;
alter table agreements add constraint agreements_last_sent_check check (last_sent in ('RENEW', 'CANCEL', 'END'));
