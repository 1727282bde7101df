/** Carts that customers have not ordered yet. */
import type { ListedCart } from '@souk/client';
import { DataList, pageSize } from '../../../parts/list/data-list.tsx';
import { PageFrame } from '../../../parts/page.tsx';
import { EmptyState } from '../../../parts/placeholders.tsx';
import { Money } from '../../../parts/show.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { ageText, Customer, itemsText } from './list-parts.tsx';

export default function OpenCarts() {
  return (
    <PageFrame title={t('orders.carts')} back="/orders/abandoned">
      <p class="quiet">{t('orders.cartsText')}</p>
      <DataList<ListedCart>
        name="carts"
        label={t('orders.carts')}
        load={(_query, cursor, signal) => souk.carts.list({ limit: pageSize(cursor) }, { signal }).page(cursor)}
        rowName={({ name, email }) => name ?? email ?? t('orders.guest')}
        columns={[
          { head: t('orders.customer'), cell: (row) => <Customer row={row} /> },
          { head: t('orders.items'), cell: ({ items }) => itemsText(items) },
          { head: t('orders.cartChanged'), cell: ({ updatedAt }) => ageText(updatedAt), isWide: true },
          { head: t('orders.cartReminder'), cell: reminderText, isWide: true },
          {
            head: t('orders.subtotal'),
            cell: ({ subtotal, currency }) => currency && <Money amount={subtotal} currency={currency} />,
            isNumber: true,
          },
        ]}
        empty={<EmptyState title={t('orders.noCarts')} text={t('orders.noCartsText')} />}
      />
    </PageFrame>
  );
}

const reminderText = ({ remindedAt, reminderAt }: ListedCart) =>
  remindedAt ? t('orders.reminderSent') : reminderAt ? t('orders.reminderScheduled') : t('orders.reminderNone');
