-- What the subscriber agreed to: when, from where, to which words, or who states it. Null: never agreed, or not yet.
alter table subscriptions add column consent jsonb;
-- A plan that was paid for and takes effect when the address is confirmed.
alter table subscriptions add column paid_plan_id text;
update subscriptions set consent = jsonb_build_object(
  'source', 'SUBSCRIBE', 'at', created_at, 'address', null, 'text', null, 'userId', user_id)
where status <> 'PENDING';
create index subscriptions_pending on subscriptions (business_id, updated_at) where status = 'PENDING';
