import type { Customer, ListOrdersQuery, Order } from '@souk/client';
import { isoOptions } from '../../../parts/form/iso.ts';
import { DataList, pageSize, rowsOf } from '../../../parts/list/data-list.tsx';
import { prefetch } from '../../../parts/load.ts';
import { PageFrame } from '../../../parts/page.tsx';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { DateTime, Money, StatusBadge, statusOf, statusText } from '../../../parts/show.tsx';
import { query as address, href } from '../../../shell/router.ts';
import { business, can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { buyerName, useCustomer } from '../data.ts';
import { useOrderTags, useStaff } from '../staff.ts';
import { OrderBulk } from './bulk.tsx';
import { since } from './since.ts';

export const STATUSES = ['PENDING', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED'] as const;
const PAYMENT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'PARTIALLY_REFUNDED', 'REFUNDED'] as const;
const FULFILLMENTS = ['UNFULFILLED', 'PARTIAL', 'FULFILLED'] as const;

/** The fields of an order that a row shows. */
const toRow = ({ id, number, statuses, paymentStatus, fulfillment, ...order }: Order) => ({
  id,
  number,
  customer: buyerName(order),
  createdAt: order.createdAt,
  total: order.total,
  currency: order.currency,
  status: fulfillment === 'PARTIAL' && statusOf(statuses) === 'PROCESSING' ? fulfillment : statusOf(statuses),
  payment: statusOf(paymentStatus),
});

export default function OrderList() {
  const tags = useOrderTags();
  const staff = useStaff();
  // Set by links from a customer's page.
  const customerId = address.value.get('customer');
  const customer = useCustomer(customerId ?? undefined);
  const newOrder = can('ORDER_WRITE') && (
    <a class="button" href={href('/orders/new')}>
      {t('orders.new')}
    </a>
  );
  const more = (
    <>
      {can('ORDER_READ') && (
        <a class="button quiet" href={href('/orders/abandoned')}>
          {t('orders.abandoned')}
        </a>
      )}
      {can('ORDER_WRITE') && (
        <a class="button quiet" href={href('/imports?type=orders')}>
          {t('imports.title')}
        </a>
      )}
      <a class="button quiet" href={href('/orders/returns')}>
        {t('returns.title')}
      </a>
      {business.value?.configs.bankTransfer && (
        <a class="button quiet" href={href('/orders/bank-statements')}>
          {t('bank.title')}
        </a>
      )}
    </>
  );
  return (
    <PageFrame title={t('orders.title')} actions={newOrder} more={more}>
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
          { name: 'tag', label: t('orders.tag'), options: tags.map((tag) => [tag, tag]), isMore: true },
          {
            name: 'assignee',
            label: t('orders.assignee'),
            options: staff.map(({ id, name }) => [id, name]),
            isMore: true,
          },
          ...(customerId
            ? [{ name: 'customer', label: t('orders.customer'), options: [[customerId, nameOf(customer)]] as const }]
            : []),
          { name: 'country', label: t('orders.country'), options: isoOptions('region'), isMore: true },
        ]}
        load={async ({ q, status, payment, since: days, customer: customerId, ...others }, cursor, signal) => {
          // Abandoned checkouts have their own page. A search or a filter by status finds them here too.
          const hidden = q || status || payment ? {} : { abandoned: false };
          const filters = {
            ...hidden,
            ...others,
            customerId,
            status,
            paymentStatus: payment,
            query: q,
            ...since(days),
          } as ListOrdersQuery;
          const list = souk.orders.list({ limit: pageSize(cursor), ...filters }, { signal });
          return rowsOf(await list.page(cursor), toRow);
        }}
        rowHref={({ id }) => href(`/orders/${id}`)}
        rowName={({ number }) => `#${number}`}
        onHover={({ id }) => prefetch(`order ${id}`, (signal) => souk.orders.get(id, { signal }))}
        bulk={(chosen, clear) => <OrderBulk chosen={chosen} clear={clear} />}
        columns={[
          { head: t('orders.number'), cell: ({ number }) => `#${number}` },
          { head: t('orders.customer'), cell: ({ customer }) => customer, isWide: true, isLong: true },
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

const nameOf = (customer: Customer | null) => customer?.name || customer?.email || t('orders.guest');
