create extension if not exists btree_gin;

-- `doc` is the answer of a read as JSON text, with a mark where the current quantity of each variant goes: U+0001 (which JSON
-- text never holds itself) and two hexadecimal digits, the variant's place among its siblings in the order of their ids. The
-- text is passed on unparsed; everything that is searched, sorted or locked has a column.
create table products (
  business_id text not null references businesses on delete cascade,
  id text not null,
  slug text not null,
  status text not null,
  category text not null,
  -- The name as it sorts: lower case, without accents.
  name_key text collate "C" not null,
  doc text not null,
  version integer not null default 1,
  primary key (business_id, id),
  constraint products_slug unique (business_id, slug)
);
-- Each serves one order of the list. `status` and `category` stand first where they narrow the list, last where they are
-- only looked at on the way.
create index products_status on products (business_id, status, id);
create index products_category on products (business_id, category, id, status);
create index products_name on products (business_id, name_key, id, status);
create index products_category_name on products (business_id, category, name_key, id, status);

-- The lowest price of a product in each market, for the order by price.
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

-- One row for each variant of a living product. `is_low` is a column of its own so that a sale, which moves only
-- `quantity`, touches no index.
create table stock (
  business_id text not null,
  product_id text not null,
  -- Ordered as the service orders ids, whatever the server's locale.
  variant_id text collate "C" not null,
  sku text,
  tracked boolean not null,
  quantity bigint not null check (quantity >= 0),
  low_stock_threshold bigint,
  is_low boolean not null generated always as
    (tracked and low_stock_threshold is not null and quantity <= low_stock_threshold) stored,
  primary key (business_id, product_id, variant_id),
  foreign key (business_id, product_id) references products on delete cascade,
  -- Checked at the end of a statement, so that two variants can swap their SKUs.
  constraint stock_sku unique (business_id, sku) deferrable initially immediate
) with (fillfactor = 80);
create index stock_low on stock (business_id, product_id) where is_low;

-- Every change of a quantity; the changes of a variant add up to its quantity. Outlives the product.
create table stock_ledger (
  business_id text not null references businesses on delete cascade,
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

-- What the text search looks at. `words` are normalised by the service, so that every script and every server locale behave
-- alike. A bucket is a run of about 4,096 products of one business in the order they were made, 16 buckets are a block: a
-- search goes through them from the newest on and stops when it has enough, so that a word in a million products costs no
-- more than a rare one. `places` names the product's bucket and its block.
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

-- The words that a business's products use or have used: what a typed beginning or a mistyped word may stand for. `near`
-- holds the word and the word without each one of its letters: two words that differ by one typo share an entry.
create table product_words (
  business_id text not null references businesses on delete cascade,
  -- Words with a digit, such as SKUs: there may be as many as products, and a typo in one is not forgiven.
  is_code boolean not null,
  word text collate "C" not null,
  near text[],
  primary key (business_id, is_code, word)
);
create index product_words_near on product_words using gin (business_id, near) with (fastupdate = off);
