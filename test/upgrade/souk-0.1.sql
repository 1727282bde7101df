-- A small, filled database of version 0.1.0, after its last migration.

create extension if not exists btree_gin;

CREATE OR REPLACE FUNCTION public.abort_transaction(reason text, detail text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'SK001', message = reason, detail = detail;
end
$function$;

create table account_erasures (
  after text not null default ''::text,
  completed_at bigint,
  created_at bigint not null,
  id text not null,
  person text,
  report jsonb not null,
  status text not null,
  constraint account_erasures_pkey PRIMARY KEY (id),
  constraint account_erasures_status_check CHECK ((status = ANY (ARRAY['RUNNING'::text, 'DONE'::text])))
);
CREATE INDEX account_erasures_running ON account_erasures USING btree (id) WHERE (status = 'RUNNING'::text);

create table account_events (
  actor text not null,
  address text not null,
  created_at bigint not null,
  data text not null,
  id text not null,
  type text not null,
  user_id text not null,
  constraint account_events_pkey PRIMARY KEY (user_id, id)
);
CREATE INDEX account_events_created_at ON account_events USING btree (created_at);

create table agreement_charges (
  agreement_id text not null,
  amount bigint not null,
  business_id text not null,
  created_at bigint not null,
  currency text not null,
  id text not null,
  period_end bigint not null,
  status text not null,
  updated_at bigint not null,
  constraint agreement_charges_pkey PRIMARY KEY (business_id, agreement_id, id),
  constraint agreement_charges_status_check CHECK ((status = ANY (ARRAY['PAID'::text, 'FAILED'::text])))
);

create table agreements (
  amount bigint not null,
  business_id text not null,
  created_at bigint not null,
  currency text not null,
  customer_id text,
  due_at bigint,
  id text not null,
  interval text not null,
  period_end bigint not null,
  provider text not null,
  provider_id text not null,
  purpose text not null,
  reference text not null,
  status text not null,
  told text not null,
  updated_at bigint not null,
  wanted text not null,
  constraint agreements_provider_id UNIQUE (business_id, provider_id),
  constraint agreements_pkey PRIMARY KEY (business_id, id),
  constraint agreements_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'PAST_DUE'::text, 'ENDED'::text]))),
  constraint agreements_told_check CHECK ((told = ANY (ARRAY['RENEW'::text, 'CANCEL'::text, 'END'::text]))),
  constraint agreements_wanted_check CHECK ((wanted = ANY (ARRAY['RENEW'::text, 'CANCEL'::text, 'END'::text])))
);
CREATE INDEX agreements_due ON agreements USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX agreements_reference ON agreements USING btree (business_id, reference text_pattern_ops);

create table api_keys (
  created_at bigint not null,
  expires_at bigint,
  hash bytea not null,
  id text not null,
  last_four text not null,
  last_used_at bigint,
  name text not null,
  provider text not null default 'API'::text,
  user_id text not null,
  constraint api_keys_own_hash UNIQUE (user_id, hash),
  constraint api_keys_pkey PRIMARY KEY (user_id, id)
);
CREATE INDEX api_keys_hash ON api_keys USING btree (hash);

create table businesses (
  configs jsonb not null default '{}'::jsonb,
  created_at bigint not null,
  deleted_at bigint,
  id text not null,
  name text not null,
  slug text not null,
  updated_at bigint not null,
  version integer not null default 1,
  constraint businesses_pkey PRIMARY KEY (id)
);
CREATE INDEX businesses_deleted ON businesses USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE UNIQUE INDEX businesses_slug ON businesses USING btree (slug) WHERE (deleted_at IS NULL);

create table collections (
  business_id text not null,
  created_at bigint not null,
  deleted_at bigint,
  doc text not null,
  id text not null,
  name_key text not null generated always as (lower(((doc)::json ->> 'name'::text))) stored,
  slug text not null,
  status text not null,
  type text not null,
  version integer not null default 1,
  constraint collections_pkey PRIMARY KEY (business_id, id)
);
CREATE INDEX collections_deleted ON collections USING btree (business_id, id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX collections_newest ON collections USING btree (business_id, created_at, id);
CREATE UNIQUE INDEX collections_slug ON collections USING btree (business_id, slug) WHERE (deleted_at IS NULL);

create table customers (
  addresses jsonb not null default '[]'::jsonb,
  business_id text not null,
  consent jsonb,
  created_at bigint not null,
  email text,
  email_key text,
  id text not null,
  name text not null default ''::text,
  note text not null default ''::text,
  phone text,
  tags text[] not null default '{}'::text[],
  updated_at bigint not null,
  user_id text,
  version integer not null default 1,
  constraint customers_pkey PRIMARY KEY (business_id, id)
);
CREATE UNIQUE INDEX customers_email ON customers USING btree (business_id, email_key) WHERE (email_key IS NOT NULL);
CREATE UNIQUE INDEX customers_user ON customers USING btree (business_id, user_id) WHERE (user_id IS NOT NULL);

create table deliveries (
  attempts smallint not null default 0,
  business_id text not null,
  due_at bigint not null default 0,
  email text not null,
  epoch integer not null default 0,
  error text,
  name text not null,
  send_id text not null,
  status text not null default 'PENDING'::text,
  subscription_id text not null,
  updated_at bigint not null,
  constraint deliveries_pkey PRIMARY KEY (business_id, send_id, subscription_id),
  constraint deliveries_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ATTEMPTING'::text, 'SENT'::text, 'FAILED'::text, 'SKIPPED'::text, 'UNKNOWN'::text])))
) with (fillfactor=70);

create table delivery_batches (
  business_id text not null,
  done boolean not null default false,
  due_at bigint not null default 0,
  epoch integer not null default 0,
  failed integer not null default 0,
  first_id text not null,
  last_id text not null,
  lease_until timestamp with time zone,
  number integer not null,
  owner text,
  send_id text not null,
  sent integer not null default 0,
  size integer not null,
  skipped integer not null default 0,
  unknown integer not null default 0,
  constraint delivery_batches_pkey PRIMARY KEY (business_id, send_id, number)
);
CREATE INDEX delivery_batches_open ON delivery_batches USING btree (business_id, send_id, number) WHERE (NOT done);

create table entries (
  business_id text not null,
  created_at bigint not null,
  doc text not null,
  id text not null,
  index_rules smallint not null default 1,
  owner text not null,
  search tsvector not null,
  status text not null,
  version integer not null default 1,
  constraint entries_pkey PRIMARY KEY (business_id, id)
);
CREATE INDEX entries_newest ON entries USING btree (business_id, owner, status, created_at, id);
CREATE INDEX entries_outdated ON entries USING btree (business_id, id) WHERE (index_rules < 2);
CREATE INDEX entries_search ON entries USING gin (business_id, search);

create table entry_values (
  block_id text not null,
  business_id text not null,
  created_at bigint not null,
  entry_id text not null,
  key text collate "C" not null,
  n smallint not null,
  owner text not null,
  status text not null,
  constraint entry_values_pkey PRIMARY KEY (business_id, entry_id, block_id, n)
);
CREATE INDEX entry_values_key ON entry_values USING btree (business_id, owner, block_id, status, key, created_at, entry_id);

create table erasures (
  after text,
  business_id text not null,
  completed_at bigint,
  created_at bigint not null,
  id text not null,
  person text,
  report jsonb not null,
  requested_by text,
  status text not null,
  step integer not null default 0,
  subject text not null,
  constraint erasures_pkey PRIMARY KEY (business_id, id),
  constraint erasures_status_check CHECK ((status = ANY (ARRAY['RUNNING'::text, 'DONE'::text])))
);
CREATE INDEX erasures_running ON erasures USING btree (business_id, subject) WHERE (status = 'RUNNING'::text);

create table event_heads (
  business_id text not null,
  position bigint not null,
  constraint event_heads_pkey PRIMARY KEY (business_id)
);

create table event_outbox (
  actor text not null,
  address text not null,
  business_id text not null,
  changes text,
  created_at bigint not null,
  data text not null,
  entity text not null,
  inserted bigint not null generated always as identity,
  type text not null,
  constraint event_outbox_pkey PRIMARY KEY (business_id, inserted)
);

create table event_sequences (
  business_id text not null,
  entity text not null,
  sequence bigint not null,
  constraint event_sequences_pkey PRIMARY KEY (business_id, entity)
);

create table events (
  actor text not null,
  actor_id text,
  address text not null,
  business_id text not null,
  changes text,
  created_at bigint not null,
  data text not null,
  entity text not null,
  position bigint not null,
  sequence bigint not null,
  type text not null,
  constraint events_pkey PRIMARY KEY (business_id, "position")
);
CREATE INDEX events_created_at ON events USING btree (business_id, created_at);
CREATE INDEX events_entity ON events USING btree (business_id, entity, "position");

create table idempotency_keys (
  answer jsonb,
  business_id text not null,
  expires_at timestamp with time zone not null,
  fingerprint text not null,
  key text not null,
  reference text,
  user_id text not null,
  constraint idempotency_keys_pkey PRIMARY KEY (business_id, user_id, key)
);
CREATE INDEX idempotency_keys_expires_at ON idempotency_keys USING btree (expires_at);

create table identities (
  created_at bigint not null,
  issuer text not null,
  subject text not null,
  user_id text not null,
  constraint identities_pkey PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_user ON identities USING btree (user_id);

create table import_addresses (
  address_id text not null,
  business_id text not null,
  media_id text not null,
  constraint import_addresses_pkey PRIMARY KEY (business_id, address_id)
);

create table import_errors (
  business_id text not null,
  error text not null,
  field text not null,
  import_id text not null,
  message text not null,
  n bigint not null,
  row bigint not null,
  constraint import_errors_pkey PRIMARY KEY (business_id, import_id, n)
);

create unlogged table import_keys (
  business_id text not null,
  import_id text not null,
  key text not null,
  row bigint not null,
  constraint import_keys_pkey PRIMARY KEY (business_id, import_id, key)
);

create table import_pictures (
  address_id text not null,
  alt text not null default '""'::text,
  business_id text not null,
  details text not null default '{}'::text,
  import_id text not null,
  product_id text not null,
  row bigint not null,
  status text not null default 'WAITING'::text,
  url text not null,
  constraint import_pictures_pkey PRIMARY KEY (business_id, import_id, address_id, product_id),
  constraint import_pictures_status_check CHECK ((status = ANY (ARRAY['WAITING'::text, 'DONE'::text, 'FAILED'::text])))
);
CREATE INDEX import_pictures_waiting ON import_pictures USING btree (business_id, address_id) WHERE (status = 'WAITING'::text);

create table imports (
  business_id text not null,
  completed_at bigint,
  created bigint not null default 0,
  created_at bigint not null,
  dry_run boolean not null,
  error text,
  error_count bigint not null default 0,
  failed bigint not null default 0,
  file_key text not null,
  file_name text not null,
  format text not null,
  id text not null,
  key_id text,
  lease_until bigint not null default 0,
  media_id text,
  notes jsonb not null default '[]'::jsonb,
  options jsonb not null,
  owner text,
  position bigint not null default 0,
  row bigint not null default 0,
  rows bigint not null default 0,
  size bigint not null,
  skipped bigint not null default 0,
  started_at bigint,
  status text not null,
  type text not null,
  unchanged bigint not null default 0,
  updated bigint not null default 0,
  user_id text not null,
  constraint imports_pkey PRIMARY KEY (business_id, id),
  constraint imports_status_check CHECK ((status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text, 'DONE'::text, 'FAILED'::text, 'CANCELLED'::text])))
);
CREATE INDEX imports_created ON imports USING btree (business_id, created_at);
CREATE INDEX imports_open ON imports USING btree (business_id, id) WHERE (status = ANY (ARRAY['QUEUED'::text, 'RUNNING'::text]));

create table invitations (
  business_id text not null,
  created_at bigint not null,
  email text not null,
  email_key text not null,
  expires_at bigint not null,
  id text not null,
  invited_by text not null,
  role_ids text[] not null,
  secret_hash bytea not null,
  constraint invitations_email UNIQUE (business_id, email_key),
  constraint invitations_pkey PRIMARY KEY (business_id, id)
);

create unlogged table limits (
  count integer not null,
  key text not null,
  resets_at bigint not null,
  constraint limits_pkey PRIMARY KEY (key)
);
CREATE INDEX limits_resets_at ON limits USING btree (resets_at);

create table media (
  business_id text not null,
  created_at bigint not null,
  created_by text,
  details jsonb not null,
  extension text not null,
  file_name text not null,
  hash text not null,
  id text collate "C" not null,
  is_missing boolean not null default false,
  kind text not null,
  mime_type text not null,
  size bigint not null,
  stem text not null,
  updated_at bigint not null,
  version integer not null default 1,
  words tsvector not null,
  constraint media_hash UNIQUE (business_id, hash),
  constraint media_stem UNIQUE (business_id, stem),
  constraint media_pkey PRIMARY KEY (business_id, id)
);
CREATE INDEX media_kind ON media USING btree (business_id, kind, id);
CREATE INDEX media_words ON media USING gin (business_id, words);

create table media_references (
  business_id text not null,
  entity text not null,
  media_id text collate "C" not null,
  constraint media_references_pkey PRIMARY KEY (business_id, media_id, entity)
);
CREATE INDEX media_references_entity ON media_references USING btree (business_id, entity);

create table media_uploads (
  business_id text not null,
  created_at bigint not null,
  created_by text,
  file_name text not null,
  id text not null,
  is_direct boolean not null,
  media_id text,
  part_size integer not null,
  problem text,
  size bigint not null,
  status text not null,
  updated_at bigint not null,
  constraint media_uploads_pkey PRIMARY KEY (business_id, id)
);
CREATE INDEX media_uploads_age ON media_uploads USING btree (business_id, created_at);

create table media_usage (
  business_id text not null,
  bytes bigint not null,
  constraint media_usage_pkey PRIMARY KEY (business_id)
);

create table members (
  business_id text not null,
  role_id text not null,
  used_at bigint,
  user_id text not null,
  constraint members_pkey PRIMARY KEY (business_id, user_id, role_id)
);
CREATE INDEX members_user ON members USING btree (user_id);

create table oauth_flows (
  address text not null,
  created_at bigint not null,
  expires_at bigint not null,
  nonce_hash bytea not null,
  origin text not null,
  redirect_url text not null,
  state_hash bytea not null,
  constraint oauth_flows_nonce UNIQUE (nonce_hash),
  constraint oauth_flows_pkey PRIMARY KEY (state_hash)
);
CREATE INDEX oauth_flows_expires_at ON oauth_flows USING btree (expires_at);
CREATE INDEX oauth_flows_origin ON oauth_flows USING btree (origin, address, created_at);

create table oauth_redirects (
  last_used_at bigint not null,
  origin text not null,
  redirect_url text not null,
  constraint oauth_redirects_pkey PRIMARY KEY (origin, redirect_url)
);

create table order_counters (
  business_id text not null,
  last bigint not null,
  constraint order_counters_pkey PRIMARY KEY (business_id)
) with (fillfactor=20);

create table order_tasks (
  amount bigint,
  business_id text not null,
  due_at bigint not null,
  id bigint not null generated always as identity,
  kind text not null,
  order_id text not null,
  constraint order_tasks_pkey PRIMARY KEY (business_id, id)
);
CREATE INDEX order_tasks_due ON order_tasks USING btree (due_at);

create table orders (
  business_id text not null,
  created_at bigint not null,
  currency text not null generated always as (lower((doc ->> 'currency'::text))) stored,
  customer_email text,
  customer_id text not null,
  doc jsonb not null,
  doc_bytes integer not null generated always as (octet_length((doc)::text)) stored,
  holds boolean not null,
  id text not null,
  market text not null generated always as (lower((doc ->> 'market'::text))) stored,
  number bigint not null,
  paid bigint not null default 0,
  payment_status text not null,
  refunded bigint not null default 0,
  status text not null,
  total bigint not null generated always as (((doc ->> 'total'::text))::bigint) stored,
  updated_at bigint not null,
  version integer not null default 1,
  constraint orders_number UNIQUE (business_id, number),
  constraint orders_pkey PRIMARY KEY (business_id, id),
  constraint orders_refunded CHECK (((refunded >= 0) AND (refunded <= paid)))
);
CREATE INDEX orders_customer ON orders USING btree (business_id, customer_id, created_at, number);
CREATE INDEX orders_email ON orders USING btree (business_id, customer_email text_pattern_ops) WHERE (customer_email IS NOT NULL);
CREATE INDEX orders_newest ON orders USING btree (business_id, created_at, number) INCLUDE (status, total, refunded, market, currency);
CREATE INDEX orders_payment_status ON orders USING btree (business_id, payment_status, created_at, number);
CREATE INDEX orders_status ON orders USING btree (business_id, status, created_at, number);

create table payment_events (
  business_id text not null,
  id text not null,
  received_at bigint not null,
  constraint payment_events_pkey PRIMARY KEY (business_id, id)
);
CREATE INDEX payment_events_received_at ON payment_events USING btree (received_at);

create table payments (
  amount bigint not null,
  business_id text not null,
  charge_id text,
  created_at bigint not null,
  currency text not null,
  doc jsonb not null,
  due_at bigint not null default 0,
  expires_at bigint not null,
  id text not null,
  paid bigint not null default 0,
  provider text not null,
  purpose text not null,
  reference text not null,
  session_id text,
  status text not null,
  updated_at bigint not null,
  constraint payments_pkey PRIMARY KEY (business_id, id)
);
CREATE INDEX payments_due ON payments USING btree ((
CASE
    WHEN (status = 'OPEN'::text) THEN due_at
    ELSE NULL::bigint
END)) WHERE (
CASE
    WHEN (status = 'OPEN'::text) THEN due_at
    ELSE NULL::bigint
END IS NOT NULL);
CREATE INDEX payments_subscription ON payments USING btree (business_id, reference text_pattern_ops) WHERE (purpose = 'SUBSCRIPTION'::text);

create table phone_codes (
  code_hash bytea not null,
  expires_at bigint not null,
  phone_number text not null,
  sent_at bigint not null,
  tries integer not null,
  user_id text not null,
  constraint phone_codes_pkey PRIMARY KEY (user_id, phone_number)
);
CREATE INDEX phone_codes_expires_at ON phone_codes USING btree (expires_at);

create table planned (
  business_id text not null,
  due_at bigint not null,
  entity text not null,
  constraint planned_pkey PRIMARY KEY (business_id, entity)
);
CREATE INDEX planned_due ON planned USING btree (due_at);

create table product_prices (
  business_id text not null,
  category text not null,
  market text not null,
  price bigint not null,
  product_id text not null,
  status text not null,
  constraint product_prices_pkey PRIMARY KEY (business_id, product_id, market)
);
CREATE INDEX product_prices_category ON product_prices USING btree (business_id, market, category, price, product_id, status);
CREATE INDEX product_prices_price ON product_prices USING btree (business_id, market, price, product_id, status);

create table product_search (
  bucket integer not null,
  business_id text not null,
  category text not null,
  places text[] collate "C" not null generated always as (ARRAY[((business_id || ':'::text) || (bucket)::text), ((business_id || '/'::text) || ((bucket / 16))::text)]) stored,
  product_id text not null,
  status text not null,
  words tsvector not null,
  constraint product_search_pkey PRIMARY KEY (business_id, product_id)
);
CREATE INDEX product_search_words ON product_search USING gin (places, category, words) WITH (fastupdate=off);

create table product_words (
  business_id text not null,
  is_code boolean not null,
  near text[],
  word text collate "C" not null,
  constraint product_words_pkey PRIMARY KEY (business_id, is_code, word)
);
CREATE INDEX product_words_near ON product_words USING gin (business_id, near) WITH (fastupdate=off);

create table products (
  business_id text not null,
  category text not null,
  created_at bigint not null default 0,
  doc text not null,
  id text not null,
  name_key text collate "C" not null,
  slug text not null,
  status text not null,
  version integer not null default 1,
  constraint products_slug UNIQUE (business_id, slug),
  constraint products_pkey PRIMARY KEY (business_id, id)
);
CREATE INDEX products_category ON products USING btree (business_id, category, id, status);
CREATE INDEX products_category_name ON products USING btree (business_id, category, name_key, id, status);
CREATE INDEX products_created ON products USING btree (business_id, created_at, id);
CREATE INDEX products_name ON products USING btree (business_id, name_key, id, status);
CREATE INDEX products_status ON products USING btree (business_id, status, id);

create table promo_codes (
  business_id text not null,
  code text not null,
  code_key text not null,
  created_at bigint not null,
  doc jsonb not null,
  doc_bytes integer not null generated always as (octet_length((doc)::text)) stored,
  id text not null,
  max_uses bigint,
  max_uses_per_user bigint,
  status text not null,
  updated_at bigint not null,
  uses bigint not null default 0,
  version integer not null default 1,
  constraint promo_codes_code UNIQUE (business_id, code_key),
  constraint promo_codes_pkey PRIMARY KEY (business_id, id)
) with (fillfactor=80);
CREATE INDEX promo_codes_newest ON promo_codes USING btree (business_id, created_at, id);

create table promo_uses (
  business_id text not null,
  promo_id text not null,
  user_id text not null,
  uses bigint not null,
  constraint promo_uses_pkey PRIMARY KEY (business_id, promo_id, user_id)
);

create unlogged table quotes (
  business_id text not null,
  doc jsonb not null,
  expires_at bigint not null,
  id text not null,
  constraint quotes_pkey PRIMARY KEY (business_id, id)
);
CREATE INDEX quotes_expires_at ON quotes USING btree (expires_at);

create table refunds (
  amount bigint not null,
  business_id text not null,
  created_at bigint not null,
  due_at bigint not null default 0,
  failure text,
  id text not null,
  payment_id text,
  provider_refund_id text,
  purpose text not null,
  reason text,
  reference text not null,
  status text not null,
  updated_at bigint not null,
  user_id text,
  constraint refunds_pkey PRIMARY KEY (business_id, id)
);
CREATE INDEX refunds_due ON refunds USING btree ((
CASE
    WHEN (status = 'PENDING'::text) THEN due_at
    ELSE NULL::bigint
END)) WHERE (
CASE
    WHEN (status = 'PENDING'::text) THEN due_at
    ELSE NULL::bigint
END IS NOT NULL);
CREATE INDEX refunds_reference ON refunds USING btree (business_id, reference, id);

create table registrations (
  confirmed_at bigint,
  created_at bigint not null,
  email text not null,
  expires_at bigint not null,
  id text not null,
  name text not null,
  password_hash text not null,
  user_id text not null,
  constraint registrations_pkey PRIMARY KEY (id)
);
CREATE INDEX registrations_expires_at ON registrations USING btree (expires_at);
CREATE INDEX registrations_user ON registrations USING btree (user_id, created_at);

create table releases (
  at bigint not null,
  business_id text not null,
  created_at bigint not null,
  failure text,
  id text not null,
  items text[] not null,
  name text not null,
  published_at bigint,
  status text not null,
  updated_at bigint not null,
  user_id text,
  version integer not null default 1,
  constraint releases_pkey PRIMARY KEY (business_id, id)
);
CREATE INDEX releases_newest ON releases USING btree (business_id, created_at, id);

create table roles (
  business_id text not null,
  created_at bigint not null,
  id text not null,
  name text not null,
  permissions text[] not null,
  updated_at bigint not null,
  version integer not null default 1,
  constraint roles_pkey PRIMARY KEY (business_id, id)
);

create table sends (
  business_id text not null,
  collection_id text not null,
  completed_at bigint,
  content jsonb,
  created_at bigint not null,
  entry_id text not null,
  error text,
  exclusive boolean not null,
  failed integer not null default 0,
  frozen boolean not null default false,
  id text not null,
  on_unknown text not null default 'RETRY'::text,
  open boolean not null default true,
  recipients integer not null,
  scheduled_at bigint not null,
  sent integer not null default 0,
  skipped integer not null default 0,
  started_at bigint,
  status text not null,
  unknown integer not null default 0,
  constraint sends_pkey PRIMARY KEY (business_id, id),
  constraint sends_on_unknown_check CHECK ((on_unknown = ANY (ARRAY['RETRY'::text, 'HOLD'::text]))),
  constraint sends_status_check CHECK ((status = ANY (ARRAY['SCHEDULED'::text, 'SENDING'::text, 'SENT'::text, 'CANCELLED'::text, 'FAILED'::text])))
);
CREATE INDEX sends_entry ON sends USING btree (business_id, entry_id, id);
CREATE UNIQUE INDEX sends_once ON sends USING btree (business_id, entry_id) WHERE exclusive;
CREATE INDEX sends_open ON sends USING btree (business_id, id) WHERE open;

create table sessions (
  created_at bigint not null,
  expires_at bigint,
  id text not null,
  idp_tokens text,
  last_used_at bigint not null,
  provider text not null,
  user_id text not null,
  constraint sessions_pkey PRIMARY KEY (id)
);
CREATE INDEX sessions_expires_at ON sessions USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX sessions_user ON sessions USING btree (user_id, id);

create table signing_keys (
  created_at bigint not null,
  kid text not null,
  public_key text not null,
  sealed_private_key text not null,
  constraint signing_keys_pkey PRIMARY KEY (kid)
);

create table stock (
  business_id text not null,
  changes bigint not null default 0,
  is_low boolean not null generated always as ((tracked AND (low_stock_threshold IS NOT NULL) AND (quantity <= low_stock_threshold))) stored,
  low_stock_threshold bigint,
  product_id text not null,
  quantity bigint not null,
  sku text,
  sold_as text,
  tracked boolean not null,
  variant_id text collate "C" not null,
  constraint stock_sku UNIQUE (business_id, sku) DEFERRABLE,
  constraint stock_pkey PRIMARY KEY (business_id, product_id, variant_id),
  constraint stock_quantity_check CHECK ((quantity >= 0))
) with (fillfactor=80);
CREATE INDEX stock_low ON stock USING btree (business_id, product_id) WHERE is_low;
CREATE INDEX stock_not_sold_as ON stock USING btree (business_id, product_id) WHERE (sold_as IS NULL);

create table stock_ledger (
  business_id text not null,
  change bigint not null,
  created_at bigint not null,
  id bigint not null generated always as identity,
  product_id text not null,
  quantity bigint not null,
  reason text not null,
  reference text,
  user_id text,
  variant_id text not null,
  constraint stock_ledger_pkey PRIMARY KEY (business_id, product_id, variant_id, id)
);

create table subscriptions (
  business_id text not null,
  collection_id text not null,
  consent jsonb,
  created_at bigint not null,
  email text not null,
  email_key text not null,
  id text not null,
  name text not null default ''::text,
  paid_plan_id text,
  plan_id text not null,
  status text not null,
  updated_at bigint not null,
  user_id text,
  version bigint not null default 1,
  constraint subscriptions_email UNIQUE (business_id, collection_id, email_key),
  constraint subscriptions_pkey PRIMARY KEY (business_id, id),
  constraint subscriptions_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'ACTIVE'::text, 'PAST_DUE'::text, 'UNSUBSCRIBED'::text, 'BOUNCED'::text])))
);
CREATE INDEX subscriptions_created_at ON subscriptions USING btree (business_id, created_at) INCLUDE (status);
CREATE INDEX subscriptions_email_key ON subscriptions USING btree (business_id, email_key);
CREATE INDEX subscriptions_newest ON subscriptions USING btree (business_id, collection_id, id);
CREATE INDEX subscriptions_pending ON subscriptions USING btree (business_id, updated_at) WHERE (status = 'PENDING'::text);
CREATE INDEX subscriptions_status ON subscriptions USING btree (business_id, collection_id, status, id);
CREATE INDEX subscriptions_user ON subscriptions USING btree (business_id, user_id) WHERE (user_id IS NOT NULL);

create table users (
  addresses jsonb not null default '[]'::jsonb,
  business_user_configs jsonb not null default '[]'::jsonb,
  created_at bigint not null,
  email text,
  email_key text,
  id text not null,
  is_confirmed boolean not null default false,
  is_guest boolean not null default false,
  is_kept boolean not null default false,
  last_login_at bigint,
  name text not null default ''::text,
  onboarding_completed boolean not null default false,
  password_hash text,
  password_version integer not null default 1,
  phone_numbers text[] not null default '{}'::text[],
  updated_at bigint not null,
  verified_phones text[] not null default '{}'::text[],
  version integer not null default 1,
  constraint users_email UNIQUE (email_key),
  constraint users_pkey PRIMARY KEY (id)
);
CREATE INDEX users_guests ON users USING btree (created_at, id) WHERE (is_guest AND (NOT is_kept));

create table versions (
  action text not null,
  business_id text not null,
  changed text not null,
  created_at bigint not null,
  doc text not null,
  entity text not null,
  is_draft boolean not null,
  key_id text,
  number integer not null,
  restored_from integer,
  user_id text,
  words text[],
  constraint versions_pkey PRIMARY KEY (business_id, entity, number)
);

create table webhook_deliveries (
  attempt_count integer not null default 0,
  attempts text not null default '[]'::text,
  business_id text not null,
  created_at bigint not null,
  entity text not null,
  next_attempt_at bigint not null,
  position bigint not null,
  status text not null,
  type text not null,
  webhook_id text not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (business_id, webhook_id, "position")
);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (business_id, webhook_id, next_attempt_at, "position") WHERE (status = 'PENDING'::text);
CREATE INDEX webhook_deliveries_entity ON webhook_deliveries USING btree (business_id, webhook_id, entity, "position") WHERE (status = 'PENDING'::text);
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries USING btree (business_id, webhook_id, "position") WHERE (status = 'FAILED'::text);

create table webhook_queues (
  business_id text not null,
  due_at bigint,
  failing_since bigint,
  lease text,
  leased_until bigint not null default 0,
  wakes bigint not null default 0,
  webhook_id text not null,
  constraint webhook_queues_pkey PRIMARY KEY (business_id, webhook_id)
);
CREATE INDEX webhook_queues_due ON webhook_queues USING btree (due_at) WHERE (due_at IS NOT NULL);

create table webhooks (
  business_id text not null,
  created_at bigint not null,
  description text not null,
  disabled_reason text,
  enabled boolean not null,
  events text[] not null,
  former_secret text,
  former_until bigint,
  id text not null,
  payload_version smallint not null,
  secret text not null,
  updated_at bigint not null,
  url text not null,
  version integer not null,
  constraint webhooks_pkey PRIMARY KEY (business_id, id)
);

insert into api_keys (created_at, expires_at, hash, id, last_four, last_used_at, name, provider, user_id) values
('1794857080', NULL, E'\\xe2675adbac529e40565c6020a73932386190f5b19a48b2144eabaf5f154f0469', 'demo', 'l6Ln', '1794857178', 'Demo', 'API', 'usr_01m7jx35r0cb1evp5n6pf2k9s5');

insert into businesses (configs, created_at, deleted_at, id, name, slug, updated_at, version) values
('{"email": {"fromName": "Demo shop"}, "markets": [{"id": "us", "name": "United States", "taxBps": 800, "taxMode": "EXCLUSIVE", "currency": "usd", "paymentMethods": [{"method": "CREDIT_CARD"}, {"method": "CASH"}, {"method": "FREE"}]}, {"id": "eu", "name": "European Union", "taxBps": 1900, "taxMode": "INCLUSIVE", "currency": "eur", "paymentMethods": [{"method": "CREDIT_CARD"}, {"method": "CASH"}, {"method": "FREE"}]}], "paymentProvider": {"type": "SANDBOX"}, "shippingMethods": [{"id": "standard", "name": "Standard", "type": "SHIPPING", "prices": [{"amount": 500, "market": "us", "freeAbove": 10000}, {"amount": 490, "market": "eu", "freeAbove": 10000}], "etaText": "3 to 5 days", "taxable": true}, {"id": "express", "name": "Express", "type": "SHIPPING", "prices": [{"amount": 1500, "market": "us"}, {"amount": 1490, "market": "eu"}], "etaText": "Tomorrow", "taxable": true}, {"id": "pickup", "name": "Pick it up", "type": "PICKUP", "prices": [{"amount": 0, "market": "us"}, {"amount": 0, "market": "eu"}], "etaText": "Today", "taxable": false}]}', '1794857080', NULL, 'biz_demo', 'Demo shop', 'demo', '1794857080', '1');

insert into collections (business_id, created_at, deleted_at, doc, id, slug, status, type, version) values
('biz_demo', '1794857080', NULL, '{"id":"col_01m7jx36hq4x8afzxtp06zwg7m","businessId":"biz_demo","name":"Blog","slug":"blog","description":"What we make, and who makes it.","type":"COLLECTION","blocks":[{"id":"title","type":"TEXT","label":"Title","required":true,"settings":{"maxLength":200}},{"id":"category","type":"SELECT","label":"Category","settings":{"options":["news","people","care"]}},{"id":"minutes","type":"NUMBER","label":"Minutes to read","settings":{"min":1,"integer":true}},{"id":"body","type":"TEXT","label":"Text","settings":{"variant":"HTML"}},{"id":"author","type":"RELATIONSHIP","label":"Author","settings":{"targetType":"USER"}}],"plans":[],"statuses":[{"id":"st_01m7jx36hpfpne455300ajc5yx","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857080}],"settings":{},"createdAt":1794857080,"updatedAt":1794857080}', 'col_01m7jx36hq4x8afzxtp06zwg7m', 'blog', 'PUBLISHED', 'COLLECTION', '1'),
('biz_demo', '1794857080', NULL, '{"id":"col_01m7jx36zd7w4nfat4pj1rmk11","businessId":"biz_demo","name":"Letter from the shop","slug":"letter","description":"What is new, once a month.","type":"NEWSLETTER","blocks":[{"id":"subject","type":"TEXT","label":"Subject","required":true,"settings":{"maxLength":200}},{"id":"body","type":"TEXT","label":"Text","required":true,"settings":{"variant":"HTML"}}],"plans":[{"id":"free","name":"Free","features":["The monthly letter"]},{"id":"club","name":"Club","price":{"amount":500,"currency":"usd","interval":"MONTHLY"},"features":["The monthly letter","First choice of small runs"]}],"statuses":[{"id":"st_01m7jx36zd7w4nfat4pg9va3yf","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857080}],"settings":{},"createdAt":1794857080,"updatedAt":1794857080}', 'col_01m7jx36zd7w4nfat4pj1rmk11', 'letter', 'PUBLISHED', 'NEWSLETTER', '1'),
('biz_demo', '1794857115', NULL, '{"id":"col_01m7jx47fr7f9wjm9qxjmqh54m","businessId":"biz_demo","name":"Old posts","slug":"old-posts","description":"d","type":"COLLECTION","blocks":[{"id":"title","type":"TEXT","label":"Title","required":true},{"id":"lamp","type":"RELATIONSHIP","settings":{"targetType":"PRODUCT"}}],"plans":[],"statuses":[{"id":"s1","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857115}],"settings":{},"createdAt":1794857115,"updatedAt":1794857115}', 'col_01m7jx47fr7f9wjm9qxjmqh54m', 'old-posts', 'PUBLISHED', 'COLLECTION', '1');

insert into customers (addresses, business_id, consent, created_at, email, email_key, id, name, note, phone, tags, updated_at, user_id, version) values
('[]', 'biz_demo', NULL, '1794857080', 'admin@example.com', 'admin@example.com', 'cust_01m7jx372m1ethx5ybp7maszxj', '', '', NULL, '{}', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '1'),
('[]', 'biz_demo', NULL, '1794857082', NULL, NULL, 'cust_01m7jx37b30mzvscn0dbqdffgx', '', '', NULL, '{}', '1794857082', 'usr_01m7jx37aq8azp9145fs8m52dt', '1'),
('[]', 'biz_demo', NULL, '1794857082', NULL, NULL, 'cust_01m7jx37cmem0hyz7tbt42j35q', '', '', NULL, '{}', '1794857082', 'usr_01m7jx37bqbv9rkcnzyt9bgbmd', '1'),
('[]', 'biz_demo', NULL, '1794857115', NULL, NULL, 'cust_01m7jx47tk12pr7amxke45mn7g', '', '', NULL, '{}', '1794857115', 'usr_01m7jx467xahzf5xsbge9wzqsp', '1'),
('[{"zip": "1", "city": "X", "state": "", "street": "1 Main", "country": "US"}]', 'biz_demo', NULL, '1794857116', 'kept@example.com', 'kept@example.com', 'cust_01m7jx48en8jb123914wj4h8s0', 'Kept', '', NULL, '{}', '1794857116', NULL, '1');

insert into entries (business_id, created_at, doc, id, index_rules, owner, search, status, version) values
('biz_demo', '1794857080', '{"id":"ent_01m7jx36y28txy0a7hksk6xaxf","businessId":"biz_demo","owner":"collection:col_01m7jx36hq4x8afzxtp06zwg7m","locale":"en","blocks":[{"id":"title","type":"TEXT","value":{"en":"Linen, and why it wrinkles","de":"Leinen, und warum es knittert"}},{"id":"category","type":"SELECT","value":"care"},{"id":"minutes","type":"NUMBER","value":4},{"id":"body","type":"TEXT","value":"<h2>It is alive</h2><p>Linen fibres are stiff. That keeps you cool, and it is why a shirt shows where you sat. Iron it <strong>damp</strong>, or not at all.</p>"},{"id":"author","type":"RELATIONSHIP","value":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}],"statuses":[{"id":"st_01m7jx36j7f0qf21eftqkkhx39","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857080}],"createdAt":1794857080,"updatedAt":1794857080}', 'ent_01m7jx36y28txy0a7hksk6xaxf', '2', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', '''a'' ''alive'' ''all'' ''and'' ''are'' ''at'' ''care'' ''cool'' ''damp'' ''es'' ''fibres'' ''iron'' ''is'' ''it'' ''keeps'' ''knittert'' ''leinen'' ''linen'' ''not'' ''or'' ''sat'' ''shirt'' ''shows'' ''stiff'' ''that'' ''und'' ''warum'' ''where'' ''why'' ''wrinkles'' ''you''', 'PUBLISHED', '1'),
('biz_demo', '1794857080', '{"id":"ent_01m7jx36yx3cg9axs1whzwsqyr","businessId":"biz_demo","owner":"collection:col_01m7jx36hq4x8afzxtp06zwg7m","locale":"en","blocks":[{"id":"title","type":"TEXT","value":{"en":"A visit to the weaver","de":"Besuch beim Weber"}},{"id":"category","type":"SELECT","value":"people"},{"id":"minutes","type":"NUMBER","value":7},{"id":"body","type":"TEXT","value":"<p>Forty looms, one room, and a radio. We spent a day where our cloth is made.</p><ul><li>08:00 warp</li><li>12:00 soup</li><li>17:00 twelve metres</li></ul>"},{"id":"author","type":"RELATIONSHIP","value":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}],"statuses":[{"id":"st_01m7jx36yk6168fmj9qvkjexpw","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857080}],"createdAt":1794857080,"updatedAt":1794857080}', 'ent_01m7jx36yx3cg9axs1whzwsqyr', '2', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', '''00'' ''08'' ''12'' ''17'' ''a'' ''and'' ''beim'' ''besuch'' ''cloth'' ''day'' ''forty'' ''is'' ''looms'' ''made'' ''metres'' ''one'' ''our'' ''people'' ''radio'' ''room'' ''soup'' ''spent'' ''the'' ''to'' ''twelve'' ''visit'' ''warp'' ''we'' ''weaver'' ''weber'' ''where''', 'PUBLISHED', '1'),
('biz_demo', '1794857080', E'{"id":"ent_01m7jx36za31t1ppb77g9hjm23","businessId":"biz_demo","owner":"collection:col_01m7jx36hq4x8afzxtp06zwg7m","locale":"en","blocks":[{"id":"title","type":"TEXT","value":{"en":"New: the summer coat","de":"Neu: der Sommermantel"}},{"id":"category","type":"SELECT","value":"news"},{"id":"minutes","type":"NUMBER","value":2},{"id":"body","type":"TEXT","value":"<p>Unlined, with deep pockets. <a href=\\"/\\" rel=\\"noopener noreferrer\\">In the shop</a> from today.</p>"},{"id":"author","type":"RELATIONSHIP","value":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}],"statuses":[{"id":"st_01m7jx36z27xzh5gt469hb5dee","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857080}],"createdAt":1794857080,"updatedAt":1794857080}', 'ent_01m7jx36za31t1ppb77g9hjm23', '2', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', '''coat'' ''deep'' ''der'' ''from'' ''in'' ''neu'' ''new'' ''news'' ''pockets'' ''shop'' ''sommermantel'' ''summer'' ''the'' ''today'' ''unlined'' ''with''', 'PUBLISHED', '1'),
('biz_demo', '1794857080', E'{"id":"ent_01m7jx370t82m8fh7ax1wjtn47","businessId":"biz_demo","owner":"collection:col_01m7jx36zd7w4nfat4pj1rmk11","locale":"en","blocks":[{"id":"subject","type":"TEXT","value":"The wool blankets are back"},{"id":"body","type":"TEXT","value":"<p>Dear {{subscriber.name}},</p><p>the looms have caught up, and plum and stone are on the shelf again. <a href=\\"/\\" rel=\\"noopener noreferrer\\">Have a look</a>.</p>"}],"statuses":[{"id":"st_01m7jx370j68kzq4hczynfbf6f","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857080}],"createdAt":1794857080,"updatedAt":1794857080}', 'ent_01m7jx370t82m8fh7ax1wjtn47', '2', 'collection:col_01m7jx36zd7w4nfat4pj1rmk11', '''a'' ''again'' ''and'' ''are'' ''back'' ''blankets'' ''caught'' ''dear'' ''have'' ''look'' ''looms'' ''name'' ''on'' ''plum'' ''shelf'' ''stone'' ''subscriber'' ''the'' ''up'' ''wool''', 'PUBLISHED', '1'),
('biz_demo', '1794857082', '{"id":"ent_01m7jx37hm84pk987qb1gwcqv7","businessId":"biz_demo","owner":"order:ord_01m7jx372hdz3rmfm2a0z1k4bn","locale":"en","blocks":[{"id":"note","type":"TEXT","label":"Note","value":"Please ring twice; the bell is shy."}],"statuses":[{"id":"st_01m7jx37hk0ywm6jq121w6w0g3","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857082}],"createdAt":1794857082,"updatedAt":1794857082}', 'ent_01m7jx37hm84pk987qb1gwcqv7', '2', 'order:ord_01m7jx372hdz3rmfm2a0z1k4bn', '''bell'' ''is'' ''please'' ''ring'' ''shy'' ''the'' ''twice''', 'PUBLISHED', '1'),
('biz_demo', '1794857115', '{"id":"ent_01m7jx47hs7g8p9wfhagm776ys","businessId":"biz_demo","owner":"collection:col_01m7jx47fr7f9wjm9qxjmqh54m","locale":"en","blocks":[{"id":"title","type":"TEXT","value":{"en":"Second"}}],"statuses":[{"id":"st_01m7jx47hk7jz69xv2arhyrnz4","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857115}],"scheduled":[],"hasDraft":true,"createdAt":1794857115,"updatedAt":1794857115}', 'ent_01m7jx47hs7g8p9wfhagm776ys', '2', 'collection:col_01m7jx47fr7f9wjm9qxjmqh54m', '''second''', 'PUBLISHED', '3'),
('biz_demo', '1794857115', '{"id":"ent_01m7jx48922kaaxxghcsjezvjx","businessId":"biz_demo","owner":"collection:col_01m7jx36zd7w4nfat4pj1rmk11","locale":"en","blocks":[{"id":"subject","type":"TEXT","value":"Hello"},{"id":"body","type":"TEXT","value":"<p>Hi</p>"}],"statuses":[{"id":"st_01m7jx48904tg5xhmav2dxgyq7","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857115}],"createdAt":1794857115,"updatedAt":1794857115}', 'ent_01m7jx48922kaaxxghcsjezvjx', '2', 'collection:col_01m7jx36zd7w4nfat4pj1rmk11', '''hello'' ''hi''', 'PUBLISHED', '1');

insert into entry_values (block_id, business_id, created_at, entry_id, key, n, owner, status) values
('$locale', 'biz_demo', '1794857080', 'ent_01m7jx36za31t1ppb77g9hjm23', 'tenen', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('$locale', 'biz_demo', '1794857080', 'ent_01m7jx370t82m8fh7ax1wjtn47', 'tenen', '0', 'collection:col_01m7jx36zd7w4nfat4pj1rmk11', 'PUBLISHED'),
('$locale', 'biz_demo', '1794857115', 'ent_01m7jx48922kaaxxghcsjezvjx', 'tenen', '0', 'collection:col_01m7jx36zd7w4nfat4pj1rmk11', 'PUBLISHED'),
('$locale', 'biz_demo', '1794857080', 'ent_01m7jx36yx3cg9axs1whzwsqyr', 'tenen', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('$locale', 'biz_demo', '1794857115', 'ent_01m7jx47hs7g8p9wfhagm776ys', 'tenen', '0', 'collection:col_01m7jx47fr7f9wjm9qxjmqh54m', 'PUBLISHED'),
('$locale', 'biz_demo', '1794857082', 'ent_01m7jx37hm84pk987qb1gwcqv7', 'tenen', '0', 'order:ord_01m7jx372hdz3rmfm2a0z1k4bn', 'PUBLISHED'),
('$locale', 'biz_demo', '1794857080', 'ent_01m7jx36y28txy0a7hksk6xaxf', 'tenen', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('$updatedAt', 'biz_demo', '1794857080', 'ent_01m7jx36yx3cg9axs1whzwsqyr', 'nc1dabed61e000000', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('$updatedAt', 'biz_demo', '1794857115', 'ent_01m7jx47hs7g8p9wfhagm776ys', 'nc1dabed626c00000', '0', 'collection:col_01m7jx47fr7f9wjm9qxjmqh54m', 'PUBLISHED'),
('$updatedAt', 'biz_demo', '1794857080', 'ent_01m7jx36y28txy0a7hksk6xaxf', 'nc1dabed61e000000', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('$updatedAt', 'biz_demo', '1794857080', 'ent_01m7jx36za31t1ppb77g9hjm23', 'nc1dabed61e000000', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('$updatedAt', 'biz_demo', '1794857082', 'ent_01m7jx37hm84pk987qb1gwcqv7', 'nc1dabed61e800000', '0', 'order:ord_01m7jx372hdz3rmfm2a0z1k4bn', 'PUBLISHED'),
('$updatedAt', 'biz_demo', '1794857080', 'ent_01m7jx370t82m8fh7ax1wjtn47', 'nc1dabed61e000000', '0', 'collection:col_01m7jx36zd7w4nfat4pj1rmk11', 'PUBLISHED'),
('$updatedAt', 'biz_demo', '1794857115', 'ent_01m7jx48922kaaxxghcsjezvjx', 'nc1dabed626c00000', '0', 'collection:col_01m7jx36zd7w4nfat4pj1rmk11', 'PUBLISHED'),
('author', 'biz_demo', '1794857080', 'ent_01m7jx36za31t1ppb77g9hjm23', 'tusr_01m7jx35r0cb1evp5n6pf2k9s5usr_01m7jx35r0cb1evp5n6pf2k9s5', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('author', 'biz_demo', '1794857080', 'ent_01m7jx36y28txy0a7hksk6xaxf', 'tusr_01m7jx35r0cb1evp5n6pf2k9s5usr_01m7jx35r0cb1evp5n6pf2k9s5', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('author', 'biz_demo', '1794857080', 'ent_01m7jx36yx3cg9axs1whzwsqyr', 'tusr_01m7jx35r0cb1evp5n6pf2k9s5usr_01m7jx35r0cb1evp5n6pf2k9s5', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('body', 'biz_demo', '1794857115', 'ent_01m7jx48922kaaxxghcsjezvjx', 't<p>hi</p><p>Hi</p>', '0', 'collection:col_01m7jx36zd7w4nfat4pj1rmk11', 'PUBLISHED'),
('body', 'biz_demo', '1794857080', 'ent_01m7jx36y28txy0a7hksk6xaxf', 't<h2>it is alive</h2><p>linen fibres are stiff. that keeps you cool, and it is why a shirt shows wher<h2>It is alive</h2><p>Linen fibres are stiff. That keeps you cool, and it is why a shirt shows where you sat. Iron it <strong>damp</strong>, or not at all.</p>', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('body', 'biz_demo', '1794857080', 'ent_01m7jx36yx3cg9axs1whzwsqyr', 't<p>forty looms, one room, and a radio. we spent a day where our cloth is made.</p><ul><li>08:00 warp<p>Forty looms, one room, and a radio. We spent a day where our cloth is made.</p><ul><li>08:00 warp</li><li>12:00 soup</li><li>17:00 twelve metres</li></ul>', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('body', 'biz_demo', '1794857080', 'ent_01m7jx36za31t1ppb77g9hjm23', 't<p>unlined, with deep pockets. <a href="/" rel="noopener noreferrer">in the shop</a> from today.</p><p>Unlined, with deep pockets. <a href="/" rel="noopener noreferrer">In the shop</a> from today.</p>', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('body', 'biz_demo', '1794857080', 'ent_01m7jx370t82m8fh7ax1wjtn47', 't<p>dear {{subscriber.name}},</p><p>the looms have caught up, and plum and stone are on the shelf aga<p>Dear {{subscriber.name}},</p><p>the looms have caught up, and plum and stone are on the shelf again. <a href="/" rel="noopener noreferrer">Have a look</a>.</p>', '0', 'collection:col_01m7jx36zd7w4nfat4pj1rmk11', 'PUBLISHED'),
('category', 'biz_demo', '1794857080', 'ent_01m7jx36yx3cg9axs1whzwsqyr', 'tpeoplepeople', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('category', 'biz_demo', '1794857080', 'ent_01m7jx36za31t1ppb77g9hjm23', 'tnewsnews', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('category', 'biz_demo', '1794857080', 'ent_01m7jx36y28txy0a7hksk6xaxf', 'tcarecare', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('minutes', 'biz_demo', '1794857080', 'ent_01m7jx36za31t1ppb77g9hjm23', 'nc000000000000000', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('minutes', 'biz_demo', '1794857080', 'ent_01m7jx36yx3cg9axs1whzwsqyr', 'nc01c000000000000', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('minutes', 'biz_demo', '1794857080', 'ent_01m7jx36y28txy0a7hksk6xaxf', 'nc010000000000000', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('note', 'biz_demo', '1794857082', 'ent_01m7jx37hm84pk987qb1gwcqv7', 'tplease ring twice; the bell is shy.Please ring twice; the bell is shy.', '0', 'order:ord_01m7jx372hdz3rmfm2a0z1k4bn', 'PUBLISHED'),
('subject', 'biz_demo', '1794857080', 'ent_01m7jx370t82m8fh7ax1wjtn47', 'tthe wool blankets are backThe wool blankets are back', '0', 'collection:col_01m7jx36zd7w4nfat4pj1rmk11', 'PUBLISHED'),
('subject', 'biz_demo', '1794857115', 'ent_01m7jx48922kaaxxghcsjezvjx', 'thelloHello', '0', 'collection:col_01m7jx36zd7w4nfat4pj1rmk11', 'PUBLISHED'),
('title', 'biz_demo', '1794857080', 'ent_01m7jx36y28txy0a7hksk6xaxf', 'tlinen, and why it wrinklesLinen, and why it wrinkles', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('title', 'biz_demo', '1794857115', 'ent_01m7jx47hs7g8p9wfhagm776ys', 'tsecondSecond', '0', 'collection:col_01m7jx47fr7f9wjm9qxjmqh54m', 'PUBLISHED'),
('title', 'biz_demo', '1794857080', 'ent_01m7jx36y28txy0a7hksk6xaxf', 'tleinen, und warum es knittertLeinen, und warum es knittert', '1', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('title', 'biz_demo', '1794857080', 'ent_01m7jx36za31t1ppb77g9hjm23', 'tnew: the summer coatNew: the summer coat', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('title', 'biz_demo', '1794857080', 'ent_01m7jx36yx3cg9axs1whzwsqyr', 'tbesuch beim weberBesuch beim Weber', '1', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('title', 'biz_demo', '1794857080', 'ent_01m7jx36za31t1ppb77g9hjm23', 'tneu: der sommermantelNeu: der Sommermantel', '1', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED'),
('title', 'biz_demo', '1794857080', 'ent_01m7jx36yx3cg9axs1whzwsqyr', 'ta visit to the weaverA visit to the weaver', '0', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', 'PUBLISHED');

insert into event_heads (business_id, position) values
('biz_demo', '113');

insert into event_sequences (business_id, entity, sequence) values
('biz_demo', 'business:biz_demo', '1'),
('biz_demo', 'collection:col_01m7jx36hq4x8afzxtp06zwg7m', '1'),
('biz_demo', 'collection:col_01m7jx36zd7w4nfat4pj1rmk11', '1'),
('biz_demo', 'customer:cust_01m7jx372m1ethx5ybp7maszxj', '1'),
('biz_demo', 'entry:ent_01m7jx36y28txy0a7hksk6xaxf', '2'),
('biz_demo', 'entry:ent_01m7jx36yx3cg9axs1whzwsqyr', '2'),
('biz_demo', 'entry:ent_01m7jx36za31t1ppb77g9hjm23', '2'),
('biz_demo', 'entry:ent_01m7jx370t82m8fh7ax1wjtn47', '2'),
('biz_demo', 'media:media_01m7jx35xyc25n6xk20shwadsn', '1'),
('biz_demo', 'media:media_01m7jx35xz4k14hpgevw1g7met', '1'),
('biz_demo', 'media:media_01m7jx35y4121jc47hhq3qk6m0', '1'),
('biz_demo', 'media:media_01m7jx35z04a2z573cwypta08n', '1'),
('biz_demo', 'media:media_01m7jx35z48gzbq20zvsevbr3q', '1'),
('biz_demo', 'media:media_01m7jx35z8c0j455h79dz77tts', '1'),
('biz_demo', 'media:media_01m7jx35z8c0j455h79ebhxebj', '1'),
('biz_demo', 'media:media_01m7jx35zaep0p36hr1t2fx5mn', '1'),
('biz_demo', 'media:media_01m7jx35zcc22xxts6e3x05r7c', '1'),
('biz_demo', 'media:media_01m7jx35zcc22xxts6e50szefp', '1'),
('biz_demo', 'media:media_01m7jx35zd1kcps4vvbq78jsw2', '1'),
('biz_demo', 'media:media_01m7jx35zec0xzeeatgmhdwtm2', '1'),
('biz_demo', 'media:media_01m7jx35zhdh598t13c951t2q2', '1'),
('biz_demo', 'media:media_01m7jx35zj1szh2d1mng45tedv', '1'),
('biz_demo', 'media:media_01m7jx35zv4sjh6mneag9nh2he', '1'),
('biz_demo', 'media:media_01m7jx35zv4sjh6mneaj82ma7a', '1'),
('biz_demo', 'media:media_01m7jx3607f71h7nsxrk9be4dh', '1'),
('biz_demo', 'media:media_01m7jx36090ph54yre980276jx', '1'),
('biz_demo', 'media:media_01m7jx360c1psdgkreefv5kt98', '1'),
('biz_demo', 'media:media_01m7jx360fes6mrv6em30mh1mw', '1'),
('biz_demo', 'media:media_01m7jx360r3ksv176yzg1xd79v', '1'),
('biz_demo', 'media:media_01m7jx360wa04skx1meeg5x07m', '1'),
('biz_demo', 'media:media_01m7jx361179dp74rrapzb2fjh', '1'),
('biz_demo', 'media:media_01m7jx361bf7gvxcykvkarsyfs', '1'),
('biz_demo', 'member:usr_01m7jx35r0cb1evp5n6pf2k9s5', '1'),
('biz_demo', 'product:prod_01m7jx363ffqmbky4k7gyb0q5m', '1'),
('biz_demo', 'product:prod_01m7jx365e5ztx37dq1zmz89xz', '1'),
('biz_demo', 'product:prod_01m7jx366445g6s7b6h4trbvs2', '1'),
('biz_demo', 'product:prod_01m7jx366xb4wg1y0sbaq6gpjw', '1'),
('biz_demo', 'product:prod_01m7jx367pcwd9s8n9388d97zc', '1'),
('biz_demo', 'product:prod_01m7jx368774c2hh4764rwd3ad', '1'),
('biz_demo', 'product:prod_01m7jx368qc963rc4ct6p7xj8j', '1'),
('biz_demo', 'product:prod_01m7jx36930h5wadrjb8za8n4j', '1'),
('biz_demo', 'product:prod_01m7jx369d4cnze13zaj2rtppv', '1'),
('biz_demo', 'product:prod_01m7jx369w9zb18kna3xezy90e', '1'),
('biz_demo', 'product:prod_01m7jx36a9d0yyqezchver1b1b', '1'),
('biz_demo', 'product:prod_01m7jx36ag0m335sbqh8ye9w84', '1'),
('biz_demo', 'product:prod_01m7jx36b1cxp5jqg7325v0pjd', '1'),
('biz_demo', 'product:prod_01m7jx36baegcbzqck7zkbx2f2', '1'),
('biz_demo', 'product:prod_01m7jx36bm5arwq19v58shzdrf', '1'),
('biz_demo', 'product:prod_01m7jx36bv0ntrazdy647530d9', '1'),
('biz_demo', 'product:prod_01m7jx36c3bp4ajdatc6431em2', '1'),
('biz_demo', 'product:prod_01m7jx36cecr7445bpwza9f56p', '1'),
('biz_demo', 'product:prod_01m7jx36d61hbd0c41t0y0wgn3', '1'),
('biz_demo', 'product:prod_01m7jx36drc0vwsny0v749fns6', '1'),
('biz_demo', 'product:prod_01m7jx36ee19zkv47nctgq1ah5', '1'),
('biz_demo', 'product:prod_01m7jx36f87617rrn5he4rmq1v', '1'),
('biz_demo', 'product:prod_01m7jx36g73q17zwpnpyddev1m', '1'),
('biz_demo', 'product:prod_01m7jx36h364869x0p3fbtdq19', '1'),
('biz_demo', 'promo_code:promo_01m7jx37141464b1hn10en3nfe', '1'),
('biz_demo', 'role:role_01m7jx362f37hga2nxcm3hq8j3', '1'),
('biz_demo', 'role:role_01m7jx362vc80p6femn4weeefc', '1'),
('biz_demo', 'role:role_01m7jx362x3t50z6xhb2zw08c4', '1'),
('biz_demo', 'subscription:sub_01m7jx36zv4jqz8ttm5qkj1prd', '1'),
('biz_demo', 'subscription:sub_01m7jx3708aykqqzgg9kee4jr7', '1'),
('biz_demo', 'customer:cust_01m7jx37b30mzvscn0dbqdffgx', '1'),
('biz_demo', 'customer:cust_01m7jx37cmem0hyz7tbt42j35q', '1'),
('biz_demo', 'order:ord_01m7jx372hdz3rmfm2a0z1k4bn', '5'),
('biz_demo', 'order:ord_01m7jx37b30mzvscn0d8pvhcx3', '1'),
('biz_demo', 'entry:ent_01m7jx37hm84pk987qb1gwcqv7', '2'),
('biz_demo', 'order:ord_01m7jx37ch3krjmdhpp08p30zk', '5'),
('biz_demo', 'import:imp_01m7jx48qg0da20wh4syfqr5sj', '2'),
('biz_demo', 'product:prod_01m7jx46jj03w27s5kmd3cvhp0', '3'),
('biz_demo', 'product:prod_01m7jx479q6tgnxbxyf3gtk58b', '1'),
('biz_demo', 'collection:col_01m7jx47fr7f9wjm9qxjmqh54m', '1'),
('biz_demo', 'entry:ent_01m7jx47hs7g8p9wfhagm776ys', '4'),
('biz_demo', 'promo_code:promo_01m7jx47rx1yvgrkzxgbaaxqqn', '1'),
('biz_demo', 'release:rel_01m7jx47p5b5gvcrt3jahx7m7q', '1'),
('biz_demo', 'customer:cust_01m7jx47tk12pr7amxke45mn7g', '1'),
('biz_demo', 'entry:ent_01m7jx48922kaaxxghcsjezvjx', '2'),
('biz_demo', 'order:ord_01m7jx48604sn589yh5qw0p88d', '1'),
('biz_demo', 'subscription:sub_01m7jx487rajsepy10b542yn36', '1'),
('biz_demo', 'customer:cust_01m7jx48en8jb123914wj4h8s0', '1'),
('biz_demo', 'send:snd_01m7jx48b5apxa9bg5x5f8ws3v', '1'),
('biz_demo', 'invitation:inv_01m7jx48n2f09kxhpzj8atppn5', '1'),
('biz_demo', 'product:prod_01m7jx48zt6mq7jjpyz4fn23p6', '1'),
('biz_demo', 'webhook:whk_01m7jx5332050k5wddq182ykdt', '2'),
('biz_demo', 'order:ord_01m7jx47th9fnn78cx7e0h50t6', '7');

insert into events (actor, actor_id, address, business_id, changes, created_at, data, entity, position, sequence, type) values
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-2"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857114', E'{"id":"prod_01m7jx46jj03w27s5kmd3cvhp0","businessId":"biz_demo","name":"Old lamp","slug":"old-lamp","description":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","category":"light","gallery":[],"variants":[{"id":"z","name":"Lamp z Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-z","attributes":[{"name":"size","value":"z"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1000,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":10,"lowStockThreshold":3}},{"id":"a","name":"Lamp a Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-a","attributes":[{"name":"size","value":"a"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1001,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":20,"lowStockThreshold":3}},{"id":"m","name":"Lamp m Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-m","attributes":[{"name":"size","value":"m"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1002,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":30,"lowStockThreshold":3}}],"statuses":[{"id":"st_01m7jx46jj03w27s5kmex296ep","status":"ACTIVE","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857114}],"blocks":[{"id":"care","type":"TEXT","value":{"en":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","de":"Pflege"}}],"createdAt":1794857114,"updatedAt":1794857114}', 'product:prod_01m7jx46jj03w27s5kmd3cvhp0', '83', '1', 'product.created'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-3"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', '{"name":{"old":"Old lamp","new":"Old lamp, second name"}}', '1794857114', E'{"id":"prod_01m7jx46jj03w27s5kmd3cvhp0","businessId":"biz_demo","name":"Old lamp, second name","slug":"old-lamp","description":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","category":"light","gallery":[],"variants":[{"id":"z","name":"Lamp z Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-z","attributes":[{"name":"size","value":"z"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1000,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":10,"lowStockThreshold":3}},{"id":"a","name":"Lamp a Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-a","attributes":[{"name":"size","value":"a"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1001,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":20,"lowStockThreshold":3}},{"id":"m","name":"Lamp m Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-m","attributes":[{"name":"size","value":"m"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1002,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":30,"lowStockThreshold":3}}],"statuses":[{"id":"st_01m7jx46jj03w27s5kmex296ep","status":"ACTIVE","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857114}],"blocks":[{"id":"care","type":"TEXT","value":{"en":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","de":"Pflege"}}],"createdAt":1794857114,"updatedAt":1794857114}', 'product:prod_01m7jx46jj03w27s5kmd3cvhp0', '84', '2', 'product.updated'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-4"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857114', E'{"id":"prod_01m7jx46jj03w27s5kmd3cvhp0","businessId":"biz_demo","name":"Old lamp, second name","slug":"old-lamp","description":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","category":"light","gallery":[],"variants":[{"id":"z","name":"Lamp z Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-z","attributes":[{"name":"size","value":"z"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1000,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":10,"lowStockThreshold":3}},{"id":"a","name":"Lamp a Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-a","attributes":[{"name":"size","value":"a"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1001,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":20,"lowStockThreshold":3}},{"id":"m","name":"Lamp m Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-m","attributes":[{"name":"size","value":"m"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1002,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":30,"lowStockThreshold":3}}],"statuses":[{"id":"st_01m7jx46jj03w27s5kmex296ep","status":"ACTIVE","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857114}],"blocks":[{"id":"care","type":"TEXT","value":{"en":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","de":"Pflege"}}],"createdAt":1794857114,"updatedAt":1794857114,"scheduled":[],"hasDraft":true}', 'product:prod_01m7jx46jj03w27s5kmd3cvhp0', '85', '3', 'product.draft_saved'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-5"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857114', '{"id":"prod_01m7jx479q6tgnxbxyf3gtk58b","businessId":"biz_demo","name":"Later lamp","slug":"later-lamp","description":"","category":"","gallery":[],"variants":[{"id":"v","name":"V","sku":"","attributes":[],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":500}]},"inventory":{"tracked":false,"quantity":0}}],"statuses":[{"id":"st_01m7jx47a25k2vf8nht9c8vxvf","status":"DRAFT","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857114}],"blocks":[],"scheduled":[{"id":"st_01m7jx47a1ewbg6s6j3p20j7a4","status":"ACTIVE","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":2110217113}],"hasDraft":false,"createdAt":1794857114,"updatedAt":1794857114}', 'product:prod_01m7jx479q6tgnxbxyf3gtk58b', '86', '1', 'product.created'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-6"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857115', '{"id":"col_01m7jx47fr7f9wjm9qxjmqh54m","businessId":"biz_demo","name":"Old posts","slug":"old-posts","description":"d","type":"COLLECTION","blocks":[{"id":"title","type":"TEXT","label":"Title","required":true},{"id":"lamp","type":"RELATIONSHIP","settings":{"targetType":"PRODUCT"}}],"plans":[],"statuses":[{"id":"s1","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857115}],"settings":{},"createdAt":1794857115,"updatedAt":1794857115}', 'collection:col_01m7jx47fr7f9wjm9qxjmqh54m', '87', '1', 'collection.created'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-7"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857115', E'{"id":"ent_01m7jx47hs7g8p9wfhagm776ys","businessId":"biz_demo","owner":"collection:col_01m7jx47fr7f9wjm9qxjmqh54m","locale":"en","blocks":[{"id":"title","type":"TEXT","value":{"en":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1"}},{"id":"lamp","type":"RELATIONSHIP","value":"prod_01m7jx46jj03w27s5kmd3cvhp0"}],"statuses":[{"id":"st_01m7jx47hk7jz69xv2arhyrnz4","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857115}],"createdAt":1794857115,"updatedAt":1794857115}', 'entry:ent_01m7jx47hs7g8p9wfhagm776ys', '88', '1', 'entry.created'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-7"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857115', E'{"id":"ent_01m7jx47hs7g8p9wfhagm776ys","businessId":"biz_demo","owner":"collection:col_01m7jx47fr7f9wjm9qxjmqh54m","locale":"en","blocks":[{"id":"title","type":"TEXT","value":{"en":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1"}},{"id":"lamp","type":"RELATIONSHIP","value":"prod_01m7jx46jj03w27s5kmd3cvhp0"}],"statuses":[{"id":"st_01m7jx47hk7jz69xv2arhyrnz4","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857115}],"createdAt":1794857115,"updatedAt":1794857115}', 'entry:ent_01m7jx47hs7g8p9wfhagm776ys', '89', '2', 'entry.published'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-8"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', E'{"blocks":{"old":[{"id":"title","type":"TEXT","value":{"en":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1"}},{"id":"lamp","type":"RELATIONSHIP","value":"prod_01m7jx46jj03w27s5kmd3cvhp0"}],"new":[{"id":"title","type":"TEXT","value":{"en":"Second"}}]}}', '1794857115', '{"id":"ent_01m7jx47hs7g8p9wfhagm776ys","businessId":"biz_demo","owner":"collection:col_01m7jx47fr7f9wjm9qxjmqh54m","locale":"en","blocks":[{"id":"title","type":"TEXT","value":{"en":"Second"}}],"statuses":[{"id":"st_01m7jx47hk7jz69xv2arhyrnz4","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857115}],"createdAt":1794857115,"updatedAt":1794857115}', 'entry:ent_01m7jx47hs7g8p9wfhagm776ys', '90', '3', 'entry.updated'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-9"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857115', '{"id":"ent_01m7jx47hs7g8p9wfhagm776ys","businessId":"biz_demo","owner":"collection:col_01m7jx47fr7f9wjm9qxjmqh54m","locale":"en","blocks":[{"id":"title","type":"TEXT","value":{"en":"Second"}}],"statuses":[{"id":"st_01m7jx47hk7jz69xv2arhyrnz4","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857115}],"scheduled":[],"hasDraft":true,"createdAt":1794857115,"updatedAt":1794857115}', 'entry:ent_01m7jx47hs7g8p9wfhagm776ys', '91', '4', 'entry.draft_saved'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-a"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857115', '{"businessId":"biz_demo","id":"rel_01m7jx47p5b5gvcrt3jahx7m7q","name":"Big day","status":"SCHEDULED","at":2110217113,"userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","publishedAt":null,"createdAt":1794857115,"updatedAt":1794857115,"itemCount":2,"failure":null,"items":["ent_01m7jx47hs7g8p9wfhagm776ys","prod_01m7jx46jj03w27s5kmd3cvhp0"]}', 'release:rel_01m7jx47p5b5gvcrt3jahx7m7q', '92', '1', 'release.created'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-b"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857115', '{"id":"promo_01m7jx47rx1yvgrkzxgbaaxqqn","businessId":"biz_demo","code":"OLD10","discounts":[{"type":"ITEMS_PERCENTAGE","bps":1000}],"conditions":[{"type":"MAX_USES","value":5}],"statuses":[{"id":"st_01m7jx47rx1yvgrkzxgc4n5eg1","status":"ACTIVE","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857115}],"uses":0,"createdAt":1794857115,"updatedAt":1794857115}', 'promo_code:promo_01m7jx47rx1yvgrkzxgbaaxqqn', '93', '1', 'promo_code.created'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-e"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857115', '{"tax":184,"lines":[{"type":"PRODUCT_VARIANT","quantity":2,"productId":"prod_01m7jx46jj03w27s5kmd3cvhp0","unitPrice":1001,"variantId":"a","totalPrice":2002}],"total":2486,"blocks":[],"market":"us","taxBps":800,"currency":"usd","discount":200,"shipping":500,"statuses":[{"id":"st_01m7jx47th9fnn78cx791s0skk","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0rjf3avg","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857115}],"subtotal":2002,"promoCode":"OLD10","paymentMethod":"CREDIT_CARD","paymentStatus":[{"id":"st_01m7jx47th9fnn78cx7ayn8act","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0qnmbwsn","status":"PAID","changedBy":"SYSTEM","timestamp":1794857115},{"id":"st_01m7jx47yj9r7k5919ecse05s4","status":"PARTIALLY_REFUNDED","changedBy":"USER","timestamp":1794857115,"userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}],"shippingMethodId":"standard","id":"ord_01m7jx47th9fnn78cx7e0h50t6","businessId":"biz_demo","customerId":"usr_01m7jx467xahzf5xsbge9wzqsp","email":"buyer@example.com","paid":2486,"refunded":100,"createdAt":1794857115,"updatedAt":1794857115,"number":4,"refundedAmount":100}', 'order:ord_01m7jx47th9fnn78cx7e0h50t6', '98', '4', 'order.refunded'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-e"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', '{"paymentStatus":{"old":[{"id":"st_01m7jx47th9fnn78cx7ayn8act","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0qnmbwsn","status":"PAID","changedBy":"SYSTEM","timestamp":1794857115}],"new":[{"id":"st_01m7jx47th9fnn78cx7ayn8act","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0qnmbwsn","status":"PAID","changedBy":"SYSTEM","timestamp":1794857115},{"id":"st_01m7jx47yj9r7k5919ecse05s4","status":"PARTIALLY_REFUNDED","changedBy":"USER","timestamp":1794857115,"userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}]}}', '1794857115', '{"tax":184,"lines":[{"type":"PRODUCT_VARIANT","quantity":2,"productId":"prod_01m7jx46jj03w27s5kmd3cvhp0","unitPrice":1001,"variantId":"a","totalPrice":2002}],"total":2486,"blocks":[],"market":"us","taxBps":800,"currency":"usd","discount":200,"shipping":500,"statuses":[{"id":"st_01m7jx47th9fnn78cx791s0skk","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0rjf3avg","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857115}],"subtotal":2002,"promoCode":"OLD10","paymentMethod":"CREDIT_CARD","paymentStatus":[{"id":"st_01m7jx47th9fnn78cx7ayn8act","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0qnmbwsn","status":"PAID","changedBy":"SYSTEM","timestamp":1794857115},{"id":"st_01m7jx47yj9r7k5919ecse05s4","status":"PARTIALLY_REFUNDED","changedBy":"USER","timestamp":1794857115,"userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}],"shippingMethodId":"standard","id":"ord_01m7jx47th9fnn78cx7e0h50t6","businessId":"biz_demo","customerId":"usr_01m7jx467xahzf5xsbge9wzqsp","email":"buyer@example.com","paid":2486,"refunded":100,"createdAt":1794857115,"updatedAt":1794857115,"number":4}', 'order:ord_01m7jx47th9fnn78cx7e0h50t6', '99', '5', 'order.payment_changed'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-i"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857115', '{"id":"ent_01m7jx48922kaaxxghcsjezvjx","businessId":"biz_demo","owner":"collection:col_01m7jx36zd7w4nfat4pj1rmk11","locale":"en","blocks":[{"id":"subject","type":"TEXT","value":"Hello"},{"id":"body","type":"TEXT","value":"<p>Hi</p>"}],"statuses":[{"id":"st_01m7jx48904tg5xhmav2dxgyq7","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857115}],"createdAt":1794857115,"updatedAt":1794857115}', 'entry:ent_01m7jx48922kaaxxghcsjezvjx', '102', '1', 'entry.created'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-i"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857115', '{"id":"ent_01m7jx48922kaaxxghcsjezvjx","businessId":"biz_demo","owner":"collection:col_01m7jx36zd7w4nfat4pj1rmk11","locale":"en","blocks":[{"id":"subject","type":"TEXT","value":"Hello"},{"id":"body","type":"TEXT","value":"<p>Hi</p>"}],"statuses":[{"id":"st_01m7jx48904tg5xhmav2dxgyq7","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857115}],"createdAt":1794857115,"updatedAt":1794857115}', 'entry:ent_01m7jx48922kaaxxghcsjezvjx', '103', '2', 'entry.published'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-j"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857115', '{"id":"snd_01m7jx48b5apxa9bg5x5f8ws3v","entryId":"ent_01m7jx48922kaaxxghcsjezvjx","status":"SCHEDULED","scheduledAt":2110217113,"recipients":3,"total":3,"sent":0,"failed":0,"skipped":0,"unknown":0,"error":null,"createdAt":1794857115,"startedAt":null,"completedAt":null}', 'send:snd_01m7jx48b5apxa9bg5x5f8ws3v', '104', '1', 'newsletter.scheduled'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-m"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857116', '{"id":"cust_01m7jx48en8jb123914wj4h8s0","businessId":"biz_demo","userId":null,"email":"kept@example.com","name":"Kept","phone":null,"addresses":[{"street":"1 Main","city":"X","state":"","zip":"1","country":"US"}],"tags":[],"note":"","consent":null,"createdAt":1794857116,"updatedAt":1794857116}', 'customer:cust_01m7jx48en8jb123914wj4h8s0', '105', '1', 'customer.created'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-o"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857116', '{"id":"inv_01m7jx48n2f09kxhpzj8atppn5","businessId":"biz_demo","email":"invited@example.com","roleIds":["role_01m7jx362vc80p6femn4weeefc"],"invitedBy":"usr_01m7jx35r0cb1evp5n6pf2k9s5","createdAt":1794857116,"expiresAt":1795461916}', 'invitation:inv_01m7jx48n2f09kxhpzj8atppn5', '106', '1', 'invitation.created'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-p"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857116', '{"id":"imp_01m7jx48qg0da20wh4syfqr5sj","businessId":"biz_demo","type":"products","format":"shopify-products","dryRun":false,"status":"QUEUED","fileName":"file","size":172,"progress":0,"rows":0,"created":0,"updated":0,"unchanged":0,"skipped":0,"failed":0,"errorCount":0,"notes":[],"error":null,"userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","createdAt":1794857116,"startedAt":null,"completedAt":null}', 'import:imp_01m7jx48qg0da20wh4syfqr5sj', '107', '1', 'import.created'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-r"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857143', '{"id":"whk_01m7jx5332050k5wddq182ykdt","businessId":"biz_demo","url":"http://127.0.0.1:9999/hook","events":["order.*"],"description":"","enabled":true,"disabledReason":null,"failingSince":null,"payloadVersion":1,"createdAt":1794857143,"updatedAt":1794857143}', 'webhook:whk_01m7jx5332050k5wddq182ykdt', '110', '1', 'webhook.created'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-s"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', NULL, '1794857143', '{"id":"whk_01m7jx5332050k5wddq182ykdt","businessId":"biz_demo","url":"http://127.0.0.1:9999/hook","events":["order.*"],"description":"","enabled":true,"disabledReason":null,"failingSince":null,"payloadVersion":1,"createdAt":1794857143,"updatedAt":1794857143}', 'webhook:whk_01m7jx5332050k5wddq182ykdt', '111', '2', 'webhook.updated'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-t"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', '{"statuses":{"old":[{"id":"st_01m7jx47th9fnn78cx791s0skk","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0rjf3avg","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857115}],"new":[{"id":"st_01m7jx47th9fnn78cx791s0skk","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0rjf3avg","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857115},{"id":"st_01m7jx53a66nrbjqhd31ybzk5v","status":"SHIPPED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857143}]}}', '1794857143', '{"tax":184,"lines":[{"type":"PRODUCT_VARIANT","quantity":2,"productId":"prod_01m7jx46jj03w27s5kmd3cvhp0","unitPrice":1001,"variantId":"a","totalPrice":2002}],"total":2486,"blocks":[],"market":"us","taxBps":800,"currency":"usd","discount":200,"shipping":500,"statuses":[{"id":"st_01m7jx47th9fnn78cx791s0skk","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0rjf3avg","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857115},{"id":"st_01m7jx53a66nrbjqhd31ybzk5v","status":"SHIPPED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857143}],"subtotal":2002,"promoCode":"OLD10","paymentMethod":"CREDIT_CARD","paymentStatus":[{"id":"st_01m7jx47th9fnn78cx7ayn8act","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0qnmbwsn","status":"PAID","changedBy":"SYSTEM","timestamp":1794857115},{"id":"st_01m7jx47yj9r7k5919ecse05s4","status":"PARTIALLY_REFUNDED","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857115}],"shippingMethodId":"standard","tracking":{"carrier":"DHL","number":"1"},"id":"ord_01m7jx47th9fnn78cx7e0h50t6","businessId":"biz_demo","customerId":"usr_01m7jx467xahzf5xsbge9wzqsp","email":"buyer@example.com","paid":2486,"refunded":100,"createdAt":1794857115,"updatedAt":1794857143,"number":4}', 'order:ord_01m7jx47th9fnn78cx7e0h50t6', '113', '7', 'order.status_changed'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo","requestId":"req-mwjnk376i0p-t"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '127.0.0.1', 'biz_demo', '{"tracking":{"new":{"carrier":"DHL","number":"1"}}}', '1794857143', '{"tax":184,"lines":[{"type":"PRODUCT_VARIANT","quantity":2,"productId":"prod_01m7jx46jj03w27s5kmd3cvhp0","unitPrice":1001,"variantId":"a","totalPrice":2002}],"total":2486,"blocks":[],"market":"us","taxBps":800,"currency":"usd","discount":200,"shipping":500,"statuses":[{"id":"st_01m7jx47th9fnn78cx791s0skk","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0rjf3avg","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857115},{"id":"st_01m7jx53a66nrbjqhd31ybzk5v","status":"SHIPPED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857143}],"subtotal":2002,"promoCode":"OLD10","paymentMethod":"CREDIT_CARD","paymentStatus":[{"id":"st_01m7jx47th9fnn78cx7ayn8act","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0qnmbwsn","status":"PAID","changedBy":"SYSTEM","timestamp":1794857115},{"id":"st_01m7jx47yj9r7k5919ecse05s4","status":"PARTIALLY_REFUNDED","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857115}],"shippingMethodId":"standard","tracking":{"carrier":"DHL","number":"1"},"id":"ord_01m7jx47th9fnn78cx7e0h50t6","businessId":"biz_demo","customerId":"usr_01m7jx467xahzf5xsbge9wzqsp","email":"buyer@example.com","paid":2486,"refunded":100,"createdAt":1794857115,"updatedAt":1794857143,"number":4}', 'order:ord_01m7jx47th9fnn78cx7e0h50t6', '112', '6', 'order.updated'),
('{"type":"API_KEY","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","keyId":"demo"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '', 'biz_demo', NULL, '1794857116', '{"id":"prod_01m7jx48zt6mq7jjpyz4fn23p6","businessId":"biz_demo","name":"Mug","slug":"mug-old","description":"","category":"","gallery":[],"variants":[{"id":"var_01m7jx48zt6mq7jjpyz4pyagxt","name":"S","sku":"MUG-S","attributes":[{"name":"Size","value":"S"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":500}]},"inventory":{"tracked":true,"quantity":3}},{"id":"var_01m7jx48zt6mq7jjpyz6mx33np","name":"L","sku":"MUG-L","attributes":[{"name":"Size","value":"L"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":600}]},"inventory":{"tracked":true,"quantity":4}}],"statuses":[{"id":"st_01m7jx48zt6mq7jjpyz9nz9mzr","status":"ACTIVE","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857116}],"blocks":[],"createdAt":1794857116,"updatedAt":1794857116,"scheduled":[]}', 'product:prod_01m7jx48zt6mq7jjpyz4fn23p6', '108', '1', 'product.created'),
('{"type":"SYSTEM","requestId":"req-mwjnk376i0p-d"}', NULL, '127.0.0.1', 'biz_demo', '{"statuses":{"old":[{"id":"st_01m7jx47th9fnn78cx791s0skk","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115}],"new":[{"id":"st_01m7jx47th9fnn78cx791s0skk","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0rjf3avg","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857115}]}}', '1794857115', '{"tax":184,"lines":[{"type":"PRODUCT_VARIANT","quantity":2,"productId":"prod_01m7jx46jj03w27s5kmd3cvhp0","unitPrice":1001,"variantId":"a","totalPrice":2002}],"total":2486,"blocks":[],"market":"us","taxBps":800,"currency":"usd","discount":200,"shipping":500,"statuses":[{"id":"st_01m7jx47th9fnn78cx791s0skk","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0rjf3avg","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857115}],"subtotal":2002,"promoCode":"OLD10","paymentMethod":"CREDIT_CARD","paymentStatus":[{"id":"st_01m7jx47th9fnn78cx7ayn8act","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0qnmbwsn","status":"PAID","changedBy":"SYSTEM","timestamp":1794857115}],"shippingMethodId":"standard","id":"ord_01m7jx47th9fnn78cx7e0h50t6","businessId":"biz_demo","customerId":"usr_01m7jx467xahzf5xsbge9wzqsp","email":"buyer@example.com","paid":2486,"refunded":0,"createdAt":1794857115,"updatedAt":1794857115,"number":4}', 'order:ord_01m7jx47th9fnn78cx7e0h50t6', '96', '2', 'order.status_changed'),
('{"type":"SYSTEM","requestId":"req-mwjnk376i0p-d"}', NULL, '127.0.0.1', 'biz_demo', '{"paymentStatus":{"old":[{"id":"st_01m7jx47th9fnn78cx7ayn8act","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115}],"new":[{"id":"st_01m7jx47th9fnn78cx7ayn8act","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0qnmbwsn","status":"PAID","changedBy":"SYSTEM","timestamp":1794857115}]}}', '1794857115', '{"tax":184,"lines":[{"type":"PRODUCT_VARIANT","quantity":2,"productId":"prod_01m7jx46jj03w27s5kmd3cvhp0","unitPrice":1001,"variantId":"a","totalPrice":2002}],"total":2486,"blocks":[],"market":"us","taxBps":800,"currency":"usd","discount":200,"shipping":500,"statuses":[{"id":"st_01m7jx47th9fnn78cx791s0skk","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0rjf3avg","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857115}],"subtotal":2002,"promoCode":"OLD10","paymentMethod":"CREDIT_CARD","paymentStatus":[{"id":"st_01m7jx47th9fnn78cx7ayn8act","status":"PENDING","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","changedBy":"USER","timestamp":1794857115},{"id":"st_01m7jx47wh73nbb07k0qnmbwsn","status":"PAID","changedBy":"SYSTEM","timestamp":1794857115}],"shippingMethodId":"standard","id":"ord_01m7jx47th9fnn78cx7e0h50t6","businessId":"biz_demo","customerId":"usr_01m7jx467xahzf5xsbge9wzqsp","email":"buyer@example.com","paid":2486,"refunded":0,"createdAt":1794857115,"updatedAt":1794857115,"number":4}', 'order:ord_01m7jx47th9fnn78cx7e0h50t6', '97', '3', 'order.payment_changed'),
('{"type":"SYSTEM"}', NULL, '', 'biz_demo', NULL, '1794857116', '{"id":"imp_01m7jx48qg0da20wh4syfqr5sj","businessId":"biz_demo","type":"products","format":"shopify-products","dryRun":false,"status":"DONE","fileName":"file","size":172,"progress":1,"rows":2,"created":1,"updated":0,"unchanged":0,"skipped":0,"failed":0,"errorCount":0,"notes":[],"error":null,"userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","createdAt":1794857116,"startedAt":1794857116,"completedAt":1794857116}', 'import:imp_01m7jx48qg0da20wh4syfqr5sj', '109', '2', 'import.completed'),
('{"type":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '', 'biz_demo', '{"statuses":{"old":[{"id":"st_01m7jx37ch3krjmdhpnsdqc6fs","status":"PENDING","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","changedBy":"USER","timestamp":1794857082}],"new":[{"id":"st_01m7jx37ch3krjmdhpnsdqc6fs","status":"PENDING","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","changedBy":"USER","timestamp":1794857082},{"id":"st_01m7jx37df4k4s3fx2v23jteff","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857082}]}}', '1794857082', '{"tax":293,"lines":[{"type":"PRODUCT_VARIANT","quantity":1,"productId":"prod_01m7jx366445g6s7b6h4trbvs2","unitPrice":2400,"variantId":"36-40","totalPrice":2400}],"total":3953,"blocks":[{"id":"address","type":"TEXT","value":"7 Harbor Road, Portland"}],"market":"us","taxBps":800,"currency":"usd","discount":240,"shipping":1500,"statuses":[{"id":"st_01m7jx37ch3krjmdhpnsdqc6fs","status":"PENDING","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","changedBy":"USER","timestamp":1794857082},{"id":"st_01m7jx37df4k4s3fx2v23jteff","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857082}],"subtotal":2400,"promoCode":"WELCOME10","paymentMethod":"CREDIT_CARD","paymentStatus":[{"id":"st_01m7jx37ch3krjmdhpnwx0m4cc","status":"PENDING","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","changedBy":"USER","timestamp":1794857082},{"id":"st_01m7jx37df4k4s3fx2tz27s8x8","status":"PAID","changedBy":"SYSTEM","timestamp":1794857082}],"shippingMethodId":"express","id":"ord_01m7jx37ch3krjmdhpp08p30zk","businessId":"biz_demo","customerId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","email":"grace@example.com","paid":3953,"refunded":0,"createdAt":1794857082,"updatedAt":1794857082,"number":3}', 'order:ord_01m7jx37ch3krjmdhpp08p30zk', '77', '2', 'order.status_changed'),
('{"type":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '', 'biz_demo', NULL, '1794857082', '{"id":"ent_01m7jx37hm84pk987qb1gwcqv7","businessId":"biz_demo","owner":"order:ord_01m7jx372hdz3rmfm2a0z1k4bn","locale":"en","blocks":[{"id":"note","type":"TEXT","label":"Note","value":"Please ring twice; the bell is shy."}],"statuses":[{"id":"st_01m7jx37hk0ywm6jq121w6w0g3","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857082}],"createdAt":1794857082,"updatedAt":1794857082}', 'entry:ent_01m7jx37hm84pk987qb1gwcqv7', '81', '1', 'entry.created'),
('{"type":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '', 'biz_demo', '{"paymentStatus":{"old":[{"id":"st_01m7jx37ch3krjmdhpnwx0m4cc","status":"PENDING","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","changedBy":"USER","timestamp":1794857082},{"id":"st_01m7jx37df4k4s3fx2tz27s8x8","status":"PAID","changedBy":"SYSTEM","timestamp":1794857082}],"new":[{"id":"st_01m7jx37ch3krjmdhpnwx0m4cc","status":"PENDING","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","changedBy":"USER","timestamp":1794857082},{"id":"st_01m7jx37df4k4s3fx2tz27s8x8","status":"PAID","changedBy":"SYSTEM","timestamp":1794857082},{"id":"st_01m7jx37h6bmhqh0zw50ppxxsg","status":"PARTIALLY_REFUNDED","changedBy":"USER","timestamp":1794857082,"userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}]}}', '1794857082', '{"tax":293,"lines":[{"type":"PRODUCT_VARIANT","quantity":1,"productId":"prod_01m7jx366445g6s7b6h4trbvs2","unitPrice":2400,"variantId":"36-40","totalPrice":2400}],"total":3953,"blocks":[{"id":"address","type":"TEXT","value":"7 Harbor Road, Portland"}],"market":"us","taxBps":800,"currency":"usd","discount":240,"shipping":1500,"statuses":[{"id":"st_01m7jx37ch3krjmdhpnsdqc6fs","status":"PENDING","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","changedBy":"USER","timestamp":1794857082},{"id":"st_01m7jx37df4k4s3fx2v23jteff","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857082}],"subtotal":2400,"promoCode":"WELCOME10","paymentMethod":"CREDIT_CARD","paymentStatus":[{"id":"st_01m7jx37ch3krjmdhpnwx0m4cc","status":"PENDING","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","changedBy":"USER","timestamp":1794857082},{"id":"st_01m7jx37df4k4s3fx2tz27s8x8","status":"PAID","changedBy":"SYSTEM","timestamp":1794857082},{"id":"st_01m7jx37h6bmhqh0zw50ppxxsg","status":"PARTIALLY_REFUNDED","changedBy":"USER","timestamp":1794857082,"userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}],"shippingMethodId":"express","id":"ord_01m7jx37ch3krjmdhpp08p30zk","businessId":"biz_demo","customerId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","email":"grace@example.com","paid":3953,"refunded":500,"createdAt":1794857082,"updatedAt":1794857082,"number":3}', 'order:ord_01m7jx37ch3krjmdhpp08p30zk', '80', '5', 'order.payment_changed'),
('{"type":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '', 'biz_demo', NULL, '1794857082', '{"tax":293,"lines":[{"type":"PRODUCT_VARIANT","quantity":1,"productId":"prod_01m7jx366445g6s7b6h4trbvs2","unitPrice":2400,"variantId":"36-40","totalPrice":2400}],"total":3953,"blocks":[{"id":"address","type":"TEXT","value":"7 Harbor Road, Portland"}],"market":"us","taxBps":800,"currency":"usd","discount":240,"shipping":1500,"statuses":[{"id":"st_01m7jx37ch3krjmdhpnsdqc6fs","status":"PENDING","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","changedBy":"USER","timestamp":1794857082},{"id":"st_01m7jx37df4k4s3fx2v23jteff","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857082}],"subtotal":2400,"promoCode":"WELCOME10","paymentMethod":"CREDIT_CARD","paymentStatus":[{"id":"st_01m7jx37ch3krjmdhpnwx0m4cc","status":"PENDING","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","changedBy":"USER","timestamp":1794857082},{"id":"st_01m7jx37df4k4s3fx2tz27s8x8","status":"PAID","changedBy":"SYSTEM","timestamp":1794857082},{"id":"st_01m7jx37h6bmhqh0zw50ppxxsg","status":"PARTIALLY_REFUNDED","changedBy":"USER","timestamp":1794857082,"userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}],"shippingMethodId":"express","id":"ord_01m7jx37ch3krjmdhpp08p30zk","businessId":"biz_demo","customerId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","email":"grace@example.com","paid":3953,"refunded":500,"createdAt":1794857082,"updatedAt":1794857082,"number":3,"refundedAmount":500}', 'order:ord_01m7jx37ch3krjmdhpp08p30zk', '79', '4', 'order.refunded'),
('{"type":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '', 'biz_demo', '{"paymentStatus":{"old":[{"id":"st_01m7jx37ch3krjmdhpnwx0m4cc","status":"PENDING","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","changedBy":"USER","timestamp":1794857082}],"new":[{"id":"st_01m7jx37ch3krjmdhpnwx0m4cc","status":"PENDING","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","changedBy":"USER","timestamp":1794857082},{"id":"st_01m7jx37df4k4s3fx2tz27s8x8","status":"PAID","changedBy":"SYSTEM","timestamp":1794857082}]}}', '1794857082', '{"tax":293,"lines":[{"type":"PRODUCT_VARIANT","quantity":1,"productId":"prod_01m7jx366445g6s7b6h4trbvs2","unitPrice":2400,"variantId":"36-40","totalPrice":2400}],"total":3953,"blocks":[{"id":"address","type":"TEXT","value":"7 Harbor Road, Portland"}],"market":"us","taxBps":800,"currency":"usd","discount":240,"shipping":1500,"statuses":[{"id":"st_01m7jx37ch3krjmdhpnsdqc6fs","status":"PENDING","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","changedBy":"USER","timestamp":1794857082},{"id":"st_01m7jx37df4k4s3fx2v23jteff","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857082}],"subtotal":2400,"promoCode":"WELCOME10","paymentMethod":"CREDIT_CARD","paymentStatus":[{"id":"st_01m7jx37ch3krjmdhpnwx0m4cc","status":"PENDING","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","changedBy":"USER","timestamp":1794857082},{"id":"st_01m7jx37df4k4s3fx2tz27s8x8","status":"PAID","changedBy":"SYSTEM","timestamp":1794857082}],"shippingMethodId":"express","id":"ord_01m7jx37ch3krjmdhpp08p30zk","businessId":"biz_demo","customerId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","email":"grace@example.com","paid":3953,"refunded":0,"createdAt":1794857082,"updatedAt":1794857082,"number":3}', 'order:ord_01m7jx37ch3krjmdhpp08p30zk', '78', '3', 'order.payment_changed'),
('{"type":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '', 'biz_demo', '{"statuses":{"old":[{"id":"st_01m7jx372gbf9r1868wsjsdrqw","status":"PENDING","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857080},{"id":"st_01m7jx374m19d02jj9jg25jhqv","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857081}],"new":[{"id":"st_01m7jx372gbf9r1868wsjsdrqw","status":"PENDING","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857080},{"id":"st_01m7jx374m19d02jj9jg25jhqv","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857081},{"id":"st_01m7jx37a42a1y03r66j20qbaw","status":"SHIPPED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857082}]}}', '1794857082', '{"tax":1104,"lines":[{"type":"PRODUCT_VARIANT","quantity":2,"productId":"prod_01m7jx363ffqmbky4k7gyb0q5m","unitPrice":6900,"variantId":"s","totalPrice":13800}],"total":14904,"blocks":[{"id":"address","type":"TEXT","value":"1 Market Street, San Francisco"}],"market":"us","taxBps":800,"currency":"usd","discount":0,"shipping":0,"statuses":[{"id":"st_01m7jx372gbf9r1868wsjsdrqw","status":"PENDING","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857080},{"id":"st_01m7jx374m19d02jj9jg25jhqv","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857081},{"id":"st_01m7jx37a42a1y03r66j20qbaw","status":"SHIPPED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857082}],"subtotal":13800,"promoCode":null,"paymentMethod":"CREDIT_CARD","paymentStatus":[{"id":"st_01m7jx372hdz3rmfm29zmsks3f","status":"PENDING","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857080},{"id":"st_01m7jx374kbczvf55w9cqdhnr1","status":"PAID","changedBy":"SYSTEM","timestamp":1794857081}],"shippingMethodId":"standard","tracking":{"carrier":"Demo Post","number":"DP 0042 1187","url":"https://post.example/track/DP00421187"},"id":"ord_01m7jx372hdz3rmfm2a0z1k4bn","businessId":"biz_demo","customerId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","email":"admin@example.com","paid":14904,"refunded":0,"createdAt":1794857080,"updatedAt":1794857082,"number":1}', 'order:ord_01m7jx372hdz3rmfm2a0z1k4bn', '72', '5', 'order.status_changed'),
('{"type":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '', 'biz_demo', '{"tracking":{"new":{"carrier":"Demo Post","number":"DP 0042 1187","url":"https://post.example/track/DP00421187"}}}', '1794857082', '{"tax":1104,"lines":[{"type":"PRODUCT_VARIANT","quantity":2,"productId":"prod_01m7jx363ffqmbky4k7gyb0q5m","unitPrice":6900,"variantId":"s","totalPrice":13800}],"total":14904,"blocks":[{"id":"address","type":"TEXT","value":"1 Market Street, San Francisco"}],"market":"us","taxBps":800,"currency":"usd","discount":0,"shipping":0,"statuses":[{"id":"st_01m7jx372gbf9r1868wsjsdrqw","status":"PENDING","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857080},{"id":"st_01m7jx374m19d02jj9jg25jhqv","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857081},{"id":"st_01m7jx37a42a1y03r66j20qbaw","status":"SHIPPED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857082}],"subtotal":13800,"promoCode":null,"paymentMethod":"CREDIT_CARD","paymentStatus":[{"id":"st_01m7jx372hdz3rmfm29zmsks3f","status":"PENDING","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857080},{"id":"st_01m7jx374kbczvf55w9cqdhnr1","status":"PAID","changedBy":"SYSTEM","timestamp":1794857081}],"shippingMethodId":"standard","tracking":{"carrier":"Demo Post","number":"DP 0042 1187","url":"https://post.example/track/DP00421187"},"id":"ord_01m7jx372hdz3rmfm2a0z1k4bn","businessId":"biz_demo","customerId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","email":"admin@example.com","paid":14904,"refunded":0,"createdAt":1794857080,"updatedAt":1794857082,"number":1}', 'order:ord_01m7jx372hdz3rmfm2a0z1k4bn', '71', '4', 'order.updated'),
('{"type":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '', 'biz_demo', '{"paymentStatus":{"old":[{"id":"st_01m7jx372hdz3rmfm29zmsks3f","status":"PENDING","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857080}],"new":[{"id":"st_01m7jx372hdz3rmfm29zmsks3f","status":"PENDING","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857080},{"id":"st_01m7jx374kbczvf55w9cqdhnr1","status":"PAID","changedBy":"SYSTEM","timestamp":1794857081}]}}', '1794857081', '{"tax":1104,"lines":[{"type":"PRODUCT_VARIANT","quantity":2,"productId":"prod_01m7jx363ffqmbky4k7gyb0q5m","unitPrice":6900,"variantId":"s","totalPrice":13800}],"total":14904,"blocks":[{"id":"address","type":"TEXT","value":"1 Market Street, San Francisco"}],"market":"us","taxBps":800,"currency":"usd","discount":0,"shipping":0,"statuses":[{"id":"st_01m7jx372gbf9r1868wsjsdrqw","status":"PENDING","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857080},{"id":"st_01m7jx374m19d02jj9jg25jhqv","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857081}],"subtotal":13800,"promoCode":null,"paymentMethod":"CREDIT_CARD","paymentStatus":[{"id":"st_01m7jx372hdz3rmfm29zmsks3f","status":"PENDING","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857080},{"id":"st_01m7jx374kbczvf55w9cqdhnr1","status":"PAID","changedBy":"SYSTEM","timestamp":1794857081}],"shippingMethodId":"standard","id":"ord_01m7jx372hdz3rmfm2a0z1k4bn","businessId":"biz_demo","customerId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","email":"admin@example.com","paid":14904,"refunded":0,"createdAt":1794857080,"updatedAt":1794857081,"number":1}', 'order:ord_01m7jx372hdz3rmfm2a0z1k4bn', '70', '3', 'order.payment_changed'),
('{"type":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '', 'biz_demo', '{"statuses":{"old":[{"id":"st_01m7jx372gbf9r1868wsjsdrqw","status":"PENDING","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857080}],"new":[{"id":"st_01m7jx372gbf9r1868wsjsdrqw","status":"PENDING","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857080},{"id":"st_01m7jx374m19d02jj9jg25jhqv","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857081}]}}', '1794857081', '{"tax":1104,"lines":[{"type":"PRODUCT_VARIANT","quantity":2,"productId":"prod_01m7jx363ffqmbky4k7gyb0q5m","unitPrice":6900,"variantId":"s","totalPrice":13800}],"total":14904,"blocks":[{"id":"address","type":"TEXT","value":"1 Market Street, San Francisco"}],"market":"us","taxBps":800,"currency":"usd","discount":0,"shipping":0,"statuses":[{"id":"st_01m7jx372gbf9r1868wsjsdrqw","status":"PENDING","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857080},{"id":"st_01m7jx374m19d02jj9jg25jhqv","status":"PROCESSING","changedBy":"SYSTEM","timestamp":1794857081}],"subtotal":13800,"promoCode":null,"paymentMethod":"CREDIT_CARD","paymentStatus":[{"id":"st_01m7jx372hdz3rmfm29zmsks3f","status":"PENDING","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","changedBy":"USER","timestamp":1794857080},{"id":"st_01m7jx374kbczvf55w9cqdhnr1","status":"PAID","changedBy":"SYSTEM","timestamp":1794857081}],"shippingMethodId":"standard","id":"ord_01m7jx372hdz3rmfm2a0z1k4bn","businessId":"biz_demo","customerId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","email":"admin@example.com","paid":14904,"refunded":0,"createdAt":1794857080,"updatedAt":1794857081,"number":1}', 'order:ord_01m7jx372hdz3rmfm2a0z1k4bn', '69', '2', 'order.status_changed'),
('{"type":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5"}', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '', 'biz_demo', NULL, '1794857082', '{"id":"ent_01m7jx37hm84pk987qb1gwcqv7","businessId":"biz_demo","owner":"order:ord_01m7jx372hdz3rmfm2a0z1k4bn","locale":"en","blocks":[{"id":"note","type":"TEXT","label":"Note","value":"Please ring twice; the bell is shy."}],"statuses":[{"id":"st_01m7jx37hk0ywm6jq121w6w0g3","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857082}],"createdAt":1794857082,"updatedAt":1794857082}', 'entry:ent_01m7jx37hm84pk987qb1gwcqv7', '82', '2', 'entry.published'),
('{"type":"USER","userId":"usr_01m7jx37aq8azp9145fs8m52dt"}', 'usr_01m7jx37aq8azp9145fs8m52dt', '', 'biz_demo', NULL, '1794857082', '{"id" : "cust_01m7jx37b30mzvscn0dbqdffgx", "businessId" : "biz_demo", "userId" : "usr_01m7jx37aq8azp9145fs8m52dt", "email" : null, "name" : "Ada", "phone" : null, "addresses" : [], "tags" : [], "note" : "", "consent" : null, "createdAt" : 1794857082, "updatedAt" : 1794857082}', 'customer:cust_01m7jx37b30mzvscn0dbqdffgx', '73', '1', 'customer.created'),
('{"type":"USER","userId":"usr_01m7jx37aq8azp9145fs8m52dt"}', 'usr_01m7jx37aq8azp9145fs8m52dt', '', 'biz_demo', NULL, '1794857082', '{"number":2,"taxBps":1900,"discount":0,"subtotal":7731,"tax":1469,"shipping":0,"total":9200,"market":"eu","currency":"eur","lines":[{"type":"PRODUCT_VARIANT","productId":"prod_01m7jx365e5ztx37dq1zmz89xz","variantId":"s","quantity":1,"unitPrice":9200,"totalPrice":9200}],"shippingMethodId":"pickup","promoCode":null,"paymentMethod":"CASH","blocks":[],"statuses":[{"id":"st_01m7jx37b30mzvscn0d6h0ap7t","status":"PENDING","changedBy":"USER","userId":"usr_01m7jx37aq8azp9145fs8m52dt","timestamp":1794857082}],"paymentStatus":[{"id":"st_01m7jx37b30mzvscn0d7azn87v","status":"PENDING","changedBy":"USER","userId":"usr_01m7jx37aq8azp9145fs8m52dt","timestamp":1794857082}],"id":"ord_01m7jx37b30mzvscn0d8pvhcx3","businessId":"biz_demo","customerId":"usr_01m7jx37aq8azp9145fs8m52dt","email":"ada@example.com","paid":0,"refunded":0,"createdAt":1794857082,"updatedAt":1794857082}', 'order:ord_01m7jx37b30mzvscn0d8pvhcx3', '74', '1', 'order.created'),
('{"type":"USER","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd"}', 'usr_01m7jx37bqbv9rkcnzyt9bgbmd', '', 'biz_demo', NULL, '1794857082', '{"number":3,"taxBps":800,"discount":240,"subtotal":2400,"tax":293,"shipping":1500,"total":3953,"market":"us","currency":"usd","lines":[{"type":"PRODUCT_VARIANT","productId":"prod_01m7jx366445g6s7b6h4trbvs2","variantId":"36-40","quantity":1,"unitPrice":2400,"totalPrice":2400}],"shippingMethodId":"express","promoCode":"WELCOME10","paymentMethod":"CREDIT_CARD","blocks":[{"id":"address","type":"TEXT","value":"7 Harbor Road, Portland"}],"statuses":[{"id":"st_01m7jx37ch3krjmdhpnsdqc6fs","status":"PENDING","changedBy":"USER","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","timestamp":1794857082}],"paymentStatus":[{"id":"st_01m7jx37ch3krjmdhpnwx0m4cc","status":"PENDING","changedBy":"USER","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","timestamp":1794857082}],"id":"ord_01m7jx37ch3krjmdhpp08p30zk","businessId":"biz_demo","customerId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd","email":"grace@example.com","paid":0,"refunded":0,"createdAt":1794857082,"updatedAt":1794857082}', 'order:ord_01m7jx37ch3krjmdhpp08p30zk', '76', '1', 'order.created'),
('{"type":"USER","userId":"usr_01m7jx37bqbv9rkcnzyt9bgbmd"}', 'usr_01m7jx37bqbv9rkcnzyt9bgbmd', '', 'biz_demo', NULL, '1794857082', '{"id" : "cust_01m7jx37cmem0hyz7tbt42j35q", "businessId" : "biz_demo", "userId" : "usr_01m7jx37bqbv9rkcnzyt9bgbmd", "email" : null, "name" : "Grace", "phone" : null, "addresses" : [], "tags" : [], "note" : "", "consent" : null, "createdAt" : 1794857082, "updatedAt" : 1794857082}', 'customer:cust_01m7jx37cmem0hyz7tbt42j35q', '75', '1', 'customer.created'),
('{"type":"USER","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","requestId":"req-mwjnk376i0p-c"}', 'usr_01m7jx467xahzf5xsbge9wzqsp', '127.0.0.1', 'biz_demo', NULL, '1794857115', '{"number":4,"taxBps":800,"discount":200,"subtotal":2002,"tax":184,"shipping":500,"total":2486,"market":"us","currency":"usd","lines":[{"type":"PRODUCT_VARIANT","productId":"prod_01m7jx46jj03w27s5kmd3cvhp0","variantId":"a","quantity":2,"unitPrice":1001,"totalPrice":2002}],"shippingMethodId":"standard","promoCode":"OLD10","paymentMethod":"CREDIT_CARD","blocks":[],"statuses":[{"id":"st_01m7jx47th9fnn78cx791s0skk","status":"PENDING","changedBy":"USER","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","timestamp":1794857115}],"paymentStatus":[{"id":"st_01m7jx47th9fnn78cx7ayn8act","status":"PENDING","changedBy":"USER","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","timestamp":1794857115}],"id":"ord_01m7jx47th9fnn78cx7e0h50t6","businessId":"biz_demo","customerId":"usr_01m7jx467xahzf5xsbge9wzqsp","email":"buyer@example.com","paid":0,"refunded":0,"createdAt":1794857115,"updatedAt":1794857115}', 'order:ord_01m7jx47th9fnn78cx7e0h50t6', '95', '1', 'order.created'),
('{"type":"USER","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","requestId":"req-mwjnk376i0p-c"}', 'usr_01m7jx467xahzf5xsbge9wzqsp', '127.0.0.1', 'biz_demo', NULL, '1794857115', '{"id" : "cust_01m7jx47tk12pr7amxke45mn7g", "businessId" : "biz_demo", "userId" : "usr_01m7jx467xahzf5xsbge9wzqsp", "email" : null, "name" : "", "phone" : null, "addresses" : [], "tags" : [], "note" : "", "consent" : null, "createdAt" : 1794857115, "updatedAt" : 1794857115}', 'customer:cust_01m7jx47tk12pr7amxke45mn7g', '94', '1', 'customer.created'),
('{"type":"USER","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","requestId":"req-mwjnk376i0p-f"}', 'usr_01m7jx467xahzf5xsbge9wzqsp', '127.0.0.1', 'biz_demo', NULL, '1794857115', '{"number":5,"taxBps":800,"discount":0,"subtotal":1000,"tax":120,"shipping":500,"total":1620,"market":"us","currency":"usd","lines":[{"type":"PRODUCT_VARIANT","productId":"prod_01m7jx46jj03w27s5kmd3cvhp0","variantId":"z","quantity":1,"unitPrice":1000,"totalPrice":1000}],"shippingMethodId":"standard","promoCode":null,"paymentMethod":"CREDIT_CARD","blocks":[],"statuses":[{"id":"st_01m7jx48604sn589yh5mt2g976","status":"PENDING","changedBy":"USER","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","timestamp":1794857115}],"paymentStatus":[{"id":"st_01m7jx48604sn589yh5qdw5xbv","status":"PENDING","changedBy":"USER","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","timestamp":1794857115}],"id":"ord_01m7jx48604sn589yh5qw0p88d","businessId":"biz_demo","customerId":"usr_01m7jx467xahzf5xsbge9wzqsp","email":null,"paid":0,"refunded":0,"createdAt":1794857115,"updatedAt":1794857115}', 'order:ord_01m7jx48604sn589yh5qw0p88d', '100', '1', 'order.created'),
('{"type":"USER","userId":"usr_01m7jx467xahzf5xsbge9wzqsp","requestId":"req-mwjnk376i0p-h"}', 'usr_01m7jx467xahzf5xsbge9wzqsp', '127.0.0.1', 'biz_demo', NULL, '1794857115', '{"id":"sub_01m7jx487rajsepy10b542yn36","entity":"collection:col_01m7jx36zd7w4nfat4pj1rmk11","email":"reader@example.com","planId":"free","status":"ACTIVE","createdAt":1794857115,"updatedAt":1794857115,"name":""}', 'subscription:sub_01m7jx487rajsepy10b542yn36', '101', '1', 'subscription.created');

insert into imports (business_id, completed_at, created, created_at, dry_run, error, error_count, failed, file_key, file_name, format, id, key_id, lease_until, media_id, notes, options, owner, position, row, rows, size, skipped, started_at, status, type, unchanged, updated, user_id) values
('biz_demo', '1794857116', '1', '1794857116', 'false', NULL, '0', '0', 'imports/biz_demo/imp_01m7jx48qg0da20wh4syfqr5sj', 'file', 'shopify-products', 'imp_01m7jx48qg0da20wh4syfqr5sj', 'demo', '0', NULL, '[]', '{"shape": "csv", "header": ["Handle", "Title", "Option1 Name", "Option1 Value", "Variant SKU", "Variant Price", "Variant Inventory Qty", "Image Src", "Status"], "market": "us", "hasMark": false, "encoding": "utf-8", "delimiter": ","}', NULL, '172', '3', '2', '172', '0', '1794857116', 'DONE', 'products', '0', '0', 'usr_01m7jx35r0cb1evp5n6pf2k9s5');

insert into invitations (business_id, created_at, email, email_key, expires_at, id, invited_by, role_ids, secret_hash) values
('biz_demo', '1794857116', 'invited@example.com', 'invited@example.com', '1795461916', 'inv_01m7jx48n2f09kxhpzj8atppn5', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{role_01m7jx362vc80p6femn4weeefc}', E'\\x329b4f7063820cc4c5757a8a46be9e0bb881fa06cfcda5cd8df5b821ecf6434c');

insert into media (business_id, created_at, created_by, details, extension, file_name, hash, id, is_missing, kind, mime_type, size, stem, updated_at, version, words) values
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Linen shirt"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'linen-shirt.svg', '84c7abc9f03ad69b962087d7b2a65021cb33d06b7ecf65870f71722befa040ba', 'media_01m7jx361bf7gvxcykvkarsyfs', 'false', 'IMAGE', 'image/svg+xml', '463', '84c7abc9f03ad69b962087d7b2a65021cb33d06bvkarsyfs', '1794857080', '1', '''linen'' ''shirt'' ''svg'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Merino sweater"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'merino-sweater.svg', 'a7131daeba85d99cbe61a54c1755322b4b517171ca9dcbcf708d3a2a093a37b8', 'media_01m7jx35xyc25n6xk20shwadsn', 'false', 'IMAGE', 'image/svg+xml', '391', 'a7131daeba85d99cbe61a54c1755322b4b5171710shwadsn', '1794857080', '1', '''merino'' ''svg'' ''sweater'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Wool socks"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'wool-socks.svg', 'cd6605f60f821faab1b956c3f8a53a0073bf6ba319441dfe071de47a87bd3644', 'media_01m7jx35xz4k14hpgevw1g7met', 'false', 'IMAGE', 'image/svg+xml', '360', 'cd6605f60f821faab1b956c3f8a53a0073bf6ba3vw1g7met', '1794857080', '1', '''socks'' ''svg'' ''wool'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Leather belt"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'leather-belt.svg', '3be31ef481107ae5e8b77545d63513c0275303bf3503c730bb465c92664a00fc', 'media_01m7jx360c1psdgkreefv5kt98', 'false', 'IMAGE', 'image/svg+xml', '387', '3be31ef481107ae5e8b77545d63513c0275303bfefv5kt98', '1794857080', '1', '''belt'' ''leather'' ''svg'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Rain jacket"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'rain-jacket.svg', 'f28e9d9738fca2ea10f7835cf4426212a9f1e5f252718b99cc0294dcab4524df', 'media_01m7jx360wa04skx1meeg5x07m', 'false', 'IMAGE', 'image/svg+xml', '411', 'f28e9d9738fca2ea10f7835cf4426212a9f1e5f2eeg5x07m', '1794857080', '1', '''jacket'' ''rain'' ''svg'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Canvas tote bag"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'canvas-tote.svg', 'f89eda8de9a6dc70175306f51abd53e7723515ad11b8cebd65b782f7d045fffe', 'media_01m7jx3607f71h7nsxrk9be4dh', 'false', 'IMAGE', 'image/svg+xml', '342', 'f89eda8de9a6dc70175306f51abd53e7723515adrk9be4dh', '1794857080', '1', '''bag'' ''canvas'' ''svg'' ''tote'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Weekend backpack"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'weekend-backpack.svg', '44a0b647ec53ebf7caa4028ae5dd8e390377b61eb8949b247f0fdd6f1308b421', 'media_01m7jx36090ph54yre980276jx', 'false', 'IMAGE', 'image/svg+xml', '453', '44a0b647ec53ebf7caa4028ae5dd8e390377b61e980276jx', '1794857080', '1', '''backpack'' ''svg'' ''weekend'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Ceramic mug"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'ceramic-mug.svg', '7b37b9196675bba042da993f0cc06d997c08e9a97ea4c5d1fbeb0c404ab9eea2', 'media_01m7jx360r3ksv176yzg1xd79v', 'false', 'IMAGE', 'image/svg+xml', '376', '7b37b9196675bba042da993f0cc06d997c08e9a9zg1xd79v', '1794857080', '1', '''ceramic'' ''mug'' ''svg'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Stoneware bowls, set of three"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'stoneware-bowls.svg', 'df074e1f4a39af02f494cb5f4cc72e4a5870eb47dc5c91eb2e3b7efbd09e02a2', 'media_01m7jx360fes6mrv6em30mh1mw', 'false', 'IMAGE', 'image/svg+xml', '324', 'df074e1f4a39af02f494cb5f4cc72e4a5870eb47m30mh1mw', '1794857080', '1', '''bowls'' ''of'' ''set'' ''stoneware'' ''svg'' ''three'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Walnut cutting board"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'cutting-board.svg', '9e110eb0e4042054ff3e114c306ae1a349f3e81472833f83ec456b2cbcb175ae', 'media_01m7jx361179dp74rrapzb2fjh', 'false', 'IMAGE', 'image/svg+xml', '424', '9e110eb0e4042054ff3e114c306ae1a349f3e814apzb2fjh', '1794857080', '1', '''board'' ''cutting'' ''svg'' ''walnut'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Cast iron skillet"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'cast-iron-skillet.svg', '4ab9cb756e263fd463bfc2fad87379b497f7ecbb4b4b6b64804d2587ebaaab59', 'media_01m7jx35y4121jc47hhq3qk6m0', 'false', 'IMAGE', 'image/svg+xml', '349', '4ab9cb756e263fd463bfc2fad87379b497f7ecbbhq3qk6m0', '1794857080', '1', '''cast'' ''iron'' ''skillet'' ''svg'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Pour-over coffee maker"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'pour-over.svg', '08e0a293c30bd5e9d38cef46c8c9713d4bffcd0be5010c39d00ef5553e0b0435', 'media_01m7jx35z48gzbq20zvsevbr3q', 'false', 'IMAGE', 'image/svg+xml', '404', '08e0a293c30bd5e9d38cef46c8c9713d4bffcd0bvsevbr3q', '1794857080', '1', '''coffee'' ''maker'' ''over'' ''pour'' ''svg'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Enamel teapot"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'enamel-teapot.svg', '6e10cd7b2051da252681182bc2802813e81924ff85a706ea67e30544d29b2da4', 'media_01m7jx35z04a2z573cwypta08n', 'false', 'IMAGE', 'image/svg+xml', '470', '6e10cd7b2051da252681182bc2802813e81924ffwypta08n', '1794857080', '1', '''enamel'' ''svg'' ''teapot'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Chef''s knife"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'chefs-knife.svg', '3a0a0175cc22da21310636593013efc53a830eeb072596232afd1af11ba2dfad', 'media_01m7jx35z8c0j455h79dz77tts', 'false', 'IMAGE', 'image/svg+xml', '440', '3a0a0175cc22da21310636593013efc53a830eeb9dz77tts', '1794857080', '1', '''chef'' ''chefs'' ''knife'' ''s'' ''svg'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Beeswax candle"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'beeswax-candle.svg', 'd247de0107da7d58d64d2388c9d895b29e909e2f81a4678f4986ff6694c1f503', 'media_01m7jx35z8c0j455h79ebhxebj', 'false', 'IMAGE', 'image/svg+xml', '389', 'd247de0107da7d58d64d2388c9d895b29e909e2f9ebhxebj', '1794857080', '1', '''beeswax'' ''candle'' ''svg'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Linen cushion"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'linen-cushion.svg', 'd527f467a996a854a89ada327ce93c9441d39185a4c01245656d38c1c63785b7', 'media_01m7jx35zcc22xxts6e50szefp', 'false', 'IMAGE', 'image/svg+xml', '327', 'd527f467a996a854a89ada327ce93c9441d39185e50szefp', '1794857080', '1', '''cushion'' ''linen'' ''svg'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Desk lamp"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'desk-lamp.svg', 'f919ad8f2a9cb14946cc872641095fc3a98ddf637e380bc6a1bf08effb30dae2', 'media_01m7jx35zaep0p36hr1t2fx5mn', 'false', 'IMAGE', 'image/svg+xml', '351', 'f919ad8f2a9cb14946cc872641095fc3a98ddf631t2fx5mn', '1794857080', '1', '''desk'' ''lamp'' ''svg'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Wall clock"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'wall-clock.svg', '59a607d1fc08d8fa3257dfec5ce3dc1c9ef607849d2859bea9da308f9bb00f7c', 'media_01m7jx35zcc22xxts6e3x05r7c', 'false', 'IMAGE', 'image/svg+xml', '475', '59a607d1fc08d8fa3257dfec5ce3dc1c9ef60784e3x05r7c', '1794857080', '1', '''clock'' ''svg'' ''wall'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Wool blanket"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'wool-blanket.svg', 'c3f0468d36c73b6b3fa6d7b0984fe0d55637ac57196921aebb5145d9fbaed546', 'media_01m7jx35zec0xzeeatgmhdwtm2', 'false', 'IMAGE', 'image/svg+xml', '426', 'c3f0468d36c73b6b3fa6d7b0984fe0d55637ac57gmhdwtm2', '1794857080', '1', '''blanket'' ''svg'' ''wool'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Terracotta planter"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'terracotta-planter.svg', 'fbe7aacd017cb199fce8724fcb18912f78ab649441df4338020fb88d87e2bc56', 'media_01m7jx35zd1kcps4vvbq78jsw2', 'false', 'IMAGE', 'image/svg+xml', '384', 'fbe7aacd017cb199fce8724fcb18912f78ab6494bq78jsw2', '1794857080', '1', '''planter'' ''svg'' ''terracotta'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Notebook"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'notebook.svg', '748d5ea272c8a2948f4da4435ed8674cb28b1df7b0ba59d0794a10fd314298e5', 'media_01m7jx35zhdh598t13c951t2q2', 'false', 'IMAGE', 'image/svg+xml', '391', '748d5ea272c8a2948f4da4435ed8674cb28b1df7c951t2q2', '1794857080', '1', '''notebook'' ''svg'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Fountain pen"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'fountain-pen.svg', 'd226faf6a5af26510a4de37b9ff10f2e54ec5155345f2586e66e84fb85e9851e', 'media_01m7jx35zj1szh2d1mng45tedv', 'false', 'IMAGE', 'image/svg+xml', '323', 'd226faf6a5af26510a4de37b9ff10f2e54ec5155ng45tedv', '1794857080', '1', '''fountain'' ''pen'' ''svg'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Gift card"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'gift-card.svg', '00d5aba46a48c1fb2bc95a96068a0df95d464ce8f7004227170d79c94e88b18e', 'media_01m7jx35zv4sjh6mneag9nh2he', 'false', 'IMAGE', 'image/svg+xml', '385', '00d5aba46a48c1fb2bc95a96068a0df95d464ce8ag9nh2he', '1794857080', '1', '''card'' ''gift'' ''svg'''),
('biz_demo', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"alt": {"en": "Fabric sample card"}, "files": [], "title": "", "width": 400, "height": 400, "focalPoint": {"x": 0.5, "y": 0.5}}', 'svg', 'sample-card.svg', '462db3177fbde8e9ad149aaafd127886bfe35f446b30e3856f248320cd83a0ed', 'media_01m7jx35zv4sjh6mneaj82ma7a', 'false', 'IMAGE', 'image/svg+xml', '612', '462db3177fbde8e9ad149aaafd127886bfe35f44aj82ma7a', '1794857080', '1', '''card'' ''fabric'' ''sample'' ''svg''');

insert into media_references (business_id, entity, media_id) values
('biz_demo', 'product:prod_01m7jx363ffqmbky4k7gyb0q5m', 'media_01m7jx361bf7gvxcykvkarsyfs'),
('biz_demo', 'product:prod_01m7jx365e5ztx37dq1zmz89xz', 'media_01m7jx35xyc25n6xk20shwadsn'),
('biz_demo', 'product:prod_01m7jx366445g6s7b6h4trbvs2', 'media_01m7jx35xz4k14hpgevw1g7met'),
('biz_demo', 'product:prod_01m7jx366xb4wg1y0sbaq6gpjw', 'media_01m7jx360c1psdgkreefv5kt98'),
('biz_demo', 'product:prod_01m7jx367pcwd9s8n9388d97zc', 'media_01m7jx360wa04skx1meeg5x07m'),
('biz_demo', 'product:prod_01m7jx368774c2hh4764rwd3ad', 'media_01m7jx3607f71h7nsxrk9be4dh'),
('biz_demo', 'product:prod_01m7jx368qc963rc4ct6p7xj8j', 'media_01m7jx36090ph54yre980276jx'),
('biz_demo', 'product:prod_01m7jx36930h5wadrjb8za8n4j', 'media_01m7jx360r3ksv176yzg1xd79v'),
('biz_demo', 'product:prod_01m7jx369d4cnze13zaj2rtppv', 'media_01m7jx360fes6mrv6em30mh1mw'),
('biz_demo', 'product:prod_01m7jx369w9zb18kna3xezy90e', 'media_01m7jx361179dp74rrapzb2fjh'),
('biz_demo', 'product:prod_01m7jx36a9d0yyqezchver1b1b', 'media_01m7jx35y4121jc47hhq3qk6m0'),
('biz_demo', 'product:prod_01m7jx36ag0m335sbqh8ye9w84', 'media_01m7jx35z48gzbq20zvsevbr3q'),
('biz_demo', 'product:prod_01m7jx36b1cxp5jqg7325v0pjd', 'media_01m7jx35z04a2z573cwypta08n'),
('biz_demo', 'product:prod_01m7jx36baegcbzqck7zkbx2f2', 'media_01m7jx35z8c0j455h79dz77tts'),
('biz_demo', 'product:prod_01m7jx36bm5arwq19v58shzdrf', 'media_01m7jx35z8c0j455h79ebhxebj'),
('biz_demo', 'product:prod_01m7jx36bv0ntrazdy647530d9', 'media_01m7jx35zcc22xxts6e50szefp'),
('biz_demo', 'product:prod_01m7jx36c3bp4ajdatc6431em2', 'media_01m7jx35zaep0p36hr1t2fx5mn'),
('biz_demo', 'product:prod_01m7jx36cecr7445bpwza9f56p', 'media_01m7jx35zcc22xxts6e3x05r7c'),
('biz_demo', 'product:prod_01m7jx36d61hbd0c41t0y0wgn3', 'media_01m7jx35zec0xzeeatgmhdwtm2'),
('biz_demo', 'product:prod_01m7jx36drc0vwsny0v749fns6', 'media_01m7jx35zd1kcps4vvbq78jsw2'),
('biz_demo', 'product:prod_01m7jx36ee19zkv47nctgq1ah5', 'media_01m7jx35zhdh598t13c951t2q2'),
('biz_demo', 'product:prod_01m7jx36f87617rrn5he4rmq1v', 'media_01m7jx35zj1szh2d1mng45tedv'),
('biz_demo', 'product:prod_01m7jx36g73q17zwpnpyddev1m', 'media_01m7jx35zv4sjh6mneag9nh2he'),
('biz_demo', 'product:prod_01m7jx36h364869x0p3fbtdq19', 'media_01m7jx35zv4sjh6mneaj82ma7a');

insert into media_usage (business_id, bytes) values
('biz_demo', '9657');

insert into members (business_id, role_id, used_at, user_id) values
('biz_demo', 'role_01m7jx362f37hga2nxcm3hq8j3', '1794857080', 'usr_01m7jx35r0cb1evp5n6pf2k9s5');

insert into migrations (applied_at, checksum, name) values
('2026-11-16 19:24:37.805397+00', 'cb5bd827a4e49d9e422501c994274900f3108ff115551fe6b3adba9435b2b78c', '0001_foundation.sql'),
('2026-11-16 19:24:37.861775+00', '00da770b24f04c165e4dcbe70f8d40eb6f8b906ccfc5e7d621fbb712584b3cbb', '0002_accounts.sql'),
('2026-11-16 19:24:37.914981+00', '5b1f29cd7f34b7c1e222658a597aec350958f432a52660e62b4ce876de0fd6a9', '0003_abort.sql'),
('2026-11-16 19:24:37.921194+00', '7c0dd773904d528f7ab4dad14cfea6195c594a12d0776e3370e3e513230800d2', '0010_accounts.sql'),
('2026-11-16 19:24:37.958927+00', 'aec325cbd77e600c9bd1cc071d20d3fd836cfb508671ed6896e536b24f72cec2', '0020_catalog.sql'),
('2026-11-16 19:24:38.146297+00', 'b80d06b106ed34b08a27984b20634031b91bd68f8b400fd916a80a2b9c2ef291', '0030_content.sql'),
('2026-11-16 19:24:38.168056+00', 'ed3d44c62d86382efbd5ec048cb6e043a30ae3c49271ef3fc3e2381cab97939b', '0040_orders.sql'),
('2026-11-16 19:24:38.259153+00', 'f0c79a147f70355757073e15694fd3a8c6740385ee1289b2d5d689ebb71ee833', '0041_refund_reference.sql'),
('2026-11-16 19:24:38.272635+00', 'c839e66248ba9869e8cfec28cfc7c8e29abedef7bd6cfd752416c5830bb1d245', '0050_newsletters.sql'),
('2026-11-16 19:24:38.350203+00', '903e947d54fc7ab2b89894a8ab50bd9400e29d83323f344bc4ce597d0079c5db', '0060_deletion.sql'),
('2026-11-16 19:24:38.363702+00', '35064dd0637bc70887ef6f8d70d8ab93a5e17346702549f1bf03b007d6d41e2f', '0061_unused_extensions.sql'),
('2026-11-16 19:24:38.379548+00', 'a3b8c953fede8d95dbd9ab2913a20ace789319c5b02a0a403b7cdf6f088f5d39', '0062_content.sql'),
('2026-11-16 19:24:38.395325+00', '4a276f3707d4d078d5f6289b4048abd2ddfa1696ed07fbdeba53ac751648f450', '0063_unlogged_quotes.sql'),
('2026-11-16 19:24:38.426921+00', '115193ad51f4f362f217084605904f2eaeb0544c8feaeda82a18fdb2ad765804', '0070_registrations.sql'),
('2026-11-16 19:24:38.445049+00', '6d2c27b0ad9fb79cf9a68ff05825795e6c3c37c6aeb71ca43eaae91e39696c5a', '0071_oauth_flows.sql'),
('2026-11-16 19:24:38.468256+00', 'fcf4b249d4990e789b5ace12c6ee04036909f7321418dad660939a336db276dd', '0072_api_keys.sql'),
('2026-11-16 19:24:38.486567+00', 'bb8cd0c8fd356a14ebf2292e947dfcd770f50b7ad6d3e01b6ef01e3ffc56cffa', '0073_guests.sql'),
('2026-11-16 19:24:38.499563+00', '257859c4134a5d68a59c7531a96f5c770a4804d182c306b92219ccb5992ca0f5', '0075_page_bytes.sql'),
('2026-11-16 19:24:38.547573+00', '1f26cf67c6b2ef2bec0b3c62db379f26b71147ef5964bf9f4ce1c9a2acdce138', '0076_refund_failure.sql'),
('2026-11-16 19:24:38.554554+00', 'fc7ca33cf84af6fc8527b7eb03d4ef57d4cfa7a8138db9f0e9e7ef58ae333d94', '0080_catalog.sql'),
('2026-11-16 19:24:38.574628+00', '37b08428d455b9c2c4e0f054407cab1e32bd8a658880216c56fa08f8768e6faa', '0081_content.sql'),
('2026-11-16 19:24:38.607317+00', '06f3323ed5389eb8927cd99f318ca6f3f39d24621bad30ffced782b0eef53a46', '0085_subscription_consent.sql'),
('2026-11-16 19:24:38.616223+00', '6d09acfdfe774cee548b1152196463e23434783568aea8d4e871c2c66872f0fd', '0090_customers.sql'),
('2026-11-16 19:24:38.651585+00', '9badf509f423c7693ec14cc1ff05a23473b33ee462147b1b3ea28816306af1ee', '0091_invitations.sql'),
('2026-11-16 19:24:38.670442+00', 'e8582d06956ef2d2c36ba7b1e47e2fcaa02d5e3067c212a2cb25e2ad0bde270f', '0100_media.sql'),
('2026-11-16 19:24:38.742039+00', '22656f3f55cc94fa4c382bb6be9a1d3ba84c214e1b81c70f9e644612a2b0e51f', '0105_events.sql'),
('2026-11-16 19:24:38.815623+00', '2d104f1c4b263fbfb7066a4a7ee5f90b39d94ba644766f5f32171ebd2b5857f2', '0106_webhooks.sql'),
('2026-11-16 19:24:38.926277+00', '5ec3b6144a7f13f35148a6b5c91602946e3ab28d6830eb22a96bd2693f98c72a', '0110_stats.sql'),
('2026-11-16 19:24:38.99469+00', 'cf3ca0435b9244513dd96ea5db4c272df0e7bc29cb378be51b3c521782ffad80', '0111_due_rows.sql'),
('2026-11-16 19:24:39.032429+00', '217809a50e7b702ffb9ab3c0ae4192e0ce89699416fe2a722a8698546dd6ea7d', '0112_sold_as.sql'),
('2026-11-16 19:24:39.040435+00', '76633e7dac9d72d52de634ac3804b1cbcedffc0fc3214f35250c12b6d74a81e8', '0113_due_indexes.sql'),
('2026-11-16 19:24:39.060847+00', 'ee1eed7098b7492bedeae7be45b6ed66d4f0aae7e0f4830352a16003c332862b', '0115_subscription_version.sql'),
('2026-11-16 19:24:39.063746+00', '02e0955e93a35cbf896c358bfc1560ed26918fda10af968a9dbb16e6f6712b70', '0116_media_references.sql'),
('2026-11-16 19:24:39.071073+00', 'e052627ae2b68d73b089c0479efd9c461cccdd644ac5f0230c7ef03124a28d84', '0120_imports.sql'),
('2026-11-16 19:24:39.183633+00', '890b71937fce8ef2071b483b953bf2182f4dd341728ac44021dc5c5acf16c291', '0125_publishing.sql'),
('2026-11-16 19:24:39.219325+00', '90b404fd2da341723bdc07d98b45faf2e73b96a0d040ef549484339db576c5f0', '0130_erasures.sql'),
('2026-11-16 19:24:39.315172+00', '5c5db59cfe5e3e407c4a83597b98bbfbc2c5be4a057b86a316eb3ff69fc96914', '0131_agreements.sql'),
('2026-11-16 19:24:39.359655+00', '908775c917ae75e517a4212f36b74f07d1f9ba68e665d4358a1e5fc1c865c0df', '0135_roles_without_reference.sql'),
('2026-11-16 19:24:39.363427+00', '212deb3ddf9fd61cc424720d8b5f1011fc099bb7682f029e8da5cb88745ba2c4', '0138_jobs_schema.sql'),
('2026-11-16 19:24:39.36716+00', '0491320d692daeba729522ef72f55ddd401057b7bf448c042019ef500824c0c0', '0140_version_keys.sql'),
('2026-11-16 19:24:39.368963+00', 'e372bc23c6b457e82c9be91074b04b0fdb5f910a035ebf3b38cf6b18dfa55572', '0141_picture_alt.sql'),
('2026-11-16 19:24:39.376367+00', '34b1cb96c731ce7fcb1bd64b900c8c8e3bc0be7087a93524ee7d0e0ebea9a238', '0142_picture_details.sql');

insert into order_counters (business_id, last) values
('biz_demo', '5');

insert into order_tasks (amount, business_id, due_at, id, kind, order_id) overriding system value values
(NULL, 'biz_demo', '1795461882', '4', 'EXPIRY', 'ord_01m7jx37b30mzvscn0d8pvhcx3');

insert into orders (business_id, created_at, customer_email, customer_id, doc, holds, id, number, paid, payment_status, refunded, status, updated_at, version) values
('biz_demo', '1794857080', 'admin@example.com', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{"tax": 1104, "lines": [{"sku": "LINEN-SHIRT-S", "name": "Linen shirt (S)", "type": "PRODUCT_VARIANT", "discount": 0, "quantity": 2, "productId": "prod_01m7jx363ffqmbky4k7gyb0q5m", "unitPrice": 6900, "variantId": "s", "totalPrice": 13800}], "total": 14904, "blocks": [{"id": "address", "type": "TEXT", "value": "1 Market Street, San Francisco"}], "mailed": ["PAID", "SHIPPED"], "market": "us", "taxBps": 800, "promoId": null, "taxMode": "EXCLUSIVE", "currency": "usd", "discount": 0, "shipping": 0, "statuses": [{"id": "st_01m7jx372gbf9r1868wsjsdrqw", "status": "PENDING", "userId": "usr_01m7jx35r0cb1evp5n6pf2k9s5", "changedBy": "USER", "timestamp": 1794857080}, {"id": "st_01m7jx374m19d02jj9jg25jhqv", "status": "PROCESSING", "changedBy": "SYSTEM", "timestamp": 1794857081}, {"id": "st_01m7jx37a42a1y03r66j20qbaw", "status": "SHIPPED", "userId": "usr_01m7jx35r0cb1evp5n6pf2k9s5", "changedBy": "USER", "timestamp": 1794857082}], "subtotal": 13800, "tracking": {"url": "https://post.example/track/DP00421187", "number": "DP 0042 1187", "carrier": "Demo Post"}, "promoCode": null, "paymentMethod": "CREDIT_CARD", "paymentStatus": [{"id": "st_01m7jx372hdz3rmfm29zmsks3f", "status": "PENDING", "userId": "usr_01m7jx35r0cb1evp5n6pf2k9s5", "changedBy": "USER", "timestamp": 1794857080}, {"id": "st_01m7jx374kbczvf55w9cqdhnr1", "status": "PAID", "changedBy": "SYSTEM", "timestamp": 1794857081}], "shippingMethodId": "standard"}', 'true', 'ord_01m7jx372hdz3rmfm2a0z1k4bn', '1', '14904', 'PAID', '0', 'SHIPPED', '1794857082', '3'),
('biz_demo', '1794857082', 'ada@example.com', 'usr_01m7jx37aq8azp9145fs8m52dt', '{"tax": 1469, "lines": [{"sku": "MERINO-SWEATER-S", "name": "Merino sweater (S)", "type": "PRODUCT_VARIANT", "discount": 0, "quantity": 1, "productId": "prod_01m7jx365e5ztx37dq1zmz89xz", "unitPrice": 9200, "variantId": "s", "totalPrice": 9200}], "total": 9200, "blocks": [], "market": "eu", "taxBps": 1900, "promoId": null, "taxMode": "INCLUSIVE", "currency": "eur", "discount": 0, "shipping": 0, "statuses": [{"id": "st_01m7jx37b30mzvscn0d6h0ap7t", "status": "PENDING", "userId": "usr_01m7jx37aq8azp9145fs8m52dt", "changedBy": "USER", "timestamp": 1794857082}], "subtotal": 7731, "promoCode": null, "isEmailTyped": true, "paymentMethod": "CASH", "paymentStatus": [{"id": "st_01m7jx37b30mzvscn0d7azn87v", "status": "PENDING", "userId": "usr_01m7jx37aq8azp9145fs8m52dt", "changedBy": "USER", "timestamp": 1794857082}], "shippingMethodId": "pickup"}', 'true', 'ord_01m7jx37b30mzvscn0d8pvhcx3', '2', '0', 'PENDING', '0', 'PENDING', '1794857082', '1'),
('biz_demo', '1794857082', 'grace@example.com', 'usr_01m7jx37bqbv9rkcnzyt9bgbmd', '{"tax": 293, "lines": [{"sku": "WOOL-SOCKS-36-40", "name": "Wool socks (36-40)", "type": "PRODUCT_VARIANT", "discount": 240, "quantity": 1, "productId": "prod_01m7jx366445g6s7b6h4trbvs2", "unitPrice": 2400, "variantId": "36-40", "totalPrice": 2400}], "total": 3953, "blocks": [{"id": "address", "type": "TEXT", "value": "7 Harbor Road, Portland"}], "mailed": ["PAID", "REFUNDED"], "market": "us", "taxBps": 800, "promoId": "promo_01m7jx37141464b1hn10en3nfe", "taxMode": "EXCLUSIVE", "currency": "usd", "discount": 240, "shipping": 1500, "statuses": [{"id": "st_01m7jx37ch3krjmdhpnsdqc6fs", "status": "PENDING", "userId": "usr_01m7jx37bqbv9rkcnzyt9bgbmd", "changedBy": "USER", "timestamp": 1794857082}, {"id": "st_01m7jx37df4k4s3fx2v23jteff", "status": "PROCESSING", "changedBy": "SYSTEM", "timestamp": 1794857082}], "subtotal": 2400, "promoCode": "WELCOME10", "isEmailTyped": true, "paymentMethod": "CREDIT_CARD", "paymentStatus": [{"id": "st_01m7jx37ch3krjmdhpnwx0m4cc", "status": "PENDING", "userId": "usr_01m7jx37bqbv9rkcnzyt9bgbmd", "changedBy": "USER", "timestamp": 1794857082}, {"id": "st_01m7jx37df4k4s3fx2tz27s8x8", "status": "PAID", "changedBy": "SYSTEM", "timestamp": 1794857082}, {"id": "st_01m7jx37h6bmhqh0zw50ppxxsg", "status": "PARTIALLY_REFUNDED", "userId": "usr_01m7jx35r0cb1evp5n6pf2k9s5", "changedBy": "USER", "timestamp": 1794857082}], "shippingMethodId": "express"}', 'true', 'ord_01m7jx37ch3krjmdhpp08p30zk', '3', '3953', 'PARTIALLY_REFUNDED', '500', 'PROCESSING', '1794857082', '4'),
('biz_demo', '1794857115', NULL, 'usr_01m7jx467xahzf5xsbge9wzqsp', E'{"tax": 120, "lines": [{"sku": "LAMP-z", "name": "Old lamp, second name (Lamp z Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1)", "type": "PRODUCT_VARIANT", "discount": 0, "quantity": 1, "productId": "prod_01m7jx46jj03w27s5kmd3cvhp0", "unitPrice": 1000, "variantId": "z", "totalPrice": 1000}], "total": 1620, "blocks": [], "market": "us", "taxBps": 800, "promoId": null, "taxMode": "EXCLUSIVE", "currency": "usd", "discount": 0, "shipping": 500, "statuses": [{"id": "st_01m7jx48604sn589yh5mt2g976", "status": "PENDING", "userId": "usr_01m7jx467xahzf5xsbge9wzqsp", "changedBy": "USER", "timestamp": 1794857115}], "subtotal": 1000, "promoCode": null, "paymentMethod": "CREDIT_CARD", "paymentStatus": [{"id": "st_01m7jx48604sn589yh5qdw5xbv", "status": "PENDING", "userId": "usr_01m7jx467xahzf5xsbge9wzqsp", "changedBy": "USER", "timestamp": 1794857115}], "shippingMethodId": "standard"}', 'true', 'ord_01m7jx48604sn589yh5qw0p88d', '5', '0', 'PENDING', '0', 'PENDING', '1794857115', '1'),
('biz_demo', '1794857115', 'buyer@example.com', 'usr_01m7jx467xahzf5xsbge9wzqsp', E'{"tax": 184, "lines": [{"sku": "LAMP-a", "name": "Old lamp, second name (Lamp a Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1)", "type": "PRODUCT_VARIANT", "discount": 200, "quantity": 2, "productId": "prod_01m7jx46jj03w27s5kmd3cvhp0", "unitPrice": 1001, "variantId": "a", "totalPrice": 2002}], "total": 2486, "blocks": [], "mailed": ["PAID", "REFUNDED", "SHIPPED"], "market": "us", "taxBps": 800, "promoId": "promo_01m7jx47rx1yvgrkzxgbaaxqqn", "taxMode": "EXCLUSIVE", "currency": "usd", "discount": 200, "shipping": 500, "statuses": [{"id": "st_01m7jx47th9fnn78cx791s0skk", "status": "PENDING", "userId": "usr_01m7jx467xahzf5xsbge9wzqsp", "changedBy": "USER", "timestamp": 1794857115}, {"id": "st_01m7jx47wh73nbb07k0rjf3avg", "status": "PROCESSING", "changedBy": "SYSTEM", "timestamp": 1794857115}, {"id": "st_01m7jx53a66nrbjqhd31ybzk5v", "status": "SHIPPED", "userId": "usr_01m7jx35r0cb1evp5n6pf2k9s5", "changedBy": "USER", "timestamp": 1794857143}], "subtotal": 2002, "tracking": {"number": "1", "carrier": "DHL"}, "promoCode": "OLD10", "isEmailTyped": true, "paymentMethod": "CREDIT_CARD", "paymentStatus": [{"id": "st_01m7jx47th9fnn78cx7ayn8act", "status": "PENDING", "userId": "usr_01m7jx467xahzf5xsbge9wzqsp", "changedBy": "USER", "timestamp": 1794857115}, {"id": "st_01m7jx47wh73nbb07k0qnmbwsn", "status": "PAID", "changedBy": "SYSTEM", "timestamp": 1794857115}, {"id": "st_01m7jx47yj9r7k5919ecse05s4", "status": "PARTIALLY_REFUNDED", "userId": "usr_01m7jx35r0cb1evp5n6pf2k9s5", "changedBy": "USER", "timestamp": 1794857115}], "shippingMethodId": "standard"}', 'true', 'ord_01m7jx47th9fnn78cx7e0h50t6', '4', '2486', 'PARTIALLY_REFUNDED', '100', 'SHIPPED', '1794857143', '5');

insert into payments (amount, business_id, charge_id, created_at, currency, doc, due_at, expires_at, id, paid, provider, purpose, reference, session_id, status, updated_at) values
('14904', 'biz_demo', 'ord_01m7jx372hdz3rmfm2a0z1k4bn', '1794857080', 'usd', '{"url": "http://127.0.0.1:3999/pay/Yml6X2RlbW8gb3JkXzAxbTdqeDM3MmhkejNybWZtMmEwejFrNGJu.EWp2RXWMvi8ErqXeKEglNmlXnq_4FUKJClzpqaAtmfw", "email": "admin@example.com", "lines": [{"name": "Linen shirt (S)", "quantity": 2, "unitPrice": 6900}, {"name": "Tax", "quantity": 1, "unitPrice": 1104}], "cancelUrl": null, "returnUrl": null, "description": "Your order at Demo shop"}', '1794858880', '1794858880', 'ord_01m7jx372hdz3rmfm2a0z1k4bn', '14904', 'SANDBOX', 'ORDER', 'ord_01m7jx372hdz3rmfm2a0z1k4bn', 'ord_01m7jx372hdz3rmfm2a0z1k4bn', 'PAID', '1794857081'),
('1620', 'biz_demo', NULL, '1794857115', 'usd', E'{"url": "http://127.0.0.1:3999/pay/Yml6X2RlbW8gb3JkXzAxbTdqeDQ4NjA0c241ODl5aDVxdzBwODhk.dQVp7Bn5Xnlv9oYW1BmNO5He6VqT3p4mURcPvqpPyjw", "email": null, "lines": [{"name": "Old lamp, second name (Lamp z Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1)", "quantity": 1, "unitPrice": 1000}, {"name": "Shipping", "quantity": 1, "unitPrice": 500}, {"name": "Tax", "quantity": 1, "unitPrice": 120}], "cancelUrl": null, "returnUrl": null, "description": "Your order at Demo shop"}', '1794858915', '1794858915', 'ord_01m7jx48604sn589yh5qw0p88d', '0', 'SANDBOX', 'ORDER', 'ord_01m7jx48604sn589yh5qw0p88d', 'ord_01m7jx48604sn589yh5qw0p88d', 'OPEN', '1794857115'),
('2486', 'biz_demo', 'ord_01m7jx47th9fnn78cx7e0h50t6', '1794857115', 'usd', E'{"url": "http://127.0.0.1:3999/pay/Yml6X2RlbW8gb3JkXzAxbTdqeDQ3dGg5Zm5uNzhjeDdlMGg1MHQ2.DhONQPDlv5eDfKsFL8nmfyh4cFyeBrMP467RNnZXejY", "email": "buyer@example.com", "lines": [{"name": "Old lamp, second name (Lamp a Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1)", "quantity": 2, "unitPrice": 1001}, {"name": "Shipping", "quantity": 1, "unitPrice": 500}, {"name": "Tax", "quantity": 1, "unitPrice": 184}, {"name": "Discount", "quantity": 1, "unitPrice": -200}], "cancelUrl": null, "returnUrl": null, "description": "Your order at Demo shop"}', '1794858915', '1794858915', 'ord_01m7jx47th9fnn78cx7e0h50t6', '2486', 'SANDBOX', 'ORDER', 'ord_01m7jx47th9fnn78cx7e0h50t6', 'ord_01m7jx47th9fnn78cx7e0h50t6', 'PAID', '1794857115'),
('3953', 'biz_demo', 'ord_01m7jx37ch3krjmdhpp08p30zk', '1794857082', 'usd', '{"url": "http://127.0.0.1:3999/pay/Yml6X2RlbW8gb3JkXzAxbTdqeDM3Y2gza3JqbWRocHAwOHAzMHpr.GY7FgCpOLIzYsNJnHsb6rQcWPqnzzWQUndHW5KrkT_k", "email": "grace@example.com", "lines": [{"name": "Wool socks (36-40)", "quantity": 1, "unitPrice": 2400}, {"name": "Shipping", "quantity": 1, "unitPrice": 1500}, {"name": "Tax", "quantity": 1, "unitPrice": 293}, {"name": "Discount", "quantity": 1, "unitPrice": -240}], "cancelUrl": null, "returnUrl": null, "description": "Your order at Demo shop"}', '1794858882', '1794858882', 'ord_01m7jx37ch3krjmdhpp08p30zk', '3953', 'SANDBOX', 'ORDER', 'ord_01m7jx37ch3krjmdhpp08p30zk', 'ord_01m7jx37ch3krjmdhpp08p30zk', 'PAID', '1794857082');

insert into planned (business_id, due_at, entity) values
('biz_demo', '2110217113', 'product:prod_01m7jx479q6tgnxbxyf3gtk58b'),
('biz_demo', '2110217113', 'release:rel_01m7jx47p5b5gvcrt3jahx7m7q');

insert into product_prices (business_id, category, market, price, product_id, status) values
('biz_demo', 'clothing', 'us', '6900', 'prod_01m7jx363ffqmbky4k7gyb0q5m', 'ACTIVE'),
('biz_demo', 'clothing', 'eu', '6500', 'prod_01m7jx363ffqmbky4k7gyb0q5m', 'ACTIVE'),
('biz_demo', 'clothing', 'us', '9800', 'prod_01m7jx365e5ztx37dq1zmz89xz', 'ACTIVE'),
('biz_demo', 'clothing', 'eu', '9200', 'prod_01m7jx365e5ztx37dq1zmz89xz', 'ACTIVE'),
('biz_demo', 'light', 'us', '1000', 'prod_01m7jx46jj03w27s5kmd3cvhp0', 'ACTIVE'),
('biz_demo', '', 'us', '500', 'prod_01m7jx479q6tgnxbxyf3gtk58b', 'DRAFT'),
('biz_demo', '', 'us', '500', 'prod_01m7jx48zt6mq7jjpyz4fn23p6', 'ACTIVE');

insert into product_search (bucket, business_id, category, product_id, status, words) values
('0', 'biz_demo', 'clothing', 'prod_01m7jx363ffqmbky4k7gyb0q5m', 'ACTIVE', '''a'':124 ''buttons'':133 ''clothing'':13B ''european'':129 ''in'':135 ''l'':76B,87C,88C ''light'':125 ''linen'':1A,24B,49B,74B,99B,130 ''m'':51B,62C,63C ''not'':136 ''of'':127 ''out'':137 ''s'':26B,37C,38C ''shell'':132 ''shirt'':2A,25B,50B,75B,100B,126 ''washed'':128 ''wears'':134 ''with'':131 ''xl'':101B,112C,113C'),
('0', 'biz_demo', 'clothing', 'prod_01m7jx365e5ztx37dq1zmz89xz', 'ACTIVE', '''and'':108 ''bare'':112 ''clothing'':13B ''enough'':110 ''fine'':99 ''for'':111 ''in'':102 ''knitted'':101 ''l'':76B,87C,88C ''m'':51B,62C,63C ''merino'':1A,24B,49B,74B,100 ''one'':103 ''piece'':104 ''s'':26B,37C,38C ''skin'':113 ''soft'':109 ''sweater'':2A,25B,50B,75B ''warm'':105 ''weight'':107 ''without'':106'),
('0', 'biz_demo', 'light', 'prod_01m7jx46jj03w27s5kmd3cvhp0', 'ACTIVE', '''1'':52C,90C,128C,152 ''a'':65B,77C,91C ''back'':42C,80C,118C,142 ''changedby'':47C,85C,123C,147 ''lamp'':2A,26B,38C,64B,76C,102B,114C ''light'':15B ''m'':103B,115C,129C ''name'':4A ''old'':1A ''quotes'':41C,79C,117C,141 ''script'':44C,82C,120C,144 ''second'':3A ''timestamp'':51C,89C,127C,151 ''tucke'':40C,78C,116C,140 ''u0001slash'':43C,81C,119C,143 ''user'':48C,86C,124C,148 ''userid'':49C,87C,125C,149 ''x'':46C,50C,84C,88C,122C,126C,146,150 ''z'':27B,39C,53C ''日'':45C,83C,121C,145 ''日本'':45C,83C,121C,145 ''本'':45C,83C,121C,145 ''本語'':45C,83C,121C,145 ''語'':45C,83C,121C,145'),
('0', 'biz_demo', '', 'prod_01m7jx479q6tgnxbxyf3gtk58b', 'DRAFT', '''lamp'':2A ''later'':1A ''v'':33C'),
('0', 'biz_demo', '', 'prod_01m7jx48zt6mq7jjpyz4fn23p6', 'ACTIVE', '''l'':47B,58C,59C ''mug'':1A,22B,46B ''s'':23B,34C,35C');

insert into products (business_id, category, created_at, doc, id, name_key, slug, status, version) values
('biz_demo', 'clothing', '1794857080', '{"id":"prod_01m7jx363ffqmbky4k7gyb0q5m","businessId":"biz_demo","name":"Linen shirt","slug":"linen-shirt","description":"A light shirt of washed European linen with shell buttons. Wears in, not out.","category":"clothing","gallery":[{"id":"media_01m7jx361bf7gvxcykvkarsyfs","url":"/media/biz_demo/84c7abc9f03ad69b962087d7b2a65021cb33d06bvkarsyfs.svg","mimeType":"image/svg+xml","fileName":"linen-shirt.svg","size":463,"width":400,"height":400,"hash":"84c7abc9f03ad69b962087d7b2a65021cb33d06b7ecf65870f71722befa040ba","title":"","alt":{"en":"Linen shirt"},"focalPoint":{"x":0.5,"y":0.5},"resolutions":{"original":{"url":"/media/biz_demo/84c7abc9f03ad69b962087d7b2a65021cb33d06bvkarsyfs.svg","width":400,"height":400,"size":463},"large":{"url":"/media/biz_demo/84c7abc9f03ad69b962087d7b2a65021cb33d06bvkarsyfs.svg","width":400,"height":400,"size":463},"medium":{"url":"/media/biz_demo/84c7abc9f03ad69b962087d7b2a65021cb33d06bvkarsyfs.svg","width":400,"height":400,"size":463},"small":{"url":"/media/biz_demo/84c7abc9f03ad69b962087d7b2a65021cb33d06bvkarsyfs.svg","width":400,"height":400,"size":463},"thumbnail":{"url":"/media/biz_demo/84c7abc9f03ad69b962087d7b2a65021cb33d06bvkarsyfs.svg","width":400,"height":400,"size":463}}}],"variants":[{"id":"s","name":"S","sku":"LINEN-SHIRT-S","attributes":[{"name":"size","value":"S"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":6900},{"marketId":"eu","currency":"eur","price":6500}]},"inventory":{"tracked":true,"quantity":02,"lowStockThreshold":5}},{"id":"m","name":"M","sku":"LINEN-SHIRT-M","attributes":[{"name":"size","value":"M"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":6900},{"marketId":"eu","currency":"eur","price":6500}]},"inventory":{"tracked":true,"quantity":01,"lowStockThreshold":5}},{"id":"l","name":"L","sku":"LINEN-SHIRT-L","attributes":[{"name":"size","value":"L"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":6900},{"marketId":"eu","currency":"eur","price":6500}]},"inventory":{"tracked":true,"quantity":00,"lowStockThreshold":5}},{"id":"xl","name":"XL","sku":"LINEN-SHIRT-XL","attributes":[{"name":"size","value":"XL"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":6900},{"marketId":"eu","currency":"eur","price":6500}]},"inventory":{"tracked":true,"quantity":03,"lowStockThreshold":5}}],"statuses":[{"id":"st_01m7jx363j0hrd25ps4bz4h4a0","status":"ACTIVE","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857080}],"blocks":[],"createdAt":1794857080,"updatedAt":1794857080}', 'prod_01m7jx363ffqmbky4k7gyb0q5m', 'linen shirt', 'linen-shirt', 'ACTIVE', '1'),
('biz_demo', 'clothing', '1794857080', '{"id":"prod_01m7jx365e5ztx37dq1zmz89xz","businessId":"biz_demo","name":"Merino sweater","slug":"merino-sweater","description":"Fine merino, knitted in one piece. Warm without weight, and soft enough for bare skin.","category":"clothing","gallery":[{"id":"media_01m7jx35xyc25n6xk20shwadsn","url":"/media/biz_demo/a7131daeba85d99cbe61a54c1755322b4b5171710shwadsn.svg","mimeType":"image/svg+xml","fileName":"merino-sweater.svg","size":391,"width":400,"height":400,"hash":"a7131daeba85d99cbe61a54c1755322b4b517171ca9dcbcf708d3a2a093a37b8","title":"","alt":{"en":"Merino sweater"},"focalPoint":{"x":0.5,"y":0.5},"resolutions":{"original":{"url":"/media/biz_demo/a7131daeba85d99cbe61a54c1755322b4b5171710shwadsn.svg","width":400,"height":400,"size":391},"large":{"url":"/media/biz_demo/a7131daeba85d99cbe61a54c1755322b4b5171710shwadsn.svg","width":400,"height":400,"size":391},"medium":{"url":"/media/biz_demo/a7131daeba85d99cbe61a54c1755322b4b5171710shwadsn.svg","width":400,"height":400,"size":391},"small":{"url":"/media/biz_demo/a7131daeba85d99cbe61a54c1755322b4b5171710shwadsn.svg","width":400,"height":400,"size":391},"thumbnail":{"url":"/media/biz_demo/a7131daeba85d99cbe61a54c1755322b4b5171710shwadsn.svg","width":400,"height":400,"size":391}}}],"variants":[{"id":"s","name":"S","sku":"MERINO-SWEATER-S","attributes":[{"name":"size","value":"S"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":9800,"compareAtPrice":12000},{"marketId":"eu","currency":"eur","price":9200}]},"inventory":{"tracked":true,"quantity":02,"lowStockThreshold":5}},{"id":"m","name":"M","sku":"MERINO-SWEATER-M","attributes":[{"name":"size","value":"M"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":9800,"compareAtPrice":12000},{"marketId":"eu","currency":"eur","price":9200}]},"inventory":{"tracked":true,"quantity":01,"lowStockThreshold":5}},{"id":"l","name":"L","sku":"MERINO-SWEATER-L","attributes":[{"name":"size","value":"L"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":9800,"compareAtPrice":12000},{"marketId":"eu","currency":"eur","price":9200}]},"inventory":{"tracked":true,"quantity":00,"lowStockThreshold":5}}],"statuses":[{"id":"st_01m7jx365f7h58nh3jd456dnfy","status":"ACTIVE","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857080}],"blocks":[],"createdAt":1794857080,"updatedAt":1794857080}', 'prod_01m7jx365e5ztx37dq1zmz89xz', 'merino sweater', 'merino-sweater', 'ACTIVE', '1'),
('biz_demo', '', '1794857114', '{"id":"prod_01m7jx479q6tgnxbxyf3gtk58b","businessId":"biz_demo","name":"Later lamp","slug":"later-lamp","description":"","category":"","gallery":[],"variants":[{"id":"v","name":"V","sku":"","attributes":[],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":500}]},"inventory":{"tracked":false,"quantity":00}}],"statuses":[{"id":"st_01m7jx47a25k2vf8nht9c8vxvf","status":"DRAFT","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857114}],"blocks":[],"scheduled":[{"id":"st_01m7jx47a1ewbg6s6j3p20j7a4","status":"ACTIVE","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":2110217113}],"hasDraft":false,"createdAt":1794857114,"updatedAt":1794857114}', 'prod_01m7jx479q6tgnxbxyf3gtk58b', 'later lamp', 'later-lamp', 'DRAFT', '1'),
('biz_demo', 'light', '1794857114', E'{"id":"prod_01m7jx46jj03w27s5kmd3cvhp0","businessId":"biz_demo","name":"Old lamp, second name","slug":"old-lamp","description":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","category":"light","gallery":[],"variants":[{"id":"z","name":"Lamp z Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-z","attributes":[{"name":"size","value":"z"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1000,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":02,"lowStockThreshold":3}},{"id":"a","name":"Lamp a Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-a","attributes":[{"name":"size","value":"a"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1001,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":00,"lowStockThreshold":3}},{"id":"m","name":"Lamp m Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-m","attributes":[{"name":"size","value":"m"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1002,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":01,"lowStockThreshold":3}}],"statuses":[{"id":"st_01m7jx46jj03w27s5kmex296ep","status":"ACTIVE","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857114}],"blocks":[{"id":"care","type":"TEXT","value":{"en":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","de":"Pflege"}}],"scheduled":[],"hasDraft":true,"createdAt":1794857114,"updatedAt":1794857114}', 'prod_01m7jx46jj03w27s5kmd3cvhp0', 'old lamp, second name', 'old-lamp', 'ACTIVE', '3'),
('biz_demo', '', '1794857116', '{"id":"prod_01m7jx48zt6mq7jjpyz4fn23p6","businessId":"biz_demo","name":"Mug","slug":"mug-old","description":"","category":"","gallery":[],"variants":[{"id":"var_01m7jx48zt6mq7jjpyz4pyagxt","name":"S","sku":"MUG-S","attributes":[{"name":"Size","value":"S"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":500}]},"inventory":{"tracked":true,"quantity":00}},{"id":"var_01m7jx48zt6mq7jjpyz6mx33np","name":"L","sku":"MUG-L","attributes":[{"name":"Size","value":"L"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":600}]},"inventory":{"tracked":true,"quantity":01}}],"statuses":[{"id":"st_01m7jx48zt6mq7jjpyz9nz9mzr","status":"ACTIVE","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857116}],"blocks":[],"createdAt":1794857116,"updatedAt":1794857116}', 'prod_01m7jx48zt6mq7jjpyz4fn23p6', 'mug', 'mug-old', 'ACTIVE', '1');

insert into promo_codes (business_id, code, code_key, created_at, doc, id, max_uses, max_uses_per_user, status, updated_at, uses, version) values
('biz_demo', 'WELCOME10', 'welcome10', '1794857081', '{"statuses": [{"id": "st_01m7jx37141464b1hn137h24kv", "status": "ACTIVE", "userId": "usr_01m7jx35r0cb1evp5n6pf2k9s5", "changedBy": "USER", "timestamp": 1794857081}], "discounts": [{"bps": 1000, "type": "ITEMS_PERCENTAGE"}], "conditions": [{"type": "MAX_USES_PER_USER", "value": 1}]}', 'promo_01m7jx37141464b1hn10en3nfe', NULL, '1', 'ACTIVE', '1794857081', '1', '1'),
('biz_demo', 'OLD10', 'old10', '1794857115', '{"statuses": [{"id": "st_01m7jx47rx1yvgrkzxgc4n5eg1", "status": "ACTIVE", "userId": "usr_01m7jx35r0cb1evp5n6pf2k9s5", "changedBy": "USER", "timestamp": 1794857115}], "discounts": [{"bps": 1000, "type": "ITEMS_PERCENTAGE"}], "conditions": [{"type": "MAX_USES", "value": 5}]}', 'promo_01m7jx47rx1yvgrkzxgbaaxqqn', '5', NULL, 'ACTIVE', '1794857115', '1', '1');

insert into promo_uses (business_id, promo_id, user_id, uses) values
('biz_demo', 'promo_01m7jx37141464b1hn10en3nfe', 'usr_01m7jx37bqbv9rkcnzyt9bgbmd', '1'),
('biz_demo', 'promo_01m7jx47rx1yvgrkzxgbaaxqqn', 'usr_01m7jx467xahzf5xsbge9wzqsp', '1');

insert into refunds (amount, business_id, created_at, due_at, failure, id, payment_id, provider_refund_id, purpose, reason, reference, status, updated_at, user_id) values
('100', 'biz_demo', '1794857115', '1794857175', NULL, 'rfd_01m7jx47y35z309wkrfrf106zz', 'ord_01m7jx47th9fnn78cx7e0h50t6', 'sandbox_15ff8a9f-1e2b-4ffe-be6c-01bdc7da58b9', 'ORDER', 'scratch', 'ord_01m7jx47th9fnn78cx7e0h50t6', 'SUCCEEDED', '1794857115', 'usr_01m7jx35r0cb1evp5n6pf2k9s5'),
('500', 'biz_demo', '1794857082', '1794857142', NULL, 'rfd_01m7jx37ec44mhfgyq19p2qt5y', 'ord_01m7jx37ch3krjmdhpp08p30zk', 'sandbox_2bf2d72b-56cb-4e69-9060-8cceba7d1c9b', 'ORDER', 'A button was missing.', 'ord_01m7jx37ch3krjmdhpp08p30zk', 'SUCCEEDED', '1794857082', 'usr_01m7jx35r0cb1evp5n6pf2k9s5');

insert into releases (at, business_id, created_at, failure, id, items, name, published_at, status, updated_at, user_id, version) values
('2110217113', 'biz_demo', '1794857115', NULL, 'rel_01m7jx47p5b5gvcrt3jahx7m7q', '{entry:ent_01m7jx47hs7g8p9wfhagm776ys,product:prod_01m7jx46jj03w27s5kmd3cvhp0}', 'Big day', NULL, 'SCHEDULED', '1794857115', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '1');

insert into roles (business_id, created_at, id, name, permissions, updated_at, version) values
('biz_demo', '1794857080', 'role_01m7jx362f37hga2nxcm3hq8j3', 'ADMIN', '{ADMIN}', '1794857080', '1'),
('biz_demo', '1794857080', 'role_01m7jx362vc80p6femn4weeefc', 'EDITOR', '{CATALOG_WRITE,CONTENT_READ,CONTENT_WRITE,NEWSLETTER_SEND,MEDIA_WRITE}', '1794857080', '1'),
('biz_demo', '1794857080', 'role_01m7jx362x3t50z6xhb2zw08c4', 'SUPPORT', '{ORDER_READ,ORDER_WRITE,SUBSCRIBER_READ,SUBSCRIBER_WRITE,CUSTOMER_READ,CUSTOMER_WRITE}', '1794857080', '1');

insert into sends (business_id, collection_id, completed_at, content, created_at, entry_id, error, exclusive, failed, frozen, id, on_unknown, open, recipients, scheduled_at, sent, skipped, started_at, status, unknown) values
('biz_demo', 'col_01m7jx36zd7w4nfat4pj1rmk11', NULL, NULL, '1794857115', 'ent_01m7jx48922kaaxxghcsjezvjx', NULL, 'true', '0', 'false', 'snd_01m7jx48b5apxa9bg5x5f8ws3v', 'RETRY', 'true', '3', '2110217113', '0', '0', NULL, 'SCHEDULED', '0');

insert into sessions (created_at, expires_at, id, idp_tokens, last_used_at, provider, user_id) values
('1794857113', '1797449113', 'ses_01m7jx467xahzf5xsbgf8x5fgm', NULL, '1794857113', 'GUEST', 'usr_01m7jx467xahzf5xsbge9wzqsp'),
('1794857146', '1797449146', 'ses_01m7jx56df6r105t8vk0ykfyd0', NULL, '1794857146', 'GUEST', 'usr_01m7jx56df6r105t8vjz6w41k6'),
('1794857178', '1797449178', 'ses_01m7jx659eachfs1w70rh267mf', NULL, '1794857178', 'GUEST', 'usr_01m7jx659eachfs1w70ppthem8');

insert into signing_keys (created_at, kid, public_key, sealed_private_key) values
('1794857079', 'd10f5a3d-d6c2-4249-a858-e5908ca56148', '-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEATtrGyjgSIbLO0pxvI5H9a0SjijB2/D6LPKTcXpX1ClU=
-----END PUBLIC KEY-----', 'v1.1orFqwkAOTtIAO6a0WcnUX_B-t6DDqAcMaRNSuMb44cUNaW4Uj-1hGyQkIHtzzK_49fiATz2xgFSz9o6ORXhU27jhhnwlY-9eGG27N7BVGZpSA7Z0BiTVhF3DAlPcaJpflRIXO7BRGhPzHCzLM8OI1vj_aq0HNwOxfPN2Yc3kzOp7g5OA2rKyQ8xPjVcV_ZQJvs');

insert into stock (business_id, changes, low_stock_threshold, product_id, quantity, sku, sold_as, tracked, variant_id) values
('biz_demo', '0', '5', 'prod_01m7jx363ffqmbky4k7gyb0q5m', '17', 'LINEN-SHIRT-L', '{"productName":"Linen shirt","variantName":"L","sku":"LINEN-SHIRT-L","prices":[{"marketId":"us","currency":"usd","price":6900},{"marketId":"eu","currency":"eur","price":6500}]}', 'true', 'l'),
('biz_demo', '0', '5', 'prod_01m7jx363ffqmbky4k7gyb0q5m', '22', 'LINEN-SHIRT-M', '{"productName":"Linen shirt","variantName":"M","sku":"LINEN-SHIRT-M","prices":[{"marketId":"us","currency":"usd","price":6900},{"marketId":"eu","currency":"eur","price":6500}]}', 'true', 'm'),
('biz_demo', '0', '5', 'prod_01m7jx363ffqmbky4k7gyb0q5m', '4', 'LINEN-SHIRT-XL', '{"productName":"Linen shirt","variantName":"XL","sku":"LINEN-SHIRT-XL","prices":[{"marketId":"us","currency":"usd","price":6900},{"marketId":"eu","currency":"eur","price":6500}]}', 'true', 'xl'),
('biz_demo', '0', '5', 'prod_01m7jx365e5ztx37dq1zmz89xz', '9', 'MERINO-SWEATER-L', '{"productName":"Merino sweater","variantName":"L","sku":"MERINO-SWEATER-L","prices":[{"marketId":"us","currency":"usd","price":9800,"compareAtPrice":12000},{"marketId":"eu","currency":"eur","price":9200}]}', 'true', 'l'),
('biz_demo', '0', '5', 'prod_01m7jx365e5ztx37dq1zmz89xz', '12', 'MERINO-SWEATER-M', '{"productName":"Merino sweater","variantName":"M","sku":"MERINO-SWEATER-M","prices":[{"marketId":"us","currency":"usd","price":9800,"compareAtPrice":12000},{"marketId":"eu","currency":"eur","price":9200}]}', 'true', 'm'),
('biz_demo', '1', '5', 'prod_01m7jx363ffqmbky4k7gyb0q5m', '12', 'LINEN-SHIRT-S', '{"productName":"Linen shirt","variantName":"S","sku":"LINEN-SHIRT-S","prices":[{"marketId":"us","currency":"usd","price":6900},{"marketId":"eu","currency":"eur","price":6500}]}', 'true', 's'),
('biz_demo', '1', '5', 'prod_01m7jx365e5ztx37dq1zmz89xz', '7', 'MERINO-SWEATER-S', '{"productName":"Merino sweater","variantName":"S","sku":"MERINO-SWEATER-S","prices":[{"marketId":"us","currency":"usd","price":9800,"compareAtPrice":12000},{"marketId":"eu","currency":"eur","price":9200}]}', 'true', 's'),
('biz_demo', '0', '3', 'prod_01m7jx46jj03w27s5kmd3cvhp0', '30', 'LAMP-m', E'{"productName":"Old lamp, second name","variantName":"Lamp m Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-m","prices":[{"marketId":"us","currency":"usd","price":1002,"compareAtPrice":2000}]}', 'true', 'm'),
('biz_demo', '0', NULL, 'prod_01m7jx479q6tgnxbxyf3gtk58b', '0', NULL, '{"productName":"Later lamp","variantName":"V","sku":"","prices":[{"marketId":"us","currency":"usd","price":500}]}', 'false', 'v'),
('biz_demo', '1', '3', 'prod_01m7jx46jj03w27s5kmd3cvhp0', '18', 'LAMP-a', E'{"productName":"Old lamp, second name","variantName":"Lamp a Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-a","prices":[{"marketId":"us","currency":"usd","price":1001,"compareAtPrice":2000}]}', 'true', 'a'),
('biz_demo', '1', '3', 'prod_01m7jx46jj03w27s5kmd3cvhp0', '9', 'LAMP-z', E'{"productName":"Old lamp, second name","variantName":"Lamp z Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-z","prices":[{"marketId":"us","currency":"usd","price":1000,"compareAtPrice":2000}]}', 'true', 'z'),
('biz_demo', '0', NULL, 'prod_01m7jx48zt6mq7jjpyz4fn23p6', '3', 'MUG-S', '{"productName":"Mug","variantName":"S","sku":"MUG-S","prices":[{"marketId":"us","currency":"usd","price":500}]}', 'true', 'var_01m7jx48zt6mq7jjpyz4pyagxt'),
('biz_demo', '0', NULL, 'prod_01m7jx48zt6mq7jjpyz4fn23p6', '4', 'MUG-L', '{"productName":"Mug","variantName":"L","sku":"MUG-L","prices":[{"marketId":"us","currency":"usd","price":600}]}', 'true', 'var_01m7jx48zt6mq7jjpyz6mx33np');

insert into stock_ledger (business_id, change, created_at, id, product_id, quantity, reason, reference, user_id, variant_id) overriding system value values
('biz_demo', '14', '1794857080', '1', 'prod_01m7jx363ffqmbky4k7gyb0q5m', '14', 'SET', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', 's'),
('biz_demo', '22', '1794857080', '2', 'prod_01m7jx363ffqmbky4k7gyb0q5m', '22', 'SET', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', 'm'),
('biz_demo', '17', '1794857080', '3', 'prod_01m7jx363ffqmbky4k7gyb0q5m', '17', 'SET', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', 'l'),
('biz_demo', '4', '1794857080', '4', 'prod_01m7jx363ffqmbky4k7gyb0q5m', '4', 'SET', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', 'xl'),
('biz_demo', '8', '1794857080', '5', 'prod_01m7jx365e5ztx37dq1zmz89xz', '8', 'SET', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', 's'),
('biz_demo', '12', '1794857080', '6', 'prod_01m7jx365e5ztx37dq1zmz89xz', '12', 'SET', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', 'm'),
('biz_demo', '9', '1794857080', '7', 'prod_01m7jx365e5ztx37dq1zmz89xz', '9', 'SET', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', 'l'),
('biz_demo', '-2', '1794857080', '45', 'prod_01m7jx363ffqmbky4k7gyb0q5m', '12', 'ORDER', 'ord_01m7jx372hdz3rmfm2a0z1k4bn', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', 's'),
('biz_demo', '-1', '1794857082', '46', 'prod_01m7jx365e5ztx37dq1zmz89xz', '7', 'ORDER', 'ord_01m7jx37b30mzvscn0d8pvhcx3', 'usr_01m7jx37aq8azp9145fs8m52dt', 's'),
('biz_demo', '10', '1794857114', '48', 'prod_01m7jx46jj03w27s5kmd3cvhp0', '10', 'SET', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', 'z'),
('biz_demo', '20', '1794857114', '49', 'prod_01m7jx46jj03w27s5kmd3cvhp0', '20', 'SET', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', 'a'),
('biz_demo', '30', '1794857114', '50', 'prod_01m7jx46jj03w27s5kmd3cvhp0', '30', 'SET', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', 'm'),
('biz_demo', '-2', '1794857115', '51', 'prod_01m7jx46jj03w27s5kmd3cvhp0', '18', 'ORDER', 'ord_01m7jx47th9fnn78cx7e0h50t6', 'usr_01m7jx467xahzf5xsbge9wzqsp', 'a'),
('biz_demo', '-1', '1794857115', '52', 'prod_01m7jx46jj03w27s5kmd3cvhp0', '9', 'ORDER', 'ord_01m7jx48604sn589yh5qw0p88d', 'usr_01m7jx467xahzf5xsbge9wzqsp', 'z'),
('biz_demo', '3', '1794857116', '53', 'prod_01m7jx48zt6mq7jjpyz4fn23p6', '3', 'SET', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', 'var_01m7jx48zt6mq7jjpyz4pyagxt'),
('biz_demo', '4', '1794857116', '54', 'prod_01m7jx48zt6mq7jjpyz4fn23p6', '4', 'SET', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', 'var_01m7jx48zt6mq7jjpyz6mx33np');

insert into subscriptions (business_id, collection_id, consent, created_at, email, email_key, id, name, paid_plan_id, plan_id, status, updated_at, user_id, version) values
('biz_demo', 'col_01m7jx36zd7w4nfat4pj1rmk11', '{"at": 1794857080, "text": null, "source": "Demo", "userId": "usr_01m7jx35r0cb1evp5n6pf2k9s5", "address": null}', '1794857080', 'ada@example.com', 'ada@example.com', 'sub_01m7jx36zv4jqz8ttm5qkj1prd', 'Ada', NULL, 'free', 'ACTIVE', '1794857080', NULL, '2'),
('biz_demo', 'col_01m7jx36zd7w4nfat4pj1rmk11', '{"at": 1794857080, "text": null, "source": "Demo", "userId": "usr_01m7jx35r0cb1evp5n6pf2k9s5", "address": null}', '1794857080', 'grace@example.com', 'grace@example.com', 'sub_01m7jx3708aykqqzgg9kee4jr7', 'Grace', NULL, 'club', 'ACTIVE', '1794857080', NULL, '2'),
('biz_demo', 'col_01m7jx36zd7w4nfat4pj1rmk11', '{"at": 1794857115, "text": null, "source": "SUBSCRIBE", "userId": null, "address": "127.0.0.1"}', '1794857115', 'reader@example.com', 'reader@example.com', 'sub_01m7jx487rajsepy10b542yn36', '', NULL, 'free', 'ACTIVE', '1794857115', NULL, '2');

insert into users (addresses, business_user_configs, created_at, email, email_key, id, is_confirmed, is_guest, is_kept, last_login_at, name, onboarding_completed, password_hash, password_version, phone_numbers, updated_at, verified_phones, version) values
('[]', '[]', '1794857080', 'admin@example.com', 'admin@example.com', 'usr_01m7jx35r0cb1evp5n6pf2k9s5', 'true', 'false', 'false', NULL, 'Demo admin', 'false', '$argon2id$v=19$m=19456,t=2,p=1$Iaj32ie2w9ZZDNIQ0lVCdA$s9ZicSxckG9FSQ36b5bxH6QF5eqNxn3ug5xzBIFLXtg', '1', '{}', '1794857080', '{}', '1'),
('[]', '[]', '1794857082', NULL, NULL, 'usr_01m7jx37aq8azp9145fs8m52dt', 'false', 'true', 'false', NULL, 'Ada', 'false', NULL, '1', '{}', '1794857082', '{}', '1'),
('[]', '[]', '1794857082', NULL, NULL, 'usr_01m7jx37bqbv9rkcnzyt9bgbmd', 'false', 'true', 'false', NULL, 'Grace', 'false', NULL, '1', '{}', '1794857082', '{}', '1'),
('[]', '[]', '1794857113', NULL, NULL, 'usr_01m7jx467xahzf5xsbge9wzqsp', 'false', 'true', 'false', '1794857113', '', 'false', NULL, '1', '{}', '1794857113', '{}', '1'),
('[]', '[]', '1794857146', NULL, NULL, 'usr_01m7jx56df6r105t8vjz6w41k6', 'false', 'true', 'false', '1794857146', '', 'false', NULL, '1', '{}', '1794857146', '{}', '1'),
('[]', '[]', '1794857178', NULL, NULL, 'usr_01m7jx659eachfs1w70ppthem8', 'false', 'true', 'false', '1794857178', '', 'false', NULL, '1', '{}', '1794857178', '{}', '1');

insert into versions (action, business_id, changed, created_at, doc, entity, is_draft, key_id, number, restored_from, user_id, words) values
('CREATED', 'biz_demo', '[]', '1794857114', E'{"id":"prod_01m7jx46jj03w27s5kmd3cvhp0","businessId":"biz_demo","name":"Old lamp","slug":"old-lamp","description":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","category":"light","gallery":[],"variants":[{"id":"z","name":"Lamp z Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-z","attributes":[{"name":"size","value":"z"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1000,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":02,"lowStockThreshold":3}},{"id":"a","name":"Lamp a Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-a","attributes":[{"name":"size","value":"a"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1001,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":00,"lowStockThreshold":3}},{"id":"m","name":"Lamp m Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-m","attributes":[{"name":"size","value":"m"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1002,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":01,"lowStockThreshold":3}}],"statuses":[{"id":"st_01m7jx46jj03w27s5kmex296ep","status":"ACTIVE","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857114}],"blocks":[{"id":"care","type":"TEXT","value":{"en":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","de":"Pflege"}}],"createdAt":1794857114,"updatedAt":1794857114}', 'product:prod_01m7jx46jj03w27s5kmd3cvhp0', 'false', NULL, '1', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', NULL),
('CREATED', 'biz_demo', '[]', '1794857115', E'{"id":"ent_01m7jx47hs7g8p9wfhagm776ys","businessId":"biz_demo","owner":"collection:col_01m7jx47fr7f9wjm9qxjmqh54m","locale":"en","blocks":[{"id":"title","type":"TEXT","value":{"en":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1"}},{"id":"lamp","type":"RELATIONSHIP","value":"prod_01m7jx46jj03w27s5kmd3cvhp0"}],"statuses":[{"id":"st_01m7jx47hk7jz69xv2arhyrnz4","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857115}],"createdAt":1794857115,"updatedAt":1794857115}', 'entry:ent_01m7jx47hs7g8p9wfhagm776ys', 'false', NULL, '1', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', NULL),
('DRAFT_SAVED', 'biz_demo', '["name"]', '1794857114', E'{"id":"prod_01m7jx46jj03w27s5kmd3cvhp0","businessId":"biz_demo","name":"Old lamp, drafted","slug":"old-lamp","description":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","category":"light","gallery":[],"variants":[{"id":"z","name":"Lamp z Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-z","attributes":[{"name":"size","value":"z"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1000,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":10,"lowStockThreshold":3}},{"id":"a","name":"Lamp a Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-a","attributes":[{"name":"size","value":"a"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1001,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":20,"lowStockThreshold":3}},{"id":"m","name":"Lamp m Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-m","attributes":[{"name":"size","value":"m"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1002,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":30,"lowStockThreshold":3}}],"statuses":[{"id":"st_01m7jx46jj03w27s5kmex296ep","status":"ACTIVE","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857114}],"blocks":[{"id":"care","type":"TEXT","value":{"en":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","de":"Pflege"}}],"createdAt":1794857114,"updatedAt":1794857114}', 'product:prod_01m7jx46jj03w27s5kmd3cvhp0', 'true', 'demo', '3', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', NULL),
('DRAFT_SAVED', 'biz_demo', '["blocks.title.en"]', '1794857115', '{"id":"ent_01m7jx47hs7g8p9wfhagm776ys","businessId":"biz_demo","owner":"collection:col_01m7jx47fr7f9wjm9qxjmqh54m","locale":"en","blocks":[{"id":"title","type":"TEXT","value":{"en":"Drafted"}}],"statuses":[{"id":"st_01m7jx47hk7jz69xv2arhyrnz4","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857115}],"createdAt":1794857115,"updatedAt":1794857115}', 'entry:ent_01m7jx47hs7g8p9wfhagm776ys', 'true', 'demo', '3', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', '{drafted}'),
('UPDATED', 'biz_demo', '["name"]', '1794857114', E'{"id":"prod_01m7jx46jj03w27s5kmd3cvhp0","businessId":"biz_demo","name":"Old lamp, second name","slug":"old-lamp","description":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","category":"light","gallery":[],"variants":[{"id":"z","name":"Lamp z Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-z","attributes":[{"name":"size","value":"z"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1000,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":02,"lowStockThreshold":3}},{"id":"a","name":"Lamp a Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-a","attributes":[{"name":"size","value":"a"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1001,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":00,"lowStockThreshold":3}},{"id":"m","name":"Lamp m Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","sku":"LAMP-m","attributes":[{"name":"size","value":"m"}],"pricing":{"markets":[{"marketId":"us","currency":"usd","price":1002,"compareAtPrice":2000}]},"inventory":{"tracked":true,"quantity":01,"lowStockThreshold":3}}],"statuses":[{"id":"st_01m7jx46jj03w27s5kmex296ep","status":"ACTIVE","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857114}],"blocks":[{"id":"care","type":"TEXT","value":{"en":"Tücke \\"quotes\\" \\\\ back\\\\u0001slash </script> 日本語   {{x}} \\"changedBy\\":\\"USER\\",\\"userId\\":\\"x\\",\\"timestamp\\":1","de":"Pflege"}}],"createdAt":1794857114,"updatedAt":1794857114}', 'product:prod_01m7jx46jj03w27s5kmd3cvhp0', 'false', 'demo', '2', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', NULL),
('UPDATED', 'biz_demo', '["blocks","blocks.title.en","blocks.lamp"]', '1794857115', '{"id":"ent_01m7jx47hs7g8p9wfhagm776ys","businessId":"biz_demo","owner":"collection:col_01m7jx47fr7f9wjm9qxjmqh54m","locale":"en","blocks":[{"id":"title","type":"TEXT","value":{"en":"Second"}}],"statuses":[{"id":"st_01m7jx47hk7jz69xv2arhyrnz4","status":"PUBLISHED","changedBy":"USER","userId":"usr_01m7jx35r0cb1evp5n6pf2k9s5","timestamp":1794857115}],"createdAt":1794857115,"updatedAt":1794857115}', 'entry:ent_01m7jx47hs7g8p9wfhagm776ys', 'false', 'demo', '2', NULL, 'usr_01m7jx35r0cb1evp5n6pf2k9s5', NULL);

insert into webhook_deliveries (attempt_count, attempts, business_id, created_at, entity, next_attempt_at, position, status, type, webhook_id) values
('0', '[]', 'biz_demo', '1794857143', 'order:ord_01m7jx47th9fnn78cx7e0h50t6', '1794857479989', '113', 'PENDING', 'order.status_changed', 'whk_01m7jx5332050k5wddq182ykdt'),
('3', '[{"at":1794857144,"status":null,"durationMs":18,"error":"http://127.0.0.1:9999/hook: it cannot be reached","answer":null},{"at":1794857149,"status":null,"durationMs":2,"error":"http://127.0.0.1:9999/hook: it cannot be reached","answer":null},{"at":1794857179,"status":null,"durationMs":1,"error":"http://127.0.0.1:9999/hook: it cannot be reached","answer":null}]', 'biz_demo', '1794857143', 'order:ord_01m7jx47th9fnn78cx7e0h50t6', '1794857479989', '112', 'PENDING', 'order.updated', 'whk_01m7jx5332050k5wddq182ykdt');

insert into webhook_queues (business_id, due_at, failing_since, lease, leased_until, wakes, webhook_id) values
('biz_demo', '1794857479989', '1794857144093', NULL, '0', '1', 'whk_01m7jx5332050k5wddq182ykdt');

insert into webhooks (business_id, created_at, description, disabled_reason, enabled, events, former_secret, former_until, id, payload_version, secret, updated_at, url, version) values
('biz_demo', '1794857143', '', NULL, 'true', '{order.*}', 'v1.HMJTWWylPGDv030ywTm2DdEins3ZPr9xOd5k_FeOk9FvjY1osaFzELPlVWRjh63VMirM6qgFIuxQid_Kd8s7JmlQ', '1794943543', 'whk_01m7jx5332050k5wddq182ykdt', '1', 'v1.wzT5TYEgeUNms0IlxyxQDOejdvSQpnkc-BPC190KQE51BbMlpn0v8yZWnvIaD7DzpF_CxN-hkNkMaYHjYlw3a-yW', '1794857143', 'http://127.0.0.1:9999/hook', '2');

alter table api_keys add constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table identities add constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table import_errors add constraint import_errors_business_id_import_id_fkey FOREIGN KEY (business_id, import_id) REFERENCES imports(business_id, id) ON DELETE CASCADE;
alter table import_pictures add constraint import_pictures_business_id_import_id_fkey FOREIGN KEY (business_id, import_id) REFERENCES imports(business_id, id) ON DELETE CASCADE;
alter table media_references add constraint media_references_business_id_media_id_fkey FOREIGN KEY (business_id, media_id) REFERENCES media(business_id, id) ON DELETE CASCADE;
alter table members add constraint members_business_id_role_id_fkey FOREIGN KEY (business_id, role_id) REFERENCES roles(business_id, id) ON DELETE CASCADE;
alter table members add constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table phone_codes add constraint phone_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table product_prices add constraint product_prices_business_id_product_id_fkey FOREIGN KEY (business_id, product_id) REFERENCES products(business_id, id) ON DELETE CASCADE;
alter table product_search add constraint product_search_business_id_product_id_fkey FOREIGN KEY (business_id, product_id) REFERENCES products(business_id, id) ON DELETE CASCADE;
alter table registrations add constraint registrations_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
alter table stock add constraint stock_business_id_product_id_fkey FOREIGN KEY (business_id, product_id) REFERENCES products(business_id, id) ON DELETE CASCADE;
alter table subscriptions add constraint subscriptions_business_id_collection_id_fkey FOREIGN KEY (business_id, collection_id) REFERENCES collections(business_id, id) ON DELETE CASCADE;
alter table webhook_deliveries add constraint webhook_deliveries_business_id_webhook_id_fkey FOREIGN KEY (business_id, webhook_id) REFERENCES webhooks(business_id, id) ON DELETE CASCADE;
alter table webhook_queues add constraint webhook_queues_business_id_webhook_id_fkey FOREIGN KEY (business_id, webhook_id) REFERENCES webhooks(business_id, id) ON DELETE CASCADE;
