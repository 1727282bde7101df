import type { Pool } from '../../src/db/pool.ts';
import { withoutTimeouts } from './without-timeouts.ts';

/** Copies the business's first order `count` times, for 1,000 customers and all statuses, and advances the counter. */
export async function seedOrders(pool: Pool, businessId: string, count: number): Promise<void> {
  await withoutTimeouts(pool, async (connection) => {
    // Update the counter first, because orders in progress wait for it.
    await connection`
    with counter as (
      update order_counters set last = last + ${count} where business_id = ${businessId} returning last - ${count} as last
    )
    insert into orders (business_id, id, number, status, payment_status, customer_id, customer_email, holds, paid, refunded,
      doc, doc_bytes, total, market, currency, paid_at, country, is_abandoned, bought, version, created_at, updated_at)
    select o.business_id, 'ord_' || lpad(i::text, 26, '0'), c.last + i,
      (array['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED'])[1 + i % 4], 'PAID', 'usr_' || i % 1000, null, true,
      o.paid, 0, o.doc, o.doc_bytes, o.total, o.market, o.currency, o.paid_at, o.country, o.is_abandoned, o.bought, 1, o.created_at - ${count}::int + i, o.created_at - ${count}::int + i
    from (select * from orders where business_id = ${businessId} order by number limit 1) o
    cross join counter c
    cross join generate_series(1, ${count}::int) i`;
    await connection`vacuum analyze orders`;
  });
}
