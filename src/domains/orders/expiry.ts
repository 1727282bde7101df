/** An order that is to be paid in cash has no payment to run out, so it does so itself. */
import type { Steps } from './context.ts';
import type { NewOrder } from './order.ts';
import { lockOrder } from './queries.ts';
import { deleteTask, type NewTask, type OrderTask } from './task-queries.ts';
import { cancelUnpaid, isWaiting } from './transitions.ts';

/** The task that ends the order; null: it has a payment, is free or waits for ever. */
export function expiryOf({ config }: Steps, { businessId, id, doc, createdAt }: NewOrder): NewTask | null {
  const { paymentMethod, total } = doc;
  if (paymentMethod !== 'CASH' || total === 0 || config.cashTtlSeconds === 0) return null;
  return { businessId, orderId: id, kind: 'EXPIRY', amount: null, dueAt: createdAt + config.cashTtlSeconds };
}

/** Cancels it, unless it was paid or somebody has moved it on. */
export async function expireOrder(ctx: Steps, task: OrderTask): Promise<void> {
  await ctx.transaction(async (tx) => {
    const order = await lockOrder(tx.db, task.businessId, task.orderId);
    if (order && isWaiting(order)) await cancelUnpaid(tx, order);
    await deleteTask(tx.db, task);
  });
}
