-- Converts a database of version 0.1 to the schema of version 0.2. Stop all processes of version 0.1 first: they can't read the
-- converted documents.

-- Documents become jsonb, so that SQL can read them: `select doc ->> 'name' from products`. The service's schemas
-- decide who can see which field. `doc_bytes` is the size of a document in a response: lists limit their pages by it
-- without reading the document.

-- A NUL or half of a surrogate pair, which jsonb can't store, becomes U+FFFD. JSON text contains them only as
-- escapes.
create function text_to_jsonb(stored text) returns jsonb language sql immutable as $$
  select regexp_replace(stored, '(?<!\\)((?:\\\\)*)\\u(?:d[89a-f][0-9a-f]{2}|0000)', '\1\\ufffd', 'g')::jsonb
$$;

-- A product's document contains no quantities: they are in `stock`. Version 0.1 had a placeholder for each, U+0001
-- and two digits.
alter table products alter column doc type jsonb
  using text_to_jsonb(regexp_replace(doc, ',"quantity":' || chr(1) || '[0-9a-f]{2}', '', 'g'));
alter table products add column doc_bytes integer not null generated always as (octet_length(doc::text)) stored;

alter table collections drop column name_key;
alter table collections alter column doc type jsonb using text_to_jsonb(doc);
alter table collections
  add column name_key text not null generated always as (lower(doc ->> 'name')) stored,
  add column doc_bytes integer not null generated always as (octet_length(doc::text)) stored;

alter table entries alter column doc type jsonb using text_to_jsonb(doc);
alter table entries add column doc_bytes integer not null generated always as (octet_length(doc::text)) stored;

-- A draft contains the initial quantity of a variant that its product does not have yet; other versions contain none.
alter table versions
  alter column doc type jsonb
    using text_to_jsonb(regexp_replace(doc, ',"quantity":' || chr(1) || '[0-9a-f]{2}', '', 'g')),
  alter column changed type jsonb using text_to_jsonb(changed);
alter table releases alter column failure type jsonb using text_to_jsonb(failure);

alter table event_outbox
  alter column actor type jsonb using text_to_jsonb(actor),
  alter column data type jsonb using text_to_jsonb(data),
  alter column changes type jsonb using text_to_jsonb(changes);
alter table events
  alter column actor type jsonb using text_to_jsonb(actor),
  alter column data type jsonb using text_to_jsonb(data),
  alter column changes type jsonb using text_to_jsonb(changes);
alter table events add column bytes integer not null
  generated always as (octet_length(data::text) + coalesce(octet_length(changes::text), 0)) stored;
alter table account_events
  alter column actor type jsonb using text_to_jsonb(actor),
  alter column data type jsonb using text_to_jsonb(data);

alter table webhook_deliveries alter column attempts drop default;
alter table webhook_deliveries alter column attempts type jsonb using text_to_jsonb(attempts);
alter table webhook_deliveries alter column attempts set default '[]';

alter table import_pictures alter column alt drop default, alter column details drop default;
alter table import_pictures
  alter column alt type jsonb using text_to_jsonb(alt),
  alter column details type jsonb using text_to_jsonb(details);
alter table import_pictures alter column alt set default '""', alter column details set default '{}';

-- The name and price a variant is sold with, filled in for products saved before this column existed. Null: can't be
-- bought.
drop index stock_not_sold_as;
alter table stock alter column sold_as type jsonb using nullif(text_to_jsonb(sold_as), 'null');
update stock s set sold_as = jsonb_build_object('productName', p.doc -> 'name', 'variantName', v -> 'name', 'sku', v -> 'sku',
    'prices', v -> 'pricing' -> 'markets')
  from products p cross join lateral jsonb_array_elements(p.doc -> 'variants') v
  where s.sold_as is null and p.business_id = s.business_id and p.id = s.product_id and v ->> 'id' = s.variant_id;

drop function text_to_jsonb(text);

-- One-off work of a business: an email, a check of an upload, an erasure. A task commits with its cause, and its row
-- is deleted when it is done.
create table tasks (
  business_id text not null,
  id text not null,
  queue text not null,
  data jsonb not null,
  -- Only one waiting task per queue and key is kept: the first. A task that starts gives up its key.
  key text,
  -- No second task with the same cause is inserted while this one is stored, until an hour after it is done.
  cause text,
  -- When the task is due; while it runs, when its lease expires. Null if done or dead.
  due_at bigint,
  running boolean not null default false,
  attempts integer not null default 0,
  -- Why the last attempt failed.
  error text,
  -- The task failed too often and is not retried.
  dead boolean not null default false,
  -- When a done or dead task is deleted.
  expires_at bigint,
  primary key (business_id, id)
);
create index tasks_due on tasks (due_at, queue, business_id) where due_at is not null;
create index tasks_waiting on tasks (business_id, queue, due_at) where due_at is not null;
create unique index tasks_key on tasks (business_id, queue, key) where key is not null;
create unique index tasks_cause on tasks (business_id, cause) where cause is not null;
create index tasks_expires_at on tasks (expires_at) where expires_at is not null;

-- A worker that publishes a record leases the row without changing its time.
alter table planned add column leased_until bigint not null default 0;
drop index planned_due;
create index planned_due on planned (greatest(due_at, leased_until));

-- When a send that has not started is due.
alter table sends add column due_at bigint not null default 0;
update sends set due_at = scheduled_at where open and not frozen;
create index sends_due on sends ((case when open and not frozen then due_at end))
  where (case when open and not frozen then due_at end) is not null;

-- Waiting jobs that belong to a business become tasks. Some are dropped because the business's own rows have a due
-- time, and so are the schedules of the sweeps that looked for such rows. Emails stay in the queue, because only
-- their encrypted text identifies the business.
do $$
declare
  moved constant text[] := array['clear-collections', 'erase-person', 'import-pictures', 'media-check', 'media-delete-files',
    'media-formats', 'media-refresh', 'webhook-replay'];
  dropped constant text[] := array['agreement-sync', 'agreements-due', 'import-files-sweep', 'media-resume', 'newsletter-send',
    'newsletter-start', 'newsletter-sweep', 'order-expiry', 'order-mail', 'publish-due', 'publish-sweep', 'resume-imports', 'run-import'];
begin
  if to_regclass('jobs.job') is null then
    return;
  end if;
  insert into tasks (business_id, id, queue, data, due_at)
  select data ->> 'businessId', id::text, name, data, extract(epoch from start_after)::bigint
  from jobs.job where name = any(moved) and state < 'completed' and data ? 'businessId';
  insert into order_tasks (business_id, order_id, kind, amount, due_at)
  select data ->> 'businessId', data ->> 'orderId', coalesce(data ->> 'kind', 'EXPIRY'), (data ->> 'amount')::bigint,
    extract(epoch from start_after)::bigint
  from jobs.job where name in ('order-mail', 'order-expiry') and state < 'completed';
  delete from jobs.job where name = any(moved) and data ? 'businessId';
  delete from jobs.job where name = any(dropped);
  delete from jobs.schedule where name = any(dropped);
  delete from jobs.queue q where name = any(dropped || moved) and not exists (select from jobs.job j where j.name = q.name)
    and not exists (select from jobs.schedule s where s.name = q.name);
end $$;

alter table webhooks rename column former_secret to previous_secret;
alter table webhooks rename column former_until to previous_until;
alter table products alter column created_at drop default;
