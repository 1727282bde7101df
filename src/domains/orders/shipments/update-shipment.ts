import { isDeepStrictEqual } from 'node:util';
import { notFound } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { applyStatuses } from '../changing/apply-statuses.ts';
import type { Command } from '../context.ts';
import { emitChanges } from '../emit-order.ts';
import type { OrderRow } from '../order.ts';
import { lockOrder, updateOrderRow } from '../queries.ts';
import { returnItems } from '../stock.ts';
import { changeTracking, withShipments } from './change-shipments.ts';
import { shipmentsOf } from './fulfillment.ts';
import type { Shipment, ShipmentUpdate } from './schemas.ts';
import { shippingStatus } from './shipping-status.ts';

type ShipmentPath = { orderId: string; shipmentId: string };

/** Changes or removes the tracking. */
export async function updateShipment(
  ctx: Command,
  { tracking, ...path }: ShipmentUpdate & ShipmentPath,
): Promise<Shipment> {
  const { order, shipment } = await lockShipment(ctx, path);
  if (tracking === undefined || isDeepStrictEqual(tracking ?? undefined, shipment.tracking)) return shipment;
  const doc = changeTracking(order, tracking, ctx.now, shipment.id);
  const written = updateOrderRow(ctx, { ...order, doc });
  emitChanges(ctx, order, written);
  return findShipment(written, shipment.id);
}

/** Undoes a shipment that was created by mistake. An order that was SHIPPED or DELIVERED returns to its status before that. */
export async function deleteShipment(ctx: Command, path: ShipmentPath): Promise<typeof SUCCESS> {
  const { userId } = ctx.caller;
  const { order, shipment } = await lockShipment(ctx, path);
  const rest = shipmentsOf(order).filter(({ id }) => id !== shipment.id);
  const next = { ...order, doc: withShipments(order.doc, rest) };
  if (!order.holds) await returnItems(ctx, order, shipment.lines, userId);
  await applyStatuses(ctx, next, { statuses: shippingStatus(ctx, next), userId, before: order });
  return SUCCESS;
}

async function lockShipment(
  ctx: Command,
  { orderId, shipmentId }: ShipmentPath,
): Promise<{ order: OrderRow; shipment: Shipment }> {
  const order = await lockOrder(ctx.db, ctx.businessId, orderId);
  if (!order) throw notFound('Order');
  return { order, shipment: findShipment(order, shipmentId) };
}

function findShipment(order: OrderRow, shipmentId: string): Shipment {
  const shipment = shipmentsOf(order).find(({ id }) => id === shipmentId);
  if (!shipment) throw notFound('Shipment');
  return shipment;
}
