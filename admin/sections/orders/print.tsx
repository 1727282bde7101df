/** Printable documents. They look the same on screen and print without the rest of the page. */
import type { Order } from '@souk/client';
import type { ComponentChildren } from 'preact';
import { blockText } from '../../parts/blocks/value.tsx';
import { isoName } from '../../parts/form/iso.ts';
import { PageFrame } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { date } from '../../parts/show.tsx';
import { business } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { configs, type Products, useCustomer, useOrder, useProducts } from './data.ts';

type Props = { id: string; title: string; body: (order: Order, products: Products) => ComponentChildren };

export function PrintPage({ id, title, body }: Props) {
  const { data: order, error, reload } = useOrder(id);
  const products = useProducts(order);
  return (
    <PageFrame
      title={order ? `${title} #${order.number}` : title}
      back={`/orders/${id}`}
      actions={
        <button type="button" onClick={() => print()}>
          {t('orders.print')}
        </button>
      }
    >
      <Problem error={error} retry={reload} />
      {!order && !error && <SkeletonRows />}
      {order && (
        <article class="paper">
          <PaperHead order={order} title={title} />
          {body(order, products)}
        </article>
      )}
    </PageFrame>
  );
}

function PaperHead({ order, title }: { order: Order; title: string }) {
  const customer = useCustomer(order);
  const { profile } = configs();
  const address = profile?.address ?? {};
  const to = [customer?.name, ...order.blocks.map(({ value }) => blockText(value)), order.email].filter(Boolean);
  return (
    <header>
      <div>
        <strong>{profile?.legalName || business.value?.name}</strong>
        <br />
        {[
          address.street,
          [address.zip, address.city].filter(Boolean).join(' '),
          address.state,
          isoName('region', address.country ?? ''),
        ]
          .filter(Boolean)
          .map((line) => (
            <span key={line}>
              {line}
              <br />
            </span>
          ))}
        {profile?.taxId && `${t('orders.taxId')}: ${profile.taxId}`}
      </div>
      <div class="paper-title">
        <strong>{title}</strong>
        <br />
        {t('orders.numberOf', { number: order.number })}
        <br />
        {date(order.createdAt)}
      </div>
      <div class="paper-to">
        <small>{t('orders.billTo')}</small>
        {to.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </div>
    </header>
  );
}
