/** Fills the database with businesses that are copies of the demo shop, with an uneven distribution of orders. */
import type { Reserved } from '../../src/db/pool.ts';

/** One business has this share of all orders. The others share the rest unevenly. */
const LARGEST_SHARE = 0.3;
const DEMO_DAYS = 90;
const NOW = 'extract(epoch from now())::bigint';

/** Tables that are copied whole for every business. IDs are unique only within a business. */
const PER_BUSINESS = [
  ...['products', 'stock', 'product_prices', 'product_search', 'product_facets', 'product_words', 'categories'],
  ...['collections', 'entries', 'entry_values', 'media', 'media_references', 'promo_codes', 'price_history'],
  ...['roles', 'members', 'subscriptions', 'sends', 'deliveries', 'delivery_batches', 'segments', 'automations'],
];
/** Tables with rows of an order, and the column with its ID. */
const PER_ORDER = { payments: 'reference', documents: 'order_id', refunds: 'reference', stock_ledger: 'reference' };

export type Size = { businesses: number; days: number; orders: number };

async function columnsOf(connection: Reserved, table: string): Promise<string[]> {
  const rows = await connection<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''
    order by attnum`;
  return rows.map(({ name }) => name);
}

/** Copies rows of the demo. `replaced` maps columns to new values, and can contain columns that the table lacks. */
async function copyRows(
  connection: Reserved,
  table: string,
  from: string,
  replaced: Record<string, string>,
): Promise<void> {
  const columns = await columnsOf(connection, table);
  const values = columns.map((column) => replaced[column] ?? `t.${column}`);
  await connection.client.query(`insert into ${table} (${columns.join()}) select ${values.join()} from ${from}`);
}

export async function loadBusinesses(
  connection: Reserved,
  demo: string,
  { businesses, days, orders }: Size,
): Promise<void> {
  const [{ count }] = await connection<[{ count: number }]>`select count(*) from orders where business_id = ${demo}`;
  // A business with more orders than the demo gets several copies of them.
  await connection.client.query(`
set synchronous_commit = off;
create temp table demo_orders as
  select row_number() over (order by number) as rank, o.id as order_id, o.created_at from orders o where business_id = '${demo}';
create temp table targets as
  with shares as (
    select 1 as i, ${LARGEST_SHARE} as share
    union all
    select i, power(i, -0.7) / sum(power(i, -0.7)) over () * ${1 - LARGEST_SHARE} from generate_series(2, ${businesses}) i
  ), copied as (
    select i, share * ${orders} as orders, ceil(share * ${orders} / ${count})::int as times from shares
  )
  select 'biz_' || lpad(i::text, 26, '0') as id, i, ceil(orders / times)::int as orders, times from copied;
analyze targets;
insert into businesses (id, name, slug, configs, version, created_at, updated_at)
  select b.id, 'Shop ' || b.i, 'shop-' || b.i, configs, 1, created_at, updated_at
  from targets b cross join (select * from businesses where id = '${demo}') t;`);
  const [demoOnly, spread] = [`t.business_id = '${demo}'`, days / DEMO_DAYS];
  /** Spreads the demo's 90 days of orders over all days. */
  const time = (column: string) => `(${NOW} - (${NOW} - t.${column}) * ${spread})::bigint`;
  for (const table of PER_BUSINESS) {
    await copyRows(connection, table, `${table} t cross join targets b where ${demoOnly}`, {
      business_id: 'b.id',
      doc: "t.doc || jsonb_build_object('businessId', b.id)",
    });
  }
  const repeated = (key: string) => `t.${key} || case when n = 1 then '' else '-' || n end`;
  const ofOrders = `targets b cross join generate_series(1, b.times) n join demo_orders d on d.rank <= b.orders`;
  await copyRows(connection, 'orders', `${ofOrders} join orders t on ${demoOnly} and t.id = d.order_id`, {
    business_id: 'b.id',
    id: repeated('id'),
    number: '(n - 1) * b.orders + d.rank',
    created_at: `${time('created_at')} - n`,
    updated_at: time('updated_at'),
    doc: `t.doc || jsonb_build_object('businessId', b.id, 'id', ${repeated('id')}, 'paymentStatus', (select jsonb_agg(s || jsonb_build_object('timestamp',
      (${NOW} - (${NOW} - (s->>'timestamp')::bigint) * ${spread})::bigint)) from jsonb_array_elements(t.doc->'paymentStatus') s))`,
  });
  await connection.client.query(
    `insert into order_counters (business_id, last) select id, orders * times from targets`,
  );
  for (const [table, key] of Object.entries(PER_ORDER)) {
    await copyRows(connection, table, `${ofOrders} join ${table} t on ${demoOnly} and t.${key} = d.order_id`, {
      business_id: 'b.id',
      id: repeated('id'),
      [key]: repeated(key),
      ...(table === 'documents'
        ? { sequence: `(n - 1) * ${count * 2} + t.sequence`, refund_id: repeated('refund_id') }
        : {}),
    });
  }
  // Two events per order of the last 95 days, so that the sweep has five days to delete.
  await connection.client.query(`
insert into events (business_id, position, entity, sequence, type, actor, address, data, bytes, created_at)
  select o.business_id, row_number() over (partition by o.business_id order by o.number, e) , 'order:' || o.id, e,
    (array['order.created', 'order.payment_changed'])[e], '{"type": "SYSTEM"}', '', o.doc, o.doc_bytes, o.created_at
  from orders o cross join generate_series(1, 2) e where o.created_at > ${NOW} - 95 * 86400 and o.business_id <> '${demo}';
insert into event_heads (business_id, position) select business_id, max(position) from events where business_id <> '${demo}' group by 1
  on conflict do nothing;`);
}
