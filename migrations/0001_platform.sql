-- Allows GIN indexes to start with `business_id`.
create extension if not exists btree_gin;

-- Responses to requests with an Idempotency-Key, kept for a day.
create table idempotency_keys (
  business_id text not null,
  user_id text not null,
  key text not null,
  fingerprint text not null,
  answer jsonb,
  reference text,
  expires_at timestamptz not null,
  primary key (business_id, user_id, key)
);
create index idempotency_keys_expires_at on idempotency_keys (expires_at);

-- Rate limit counters. Unlogged: a crash may reset them.
create unlogged table limits (
  key text primary key,
  count integer not null,
  resets_at bigint not null
);
create index limits_resets_at on limits (resets_at);

-- Aborts the transaction from within a statement, for pipelines that send their COMMIT along with their statements.
create function abort_transaction(reason text, detail text) returns boolean language plpgsql volatile as $$
begin
  raise exception using errcode = 'SK001', message = reason, detail = detail;
end
$$;

-- pg-boss keeps its tables in this schema. An administrator creates it if the role can't.
do $$
begin
  if to_regnamespace('jobs') is null then
    create schema jobs;
  end if;
end
$$;

-- One-off work of a business: an email, a check of an upload, an erasure. A task commits with its cause, and its row is deleted
-- when it is done.
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
