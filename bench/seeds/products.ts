import type { Pool } from '../../src/db/pool.ts';
import { withoutTimeouts } from './without-timeouts.ts';

/**
 * Fills a business with `count` products of two variants, priced in two markets and searchable. One in 50 is sold out. The rows
 * match those the service writes, but are created by SQL. Each product has the image `imageUrl` with a unique suffix.
 */
export async function seedProducts(
  pool: Pool,
  businessId: string,
  count: number,
  imageUrl = 'https://example.com/image.jpg',
): Promise<void> {
  await withoutTimeouts(pool, async (connection) => {
    // Indexes are built afterward, all at once, which takes a fraction of the time.
    const indexes = await connection<{ name: string; definition: string }[]>`
      select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
      where indrelid in ('products'::regclass, 'product_prices'::regclass, 'product_search'::regclass, 'product_facets'::regclass)
        and not indisunique`;
    const dropped = indexes.map(({ name }) => `drop index ${name};`).join('\n');
    const made = indexes.map(({ definition }) => `${definition};`).join('\n');
    await connection.client.query(`
set synchronous_commit = off;
${dropped}
create temp table seed as
  select i,
    'prod_' || lpad(i::text, 26, '0') as id,
    (array['classic','modern','rustic','slim','heavy','light','soft','bold','plain','striped'])[1 + i % 10] as adjective,
    (array['linen','cotton','wooden','copper','leather','ceramic','woolen','silver','bamboo','marble','velvet','granite'])[1 + (i / 10) % 12] as material,
    (array['shirt','lamp','table','chair','teapot','blanket','basket','mirror','kettle','pillow','wallet','candle','vase','apron','bottle','notebook','carpet','clock','backpack','umbrella'])[1 + (i * 7919 / 13) % 20] as noun,
    'category-' || (i * 31 % 20) as category,
    'cat_' || lpad((i * 31 % 20)::text, 26, '0') as category_id,
    (array['black','white','red','green','blue','yellow','pink','brown'])[1 + (i * 104729 / 17) % 8] as color,
    1000 + (i * 7907) % 90000 as price
  from generate_series(1, ${count}::bigint) i;
insert into products (business_id, id, slug, status, category, name_key, created_at, doc)
select '${businessId}', id, 'p-' || i, 'ACTIVE', category, adjective || ' ' || material || ' ' || noun || ' ' || i, 1763164800,
  format('{"id":"%1$s","businessId":"%2$s","name":"%3$s %4$s %5$s %6$s","slug":"p-%6$s","description":"A %3$s %5$s made of %4$s, for every day of the year. Ships in two days from our workshop, wrapped in recycled paper, with a spare part and a card that tells who made it and when.","category":"%7$s","categoryIds":["%9$s"],"gallery":[{"id":"media_%6$s","url":"${imageUrl}?%6$s","mimeType":"image/jpeg"}],"variants":[{"id":"small","name":"Small","sku":"SKU-%6$s-S","attributes":[{"name":"size","value":"S"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":%8$s},{"marketId":"eu","currency":"eur","price":%8$s}]},"inventory":{"tracked":true,"lowStockThreshold":5}},{"id":"large","name":"Large","sku":"SKU-%6$s-L","attributes":[{"name":"size","value":"L"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":%8$s},{"marketId":"eu","currency":"eur","price":%8$s}]},"inventory":{"tracked":true,"lowStockThreshold":5}}],"statuses":[{"id":"st_%6$s","status":"ACTIVE","changedBy":"USER","userId":"usr_1","timestamp":1763164800}],"blocks":[{"id":"color","type":"TEXT","value":"%10$s"}],"createdAt":1763164800,"updatedAt":1763164800}',
    id, '${businessId}', adjective, material, noun, i, category, price, category_id, color)::jsonb
from seed;
insert into stock (business_id, product_id, variant_id, sku, tracked, quantity, low_stock_threshold, sold_as)
select '${businessId}', p.id, v ->> 'id', v ->> 'sku', true, case when substr(p.slug, 3)::bigint % 50 = 0 then 0 else 10 + substr(p.slug, 3)::bigint % 100 end, 5, jsonb_build_object(
  'productName', p.doc -> 'name', 'variantName', v -> 'name', 'sku', v -> 'sku', 'prices', v -> 'pricing' -> 'markets')
from products p cross join lateral jsonb_array_elements(p.doc -> 'variants') v where p.business_id = '${businessId}';
insert into product_prices (business_id, market, price, product_id, status, category)
select '${businessId}', m, price, id, 'ACTIVE', category from seed, (values ('us'), ('eu')) v (m);
insert into product_search (business_id, product_id, bucket, status, category, words)
select '${businessId}', id, (i / 4096)::int, 'ACTIVE', category,
  format('%1$s:1A,20 %2$s:2A,23 %3$s:3A,21 %4$s:4A,12B,16B category:10B %5$s:11B sku:14B s:13B,17B l:18B made:22 of:24 for:25 every:26 day:27 the:28 year:29 ships:30 in:31 two:32 days:33 from:34 our:35 workshop:36 wrapped:37 recycled:39 paper:40 with:41 a:42 spare:43 part:44 and:45 card:46 that:47 tells:48 who:49 it:50 when:51',
    adjective, material, noun, i, substr(category, 10))::tsvector
from seed;
insert into product_facets (business_id, product_id, bucket, status, name_key, has_variants, is_sold_out, prices, terms)
select '${businessId}', id, (i / 4096)::int, 'ACTIVE', adjective || ' ' || material || ' ' || noun || ' ' || i, true, i % 50 = 0,
  jsonb_build_object('us', price, 'eu', price),
  array['c:' || category_id, E'o:size\\x1fS', E'o:size\\x1fL', E'b:color\\x1f' || color]
from seed;
insert into categories (business_id, id, parent_id, position, slug, doc)
select '${businessId}', id, case when n is null then null else 'cat_' || repeat('9', 26) end, coalesce(n, 0),
  'category-' || coalesce(n::text, 'all'), jsonb_build_object('id', id, 'businessId', '${businessId}', 'name', 'Category ' || coalesce(n::text, ''),
    'slug', 'category-' || coalesce(n::text, 'all'), 'description', '', 'media', null, 'createdAt', 1763164800, 'updatedAt', 1763164800)
from (select 'cat_' || repeat('9', 26) as id, null as n union all
  select 'cat_' || lpad(n::text, 26, '0'), n from generate_series(0, 19) n) c;
set maintenance_work_mem = '512MB';
${made}
insert into product_words (business_id, is_code, word, near)
select '${businessId}', word ~ '\\d', word,
  case when length(word) >= 5 and word !~ '\\d' then
    array(select word union select left(word, k) || substr(word, k + 2) from generate_series(0, length(word) - 1) k) end
from (select distinct unnest(tsvector_to_array(words)) as word from product_search where business_id = '${businessId}') w
on conflict do nothing;
drop table seed;
analyze products, product_prices, stock, product_search, product_facets, product_words, categories;
set synchronous_commit = on`);
  });
}
