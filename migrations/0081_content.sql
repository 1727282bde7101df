-- For lists by name: any part of it, without regard to case.
alter table collections add column name_key text not null generated always as (lower((doc::json) ->> 'name')) stored;
