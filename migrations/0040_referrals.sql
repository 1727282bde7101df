-- Confirmed sign-ups through the subscriber's link.
alter table subscriptions add column referrals integer not null default 0;

-- Each mailbox counts once per business. The hash contains no address.
create table referrals (
  business_id text not null,
  mailbox_hash text not null,
  referrer_id text not null,
  created_at bigint not null,
  primary key (business_id, mailbox_hash)
);
