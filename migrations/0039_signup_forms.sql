-- Forms that strangers submit without a login. A submission only sends a confirmation email.
create table signup_forms (
  business_id text not null,
  id text not null,
  collection_id text not null,
  name text not null,
  -- Texts, and the plan, tags and fields of new subscribers.
  doc jsonb not null,
  version bigint not null default 1,
  created_at bigint not null,
  updated_at bigint not null,
  primary key (business_id, id),
  foreign key (business_id, collection_id) references collections on delete cascade
);
create index signup_forms_collection on signup_forms (business_id, collection_id);
