-- What a business knows of its customers. `user_id` is set once that person has acted there themself: ordered or subscribed.
-- `email_key` is what makes an address unique in the business. Users are global, so nothing refers to them.
create table customers (
  business_id text not null,
  id text not null,
  user_id text,
  email text,
  email_key text,
  name text not null default '',
  phone text,
  addresses jsonb not null default '[]',
  tags text[] not null default '{}',
  note text not null default '',
  consent jsonb,
  version integer not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);
create unique index customers_user on customers (business_id, user_id) where user_id is not null;
create unique index customers_email on customers (business_id, email_key) where email_key is not null;

-- When the member first used the role, or accepted an invitation to it. Null: somebody gave it to them, and that is all.
alter table members add column used_at bigint;

-- Everybody who has ordered or subscribed so far. An order that staff wrote by hand was not placed by its customer.
insert into customers (business_id, id, user_id, email, email_key, created_at, updated_at)
select acted.business_id, 'cust_' || substr(acted.user_id, 5), acted.user_id, u.email, u.email_key, acted.since, acted.since
from (
  select business_id, user_id, min(created_at) as since from (
    select business_id, customer_id as user_id, created_at from orders where doc -> 'statuses' -> 0 ->> 'userId' = customer_id
    union all
    select business_id, user_id, created_at from subscriptions where user_id is not null
  ) each group by business_id, user_id
) acted
left join users u on u.id = acted.user_id and u.is_confirmed
on conflict do nothing;

-- A stranger's address, which an order by hand has copied from their account: they are neither shown nor mailed.
update orders o set customer_email = null
where customer_email is not null
  and not exists (select from customers c where c.business_id = o.business_id and c.user_id = o.customer_id);

update roles set permissions = permissions || array['CUSTOMER_READ', 'CUSTOMER_WRITE', 'SUBSCRIBER_WRITE'], version = version + 1
where name = 'SUPPORT' and permissions @> array['ORDER_READ', 'ORDER_WRITE', 'SUBSCRIBER_READ']
  and not permissions && array['CUSTOMER_READ', 'CUSTOMER_WRITE', 'SUBSCRIBER_WRITE'];
