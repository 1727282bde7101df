import type { ListReturnsQuery, Return } from '@souk/client';
import { DataList, pageSize, rowsOf } from '../../../parts/list/data-list.tsx';
import { PageFrame } from '../../../parts/page.tsx';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { DateTime, StatusBadge, statusText } from '../../../parts/show.tsx';
import { href } from '../../../shell/router.ts';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { returnedItems } from './order-returns.tsx';

const STATUSES = ['REQUESTED', 'APPROVED', 'RECEIVED', 'CLOSED', 'REJECTED'] as const;
const TYPES = ['RETURN', 'WITHDRAWAL', 'EXCHANGE'] as const;

const toRow = (each: Return) => ({
  id: each.id,
  number: each.orderNumber,
  type: each.type,
  status: each.status,
  items: returnedItems(each),
  createdAt: each.createdAt,
});

/** The returns of all orders, newest first. */
export default function ReturnList() {
  return (
    <PageFrame title={t('returns.title')} back="/orders">
      <DataList<ReturnType<typeof toRow>>
        name="returns"
        label={t('returns.title')}
        filters={[
          { name: 'status', label: t('orders.status'), options: STATUSES.map((each) => [each, statusText(each)]) },
          { name: 'type', label: t('returns.type'), options: TYPES.map((each) => [each, t(`returns.${each}`)]) },
        ]}
        load={async ({ status, type }, cursor, signal) => {
          const filters = { status, type } as ListReturnsQuery;
          const list = souk.orders.listReturns({ limit: pageSize(cursor), ...filters }, { signal });
          return rowsOf(await list.page(cursor), toRow);
        }}
        rowHref={({ id }) => href(`/orders/returns/${id}`)}
        rowName={({ number }) => `#${number}`}
        columns={[
          {
            head: t('returns.order'),
            cell: ({ number, items }) => (
              <>
                #{number}
                <small>{items}</small>
              </>
            ),
          },
          { head: t('returns.type'), cell: ({ type }) => t(`returns.${type}`) },
          { head: t('orders.status'), cell: ({ status }) => <StatusBadge status={status} /> },
          { head: t('returns.date'), cell: ({ createdAt }) => <DateTime at={createdAt} />, isWide: true },
        ]}
        empty={<EmptyState title={t('returns.emptyTitle')} text={t('returns.emptyText')} />}
      />
    </PageFrame>
  );
}
