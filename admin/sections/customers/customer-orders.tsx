import { useLoad } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { DateOnly, Money, StatusBadge, statusOf } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

const SHOWN = 10;

/** The newest orders of a customer, and what they spent. */
export function CustomerOrders({ id }: { id: string }) {
  const { data, error, reload } = useLoad(`customer-orders ${id}`, async (signal) => {
    const [orders, spend] = await Promise.all([
      souk.orders.list({ customerId: id, limit: SHOWN }, { signal }).page(),
      souk.customers.getSpend(id, { signal }).page(),
    ]);
    return { own: orders.items, hasMore: orders.cursor !== null, spend: spend.items };
  });
  return (
    <Section title={t('customers.orders')}>
      <Problem error={error} retry={reload} />
      {!data && !error && <SkeletonRows count={2} />}
      {data?.own.length === 0 && <p class="quiet">{t('customers.noOrders')}</p>}
      {data && data.spend.length > 0 && (
        <dl class="facts">
          {data.spend.map(({ currency, spend, orders }) => (
            <div key={currency}>
              <dt>{t('customers.spent', { count: orders })}</dt>
              <dd>
                <Money amount={spend} currency={currency} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <ul class="entries">
        {data?.own.map((order) => (
          <li key={order.id}>
            <a href={href(`/orders/${order.id}`)}>{`#${order.number}`}</a>
            <StatusBadge status={statusOf(order.statuses)} />
            <span class="small quiet">
              <DateOnly at={order.createdAt} />
            </span>
            <Money amount={order.total} currency={order.currency} />
          </li>
        ))}
      </ul>
      {data?.hasMore && <a href={href(`/orders?customer=${id}`)}>{t('customers.allOrders')}</a>}
    </Section>
  );
}
