import type { Order, Shipment } from '@souk/client';
import { useState } from 'preact/hooks';
import { Confirm } from '../../../parts/dialog.tsx';
import { useAction } from '../../../parts/load.ts';
import { Section } from '../../../parts/page.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { DateTime } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { href } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { lineText, type Products, useProducts } from '../data.ts';
import { TrackingDialog, TrackingLink } from '../tracking.tsx';

type Props = { order: Order; done: (order: Order) => void };

/** The shipments of an order, oldest first. */
export function Shipments({ order, done }: Props) {
  const products = useProducts(order);
  if (order.shipments.length === 0) return null;
  return (
    <Section title={t('orders.shipments')}>
      <ol class="shipments">
        {order.shipments.map((shipment, i) => (
          <Parcel key={shipment.id} number={i + 1} order={order} done={done} shipment={shipment} products={products} />
        ))}
      </ol>
    </Section>
  );
}

/** The items in a shipment, by name. */
export const shipmentItems = (order: Order, { lines }: Shipment, products: Products) =>
  lines.flatMap(({ lineId, quantity }) => {
    const line = order.lines.find(({ id }) => id === lineId);
    return line ? [{ ...lineText(products, line), lineId, quantity }] : [];
  });

type ParcelProps = Props & { shipment: Shipment; number: number; products: Products };

function Parcel({ order, done, shipment, number, products }: ParcelProps) {
  const [open, setOpen] = useState<'tracking' | 'undo' | null>(null);
  const close = () => setOpen(null);
  const name = t('orders.shipmentOf', { number });
  const undo = useAction(async () => {
    await souk.orders.deleteShipment(order.id, shipment.id);
    done(await souk.orders.get(order.id));
    toast(t('orders.shipmentUndone'));
  });
  return (
    <li>
      <h3>{name}</h3>
      <small>
        <DateTime at={shipment.createdAt} />
        {shipment.tracking && (
          <>
            {' · '}
            <TrackingLink tracking={shipment.tracking} />
          </>
        )}
      </small>
      <ul>
        {shipmentItems(order, shipment, products).map(({ lineId, quantity, name: product, variant }) => (
          <li key={lineId}>
            {quantity} × {[product, variant].filter(Boolean).join(', ')}
          </li>
        ))}
      </ul>
      <div class="actions shipment-actions">
        <a
          href={href(`/orders/${order.id}/shipments/${shipment.id}/packing-slip`)}
          aria-label={`${t('orders.packingSlip')}: ${name}`}
        >
          {t('orders.packingSlip')}
        </a>
        {can('ORDER_WRITE') && (
          <>
            <button
              type="button"
              class="link"
              aria-label={`${t('orders.editTracking')}: ${name}`}
              onClick={() => setOpen('tracking')}
            >
              {t('orders.editTracking')}
            </button>
            <button
              type="button"
              class="link"
              aria-label={`${t('orders.undoShipment')}: ${name}`}
              disabled={undo.isBusy}
              onClick={() => setOpen('undo')}
            >
              {t('orders.undoShipment')}
            </button>
          </>
        )}
      </div>
      <Problem error={undo.error} />
      {open === 'tracking' && <TrackingDialog order={order} shipment={shipment} done={done} close={close} />}
      {open === 'undo' && (
        <Confirm
          title={t('orders.undoShipmentTitle', { number })}
          text={t('orders.undoShipmentText')}
          action={t('orders.undoShipment')}
          run={undo.run}
          close={close}
        />
      )}
    </li>
  );
}
