import { conflict, type FieldError, invalid, notFound } from '../../../shared/errors.ts';
import { lineId } from '../../pricing/index.ts';
import { applyStatuses } from '../changing/apply-statuses.ts';
import type { Command } from '../context.ts';
import type { OrderRow } from '../order.ts';
import { lockOrder } from '../queries.ts';
import { addShipment } from './change-shipments.ts';
import { linesToShip, shipmentsOf } from './fulfillment.ts';
import { MAX_SHIPMENTS, type Shipment, type ShipmentInput, type ShipmentLine } from './schemas.ts';
import { shippingStatus } from './shipping-status.ts';

type ShipmentRequest = ShipmentInput & { orderId: string };

/** Ships items in an order, by default everything left. The last shipment makes the order SHIPPED. */
export async function createShipment(
  ctx: Command,
  { orderId, lines: requested, tracking, notify = true }: ShipmentRequest,
): Promise<Shipment> {
  const { caller, businessId, now: nowSeconds } = ctx;
  const order = await lockOrder(ctx.db, businessId, orderId);
  if (!order) throw notFound('Order');
  if (order.status === 'CANCELLED') throw conflict("A canceled order can't be shipped.");
  const left = linesToShip(order);
  if (left.length === 0) throw conflict('This order has nothing left to ship.');
  if (shipmentsOf(order).length >= MAX_SHIPMENTS) {
    throw conflict(`An order can have at most ${MAX_SHIPMENTS} shipments.`);
  }
  const errors = requested ? checkLines(requested, left, order) : [];
  if (errors.length > 0) throw invalid(errors);

  const doc = addShipment(order, { lines: requested ?? left, tracking, userId: caller.userId, nowSeconds });
  const next = { ...order, doc };
  const statuses = shippingStatus(ctx, next);
  const written = await applyStatuses(ctx, next, { statuses, userId: caller.userId, before: order, notifies: notify });
  return shipmentsOf(written).at(-1)!;
}

function checkLines(lines: readonly ShipmentLine[], left: readonly ShipmentLine[], { doc }: OrderRow): FieldError[] {
  return lines.flatMap(({ lineId: id, quantity }, i): FieldError[] => {
    const error = (field: string, code: string, message: string) => [
      { field: `lines[${i}].${field}`, error: code, message },
    ];
    if (!doc.lines.some((line, position) => lineId(line, position) === id))
      return error('lineId', 'NOT_FOUND', 'The order has no line with this ID.');
    if (lines.findIndex((each) => each.lineId === id) < i)
      return error('lineId', 'DUPLICATE', 'Each line can appear only once in a shipment.');
    const most = left.find((each) => each.lineId === id)?.quantity ?? 0;
    if (quantity > most)
      return error('quantity', 'OUT_OF_RANGE', `quantity must be at most ${most}, the quantity left to ship.`);
    return [];
  });
}
