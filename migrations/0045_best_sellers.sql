-- Items sold in the last 90 days, counted once a day.
alter table product_facets add column sold bigint not null default 0;
create index product_facets_sold on product_facets (business_id, status, sold, product_id);

-- Slugs of deleted products that had a page.
create table gone_products (
  business_id text not null,
  slug text collate "C" not null,
  primary key (business_id, slug)
);
