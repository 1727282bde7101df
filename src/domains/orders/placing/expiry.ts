/** Orders paid in cash or by bank transfer have no payment session that could expire, so a task cancels them. */
import { cancelUnpaid } from '../changing/apply-statuses.ts';
import { isAwaitingPayment } from '../changing/transitions.ts';
import type { Steps } from '../context.ts';
import type { NewOrder } from '../order.ts';
import { lockOrder } from '../queries.ts';
import { deleteTask, type NewTask, type OrderTask } from '../task-queries.ts';

/** The task that cancels the order; null if it is paid by card, is free, or never expires. */
export function expiryOf({ config }: Pick<Steps, 'config'>, order: NewOrder): NewTask | null {
  const { businessId, id, doc, createdAt } = order;
  if (doc.bankTransfer) return { businessId, orderId: id, kind: 'EXPIRY', amount: null, dueAt: doc.bankTransfer.dueAt };
  const { paymentMethod, total } = doc;
  if (paymentMethod !== 'CASH' || total === 0 || config.cashTtlSeconds === 0) return null;
  return { businessId, orderId: id, kind: 'EXPIRY', amount: null, dueAt: createdAt + config.cashTtlSeconds };
}

/** Cancels the order unless a payment arrived or staff changed its status. */
export async function expireOrder(ctx: Steps, task: OrderTask): Promise<void> {
  await ctx.transaction(async (tx) => {
    const order = await lockOrder(tx.db, task.businessId, task.orderId);
    if (order && isAwaitingPayment(order) && !order.doc.received) await cancelUnpaid(tx, order);
    await deleteTask(tx.db, task);
  });
}
