/** What an order does when its payment is paid, declined, closed, given up or refunded. */
import { type StatusEntry, systemStatus } from '../../shared/statuses.ts';
import { type PaymentHandlers, type PaymentRow, type RefundRow, sumRefunds } from '../payments/index.ts';
import type { PaymentCommand } from './context.ts';
import { insertMail, noteMail } from './mails.ts';
import type { OrderRow } from './order.ts';
import { takeForOrder } from './order-stock.ts';
import { lockOrder, updateOrder } from './queries.ts';
import { tellChanges, tellRefund } from './tell.ts';
import { addStatuses, cancelUnpaid, failedFrom, isWaiting } from './transitions.ts';

export const orderPayments: PaymentHandlers<OrderRow | null> = {
  lock: (ctx, orderId) => lockOrder(ctx.db, ctx.businessId, orderId),
  paid: (ctx, payment, order) => receivePayment(ctx, payment, order),

  /** The session is over and the order unpaid: it is cancelled, so that its stock is free. */
  async misfit(ctx, payment, order) {
    if (!order) return;
    const received = giveBack(order, payment);
    if (isWaiting(order)) await cancelUnpaid(ctx, received);
    else updateOrder(ctx, received);
  },

  async declined(ctx, _payment, order) {
    if (order?.paymentStatus !== 'PENDING') return;
    await addStatuses(ctx, order, { paymentStatus: [systemStatus('FAILED', ctx.now)] }, null);
  },

  /** Nothing happens to an order that was paid or has moved on. */
  async closed(ctx, _payment, order) {
    if (order && isWaiting(order)) await cancelUnpaid(ctx, order);
  },

  /** What was reserved for the customer is free at once. */
  async givenUp(ctx, _payment, order) {
    if (order?.status !== 'PENDING') return;
    const { customerId } = order;
    const cancelled = { ...systemStatus('CANCELLED', ctx.now), changedBy: 'USER', userId: customerId };
    const added = { statuses: [cancelled], paymentStatus: failedFrom(order, ctx.now) };
    await addStatuses(ctx, order, added, customerId);
  },

  async refunded(ctx, refund, order) {
    if (!order) return;
    const refunded = await sumRefunds(ctx.db, refund);
    const entry = statusAfter(refunded >= order.paid ? 'REFUNDED' : 'PARTIALLY_REFUNDED', refund, ctx.now);
    const isNews = order.paymentStatus !== entry.status;
    const doc = isNews ? { ...order.doc, paymentStatus: [...order.doc.paymentStatus, entry] } : order.doc;
    const noted = noteMail(doc, 'REFUNDED');
    const written = updateOrder(ctx, { ...order, doc: noted ?? doc });
    await tellRefund(ctx, written, refund.amount);
    await tellChanges(ctx, order, written);
    if (noted) insertMail(ctx, order, 'REFUNDED', refund.amount);
  },

  /** What was reserved can be refunded again. */
  async refundRefused(ctx, refund, order) {
    if (order) updateOrder(ctx, { ...order, refunded: order.refunded - refund.amount });
  },
};

/**
 * Money has arrived. For an order that ran out meanwhile the stock is taken again, and where it is gone the money goes back;
 * so it does for one that somebody cancelled, and for one that was paid already.
 */
async function receivePayment(
  ctx: PaymentCommand,
  payment: PaymentRow,
  order: OrderRow | null,
): Promise<'REFUND' | 'ACCEPT'> {
  if (!order) return 'REFUND';
  const received = { ...order, paid: order.paid + payment.paid };
  const paid = [systemStatus('PAID', ctx.now)];
  const isLate = order.status === 'CANCELLED';
  const ranOut = order.doc.statuses.at(-1)!.changedBy === 'SYSTEM';
  if (order.paid > 0 || (isLate && !(ranOut && (await takeAgain(ctx, order))))) {
    updateOrder(ctx, giveBack(order, payment));
    return 'REFUND';
  }
  const statuses = isLate ? [systemStatus('PROCESSING', ctx.now)] : [];
  await addStatuses(ctx, { ...received, holds: true }, { statuses, paymentStatus: paid }, null);
  return 'ACCEPT';
}

/** What was taken before something lacked is put back. */
async function takeAgain(ctx: PaymentCommand, order: OrderRow): Promise<boolean> {
  await ctx.db`savepoint before_taking`;
  const errors = await takeForOrder(ctx, order, null);
  if (errors.length > 0) await ctx.db`rollback to savepoint before_taking`;
  return errors.length === 0;
}

/** The refund itself is made by a job; the order already counts the money as promised back. */
const giveBack = (order: OrderRow, { paid }: PaymentRow): OrderRow => ({
  ...order,
  paid: order.paid + paid,
  refunded: order.refunded + paid,
});

function statusAfter(status: string, { userId }: RefundRow, nowSeconds: number): StatusEntry {
  const entry = systemStatus(status, nowSeconds);
  return userId === null ? entry : { ...entry, changedBy: 'USER', userId };
}
