import type { Order } from '@souk/client';
import { useState } from 'preact/hooks';
import { BlockValue, blockText } from '../../../parts/blocks/value.tsx';
import { forget, useLoad } from '../../../parts/load.ts';
import { imageOf } from '../../../parts/media/thumb.tsx';
import { PageFrame, Section } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { DateTime, Money, money, StatusBadge, statusOf } from '../../../parts/show.tsx';
import { useEvents } from '../../../shell/events.ts';
import { href } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t, tOr } from '../../../text/index.ts';
import { BankTransferCard } from '../bank/bank-transfer.tsx';
import { buyerName, lineText, marketName, shippingName, useCustomer, useOrder, useProducts } from '../data.ts';
import { EditFields } from '../edit-fields.tsx';
import { OrderReturns } from '../returns/order-returns.tsx';
import { Totals } from '../totals.tsx';
import { TrackingLink } from '../tracking.tsx';
import { OrderActions } from './actions.tsx';
import { OrderAddresses } from './addresses.tsx';
import { Assignment } from './assignment.tsx';
import { Documents, useDocuments } from './documents.tsx';
import { Notes } from './notes.tsx';
import { ResendDialog } from './resend.tsx';
import { Shipments } from './shipments.tsx';
import { Timeline } from './timeline.tsx';

export default function OrderPage({ id }: { id: string }) {
  const { data: order, error, reload, set } = useOrder(id);
  useEvents('order.', ({ entity }) => entity === `order:${id}` && reload());
  useEvents('return.', ({ entity }) => entity === `order:${id}` && reload());
  const done = (changed: Order) => {
    set(changed);
    forget('list orders');
    forget('home');
  };
  return (
    <PageFrame
      title={order ? t('orders.numberOf', { number: order.number }) : t('orders.number')}
      back="/orders"
      aside={
        order && (
          <>
            <StatusBadge status={statusOf(order.statuses)} />
            <span class="small">
              {t('orders.payment')}: <StatusBadge status={statusOf(order.paymentStatus)} />
            </span>
            <StatusBadge status={order.fulfillment} />
          </>
        )
      }
      actions={order && can('ORDER_WRITE') && <OrderActions order={order} done={done} />}
    >
      <Problem error={error} retry={reload} />
      {!order && !error && <SkeletonRows />}
      {order && (
        <div class="columns">
          <div>
            <Lines order={order} />
            <Shipments order={order} done={done} />
            <OrderReturns order={order} />
            <Notes order={order} done={done} />
            <Timeline order={order} />
          </div>
          <div>
            <Section title={t('orders.summary')}>
              <Totals order={order} refunded={order.refunded} />
            </Section>
            <BankTransferCard order={order} />
            <Documents order={order} />
            <Assignment order={order} done={done} />
            <CustomerCard order={order} done={done} />
            <OrderAddresses order={order} done={done} />
            <Details order={order} />
            <Entries order={order} />
          </div>
        </div>
      )}
    </PageFrame>
  );
}

function Lines({ order }: { order: Order }) {
  const products = useProducts(order);
  const documents = useDocuments(order);
  return (
    <Section
      title={t('orders.items')}
      actions={
        <div class="actions">
          <a href={href(`/orders/${order.id}/packing-slip`)}>{t('orders.packingSlip')}</a>
          {documents.length === 0 && <a href={href(`/orders/${order.id}/invoice`)}>{t('orders.invoice')}</a>}
        </div>
      }
    >
      <ul class="order-lines">
        {order.lines.map((line, i) => {
          const { name, variant, sku } = lineText(products, line);
          const product = products.get(line.productId);
          return (
            <li key={`${line.variantId} ${i}`}>
              <img src={imageOf(product?.gallery ?? [])} alt="" width="48" height="48" />
              <div>
                {product && can('CATALOG_WRITE') ? <a href={href(`/products/${product.id}`)}>{name}</a> : name}
                <small>{[variant, sku].filter(Boolean).join(' · ')}</small>
                <SoldOut order={order} lineId={line.id} />
              </div>
              <span class="quiet">
                {line.quantity} × {money(line.unitPrice, order.currency)}
              </span>
              <Money amount={line.totalPrice} currency={order.currency} />
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** Items that a refund returned to stock and that were sold again before the refund failed. */
function SoldOut({ order, lineId }: { order: Order; lineId: string }) {
  const quantity = order.unstocked?.find((line) => line.lineId === lineId)?.quantity;
  return quantity ? <small class="warning">{t('orders.soldOut', { quantity })}</small> : null;
}

function CustomerCard({ order, done }: { order: Order; done: (order: Order) => void }) {
  const customer = useCustomer(order.customerId);
  const name = customer?.name || buyerName({ ...order, email: customer?.email ?? null });
  const [open, setOpen] = useState<'fields' | 'resend' | null>(null);
  const close = () => setOpen(null);
  return (
    <Section title={t('orders.customer')}>
      <p>
        {customer ? <a href={href(`/customers/${customer.id}`)}>{name}</a> : name}
        {order.email && order.email !== name && (
          <>
            <br />
            <a href={`mailto:${order.email}`}>{order.email}</a>
          </>
        )}
      </p>
      {!order.email && <p class="quiet">{t('orders.noEmail')}</p>}
      {order.vatCheck === 'UNCHECKED' && <p class="quiet">{t('orders.vatUnchecked')}</p>}
      {order.blocks.map((block) => (
        <p key={block.id}>
          <small class="quiet">{block.label ?? tOr(`orders.${block.id}`, block.id)}</small>
          <br />
          <BlockValue block={block} />
        </p>
      ))}
      {can('ORDER_WRITE') && (
        <div class="actions">
          <button type="button" class="quiet" onClick={() => setOpen('fields')}>
            {t('orders.editFields')}
          </button>
          {order.email && (
            <button type="button" class="quiet" onClick={() => setOpen('resend')}>
              {t('orders.resend')}
            </button>
          )}
        </div>
      )}
      {open === 'fields' && <EditFields order={order} done={done} close={close} />}
      {open === 'resend' && <ResendDialog order={order} close={close} />}
    </Section>
  );
}

function Details({ order }: { order: Order }) {
  const { tracking } = order;
  const payment: Record<string, string> = {
    CASH: t('orders.payCash'),
    BANK_TRANSFER: t('orders.payBank'),
    FREE: t('orders.payFree'),
  };
  return (
    <Section title={t('orders.details')}>
      <dl class="facts">
        <div>
          <dt>{t('orders.date')}</dt>
          <dd>
            <DateTime at={order.createdAt} />
          </dd>
        </div>
        {order.source && (
          <div>
            <dt>{t('orders.source')}</dt>
            <dd>
              {order.source.system} {order.source.number}
            </dd>
          </div>
        )}
        <div>
          <dt>{t('orders.market')}</dt>
          <dd>{marketName(order.market)}</dd>
        </div>
        {order.shippingMethodId && (
          <div>
            <dt>{t('orders.shippingMethod')}</dt>
            <dd>{shippingName(order.shippingMethodId)}</dd>
          </div>
        )}
        {order.paymentMethod && (
          <div>
            <dt>{t('orders.paymentMethod')}</dt>
            <dd>{payment[order.paymentMethod] ?? t('orders.payCard')}</dd>
          </div>
        )}
        {tracking && order.shipments.length === 0 && (
          <div>
            <dt>{t('orders.tracking')}</dt>
            <dd>
              <TrackingLink tracking={tracking} />
            </dd>
          </div>
        )}
      </dl>
    </Section>
  );
}

/** Content entries of this order, such as team notes. */
function Entries({ order }: { order: Order }) {
  const { data = [] } = useLoad(`entries of ${order.id}`, async (signal) => {
    const { items } = await souk.entries.list({ owner: `order:${order.id}`, limit: 20 }, { signal }).page();
    return items;
  });
  if (data.length === 0) return null;
  return (
    <Section title={t('orders.entries')}>
      {data.map(({ id, blocks, createdAt }) => (
        <p key={id}>
          {blocks.map(({ value }) => blockText(value)).join(' – ')}
          <br />
          <small class="quiet">
            <DateTime at={createdAt} />
          </small>
        </p>
      ))}
    </Section>
  );
}
