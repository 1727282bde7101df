import type { Order, Shipment } from '@souk/client';
import { t } from '../../../text/index.ts';
import { lineText, type Products } from '../data.ts';
import { shipmentItems } from '../order/shipments.tsx';
import { TrackingLink } from '../tracking.tsx';
import { PrintPage } from './print.tsx';

/** The items in a shipment, or in the whole order. */
function itemsOf(order: Order, shipment: Shipment | undefined, products: Products) {
  if (shipment) return shipmentItems(order, shipment, products);
  return order.lines.map((line) => ({ ...lineText(products, line), lineId: line.id, quantity: line.quantity }));
}

export default function PackingSlip({ id, shipmentId }: { id: string; shipmentId?: string }) {
  return (
    <PrintPage
      id={id}
      title={t('orders.packingSlip')}
      body={(order, products) => <SlipBody order={order} shipmentId={shipmentId} products={products} />}
    />
  );
}

type BodyProps = { order: Order; shipmentId?: string | undefined; products: Products };

export function SlipBody({ order, shipmentId, products }: BodyProps) {
  const number = order.shipments.findIndex((each) => each.id === shipmentId) + 1;
  const shipment = order.shipments[number - 1];
  return (
    <>
      {shipment && (
        <p>
          {t('orders.shipmentCount', { number, count: order.shipments.length })}
          {shipment.tracking && (
            <>
              {' · '}
              <TrackingLink tracking={shipment.tracking} />
            </>
          )}
        </p>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">{t('orders.product')}</th>
            <th scope="col">{t('products.sku')}</th>
            <th scope="col" class="number">
              {t('orders.quantity')}
            </th>
          </tr>
        </thead>
        <tbody>
          {itemsOf(order, shipment, products).map(({ lineId, name, variant, sku, quantity }) => (
            <tr key={lineId}>
              <td>{[name, variant].filter(Boolean).join(', ')}</td>
              <td>{sku}</td>
              <td class="number">{quantity}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
