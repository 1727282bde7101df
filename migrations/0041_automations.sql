-- Sequences of emails, tags and conditions that an event starts. `deleted_at` hides a row until its runs are deleted.
create table automations (
  business_id text not null,
  id text not null,
  name text not null,
  enabled boolean not null,
  -- Only events since then start a run.
  enabled_at bigint not null,
  -- Only subscribers of this newsletter enter, and all emails belong to it.
  collection_id text not null,
  trigger jsonb not null,
  steps jsonb not null,
  -- When the next step of a person is due.
  due_at bigint,
  -- For dates: the next day to look for, and when to look.
  scan_day date,
  scan_at bigint,
  version bigint not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  deleted_at bigint,
  primary key (business_id, id),
  foreign key (business_id, collection_id) references collections on delete cascade
);
create index automations_due on automations ((case when enabled and deleted_at is null then due_at end))
  where (case when enabled and deleted_at is null then due_at end) is not null;
create index automations_scan on automations ((case when enabled and deleted_at is null then scan_at end))
  where (case when enabled and deleted_at is null then scan_at end) is not null;

-- One person's way through an automation. `occurrence` names its cause: an order, a cart, a year, or nothing for causes that count once.
create table automation_runs (
  business_id text not null,
  automation_id text not null,
  subscription_id text not null,
  occurrence text not null,
  email text not null,
  email_key text not null,
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'COMPLETED', 'EXITED')),
  -- Why an EXITED run ended.
  reason text,
  -- The step that comes next. Null after the end.
  step_id text,
  due_at bigint,
  -- The steps that are behind, so that no step is repeated after it was moved.
  done text[] not null default '{}',
  send_ids text[] not null default '{}',
  entered_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, automation_id, subscription_id, occurrence),
  foreign key (business_id, automation_id) references automations on delete cascade
);
create unique index automation_runs_active on automation_runs (business_id, automation_id, subscription_id) where status = 'ACTIVE';
create index automation_runs_due on automation_runs (business_id, automation_id, due_at) where status = 'ACTIVE';
create index automation_runs_newest on automation_runs (business_id, automation_id, entered_at, subscription_id, occurrence);
create index automation_runs_person on automation_runs (business_id, email_key);
create index automation_runs_subscription on automation_runs (business_id, subscription_id) where status = 'ACTIVE';

-- How many people have passed each step or left at it. The step '' counts completed runs.
create table automation_counts (
  business_id text not null,
  automation_id text not null,
  step_id text not null,
  done bigint not null default 0,
  exited bigint not null default 0,
  primary key (business_id, automation_id, step_id),
  foreign key (business_id, automation_id) references automations on delete cascade
);

-- Events that may start or end runs: `position` of an event, or a cart that is abandoned when it is due.
create table automation_signals (
  business_id text not null,
  subject text not null,
  automation_id text not null default '',
  position bigint,
  due_at bigint not null,
  primary key (business_id, subject, automation_id)
);
create index automation_signals_due on automation_signals (due_at);

-- The emails of automations, shared by all sends with the same content.
create table mail_contents (
  business_id text not null,
  id text not null,
  content jsonb not null,
  created_at bigint not null,
  primary key (business_id, id)
);

-- A step of an automation sends to the people that are due as one send.
alter table sends
  add column automation_id text,
  add column step_id text,
  add column content_id text;
create index sends_automation on sends (business_id, automation_id, open) where automation_id is not null;
