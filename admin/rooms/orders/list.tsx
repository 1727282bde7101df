import type { ListOrdersQuery, Order } from '@souk/client';
import { DataList, EmptyState, pageSize } from '../../parts/data-list.tsx';
import { prefetch } from '../../parts/load.ts';
import { PageFrame } from '../../parts/page.tsx';
import { DateTime, Money, StatusBadge, statusOf, statusText } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export const STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED'] as const;
const PAYMENT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'PARTIALLY_REFUNDED', 'REFUNDED'] as const;
const DAY_SECONDS = 86_400;

const since = (days: string | undefined) =>
  days ? { createdFrom: Math.floor(Date.now() / 1000) - Number(days) * DAY_SECONDS } : {};

export default function OrderList() {
  const newOrder = can('ORDER_WRITE') && (
    <a class="button" href={href('/orders/new')}>
      {t('orders.new')}
    </a>
  );
  return (
    <PageFrame title={t('orders.title')} actions={newOrder}>
      <DataList<Order>
        name="orders"
        label={t('orders.title')}
        search={t('orders.search')}
        hasViews
        filters={[
          { name: 'status', label: t('orders.status'), options: STATUSES.map((each) => [each, statusText(each)]) },
          {
            name: 'payment',
            label: t('orders.payment'),
            options: PAYMENT_STATUSES.map((each) => [each, statusText(each)]),
          },
          {
            name: 'since',
            label: t('orders.since'),
            options: [
              ['1', t('orders.today')],
              ['7', t('orders.days7')],
              ['30', t('orders.days30')],
            ],
          },
        ]}
        load={({ q, status, payment, since: days }, cursor, signal) => {
          const filters = { status, paymentStatus: payment, query: q, ...since(days) } as ListOrdersQuery;
          return souk.orders.list({ limit: pageSize(cursor), ...filters }, { signal }).page(cursor);
        }}
        rowHref={({ id }) => href(`/orders/${id}`)}
        rowName={({ number }) => `#${number}`}
        onHover={({ id }) => prefetch(`order ${id}`, (signal) => souk.orders.get(id, { signal }))}
        columns={[
          { head: t('orders.number'), cell: ({ number }) => `#${number}` },
          { head: t('orders.customer'), cell: ({ email }) => email ?? t('orders.guest'), isWide: true },
          { head: t('orders.status'), cell: ({ statuses }) => <StatusBadge status={statusOf(statuses)} /> },
          {
            head: t('orders.payment'),
            cell: ({ paymentStatus }) => <StatusBadge status={statusOf(paymentStatus)} />,
            isWide: true,
          },
          { head: t('orders.date'), cell: ({ createdAt }) => <DateTime at={createdAt} />, isWide: true },
          {
            head: t('orders.total'),
            cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
            isNumber: true,
          },
        ]}
        empty={<EmptyState title={t('orders.emptyTitle')} text={t('orders.emptyText')} action={newOrder} />}
      />
    </PageFrame>
  );
}
