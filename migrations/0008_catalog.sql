-- `doc` is the product as JSON, without quantities: those are in `stock`. Everything that is searched, sorted or locked has a
-- column.
create table products (
  business_id text not null,
  id text not null,
  slug text not null,
  status text not null,
  category text not null,
  -- The sort key of the name: lower case, without accents.
  name_key text collate "C" not null,
  doc jsonb not null,
  -- Allows a list to limit its page by size without reading documents.
  doc_bytes integer not null generated always as (octet_length(doc::text)) stored,
  version integer not null default 1,
  created_at bigint not null,
  primary key (business_id, id),
  constraint products_slug unique (business_id, slug)
);
-- One index per sort order. `status` and `category` come first where they narrow the list, last where they only filter it.
create index products_status on products (business_id, status, id);
create index products_category on products (business_id, category, id, status);
create index products_name on products (business_id, name_key, id, status);
create index products_category_name on products (business_id, category, name_key, id, status);
create index products_created on products (business_id, created_at, id);

-- The lowest price of a product in each market, for sorting by price.
create table product_prices (
  business_id text not null,
  market text not null,
  price bigint not null,
  product_id text not null,
  status text not null,
  category text not null,
  primary key (business_id, product_id, market),
  foreign key (business_id, product_id) references products on delete cascade
);
create index product_prices_price on product_prices (business_id, market, price, product_id, status);
create index product_prices_category on product_prices (business_id, market, category, price, product_id, status);

-- One row per variant. `is_low` is a column of its own so that a sale, which changes only `quantity` and `changes`, updates no
-- index. `changes` grows with each change of the quantity: the sum over a product's variants is its stock version. `sold_as`
-- holds the names and prices a cart needs, so that checkout doesn't read the whole product. Null: can't be bought.
create table stock (
  business_id text not null,
  product_id text not null,
  -- Sorted by bytes, as the service sorts IDs.
  variant_id text collate "C" not null,
  sku text,
  tracked boolean not null,
  quantity bigint not null check (quantity >= 0),
  low_stock_threshold bigint,
  is_low boolean not null generated always as
    (tracked and low_stock_threshold is not null and quantity <= low_stock_threshold) stored,
  changes bigint not null default 0,
  sold_as jsonb,
  primary key (business_id, product_id, variant_id),
  foreign key (business_id, product_id) references products on delete cascade,
  -- Checked at the end of a statement, so that two variants can swap their SKUs.
  constraint stock_sku unique (business_id, sku) deferrable initially immediate
) with (fillfactor = 80);
create index stock_low on stock (business_id, product_id) where is_low;

-- Every change of a quantity. The changes of a variant add up to its quantity. Outlives the product.
create table stock_ledger (
  business_id text not null,
  product_id text not null,
  variant_id text not null,
  id bigint generated always as identity,
  change bigint not null,
  quantity bigint not null,
  reason text not null,
  reference text,
  user_id text,
  created_at bigint not null,
  primary key (business_id, product_id, variant_id, id)
);

-- The text-search index. The service normalizes `words`, so that every script and server locale behaves alike. A bucket is a run
-- of about 4,096 products of one business in order of creation; 16 buckets are a block. A search visits buckets from the newest
-- and stops when it has enough, so a word in a million products costs no more than a rare one. `places` names the bucket and the
-- block.
create table product_search (
  business_id text not null,
  product_id text not null,
  bucket integer not null,
  places text[] collate "C" not null generated always as
    (array[business_id || ':' || bucket::text, business_id || '/' || (bucket / 16)::text]) stored,
  status text not null,
  category text not null,
  words tsvector not null,
  primary key (business_id, product_id),
  foreign key (business_id, product_id) references products on delete cascade
);
create index product_search_words on product_search using gin (places, category, words) with (fastupdate = off);

-- The vocabulary of a business's products: completions of a prefix and corrections of a typo. `near` holds the word and the word
-- without each one of its letters: two words one typo apart share an entry.
create table product_words (
  business_id text not null,
  -- Words with a digit, such as SKUs: there may be as many as products, and their typos are not corrected.
  is_code boolean not null,
  word text collate "C" not null,
  near text[],
  primary key (business_id, is_code, word)
);
create index product_words_near on product_words using gin (business_id, near) with (fastupdate = off);
