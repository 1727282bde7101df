-- Raised when the account adds its first second factor. Keys with an earlier `generation` don't work until their owner confirms them.
alter table users add column key_generation integer not null default 0;

-- Raised when the business starts to require a second factor or single sign-on. Keys confirmed for an earlier policy don't work there.
alter table businesses add column key_policy integer not null default 0;

-- `confirmations`: by business, the `key_policy` for which the key was confirmed, and whether that was in a session from the single sign-on of
-- the business. `sso_business`: the key was created in such a session and is limited to that business.
alter table api_keys
  add column generation integer not null default 0,
  add column confirmations jsonb not null default '{}',
  add column sso_business text;

-- Existing keys count as confirmed for the policies that are already on.
update api_keys set confirmations = enforced.confirmations
from (
  select m.user_id, jsonb_object_agg(m.business_id, '{"policy": 0, "sso": true}'::jsonb) as confirmations
  from members m
  join users u on u.id = m.user_id
  join sso_connections c on c.business_id = m.business_id and c.is_enforced
  join sso_domains d on d.business_id = m.business_id and d.verified_at is not null
    and d.domain = split_part(u.email_key, '@', 2)
  group by m.user_id
) enforced
where enforced.user_id = api_keys.user_id;
