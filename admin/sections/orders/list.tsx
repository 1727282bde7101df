import type { ListOrdersQuery, Order } from '@souk/client';
import { DataList, pageSize, rowsOf } from '../../parts/list/data-list.tsx';
import { prefetch } from '../../parts/load.ts';
import { PageFrame } from '../../parts/page.tsx';
import { EmptyState } from '../../parts/placeholders.tsx';
import { DateTime, Money, StatusBadge, statusOf, statusText } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { business, can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export const STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED'] as const;
const PAYMENT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'PARTIALLY_REFUNDED', 'REFUNDED'] as const;
const FULFILLMENTS = ['UNFULFILLED', 'PARTIAL', 'FULFILLED'] as const;
const DAY_SECONDS = 86_400;

const since = (days: string | undefined) =>
  days ? { createdFrom: Math.floor(Date.now() / 1000) - Number(days) * DAY_SECONDS } : {};

/** The fields of an order that a row shows. */
const toRow = ({ id, number, email, statuses, paymentStatus, fulfillment, createdAt, total, currency }: Order) => ({
  id,
  number,
  email,
  createdAt,
  total,
  currency,
  status: fulfillment === 'PARTIAL' && statusOf(statuses) === 'PROCESSING' ? fulfillment : statusOf(statuses),
  payment: statusOf(paymentStatus),
});

export default function OrderList() {
  const newOrder = can('ORDER_WRITE') && (
    <a class="button" href={href('/orders/new')}>
      {t('orders.new')}
    </a>
  );
  const actions = (
    <>
      {business.value?.configs.bankTransfer && (
        <a class="button quiet" href={href('/orders/bank-statements')}>
          {t('bank.title')}
        </a>
      )}
      {newOrder}
    </>
  );
  return (
    <PageFrame title={t('orders.title')} actions={actions}>
      <DataList<ReturnType<typeof toRow>>
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
            name: 'fulfillment',
            label: t('orders.fulfillment'),
            options: FULFILLMENTS.map((each) => [each, statusText(each)]),
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
        load={async ({ q, status, payment, fulfillment, since: days }, cursor, signal) => {
          const filters = { status, paymentStatus: payment, fulfillment, query: q, ...since(days) } as ListOrdersQuery;
          const list = souk.orders.list({ limit: pageSize(cursor), ...filters }, { signal });
          return rowsOf(await list.page(cursor), toRow);
        }}
        rowHref={({ id }) => href(`/orders/${id}`)}
        rowName={({ number }) => `#${number}`}
        onHover={({ id }) => prefetch(`order ${id}`, (signal) => souk.orders.get(id, { signal }))}
        columns={[
          { head: t('orders.number'), cell: ({ number }) => `#${number}` },
          { head: t('orders.customer'), cell: ({ email }) => email ?? t('orders.guest'), isWide: true },
          { head: t('orders.status'), cell: ({ status }) => <StatusBadge status={status} /> },
          {
            head: t('orders.payment'),
            cell: ({ payment }) => <StatusBadge status={payment} />,
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
