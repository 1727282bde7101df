import { NothingDone } from '../../../context/command.ts';
import { conflict, invalidField, notFound, unavailable } from '../../../shared/errors.ts';
import { findPayment, issueRefund, KeyRefused, reserveRefund } from '../../payments/index.ts';
import { type Command, command, type Steps } from '../context.ts';
import { ORDER_PURPOSE, viewOrder } from '../order.ts';
import { findOrder, lockOrder, updateOrderRow } from '../queries.ts';
import type { Order } from '../schemas.ts';
import type { RefundInput } from './schemas.ts';

type RefundRequest = RefundInput & { orderId: string };
type Reserved = { refundId: string; orderId: string };

/**
 * Refunds an order. The amount is first reserved in the order, so that the sum of refunds never exceeds the paid amount. Then the
 * provider makes the refund, with the refund's ID as idempotency key, and the outcome is stored. If the process crashes in between,
 * a job finishes the refund.
 */
export const refundOrder = command({ execute: reserve, afterCommit: refund });

async function reserve(ctx: Command, { orderId, amount, reason }: RefundRequest): Promise<Reserved> {
  const { db: tx, businessId, caller } = ctx;
  const order = await lockOrder(tx, businessId, orderId);
  if (!order) throw notFound('Order');
  const refundable = order.paid - order.refunded;
  const requested = amount ?? refundable;
  if (refundable === 0) throw conflict('This order has nothing left to refund.');
  if (requested > refundable) {
    throw invalidField('amount', 'OUT_OF_RANGE', `amount must be at most ${refundable}, the refundable amount.`);
  }
  const payment = await findPayment(tx, businessId, orderId);
  updateOrderRow(ctx, { ...order, refunded: order.refunded + requested });
  const { id: refundId } = await reserveRefund(ctx, {
    purpose: ORDER_PURPOSE,
    reference: orderId,
    amount: requested,
    reason: reason ?? null,
    userId: caller.userId,
    paymentId: payment?.status === 'PAID' ? payment.id : null,
  });
  return { refundId, orderId };
}

async function refund(ctx: Steps, { refundId, orderId }: Reserved): Promise<Order> {
  const outcome = await issueRefund(ctx, refundId).catch((error) => {
    ctx.log.warn({ err: error, refundId }, 'Refund failed at the payment provider, retrying later');
    if (error instanceof KeyRefused)
      throw refused(`${error.message} The refund is retried until the provider accepts the key.`);
    throw unavailable(
      'The payment provider is not responding. The refund is pending and will be retried automatically.',
    );
  });
  if (outcome.status === 'FAILED') throw new NothingDone(refused(outcome.reason));
  return viewOrder((await findOrder(ctx.db, ctx.businessId, orderId))!, ctx.caller);
}

const refused = (reason: string) =>
  invalidField('amount', 'PROVIDER_REFUSED', `The payment provider rejected the refund: ${reason}`);
