-- Statements of a checkout that one table can't answer. As functions, each statement inside has one table and a key, so PostgreSQL keeps its
-- plan, and a node of a cluster runs it on its own rows.

-- Moves stock by signed changes: all lines or none. The lines are in the order in which they are locked. Returns the lines with too
-- little stock. The ledger calls the returns of an order CANCEL.
create function move_stock(
  in_business text, in_products text[], in_variants text[], in_changes bigint[],
  in_reason text, in_reference text, in_user text, in_now bigint
) returns table (product_id text, variant_id text, quantity bigint, available bigint) language plpgsql volatile as $$
#variable_conflict use_column
declare
  is_tracked boolean;
  is_moved boolean[] := '{}';
  is_short boolean := false;
  left_over bigint;
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
      update stock s set quantity = s.quantity + in_changes[i], changes = s.changes + 1
      where s.business_id = in_business and s.product_id = in_products[i] and s.variant_id = in_variants[i]
      returning s.quantity into left_over;
      insert into stock_ledger
        (business_id, product_id, variant_id, change, quantity, reason, reference, user_id, created_at)
      values (in_business, in_products[i], in_variants[i], in_changes[i], left_over,
        case when in_reason = 'ORDER' and in_changes[i] > 0 then 'CANCEL' else in_reason end,
        in_reference, in_user, in_now);
    end if;
  end loop;
end $$;

-- Takes the next order number of a business. The rest of the transaction reads it from the setting `souk.order_number`. The counter
-- stays locked until the commit, so that numbers have no gaps.
create function next_order_number(in_business text) returns bigint language plpgsql volatile as $$
declare
  number bigint;
begin
  insert into order_counters as c (business_id, last) values (in_business, 1)
  on conflict (business_id) do update set last = c.last + 1
  returning c.last into number;
  perform set_config('souk.order_number', number::text, true);
  return number;
end $$;
