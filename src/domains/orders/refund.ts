import { NothingDone, type StepsOf } from '../../context/index.ts';
import { conflict, invalidField, notFound, unavailable } from '../../shared/errors.ts';
import { findPayment, KeyRefused, makeRefund, reserveRefund } from '../payments/index.ts';
import type { Command, OrderServices, Steps } from './context.ts';
import { ORDER_PURPOSE, viewOrder } from './order.ts';
import { findOrder, lockOrder, updateOrder } from './queries.ts';
import type { Order, RefundInput } from './schemas.ts';

type Asked = RefundInput & { orderId: string };
type Reserved = { refundId: string };

/**
 * Gives money back. The amount is reserved in the order first, so that refunds together never pass what was paid; then the
 * provider is asked, with the refund's id as its idempotency key; then the outcome is written. A job finishes what a dead
 * process has left in between.
 */
export const refundOrder: StepsOf<OrderServices, Asked, undefined, Reserved, Order> = {
  execute: reserve,
  afterCommit: give,
};

async function reserve(ctx: Command, { orderId, amount, reason }: Asked): Promise<Reserved> {
  const { db: tx, businessId, caller } = ctx;
  const order = await lockOrder(tx, businessId, orderId);
  if (!order) throw notFound('Order');
  const left = order.paid - order.refunded;
  const asked = amount ?? left;
  if (left === 0) throw conflict('Nothing of this order is left to be refunded.');
  if (asked > left) throw invalidField('amount', 'OUT_OF_RANGE', `At most ${left} can be refunded.`);
  const payment = await findPayment(tx, businessId, orderId);
  updateOrder(ctx, { ...order, refunded: order.refunded + asked });
  const { id: refundId } = await reserveRefund(ctx, {
    ...{ purpose: ORDER_PURPOSE, reference: orderId, amount: asked, reason: reason ?? null, userId: caller.userId },
    paymentId: payment?.status === 'PAID' ? payment.id : null,
  });
  return { refundId };
}

async function give(ctx: Steps, { refundId }: Reserved, { orderId }: Asked): Promise<Order> {
  const outcome = await makeRefund(ctx, refundId).catch((error) => {
    ctx.log.warn({ err: error, refundId }, 'the payment provider made no refund, trying again later');
    if (error instanceof KeyRefused) throw refused(`${error.message} The refund will be made once it takes the key.`);
    throw unavailable('The payment provider does not answer. The refund will be made as soon as it does.');
  });
  if (outcome.status === 'FAILED') throw new NothingDone(refused(outcome.reason));
  return viewOrder((await findOrder(ctx.db, ctx.businessId, orderId))!, ctx.caller);
}

const refused = (reason: string) =>
  invalidField('amount', 'PROVIDER_REFUSED', `The payment provider refused the refund: ${reason}`);
