import type { Pool } from '../../src/db/pool.ts';
import { withoutTimeouts } from './without-timeouts.ts';

/**
 * Fills a newsletter with `count` people: everyone has the tag `reader`, a fifth also `vip`, and one in twelve the plan `club`. They joined
 * in the last three years. Three in ten are customers with two orders in two years, half of them from the category Coffee.
 */
export async function seedAudience(pool: Pool, businessId: string, collectionId: string, count: number): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const email = "'u' || left(md5(n::text), 12) || n || '@example.com'";
  await withoutTimeouts(pool, async (connection) => {
    await connection.text(
      `insert into subscriptions
        (business_id, id, collection_id, email, email_key, name, plan_id, status, tags, created_at, updated_at)
      select $1, 'sub_' || $2 || lpad(n::text, 8, '0'), $2, ${email}, ${email}, 'User ' || n,
        case when n % 12 = 0 then 'club' else 'free' end, 'ACTIVE',
        case when n % 5 = 0 then '{reader,vip}'::text[] else '{reader}' end, $4 - n::bigint * 94608000 / $3, 1
      from generate_series(1, $3::int) n`,
      [businessId, collectionId, count, now],
    );
    await connection.text(
      `insert into customers (business_id, id, email, email_key, addresses, created_at, updated_at)
      select $1, 'cust_' || $2 || n, ${email}, ${email}, '[{"country": "DE"}]', 1, 1
      from generate_series(1, $3::int) n where n % 10 < 3`,
      [businessId, collectionId, count],
    );
    await connection.text(
      `insert into products (business_id, id, slug, status, category, name_key, doc, created_at)
      select $1, 'prod_audience' || n, 'audience-' || n, 'PUBLISHED', case when n % 2 = 0 then 'Coffee' else 'Tea' end, 'p' || n, '{}', 1
      from generate_series(1, 200) n on conflict do nothing`,
      [businessId],
    );
    await connection.text(
      `with counter as (
        update order_counters set last = last + 2 * $3::int where business_id = $1 returning last - 2 * $3::int as last
      )
      insert into orders (business_id, id, number, status, payment_status, customer_id, customer_email, holds, paid,
        doc, doc_bytes, total, market, currency, is_abandoned, bought, created_at, updated_at)
      select $1, 'ord_' || $2 || n || '_' || i, coalesce((select last from counter), 0) + 2 * n + i - 1, 'DELIVERED', 'PAID', 'usr_' || n, ${email}, true, 900,
        jsonb_build_object('total', 900, 'market', 'us', 'currency', 'usd', 'statuses', '[]'::jsonb, 'paymentStatus', '[]'::jsonb, 'lines',
          jsonb_build_array(jsonb_build_object('productId', 'prod_audience' || 1 + (n * 7 + i) % 200, 'quantity', 1, 'totalPrice', 900))),
        300, 900, 'us', 'usd', false, jsonb_build_array('prod_audience' || 1 + (n * 7 + i) % 200), $4 - (n::bigint * 7919 + i * 104729) % 63072000, 1
      from generate_series(1, $3::int) n, generate_series(1, 2) i where n % 10 < 3`,
      [businessId, collectionId, count, now],
    );
    await connection`vacuum analyze subscriptions, customers, orders, products`;
  });
}
