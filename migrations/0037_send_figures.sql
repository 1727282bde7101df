-- Experiments with subjects, delivery by the subscriber's clock, and the figures of sends.
alter table sends
  -- The subjects, the share that tests them, the metric and the duration of the test. Null without an experiment.
  add column experiment jsonb,
  -- When the rest gets the best subject, at the latest. Null until the send starts.
  add column decides_at bigint,
  -- The number of the subject that the rest gets. Null until it is chosen.
  add column winner smallint,
  -- Whether subscribers get it when their own clocks show the scheduled time.
  add column local_time boolean not null default false,
  -- What is counted. Null if nothing is, and until the send starts.
  add column tracking jsonb;

alter table deliveries
  -- The number of the subject that is tested. Null outside the test group.
  add column variant smallint,
  -- The first time. Never set for subscribers who opted out of tracking.
  add column opened_at bigint,
  add column clicked_at bigint,
  -- What happened after the mail server accepted or refused the message.
  add column feedback text,
  -- When the subscriber unsubscribed, if this was the last issue they got.
  add column left_at bigint;
alter table deliveries add constraint deliveries_feedback_check check (feedback in ('BOUNCED', 'COMPLAINED'));

alter table subscriptions
  -- Null: the time zone of the business.
  add column time_zone text,
  add column do_not_track boolean not null default false;

-- Opens and clicks of everyone, including subscribers who opted out of tracking.
create table send_hits (
  business_id text not null,
  send_id text not null,
  -- -1 outside the test group of an experiment.
  variant smallint not null,
  -- The number of the link, or -1 for opens.
  link smallint not null,
  count bigint not null,
  primary key (business_id, send_id, variant, link)
) with (fillfactor = 70);

-- Sign-ups, confirmations and departures, without the person.
create table subscription_changes (
  business_id text not null,
  collection_id text not null,
  at bigint not null,
  number bigint generated always as identity,
  kind text not null check (kind in ('JOINED', 'CONFIRMED', 'LEFT')),
  primary key (business_id, collection_id, at, number)
);
insert into subscription_changes (business_id, collection_id, at, kind)
select business_id, collection_id, created_at, 'JOINED' from subscriptions
union all
select business_id, collection_id, (consent ->> 'at')::bigint, 'CONFIRMED' from subscriptions where consent ? 'at'
union all
select business_id, collection_id, updated_at, 'LEFT' from subscriptions where status in ('UNSUBSCRIBED', 'BOUNCED');
