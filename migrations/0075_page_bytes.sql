-- How much of an answer an order fills, known without reading its document: pages of a list are cut by it.
alter table orders add column doc_bytes integer not null generated always as (octet_length(doc::text)) stored;
alter table promo_codes add column doc_bytes integer not null generated always as (octet_length(doc::text)) stored;
