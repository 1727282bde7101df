-- Whether no variant of the product is in stock. It changes only when the last item of a variant is sold, or the first one returns.
-- Rows that the previous version inserts count as in stock until the next change.
lock table stock in exclusive mode;
alter table product_facets add column is_sold_out boolean not null default false;

-- Updates `is_sold_out` from the stock. Two sales that sell the last items of two variants see each other's change, because the
-- second one waits for the row and only then reads the stock.
create function update_sold_out(in_business text, in_product text) returns void language plpgsql volatile as $$
begin
  perform from product_facets f where f.business_id = in_business and f.product_id = in_product for no key update;
  update product_facets f set is_sold_out = not f.is_sold_out
  where f.business_id = in_business and f.product_id = in_product and f.is_sold_out = exists (
    select from stock s where s.business_id = in_business and s.product_id = in_product and not s.is_sold_out
  );
end $$;

-- The ID of the variant's latest ledger entry. IDs increase in the order of the changes. The sequence alone doesn't ensure that on a
-- cluster, where its values depend on the node that writes.
alter table stock add column last_change bigint not null default 0;

do $$ begin
  if exists (select from pg_extension where extname = 'citus') then
    update stock s set last_change = l.id
    from (select business_id, product_id, variant_id, max(id) as id from stock_ledger group by 1, 2, 3) l
    where s.business_id = l.business_id and s.product_id = l.product_id and s.variant_id = l.variant_id;
  end if;
end $$;

-- Writes a change to the ledger. Requires the lock on the variant's stock row. If the row was deleted, its last ID is in the ledger.
create function record_stock_change(
  in_business text, in_product text, in_variant text, in_change bigint, in_quantity bigint,
  in_reason text, in_reference text, in_user text, in_now bigint
) returns void language plpgsql volatile as $$
declare
  next_id bigint;
begin
  select case when max(l.id) is null then 1 else greatest(nextval('stock_ledger_id_seq'), max(l.id) + 1) end into next_id from stock_ledger l
  where l.business_id = in_business and l.product_id = in_product and l.variant_id = in_variant;
  insert into stock_ledger
    (business_id, product_id, variant_id, id, change, quantity, reason, reference, user_id, created_at)
  overriding system value
  values (in_business, in_product, in_variant, next_id, in_change, in_quantity, in_reason, in_reference, in_user, in_now);
  update stock s set last_change = next_id
  where s.business_id = in_business and s.product_id = in_product and s.variant_id = in_variant;
end $$;

-- As before, and keeps `last_change` and `is_sold_out`. All stock rows are locked by then, so that no sale waits for stock while it locks
-- facets.
create or replace function move_stock(
  in_business text, in_products text[], in_variants text[], in_changes bigint[],
  in_reason text, in_reference text, in_user text, in_now bigint
) returns table (product_id text, variant_id text, quantity bigint, available bigint) language plpgsql volatile as $$
#variable_conflict use_column
declare
  is_tracked boolean;
  is_moved boolean[] := '{}';
  is_short boolean := false;
  left_over bigint;
  next_id bigint;
begin
  for i in 1 .. cardinality(in_products) loop
    select s.tracked, s.quantity into is_tracked, left_over from stock s
    where s.business_id = in_business and s.product_id = in_products[i] and s.variant_id = in_variants[i]
    for update;
    is_moved[i] := coalesce(is_tracked, false);
    if in_changes[i] < 0 and (is_tracked is null or (is_tracked and left_over + in_changes[i] < 0)) then
      is_short := true;
      product_id := in_products[i];
      variant_id := in_variants[i];
      quantity := -in_changes[i];
      available := coalesce(left_over, 0);
      return next;
    end if;
  end loop;
  if is_short then
    return;
  end if;
  for i in 1 .. cardinality(in_products) loop
    if is_moved[i] then
      next_id := nextval('stock_ledger_id_seq');
      update stock s
      set quantity = s.quantity + in_changes[i], changes = s.changes + 1, last_change = greatest(next_id, s.last_change + 1)
      where s.business_id = in_business and s.product_id = in_products[i] and s.variant_id = in_variants[i]
      returning s.quantity, s.last_change into left_over, next_id;
      insert into stock_ledger
        (business_id, product_id, variant_id, id, change, quantity, reason, reference, user_id, created_at)
      overriding system value
      values (in_business, in_products[i], in_variants[i], next_id, in_changes[i], left_over,
        case when in_reason = 'ORDER' and in_changes[i] > 0 then 'CANCEL' else in_reason end, in_reference, in_user, in_now);
      if left_over = 0 or left_over = in_changes[i] then
        perform update_sold_out(in_business, in_products[i]);
      end if;
    end if;
  end loop;
end $$;

update product_facets f set is_sold_out = true
where exists (select from stock s where s.business_id = f.business_id and s.product_id = f.product_id and s.is_sold_out)
  and not exists (select from stock s where s.business_id = f.business_id and s.product_id = f.product_id and not s.is_sold_out);

-- The few products that a filter for unavailable products finds.
create index product_facets_sold_out on product_facets using gin (places, terms) with (fastupdate = off)
  where is_sold_out or not has_variants;
