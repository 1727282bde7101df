/** Emits events about an existing order. The order must be locked. */
import type { NewEvent } from '../../shared/events.ts';
import { pickFields } from '../../shared/records/pick-fields.ts';
import type { RefundRow } from '../payments/index.ts';
import type { PaymentCommand } from './context.ts';
import { RefundedOrder } from './event-schemas.ts';
import type { OrderDispute } from './money/schemas.ts';
import { type MailKind, type OrderRow, viewNewOrder } from './order.ts';
import { shipmentsOf } from './shipments/fulfillment.ts';
import type { OrderNote } from './work/schemas.ts';

type Emitter = Pick<PaymentCommand, 'emit'>;

/** Emits one event per kind of change, then the events in `more`. `emit` drops events whose data equals `before`. */
export function emitChanges(ctx: Emitter, before: OrderRow, after: OrderRow, more: readonly NewEvent[] = []): void {
  const [shownBefore, shownAfter] = [shown(before), shown(after)];
  // The same array has the same lines, so comparing them is unnecessary.
  const data = before.doc.lines === after.doc.lines ? { ...shownAfter, lines: shownBefore.lines } : shownAfter;
  const { statuses, paymentStatus, paid, refunded, refundable, returnable } = data;
  const others = { statuses, paymentStatus, paid, refunded, refundable, returnable };
  const entity = `order:${after.id}` as const;
  emitShipments(ctx, before, after);
  ctx.emit(
    {
      type: 'order.updated',
      entity,
      data,
      before: { ...shownBefore, ...others },
    },
    { type: 'order.status_changed', entity, data, before: { ...data, statuses: shownBefore.statuses } },
    { type: 'order.payment_changed', entity, data, before: { ...data, paymentStatus: shownBefore.paymentStatus } },
    ...more,
  );
}

/** Shipments belong to the entity of their order, so that the erasure of an order finds their events too. */
function emitShipments(ctx: Emitter, before: OrderRow, after: OrderRow): void {
  const entity = `order:${after.id}` as const;
  const order = { orderId: after.id, number: after.number };
  const [previous, current] = [shipmentsOf(before), shipmentsOf(after)];
  if (previous === current) return;
  for (const shipment of current) {
    const known = previous.find(({ id }) => id === shipment.id);
    const data = { ...shipment, ...order };
    if (known) ctx.emit({ type: 'shipment.updated', entity, data, before: { ...known, ...order } });
    else ctx.emit({ type: 'shipment.created', entity, data });
  }
  for (const shipment of previous) {
    if (current.some(({ id }) => id === shipment.id)) continue;
    ctx.emit({ type: 'shipment.deleted', entity, data: { ...shipment, ...order } });
  }
}

type MadeRefund = Pick<RefundRow, 'id' | 'amount' | 'reason' | 'parts'>;

export function emitRefund(ctx: Emitter, order: OrderRow, made: MadeRefund): void {
  const refund = pickFields<object>(RefundedOrder.properties.refund, made);
  const data = { ...shown(order), refundedAmount: made.amount, refund };
  ctx.emit({ type: 'order.refunded', entity: `order:${order.id}`, data });
}

export function emitDispute(ctx: Emitter, order: OrderRow, dispute: OrderDispute): void {
  ctx.emit({ type: 'order.disputed', entity: `order:${order.id}`, data: { ...shown(order), dispute } });
}

export function emitResent(ctx: PaymentCommand, order: OrderRow, kind: MailKind): void {
  ctx.emit({ type: 'order.mail_resent', entity: `order:${order.id}`, data: { ...shown(order), mail: kind } });
}

export function emitWithheld(ctx: Emitter, order: OrderRow, kind: MailKind): void {
  ctx.emit({ type: 'order.mail_withheld', entity: `order:${order.id}`, data: { ...shown(order), mail: kind } });
}

export function emitNote(
  ctx: Emitter,
  change: 'created' | 'updated' | 'deleted',
  order: OrderRow,
  note: OrderNote,
): void {
  const data = { ...note, orderId: order.id, number: order.number };
  ctx.emit({ type: `order.note_${change}`, entity: `order:${order.id}`, data });
}

const shown = (order: OrderRow) => ({ ...viewNewOrder(order), number: order.number });
