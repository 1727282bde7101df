/** Orders that customers started to pay for online but never paid. */
import type { AbandonedCheckout } from '@souk/client';
import { DataList, pageSize, rowsOf } from '../../../parts/list/data-list.tsx';
import { PageFrame } from '../../../parts/page.tsx';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { Money } from '../../../parts/show.tsx';
import { href } from '../../../shell/router.ts';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { ageText, Customer, itemsText } from './list-parts.tsx';
import { since } from './since.ts';

type Row = AbandonedCheckout & { id: string };

export default function AbandonedCheckouts() {
  return (
    <PageFrame
      title={t('orders.abandoned')}
      back="/orders"
      actions={
        <a class="button quiet" href={href('/orders/carts')}>
          {t('orders.carts')}
        </a>
      }
    >
      <p class="quiet">{t('orders.abandonedText')}</p>
      <DataList<Row>
        name="abandoned"
        label={t('orders.abandoned')}
        filters={[
          {
            name: 'since',
            label: t('orders.since'),
            options: [
              ['1', t('orders.today')],
              ['7', t('orders.days7')],
              ['30', t('orders.days30')],
              ['90', t('orders.days90')],
            ],
          },
        ]}
        load={async ({ since: days }, cursor, signal) => {
          const list = souk.orders.listAbandonedCheckouts({ limit: pageSize(cursor), ...since(days) }, { signal });
          return rowsOf(await list.page(cursor), (item) => ({ ...item, id: item.orderId }));
        }}
        rowHref={({ orderId }) => href(`/orders/${orderId}`)}
        rowName={({ number }) => `#${number}`}
        columns={[
          { head: t('orders.customer'), cell: (row) => <Customer row={row} /> },
          { head: t('orders.number'), cell: ({ number }) => `#${number}`, isWide: true },
          { head: t('orders.items'), cell: ({ items }) => itemsText(items), isWide: true },
          { head: t('orders.age'), cell: ({ createdAt }) => ageText(createdAt), isWide: true },
          {
            head: t('orders.boughtLater'),
            cell: ({ boughtLater }) => (boughtLater ? `#${boughtLater.number}` : t('orders.notBought')),
            isWide: true,
          },
          {
            head: t('orders.total'),
            cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
            isNumber: true,
          },
        ]}
        empty={<EmptyState title={t('orders.noAbandoned')} text={t('orders.noAbandonedText')} />}
      />
    </PageFrame>
  );
}
