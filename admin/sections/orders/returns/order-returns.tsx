import type { Order, Return } from '@souk/client';
import { useLoad } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { DateTime, StatusBadge } from '../../../parts/show.tsx';
import { href } from '../../../shell/router.ts';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

/** `2 × Mug, 1 × Cup`. */
export const returnedItems = ({ lines }: Return) =>
  lines.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ');

/** The returns of an order, and the order that an exchange came from. */
export function OrderReturns({ order }: { order: Order }) {
  const { data = [] } = useLoad<Return[]>(
    `returns of ${order.id} ${order.updatedAt}`,
    async (signal) => (await souk.orders.listReturns({ orderId: order.id, limit: 100 }, { signal }).page()).items,
  );
  const { exchange } = order;
  if (data.length === 0 && !exchange) return null;
  return (
    <Section title={t('returns.title')}>
      <ul class="shipments">
        {exchange && (
          <li>
            <a href={href(`/orders/returns/${exchange.returnId}`)}>{t('returns.EXCHANGE')}</a>
          </li>
        )}
        {data.map((each) => (
          <li key={each.id}>
            <a href={href(`/orders/returns/${each.id}`)}>{t(`returns.${each.type}`)}</a>{' '}
            <StatusBadge status={each.status} />
            <br />
            {returnedItems(each)}
            <br />
            <small>
              <DateTime at={each.createdAt} />
            </small>
          </li>
        ))}
      </ul>
    </Section>
  );
}
