import { conflict, invalid } from '../../../shared/errors.ts';
import { systemStatus } from '../../../shared/records/status-history.ts';
import { reopenCart } from '../../carts/index.ts';
import { endPayment, findPayment, listRefunds } from '../../payments/index.ts';
import { isCard } from '../../pricing/index.ts';
import type { PaymentCommand } from '../context.ts';
import { issueInvoice, issueMissingInvoice, settleDocuments, withDocuments } from '../documents/issue-documents.ts';
import { emitChanges } from '../emit-order.ts';
import { countMail, insertMail, shipmentFor } from '../mails/order-mails.ts';
import { reportTax } from '../money/tax-reports.ts';
import { withUnstocked } from '../money/unstocked.ts';
import { ORDER_PURPOSE, type OrderRow } from '../order.ts';
import { updateOrderRow } from '../queries.ts';
import { isShipmentNeeded, shipmentsOf } from '../shipments/fulfillment.ts';
import { returnFromOrder, takeForOrder } from '../stock.ts';
import { failedPayment, type NewStatuses, transition } from './transitions.ts';

type StatusesToAdd = NewStatuses & {
  /** The user who adds them; null for the system. */
  userId: string | null;
  /** The stored order, if `order` already has other changes. Its stock is returned, and events are compared with it. */
  before?: OrderRow;
  /** Email the customer about the latest shipment. */
  notifies?: boolean;
};

/**
 * Adds entries to the histories of a locked order, applies the effects of the transition and writes the order. Every status
 * change goes through here. Throws 422 if an order leaves CANCELLED and its stock is sold out.
 */
export async function applyStatuses(
  ctx: PaymentCommand,
  order: OrderRow,
  { userId, before = order, notifies = false, ...added }: StatusesToAdd,
): Promise<OrderRow> {
  const { doc, newPaymentStatus, endsPayment, stock, mails } = transition(order, added, ctx.now);
  const next: OrderRow = { ...order, doc: newPaymentStatus === 'PAID' ? withDocuments(doc) : doc };
  if (shipmentsOf(next).length < shipmentsOf(before).length && isShipmentNeeded(next)) {
    throw conflict("This shipment can't be undone because some of its items were refunded or returned.");
  }

  if (newPaymentStatus !== null) Object.assign(next, await amountsAfter(ctx, next, newPaymentStatus));
  if (newPaymentStatus === 'PAID') await reportTax(ctx, order.id);
  if (newPaymentStatus === 'REFUNDED')
    await reportTax(ctx, order.id, { id: 'rest', amount: next.refunded - order.refunded });
  if (endsPayment) await endPayment(ctx, order.id);
  if (stock === 'RETURN') {
    await returnFromOrder(ctx, before, userId);
    next.holds = false;
    next.doc = withUnstocked(next.doc, []);
    await reopenUnpaid(ctx, order);
  } else if (stock === 'TAKE') {
    // Not `next`: a canceled order holds only the items that were shipped before this change.
    const errors = await takeForOrder(ctx, order, userId);
    if (errors.length > 0) throw invalid(errors.map((error) => ({ ...error, field: 'status' })));
    next.holds = true;
  }
  const due = [...mails, ...(notifies ? (['SHIPPED'] as const) : [])].filter((kind) => {
    const counted = countMail(next.doc, kind);
    if (counted) next.doc = counted;
    return counted !== null;
  });
  const written = updateOrderRow(ctx, next);
  const shipment = shipmentFor(next, null);
  for (const kind of due) insertMail(ctx, next, kind, kind === 'SHIPPED' ? { shipmentId: shipment!.id } : {});
  const isFirstPayment = !order.doc.hasDocuments && written.doc.hasDocuments;
  emitChanges(ctx, before, written, isFirstPayment ? await issueInvoice(ctx, written) : []);
  const isShipped = before.doc.fulfillment !== written.doc.fulfillment;
  if (isFirstPayment) return written;
  if (newPaymentStatus !== null) await settleDocuments(ctx, written);
  else if (isShipped) await issueMissingInvoice(ctx, written);
  return written;
}

/** The cart is restored for customers who leave the payment page. */
async function reopenUnpaid(ctx: PaymentCommand, { id: orderId, paid, doc }: OrderRow): Promise<void> {
  const { cartId, paymentMethod } = doc;
  if (cartId && paid === 0 && isCard(paymentMethod ?? '')) await reopenCart(ctx, { cartId, orderId });
}

/** Cancels an order that was not paid in time. */
export const cancelUnpaid = (ctx: PaymentCommand, order: OrderRow): Promise<OrderRow> =>
  applyStatuses(ctx, order, {
    statuses: [systemStatus('CANCELLED', ctx.now)],
    paymentStatus: failedPayment(order, ctx.now),
    userId: null,
  });

/**
 * A payment status set by staff determines the paid and refunded amounts. Money received through a provider and refunds that were made
 * always count. An order that was only marked as refunded has no such refunds.
 */
async function amountsAfter(
  { db }: PaymentCommand,
  { businessId, id, paid, refunded: recorded, doc }: OrderRow,
  status: string,
): Promise<{ paid: number; refunded: number }> {
  const { credit = 0 } = doc.exchange ?? {};
  if (status === 'REFUNDED') return { paid, refunded: paid };
  if (status === 'PARTIALLY_REFUNDED') return { paid, refunded: recorded };
  const rows = recorded === 0 ? [] : await listRefunds(db, { businessId, purpose: ORDER_PURPOSE, reference: id });
  const made = rows.filter((row) => row.status !== 'FAILED').reduce((sum, { amount }) => sum + amount, 0);
  const refunded = Math.min(recorded, made);
  if (status === 'PAID') return { paid: credit > 0 ? Math.max(paid, doc.total) : paid || doc.total, refunded };
  const received = (await findPayment(db, businessId, id))?.paid ?? 0;
  return { paid: Math.max(received, refunded, credit), refunded };
}
