-- Every statement of these functions has one table and a key: PostgreSQL keeps its plan, and the node of a cluster runs it on its own rows.
-- As single statements with several tables, Citus copied their rows to all nodes and committed in two phases.

-- Moves up to `in_limit` events from the outbox to `events` in insertion order, numbers and returns them. Returns a row of nulls if
-- another process holds the lock on the head.
create function number_events(in_business text, in_limit integer)
returns table ("position" bigint, type text, entity text) language plpgsql volatile as $$
#variable_conflict use_column
declare
  head bigint;
  first bigint;
  sequence bigint;
  event record;
  moved bigint[] := '{}';
begin
  select h.position into head from event_heads h where h.business_id = in_business for update skip locked;
  if head is null then
    insert into event_heads (business_id, position) values (in_business, 0) on conflict do nothing;
    select h.position into head from event_heads h where h.business_id = in_business for update skip locked;
    if head is null then
      return next;
      return;
    end if;
  end if;
  -- The scan then skips the index entries of moved events that are not yet vacuumed.
  select min(o.inserted) into first from event_outbox o where o.business_id = in_business;
  -- Locked, so that an erasure waits and then finds the events in their new place. Small values are stored as they are, so their size is known.
  -- Large ones are compressed, and their text is much larger.
  for event in
    select o.*,
      case when pg_column_compression(o.data) is null then pg_column_size(o.data) else octet_length(o.data::text) end
        + coalesce(case when pg_column_compression(o.changes) is null then pg_column_size(o.changes)
          else octet_length(o.changes::text) end, 0) as bytes
    from event_outbox o where o.business_id = in_business and o.inserted >= first
    order by o.inserted limit in_limit for update
  loop
    head := head + 1;
    moved := moved || event.inserted;
    insert into event_sequences as s (business_id, entity, sequence) values (in_business, event.entity, 1)
    on conflict (business_id, entity) do update set sequence = s.sequence + 1
    returning s.sequence into sequence;
    insert into events (business_id, position, type, entity, sequence, actor, actor_id, address, data, changes, bytes, created_at)
    values (in_business, head, event.type, event.entity, sequence, event.actor, event.actor ->> 'userId', event.address,
      event.data, event.changes, event.bytes, event.created_at);
    "position" := head;
    type := event.type;
    entity := event.entity;
    return next;
  end loop;
  if moved <> '{}' then
    delete from event_outbox o where o.business_id = in_business and o.inserted = any(moved);
    update event_heads h set position = head where h.business_id = in_business;
  end if;
end $$;

-- Records that a user has acted at a business. Does nothing if the user has a record. `in_key` is null unless the email is verified.
create function record_customer(
  in_business text, in_id text, in_user text, in_email text, in_key text, in_name text, in_now bigint,
  in_has_account boolean, in_account_email text, in_account_name text, in_actor jsonb, in_address text, in_event_at bigint
) returns void language plpgsql volatile as $$
declare
  customer customers;
  event_type text := 'customer.updated';
begin
  perform from customers c where c.business_id = in_business and c.user_id = in_user;
  if found then
    return;
  end if;
  update customers c set user_id = in_user, version = c.version + 1, updated_at = in_now
  where c.business_id = in_business and c.email_key = in_key and c.user_id is null
  returning c.* into customer;
  if not found then
    event_type := 'customer.created';
    insert into customers as c (business_id, id, user_id, email, email_key, name, created_at, updated_at)
    values (in_business, in_id, in_user, in_email, in_key, in_name, in_now, in_now)
    on conflict do nothing returning c.* into customer;
    -- Another user's record has the email, or a concurrent request created this one.
    if not found and in_key is not null then
      insert into customers as c (business_id, id, user_id, name, created_at, updated_at)
      values (in_business, in_id, in_user, in_name, in_now, in_now)
      on conflict do nothing returning c.* into customer;
    end if;
    if not found then
      return;
    end if;
  end if;
  insert into event_outbox (business_id, type, entity, actor, address, data, created_at)
  values (in_business, event_type, 'customer:' || customer.id, in_actor, in_address,
    jsonb_build_object('id', customer.id, 'businessId', customer.business_id, 'userId', customer.user_id,
      'hasAccount', in_has_account, 'email', coalesce(customer.email, in_account_email),
      'name', coalesce(nullif(customer.name, ''), in_account_name), 'phone', customer.phone, 'addresses', customer.addresses,
      'shippingAddress', customer.shipping_address, 'billingAddress', customer.billing_address, 'tags', customer.tags,
      'note', customer.note, 'consent', customer.consent, 'createdAt', customer.created_at, 'updatedAt', customer.updated_at),
    in_event_at);
end $$;

-- Emits an event for each variant whose stock has just dropped to its threshold. The rows are still locked.
create function emit_low_stock(
  in_business text, in_products text[], in_variants text[], in_changes bigint[], in_actor jsonb, in_address text, in_now bigint
) returns void language plpgsql volatile as $$
declare
  variant record;
begin
  for i in 1 .. cardinality(in_products) loop
    select s.sku, s.quantity, s.low_stock_threshold into variant from stock s
    where s.business_id = in_business and s.product_id = in_products[i] and s.variant_id = in_variants[i] and s.tracked;
    if variant.quantity <= variant.low_stock_threshold and variant.quantity - in_changes[i] > variant.low_stock_threshold then
      insert into event_outbox (business_id, type, entity, actor, address, data, created_at)
      values (in_business, 'inventory.low', 'product:' || in_products[i], in_actor, in_address,
        jsonb_build_object('productId', in_products[i], 'variantId', in_variants[i], 'sku', variant.sku,
          'quantity', variant.quantity, 'lowStockThreshold', variant.low_stock_threshold), in_now);
    end if;
  end loop;
end $$;
