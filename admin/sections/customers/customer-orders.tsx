import { useLoad } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { DateOnly, Money, StatusBadge, statusOf } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

const SHOWN = 10;

/** The newest orders of the account or, without one, of the email address. */
export function CustomerOrders({ userId, email }: { userId: string | null; email: string }) {
  const { data, error, reload } = useLoad(`customer-orders ${userId ?? email}`, async (signal) => {
    const query = userId ? { customerId: userId } : { query: email };
    const { items, cursor } = await souk.orders.list({ ...query, limit: SHOWN }, { signal }).page();
    // The search matches the start of the address.
    const own = userId ? items : items.filter((order) => order.email?.toLowerCase() === email.toLowerCase());
    return { own, hasMore: cursor !== null };
  });
  return (
    <Section title={t('customers.orders')}>
      <Problem error={error} retry={reload} />
      {!data && !error && <SkeletonRows count={2} />}
      {data?.own.length === 0 && <p class="quiet">{t('customers.noOrders')}</p>}
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
      {data?.hasMore && email && (
        <a href={href(`/orders?q=${encodeURIComponent(email)}`)}>{t('customers.allOrders')}</a>
      )}
    </Section>
  );
}
