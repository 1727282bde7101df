-- Slugs of entries are unique in their collection. Without a slug, an entry is found by its ID only.
alter table entries
  add column slug text,
  -- Who can read the whole entry. Null means everyone.
  add column access text generated always as (doc ->> 'access') stored,
  add column plan_ids jsonb generated always as (doc -> 'planIds') stored,
  -- All words of an entry that not everyone can read. `search` then has only the words of its public part.
  add column full_search tsvector;
create unique index entries_slug on entries (business_id, owner, slug) where slug is not null;
create index entries_full_search on entries using gin (business_id, full_search) where full_search is not null;

-- Feeds of subscribers have a secret URL. A new number makes the previous URL invalid.
alter table subscriptions add column feed_number integer not null default 1;
