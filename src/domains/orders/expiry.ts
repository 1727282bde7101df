/** An order that is to be paid in cash has no payment to run out, so it does so itself. */
import type { Statement, Tx } from '../../db/sql.ts';
import type { Steps } from './context.ts';
import type { NewOrder, OrderDoc } from './order.ts';
import { lockOrder } from './queries.ts';
import { cancelUnpaid, isWaiting } from './transitions.ts';

export const EXPIRY_JOB = 'order-expiry';
export type ExpiryJob = { businessId: string; orderId: string };

export const isCash = ({ paymentMethod, total }: OrderDoc) => paymentMethod === 'CASH' && total > 0;

/** The job that ends the order, ready to be issued in the order's own transaction. */
export const prepareExpiry = (ctx: Steps, { businessId, id }: NewOrder): Promise<(tx: Tx) => Statement<object[]>> =>
  ctx.prepareJob(EXPIRY_JOB, { businessId, orderId: id } satisfies ExpiryJob, {
    startAfterSeconds: ctx.config.cashTtlSeconds,
  });

/** Cancels it, unless it was paid or somebody has moved it on. */
export async function expireOrder(ctx: Steps, { businessId, orderId }: ExpiryJob): Promise<void> {
  await ctx.transaction(async (tx) => {
    const order = await lockOrder(tx.db, businessId, orderId);
    if (order && isWaiting(order)) await cancelUnpaid(tx, order);
  });
}
