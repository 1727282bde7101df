/** Updates an order when its payment is paid, declined, closed, abandoned or refunded. */
import { systemStatus } from '../../../shared/records/status-history.ts';
import type { StatusEntry } from '../../../shared/records/status-schemas.ts';
import {
  listRefunds,
  type PaymentHandlers,
  type PaymentRow,
  type RefundRow,
  sumRefunds,
  updateRefundParts,
} from '../../payments/index.ts';
import { applyStatuses, cancelUnpaid } from '../changing/apply-statuses.ts';
import { failedPayment, isAwaitingPayment } from '../changing/transitions.ts';
import type { PaymentCommand } from '../context.ts';
import { settleDocuments } from '../documents/issue-documents.ts';
import { emitChanges, emitDispute, emitRefund } from '../emit-order.ts';
import { countMail, insertMail } from '../mails/order-mails.ts';
import { mailStaff } from '../mails/staff-mails.ts';
import type { OrderRow } from '../order.ts';
import { lockOrder, updateOrderRow } from '../queries.ts';
import { closeRefunded, unlinkRefund } from '../returns/close-return.ts';
import { returnItems, takeForOrder } from '../stock.ts';
import { previousParts, spreadRefund } from './refund-parts.ts';
import type { RefundParts } from './schemas.ts';
import { reportTax } from './tax-reports.ts';
import { withAfterSale, withoutRefund, writeSettled } from './with-after-sale.ts';

export const orderPayments: PaymentHandlers<OrderRow | null> = {
  lock: (ctx, orderId) => lockOrder(ctx.db, ctx.businessId, orderId),
  paid: (ctx, payment, order) => receivePayment(ctx, payment, order),

  /** The customer paid the wrong amount. The payment is refunded, so an unpaid order is canceled and its stock returned. */
  async mismatched(ctx, payment, order) {
    if (!order) return;
    const received = bookRefunded(order, payment);
    if (isAwaitingPayment(order)) await cancelUnpaid(ctx, received);
    else updateOrderRow(ctx, received);
  },

  async declined(ctx, _payment, order) {
    if (order?.paymentStatus !== 'PENDING') return;
    await applyStatuses(ctx, order, { paymentStatus: [systemStatus('FAILED', ctx.now)], userId: null });
  },

  /** An order that was paid, or whose status staff changed, stays as it is. */
  async closed(ctx, _payment, order) {
    if (order && isAwaitingPayment(order)) await cancelUnpaid(ctx, order);
  },

  /** The customer canceled on the payment page. The stock is returned immediately. */
  async abandoned(ctx, _payment, order) {
    if (order?.status !== 'PENDING') return;
    const { customerId } = order;
    const cancelled = { ...systemStatus('CANCELLED', ctx.now), changedBy: 'USER', userId: customerId };
    const paymentStatus = failedPayment(order, ctx.now);
    await applyStatuses(ctx, order, { statuses: [cancelled], paymentStatus, userId: customerId });
  },

  async refunded(ctx, refund, order, origin) {
    if (!order) return;
    const total = await sumRefunds(ctx.db, refund);
    const entry = refundStatus(total >= order.paid ? 'REFUNDED' : 'PARTIALLY_REFUNDED', refund, ctx.now);
    const changed = withPaymentStatus(order, entry);
    // Staff may have marked the order as refunded, or requested a refund that the provider will refuse.
    if (origin !== 'REQUEST') changed.refunded = Math.min(order.paid, order.refunded + refund.amount);
    const parts = await storedParts(ctx, refund, changed);
    await returnItems(
      ctx,
      order,
      parts.lines.flatMap(({ lineId, quantity, restock, returned = 0 }) =>
        restock ? [{ lineId, quantity: quantity - returned }] : [],
      ),
      refund.userId,
    );
    const { isExchange } = await closeRefunded(ctx, order, refund);
    const counted = origin === 'DISPUTE' || isExchange ? null : countMail(changed.doc, 'REFUNDED');
    const next = await withAfterSale(ctx, { ...changed, doc: counted ?? changed.doc });
    const written = await writeSettled(ctx, next, order);
    emitRefund(ctx, written, { ...refund, parts });
    await reportTax(ctx, order.id, refund);
    if (counted) insertMail(ctx, order, 'REFUNDED', { amount: refund.amount });
    if (origin === 'PROVIDER') await mailStaff(ctx, order, { about: 'REFUND_MADE', amount: refund.amount });
    await settleDocuments(ctx, written, { ...refund, parts });
  },

  /** The reserved amount and items can be refunded again, unless refunds made in the provider's dashboard have used up the money. */
  async refundFailed(ctx, refund, order) {
    if (!order) return;
    const made = await sumRefunds(ctx.db, refund);
    const refunded = Math.max(order.refunded - refund.amount, made);
    await unlinkRefund(ctx, order, refund.id);
    const written = updateOrderRow(ctx, await withoutRefund(ctx, { ...order, refunded }, refund, { wasMade: false }));
    emitChanges(ctx, order, written);
    await settleDocuments(ctx, written);
  },

  async refundReversed(ctx, refund, order) {
    if (!order) return;
    const made = await sumRefunds(ctx.db, refund);
    const refunded = Math.max(order.refunded - refund.amount, made);
    const entry = systemStatus(refunded === 0 ? 'PAID' : 'PARTIALLY_REFUNDED', ctx.now);
    const next = await withoutRefund(ctx, { ...withPaymentStatus(order, entry), refunded }, refund, { wasMade: true });
    const written = updateOrderRow(ctx, next);
    emitChanges(ctx, order, written);
    await mailStaff(ctx, order, { about: 'REFUND_FAILED', amount: refund.amount });
    await settleDocuments(ctx, written, refund);
  },

  /** A dispute that is won or lost never changes again. */
  async disputed(ctx, dispute, order) {
    const { disputes = [] } = order?.doc ?? {};
    const known = disputes.find(({ id }) => id === dispute.id);
    if (!order || (known && (known.status === dispute.status || known.status !== 'OPEN'))) return;
    const entry = { ...dispute, timestamp: ctx.now };
    const doc = { ...order.doc, disputes: [...disputes.filter(({ id }) => id !== dispute.id), entry] };
    emitDispute(ctx, updateOrderRow(ctx, { ...order, doc }), entry);
    await mailStaff(ctx, order, { about: `DISPUTE_${dispute.status}`, amount: dispute.amount });
  },
};

/**
 * Accepts a payment. An order that has expired deducts its stock again. If the stock is sold out, someone canceled the
 * order, or it was already paid, the payment is refunded.
 */
async function receivePayment(
  ctx: PaymentCommand,
  payment: PaymentRow,
  order: OrderRow | null,
): Promise<'REFUND' | 'ACCEPT'> {
  if (!order) return 'REFUND';
  const { exchange, paymentMethod } = order.doc;
  const doc = exchange ? { ...order.doc, paymentMethod: paymentMethod ?? 'CREDIT_CARD' } : order.doc;
  const received = { ...order, paid: order.paid + payment.paid, doc };
  const paid = [systemStatus('PAID', ctx.now)];
  const isLate = order.status === 'CANCELLED';
  const hasExpired = order.doc.statuses.at(-1)!.changedBy === 'SYSTEM';
  if (order.paid > (exchange?.credit ?? 0) || (isLate && !(hasExpired && (await deductStockAgain(ctx, order))))) {
    updateOrderRow(ctx, bookRefunded(order, payment));
    return 'REFUND';
  }
  const statuses = isLate ? [systemStatus('PROCESSING', ctx.now)] : [];
  await applyStatuses(ctx, { ...received, holds: true }, { statuses, paymentStatus: paid, userId: null });
  return 'ACCEPT';
}

/** Takes the stock again, all or nothing. */
export async function deductStockAgain(ctx: PaymentCommand, order: OrderRow): Promise<boolean> {
  await ctx.db`savepoint before_taking`;
  const errors = await takeForOrder(ctx, order, null);
  if (errors.length > 0) await ctx.db`rollback to savepoint before_taking`;
  return errors.length === 0;
}

/** Refunds made in the provider's dashboard, and refunds of late payments, are distributed across the order when they are recorded. */
async function storedParts(ctx: PaymentCommand, refund: RefundRow, order: OrderRow): Promise<RefundParts> {
  if (refund.parts) return refund.parts as RefundParts;
  const rows = (await listRefunds(ctx.db, refund)).filter(({ id }) => id !== refund.id);
  const before = { ...order, refunded: order.refunded - refund.amount };
  // Money beyond the order's total did not pay for its items.
  const excess = Math.max(0, Math.min(refund.amount, order.paid - order.doc.total - before.refunded));
  const parts = spreadRefund(order.doc, previousParts(before, rows), refund.amount - excess);
  await updateRefundParts(ctx.db, refund, parts);
  return parts;
}

/** Counts the payment as received and refunded. A job makes the refund later. */
const bookRefunded = (order: OrderRow, { paid }: PaymentRow): OrderRow => ({
  ...order,
  paid: order.paid + paid,
  refunded: order.refunded + paid,
});

/** Adds the entry, unless the order already has its status. */
function withPaymentStatus(order: OrderRow, entry: StatusEntry): OrderRow {
  if (order.paymentStatus === entry.status) return { ...order };
  return { ...order, doc: { ...order.doc, paymentStatus: [...order.doc.paymentStatus, entry] } };
}

function refundStatus(status: string, { userId }: RefundRow, nowSeconds: number): StatusEntry {
  const entry = systemStatus(status, nowSeconds);
  return userId === null ? entry : { ...entry, changedBy: 'USER', userId };
}
