-- Reads a product with its stock version, the sum of the counters of its stock rows. The document is null if the caller knows this version.
-- The quantities are null if the caller knows both versions. Stable, so that both tables are read at the same moment.
create function product_state(in_business text, in_id text, in_version integer, in_stock_version bigint)
returns table (version integer, stock_version bigint, status text, doc jsonb, quantities json) language plpgsql stable as $$
#variable_conflict use_column
begin
  select p.version, p.status, case when p.version = in_version then null else p.doc end into version, status, doc
  from products p where p.business_id = in_business and p.id = in_id;
  if not found then
    return;
  end if;
  select coalesce(sum(s.changes), 0) into stock_version from stock s
  where s.business_id = in_business and s.product_id = in_id;
  if version <> in_version or stock_version <> in_stock_version then
    select coalesce(json_object_agg(s.variant_id, s.quantity), '{}') into quantities from stock s
    where s.business_id = in_business and s.product_id = in_id;
  end if;
  return next;
end $$;
