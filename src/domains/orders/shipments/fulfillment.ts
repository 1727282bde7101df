/** The shipped items in an order, and the items left to ship. Pure. */
import type { FieldError } from '../../../shared/errors.ts';
import type { StatusEntry } from '../../../shared/records/status-schemas.ts';
import { lineId, type StoredLine } from '../../pricing/index.ts';
import type { Fulfillment, Shipment, ShipmentLine, Tracking } from './schemas.ts';

/** The part of an order's document that shipments depend on. */
type ShippableDoc = {
  lines: StoredLine[];
  statuses: StatusEntry[];
  tracking?: Tracking;
  shipments?: Shipment[];
  afterSale?: { lines: { lineId: string; refunded: number; inReturns: number; removed: number }[] };
  unstocked?: ShipmentLine[];
};
type Shippable = { id: string; doc: ShippableDoc };

export const SHIPPED = ['SHIPPED', 'DELIVERED'];
/** The statuses of an order before it is shipped. */
export const OPEN = ['PENDING', 'PROCESSING'];

/** Oldest first. An order from an older version has none, so if its status says it was shipped, one shipment contains all items. */
export function shipmentsOf({ id, doc }: Shippable): Shipment[] {
  if (doc.shipments) return doc.shipments;
  const shipped = doc.statuses.findLast(({ status }) => SHIPPED.includes(status));
  const status = doc.statuses.at(-1)?.status ?? '';
  if (!shipped || !(SHIPPED.includes(status) || status === 'REFUNDED')) return [];
  const lines = doc.lines
    .map((line, i) => ({ lineId: lineId(line, i), quantity: quantityToShip(line) }))
    .filter(({ quantity }) => quantity > 0);
  if (lines.length === 0) return [];
  const { timestamp: createdAt, userId } = shipped;
  return [
    {
      id: id.replace('ord', 'shp'),
      lines,
      ...(doc.tracking ? { tracking: doc.tracking } : {}),
      ...(userId ? { userId } : {}),
      createdAt,
      updatedAt: createdAt,
    },
  ];
}

const quantityToShip = ({ quantity, requiresShipping = true }: StoredLine) => (requiresShipping ? quantity : 0);

/** The shipped quantity of each line. */
function shippedOf(order: Shippable): ReadonlyMap<string, number> {
  const shipped = new Map<string, number>();
  for (const { lines } of shipmentsOf(order)) {
    for (const { lineId, quantity } of lines) shipped.set(lineId, (shipped.get(lineId) ?? 0) + quantity);
  }
  return shipped;
}

/** The quantity of each line that was refunded or withdrawn before it was shipped. */
const removedOf = ({ doc }: Shippable): ReadonlyMap<string, number> =>
  new Map(doc.afterSale?.lines.map(({ lineId, removed }) => [lineId, removed]));

/** Items that were refunded or withdrawn before they were shipped. */
export const cancelledLines = (order: Shippable): ShipmentLine[] =>
  [...removedOf(order)].flatMap(([lineId, quantity]) => (quantity > 0 ? [{ lineId, quantity }] : []));

export function linesToShip(order: Shippable): ShipmentLine[] {
  const shipped = shippedOf(order);
  const removed = removedOf(order);
  return order.doc.lines.flatMap((line, i) => {
    const id = lineId(line, i);
    const quantity = quantityToShip(line) - (shipped.get(id) ?? 0) - (removed.get(id) ?? 0);
    return quantity > 0 ? [{ lineId: id, quantity }] : [];
  });
}

/** The quantity of each line that was neither shipped nor canceled. */
export function unshippedQuantities(order: Shippable): Map<string, number> {
  const [shipped, removed] = [shippedOf(order), removedOf(order)];
  return new Map(
    order.doc.lines.map((line, i) => {
      const id = lineId(line, i);
      return [id, Math.max(0, line.quantity - (shipped.get(id) ?? 0) - (removed.get(id) ?? 0))];
    }),
  );
}

/** The lines with the unshipped quantities that the order holds, whether or not they require shipping. */
export function heldLines(order: Shippable): StoredLine[] {
  const missing = new Map(order.doc.unstocked?.map((line) => [line.lineId, line.quantity]));
  const left = unshippedQuantities(order);
  return order.doc.lines
    .map((line, i) => ({ ...line, quantity: left.get(lineId(line, i))! - (missing.get(lineId(line, i)) ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
}

/** The lines of a shipment with their names. */
export const namedLines = ({ doc }: Shippable, lines: readonly ShipmentLine[]) =>
  lines.flatMap(({ lineId: id, quantity }) => {
    const line = doc.lines.find((each, i) => lineId(each, i) === id);
    return line ? [{ name: line.name, quantity }] : [];
  });

export function fulfillmentOf(order: Shippable): Fulfillment {
  if (linesToShip(order).length === 0) return 'FULFILLED';
  return shipmentsOf(order).length === 0 ? 'UNFULFILLED' : 'PARTIAL';
}

/** The document to store. Its `fulfillment` is the key of an index. */
export const withFulfillment = <Doc extends ShippableDoc>(order: { id: string; doc: Doc }) => ({
  ...order.doc,
  shipments: shipmentsOf(order),
  fulfillment: fulfillmentOf(order),
});

/** The status that an order needs after its shipments or lines changed; null if it has a suitable one. */
export function statusToAdd(order: Shippable): string | null {
  const { statuses } = order.doc;
  const status = statuses.at(-1)?.status ?? '';
  const hasShipments = shipmentsOf(order).length > 0;
  const isFulfilled = linesToShip(order).length === 0;
  if (SHIPPED.includes(status) && !isFulfilled) {
    const previous = hasShipments ? null : statuses.findLast((entry) => OPEN.includes(entry.status));
    return previous?.status ?? 'PROCESSING';
  }
  if (!OPEN.includes(status) || !hasShipments) return null;
  if (isFulfilled) return 'SHIPPED';
  // An unpaid order would expire if it stayed PENDING.
  return status === 'PENDING' ? 'PROCESSING' : null;
}

/** Errors for lines that have fewer items than were shipped or canceled. */
export function checkShipped(order: Shippable): FieldError[] {
  const { lines } = order.doc;
  const processed = new Map(shippedOf(order));
  for (const { lineId, quantity } of cancelledLines(order))
    processed.set(lineId, (processed.get(lineId) ?? 0) + quantity);
  return [...processed].flatMap(([id, shipped]): FieldError[] => {
    const i = lines.findIndex((line, position) => lineId(line, position) === id);
    if (i >= 0 && lines[i]!.quantity >= shipped) return [];
    const message =
      i >= 0
        ? `quantity must be at least ${shipped}, the shipped quantity.`
        : `The line ${id} was shipped and can't be removed.`;
    return [{ field: i >= 0 ? `lines[${i}].quantity` : 'lines', error: 'ALREADY_SHIPPED', message }];
  });
}

/** Shipped items that were neither refunded nor returned. */
export function returnableLines(order: Shippable): ShipmentLine[] {
  const lines = new Map(order.doc.afterSale?.lines.map((line) => [line.lineId, line]));
  return [...shippedOf(order)].flatMap(([lineId, shipped]) => {
    const { refunded = 0, inReturns = 0, removed = 0 } = lines.get(lineId) ?? {};
    const quantity = shipped - (refunded + inReturns - removed);
    return quantity > 0 ? [{ lineId, quantity }] : [];
  });
}

/** Whether fewer items of a line are shipped than were refunded or returned after their shipment. */
export function isShipmentNeeded(order: Shippable): boolean {
  const shipped = shippedOf(order);
  const { lines = [] } = order.doc.afterSale ?? {};
  return lines.some(
    ({ lineId, refunded, inReturns, removed }) => (shipped.get(lineId) ?? 0) < refunded + inReturns - removed,
  );
}
