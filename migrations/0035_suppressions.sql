-- Addresses that get no marketing email of a business: newsletters, automations and reminders.
create table suppressions (
  business_id text not null,
  id text not null,
  email text not null,
  email_key text not null,
  reason text not null check (reason in ('BOUNCE', 'COMPLAINT', 'MANUAL')),
  -- What the mail server or the provider said, or a note of a member.
  detail text not null default '',
  -- The email provider that reported it. Null if a mail server or a member did.
  provider text,
  created_at bigint not null,
  -- A removed suppression stays, so that older reports that arrive later have no effect.
  removed_at bigint,
  primary key (business_id, id),
  constraint suppressions_email unique (business_id, email_key)
);

-- Temporary failures in a row, at most one a day.
create table soft_bounces (
  business_id text not null,
  email_key text not null,
  count integer not null,
  last_at bigint not null,
  primary key (business_id, email_key)
);

-- Reports of email providers that were handled, so that each has an effect once.
create table mail_events (
  business_id text not null,
  provider text not null,
  id text not null,
  created_at bigint not null,
  primary key (business_id, provider, id)
);
create index mail_events_created on mail_events (business_id, created_at);
