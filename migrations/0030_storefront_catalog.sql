-- The category tree of a storefront. It is small and always locked and read as a whole. `position` orders siblings.
create table categories (
  business_id text not null,
  id text not null,
  parent_id text,
  position integer not null,
  slug text not null,
  doc jsonb not null,
  version integer not null default 1,
  primary key (business_id, id),
  constraint categories_slug unique (business_id, slug)
);

-- The slugs that products and categories have in other languages. Unique per language, and found without knowing the language.
create table translated_slugs (
  business_id text not null,
  kind text not null,
  slug text not null,
  locale text not null,
  record_id text not null,
  primary key (business_id, kind, slug, locale)
);
create index translated_slugs_record on translated_slugs (business_id, kind, record_id);

-- Old paths of a storefront. No target is itself an old path, so every redirect takes one step.
create table redirects (
  business_id text not null,
  id text not null,
  from_path text not null,
  to_path text not null,
  is_automatic boolean not null,
  created_at bigint not null,
  primary key (business_id, id),
  constraint redirects_from unique (business_id, from_path)
);
create index redirects_to on redirects (business_id, to_path);

-- People who asked for an email when a variant is back in stock. The row is deleted in the transaction that sends the email.
create table stock_alerts (
  business_id text not null,
  product_id text not null,
  -- Sorted by bytes, as in `stock`.
  variant_id text collate "C" not null,
  email_key text not null,
  email text not null,
  locale text,
  created_at bigint not null,
  primary key (business_id, product_id, variant_id, email_key),
  foreign key (business_id, product_id) references products on delete cascade
);
create index stock_alerts_email on stock_alerts (business_id, email_key);

-- A column of its own, like `is_low`: a sale updates the index only when the last item is sold.
alter table stock add column is_sold_out boolean not null generated always as (tracked and quantity = 0) stored;
create index stock_sold_out on stock (business_id, product_id) where is_sold_out;

-- What storefronts filter and count products by. `terms` holds categories (`c:cat_…`), options (`o:size` U+001F `M`) and blocks
-- (`b:color` U+001F `red`). `prices` holds the lowest price per market. Buckets and places are those of `product_search`.
create table product_facets (
  business_id text not null,
  product_id text not null,
  bucket integer not null,
  places text[] collate "C" not null generated always as
    (array[business_id || ':' || bucket::text, business_id || '/' || (bucket / 16)::text]) stored,
  status text not null,
  name_key text collate "C" not null,
  has_variants boolean not null,
  prices jsonb not null,
  terms text[] collate "C" not null,
  primary key (business_id, product_id),
  foreign key (business_id, product_id) references products on delete cascade
);
create index product_facets_empty on product_facets (business_id, product_id) where not has_variants;
create index product_facets_terms on product_facets using gin (places, terms) with (fastupdate = off);

insert into product_facets (business_id, product_id, bucket, status, name_key, has_variants, prices, terms)
select s.business_id, s.product_id, s.bucket, s.status, p.name_key, p.doc -> 'variants' <> '[]',
  coalesce((select jsonb_object_agg(m.market, m.price) from product_prices m
    where m.business_id = s.business_id and m.product_id = s.product_id), '{}'),
  coalesce((select array_agg(distinct 'o:' || lower(a ->> 'name') || U&'\001F' || (a ->> 'value'))
    from jsonb_array_elements(p.doc -> 'variants') v cross join lateral jsonb_array_elements(v -> 'attributes') a
    where length(a ->> 'value') <= 100), '{}')
from product_search s join products p on p.business_id = s.business_id and p.id = s.product_id;
