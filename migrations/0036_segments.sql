-- Tags in lower case, and further fields of a subscriber as text. Segments use both.
alter table subscriptions
  add column tags text[] not null default '{}',
  add column fields jsonb not null default '{}';

create table segments (
  business_id text not null,
  id text not null,
  name text not null,
  -- A tree of conditions on people.
  filter jsonb not null,
  version bigint not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id)
);

-- Limits the audience. The filter of the segment is read when the send starts.
alter table sends add column segment_id text;
