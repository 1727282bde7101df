/** Orders paid in cash or by bank transfer have no payment session that could expire, so a task cancels them. */
import { BANK_TRANSFER } from '../bank-transfer/instructions.ts';
import { cancelUnpaid } from '../changing/apply-statuses.ts';
import { isAwaitingPayment } from '../changing/transitions.ts';
import type { Command, Steps } from '../context.ts';
import type { NewOrder, OrderRow } from '../order.ts';
import { lockOrder } from '../queries.ts';
import { deleteExpiry, deleteTask, insertTask, type NewTask, type OrderTask } from '../task-queries.ts';

/** The task that cancels the order; null if it is paid by card, is free, or never expires. */
export function expiryOf({ config }: Pick<Steps, 'config'>, order: NewOrder): NewTask | null {
  const { businessId, id, doc, createdAt } = order;
  const { paymentMethod, total, bankTransfer } = doc;
  if (paymentMethod === BANK_TRANSFER && bankTransfer) {
    return { businessId, orderId: id, kind: 'EXPIRY', amount: null, dueAt: bankTransfer.dueAt };
  }
  if (paymentMethod !== 'CASH' || total === 0 || config.cashTtlSeconds === 0) return null;
  return { businessId, orderId: id, kind: 'EXPIRY', amount: null, dueAt: createdAt + config.cashTtlSeconds };
}

/**
 * Call it after staff changed the payment method of an order. Like new orders created by staff, it expires only if its payment method is
 * bank transfer.
 */
export async function renewExpiry(ctx: Command, order: OrderRow): Promise<void> {
  await deleteExpiry(ctx.db, order.businessId, order.id);
  const isTransfer = order.doc.paymentMethod === BANK_TRANSFER && isAwaitingPayment(order);
  const task = isTransfer ? expiryOf(ctx, order) : null;
  if (task) ctx.issue(insertTask(ctx.db, task));
}

/** Cancels the order unless a payment arrived or staff changed its status. */
export async function expireOrder(ctx: Steps, task: OrderTask): Promise<void> {
  await ctx.transaction(async (tx) => {
    const order = await lockOrder(tx.db, task.businessId, task.orderId);
    if (order && isAwaitingPayment(order) && !order.doc.received) await cancelUnpaid(tx, order);
    await deleteTask(tx.db, task);
  });
}
