-- A row for each day with a temporary failure, so that reports count correctly in any order. Version 0.2 keeps using soft_bounces.
create table soft_bounce_days (
  business_id text not null,
  email_key text not null,
  day integer not null,
  last_at bigint not null,
  primary key (business_id, email_key, day)
);

insert into soft_bounce_days (business_id, email_key, day, last_at)
  select business_id, email_key, last_at / 86400 - n, last_at - n * 86400
  from soft_bounces cross join generate_series(0, count - 1) n;
