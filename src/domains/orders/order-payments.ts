/** What an order does when its payment is paid, declined or closed. */
import type { Tx } from '../../db/connection.ts';
import type { Deps } from '../../deps.ts';
import { systemStatus } from '../../shared/statuses.ts';
import type { OrdersContext } from './context.ts';
import { takeForOrder } from './holding.ts';
import type { OrderRow } from './order.ts';
import { closePayment, type PaymentRow } from './payment-queries.ts';
import type { PaymentHandlers } from './payments.ts';
import { lockOrder, updateOrder } from './queries.ts';
import { addStatuses } from './transitions.ts';

export function orderPayments(deps: Deps): PaymentHandlers {
  const ctx = { deps };
  return {
    async lock(tx, payment) {
      await lockOrder(tx, payment.businessId, payment.reference);
    },
    paid: (tx, payment) => receivePayment(ctx, tx, payment),
    async failed(tx, payment) {
      const order = await lockOrder(tx, payment.businessId, payment.reference);
      if (order?.paymentStatus !== 'PENDING') return;
      await addStatuses(ctx, tx, order, { paymentStatus: [systemStatus('FAILED', deps.clock.seconds())] }, null);
    },
    async closed(tx, payment) {
      const order = await lockOrder(tx, payment.businessId, payment.reference);
      if (order) await cancelLocked(ctx, tx, order);
    },
  };
}

type Ctx = Pick<OrdersContext, 'deps'>;

/** Takes an order back whose payment cannot be made any more. Nothing happens to one that was paid or has moved on. */
export async function cancelUnpaid(ctx: Ctx, tx: Tx, payment: PaymentRow): Promise<void> {
  const order = await lockOrder(tx, payment.businessId, payment.reference);
  const closed = await closePayment(tx, payment.businessId, payment.id, ctx.deps.clock.seconds());
  if (order && closed) await cancelLocked(ctx, tx, order);
}

async function cancelLocked(ctx: Ctx, tx: Tx, order: OrderRow): Promise<void> {
  if (order.status !== 'PENDING' || !['PENDING', 'FAILED'].includes(order.paymentStatus)) return;
  const now = ctx.deps.clock.seconds();
  const paymentStatus = order.paymentStatus === 'FAILED' ? [] : [systemStatus('FAILED', now)];
  await addStatuses(ctx, tx, order, { statuses: [systemStatus('CANCELLED', now)], paymentStatus }, null);
}

/**
 * Money has arrived. For an order that ran out meanwhile the stock is taken again, and where it is gone the money goes back;
 * so it does for one that somebody cancelled, for one that was paid already, and when it is less than was asked for.
 */
async function receivePayment(ctx: Ctx, tx: Tx, payment: PaymentRow): Promise<'REFUND' | 'KEEP'> {
  const order = await lockOrder(tx, payment.businessId, payment.reference);
  if (!order) return 'REFUND';
  const now = ctx.deps.clock.seconds();
  const received = { ...order, paid: order.paid + payment.paid };
  if (order.paid > 0 || payment.paid < payment.amount) return giveBack(ctx, tx, received, payment);
  if (order.status !== 'CANCELLED') {
    await addStatuses(ctx, tx, received, { paymentStatus: [systemStatus('PAID', now)] }, null);
    return 'KEEP';
  }
  const ranOut = order.doc.statuses.at(-1)!.changedBy === 'SYSTEM';
  const revived = ranOut && (await takeAgain(tx, order, now));
  if (!revived) return giveBack(ctx, tx, received, payment);
  await addStatuses(
    ctx,
    tx,
    { ...received, holds: true },
    { statuses: [systemStatus('PROCESSING', now)], paymentStatus: [systemStatus('PAID', now)] },
    null,
  );
  return 'KEEP';
}

/** In a savepoint: what was taken before something lacked is put back. */
async function takeAgain(tx: Tx, order: OrderRow, nowSeconds: number): Promise<boolean> {
  const lacked = new Error('Lacking.');
  try {
    await tx.savepoint(async () => {
      const errors = await takeForOrder(tx, order, { userId: null, nowSeconds }, 'status');
      if (errors.length > 0) throw lacked;
    });
    return true;
  } catch (error) {
    if (error === lacked) return false;
    throw error;
  }
}

/** The refund itself is made by a job; the order already counts the money as promised back. */
async function giveBack({ deps }: Ctx, tx: Tx, order: OrderRow, payment: PaymentRow): Promise<'REFUND'> {
  await updateOrder(tx, { ...order, refunded: order.refunded + payment.paid }, deps.clock.seconds());
  return 'REFUND';
}
