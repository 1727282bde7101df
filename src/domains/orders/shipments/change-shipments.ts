/** Changes to the shipments in the document of an order. Pure. */
import { newId } from '../../../shared/ids.ts';
import type { StatusEntry } from '../../../shared/records/status-schemas.ts';
import type { NewOrder, OrderDoc } from '../order.ts';
import { linesToShip, OPEN, SHIPPED, shipmentsOf } from './fulfillment.ts';
import type { Shipment, ShipmentLine, Tracking } from './schemas.ts';

type Shippable = Pick<NewOrder, 'id' | 'doc'>;

/** The order repeats the `tracking` of the latest shipment that has one. */
export function withShipments({ tracking: _, ...doc }: OrderDoc, shipments: Shipment[]): OrderDoc {
  const latest = shipments.findLast(({ tracking }) => tracking)?.tracking;
  return { ...doc, shipments, ...(latest ? { tracking: latest } : {}) };
}

type Shipped = {
  lines: ShipmentLine[];
  tracking?: Tracking | null | undefined;
  userId: string | null | undefined;
  nowSeconds: number;
};

/** Adds a shipment. The first one takes the tracking that the order already has. */
export function addShipment(order: Shippable, { lines, tracking, userId, nowSeconds }: Shipped): OrderDoc {
  const shipments = shipmentsOf(order);
  const given = tracking ?? (shipments.length === 0 ? order.doc.tracking : null);
  const shipment: Shipment = {
    id: newId('shp'),
    lines,
    ...(given ? { tracking: given } : {}),
    ...(userId ? { userId } : {}),
    createdAt: nowSeconds,
    updatedAt: nowSeconds,
  };
  return withShipments(order.doc, [...shipments, shipment]);
}

/** Changes the tracking of a shipment, by default the latest. An order without shipments keeps it for the first one. */
export function changeTracking(
  order: Shippable,
  tracking: Tracking | null,
  nowSeconds: number,
  shipmentId?: string,
): OrderDoc {
  const shipments = shipmentsOf(order);
  const { tracking: _, ...doc } = order.doc;
  if (shipments.length === 0) return { ...doc, ...(tracking ? { tracking } : {}) };
  const id = shipmentId ?? shipments.at(-1)!.id;
  return withShipments(
    doc,
    shipments.map(({ tracking: previous, ...shipment }) => {
      if (shipment.id !== id) return { ...shipment, ...(previous ? { tracking: previous } : {}) };
      return { ...shipment, ...(tracking ? { tracking } : {}), updatedAt: nowSeconds };
    }),
  );
}

/**
 * The document after a status change. SHIPPED and DELIVERED ship the rest. Returning a shipped order to PENDING or PROCESSING
 * undoes its shipments.
 */
export function shipByStatus(
  order: Shippable,
  entry: StatusEntry,
  tracking: Tracking | null | undefined,
  nowSeconds: number,
): OrderDoc {
  const rest = linesToShip(order);
  const isNew = entry.status !== order.doc.statuses.at(-1)?.status;
  if (isNew && SHIPPED.includes(entry.status) && rest.length > 0) {
    return addShipment(order, { lines: rest, tracking, userId: entry.userId, nowSeconds });
  }
  const hasShipments = shipmentsOf(order).length > 0;
  if (isNew && OPEN.includes(entry.status) && rest.length === 0 && hasShipments) return withShipments(order.doc, []);
  return tracking === undefined ? order.doc : changeTracking(order, tracking, nowSeconds);
}
