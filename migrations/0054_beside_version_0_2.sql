-- The service writes these columns with the document. Deriving them here took a tenth of the CPU time of a checkout. Triggers derive them
-- for processes of 0.2, which don't write them. Citus has no triggers on distributed tables, so processes of 0.2 can't run on a cluster.

-- 0.2 ships an order by its status alone. Without `shipments` and `fulfillment`, the service reads from the status what was shipped.
create function derive_order_columns() returns trigger language plpgsql as $$
declare
  products jsonb := jsonb_path_query_array(new.doc, '$.lines[*].productId ? (@ != null)');
begin
  if new.status in ('SHIPPED', 'DELIVERED') and new.doc -> 'shipments' = '[]' then
    new.doc := new.doc - '{shipments,fulfillment}'::text[];
  end if;
  new.doc_bytes := octet_length(new.doc::text);
  new.total := (new.doc ->> 'total')::bigint;
  new.market := lower(new.doc ->> 'market');
  new.currency := lower(new.doc ->> 'currency');
  new.paid_at := (jsonb_path_query_first(new.doc, '$.paymentStatus[*] ? (@.status == "PAID").timestamp'))::bigint;
  new.country := coalesce(new.doc #>> '{shippingAddress,country}', new.doc #>> '{billingAddress,country}', new.doc #>> '{taxLines,0,country}');
  new.is_abandoned := new.status = 'CANCELLED' and new.payment_status = 'FAILED' and new.paid = 0
    and coalesce(new.doc ->> 'paymentMethod' in ('CREDIT_CARD', 'STRIPE', 'CARD_PROVIDER'), false)
    and coalesce(new.doc #>> '{statuses,-1,changedBy}' = 'SYSTEM' or new.doc #>> '{statuses,-1,userId}' = new.customer_id, false);
  new.bought := case when octet_length(products::text) <= 1800 then products end;
  return new;
end $$;

create function derive_event_bytes() returns trigger language plpgsql as $$
begin
  new.bytes := octet_length(new.data::text) + coalesce(octet_length(new.changes::text), 0);
  return new;
end $$;

-- 0.2 calls the column `told`.
create function copy_told() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.last_sent := coalesce(new.last_sent, new.told);
  elsif new.told is distinct from old.told then
    new.last_sent := new.told;
  end if;
  new.told := new.last_sent;
  return new;
end $$;

-- Citus doesn't propagate this change, so it is run on each node of a cluster. A run that was interrupted can be repeated.
-- A previous version of 0050 made the change too.
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

-- What the provider was last asked to do.
do $$ begin
  if not exists (select from pg_attribute where attrelid = 'agreements'::regclass and attname = 'last_sent') then
    alter table agreements rename column told to last_sent;
    alter table agreements drop constraint agreements_told_check;
    alter table agreements add constraint agreements_last_sent_check check (last_sent in ('RENEW', 'CANCEL', 'END'));
  end if;
end $$;
alter table agreements add column told text;
update agreements set told = last_sent;

do $$ begin
  if exists (select from pg_extension where extname = 'citus') then
    if exists (select from pg_dist_partition where logicalrelid = 'orders'::regclass) then
      return;
    end if;
  end if;
  -- 0.2 changes the document without updating its size.
  create trigger orders_derive_inserted before insert on orders for each row when (new.doc_bytes is null)
    execute function derive_order_columns();
  create trigger orders_derive_updated before update on orders for each row when (new.doc_bytes = old.doc_bytes)
    execute function derive_order_columns();
  create trigger events_derive before insert on events for each row when (new.bytes is null) execute function derive_event_bytes();
  create trigger agreements_copy_told before insert or update on agreements for each row execute function copy_told();
end $$;
