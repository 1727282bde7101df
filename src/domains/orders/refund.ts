import { inTransaction, type Tx } from '../../db/connection.ts';
import { claimKey, type IdempotencyKey, referenceKey, releaseKey, settleKey } from '../../db/idempotency.ts';
import { PaymentRefused } from '../../providers/payments/port.ts';
import type { Caller } from '../../shared/caller.ts';
import { conflict, invalidField, notFound, unavailable } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { type StatusEntry, systemStatus } from '../../shared/statuses.ts';
import type { OrdersContext } from './context.ts';
import { enqueueMail } from './mails.ts';
import { type OrderRow, viewOrder } from './order.ts';
import { findPayment, findRefund, type RefundRow, settleRefund, sumRefunds } from './payment-queries.ts';
import { reserveRefund } from './payments.ts';
import { findOrder, lockOrder, updateOrder } from './queries.ts';
import type { Order, RefundInput } from './schemas.ts';

/**
 * Gives money back. The amount is reserved in the order first, so that refunds together never pass what was paid; then the
 * provider is asked, with the refund's id as its idempotency key; then the outcome is written. A job finishes what a dead
 * process has left in between.
 */
export async function refundOrder(
  ctx: OrdersContext,
  caller: Caller,
  businessId: string,
  orderId: string,
  input: RefundInput,
  key: IdempotencyKey | null,
): Promise<Order> {
  const { deps } = ctx;
  const refundId = newId('rfd');
  const former = await inTransaction(deps.pool, async (tx) => {
    const claim = key ? await claimKey(tx, key) : 'new';
    if (claim !== 'new') return claim;
    if (key) await referenceKey(tx, key, refundId);
    await reserve(ctx, tx, { caller, businessId, orderId, refundId, input });
    return null;
  });
  if (former?.answer) return former.answer as Order;
  try {
    await executeRefund(ctx, businessId, former?.reference ?? refundId);
  } catch (error) {
    if (error instanceof PaymentRefused && key) {
      await inTransaction(deps.pool, (tx) => releaseKey(tx, key, former?.reference ?? refundId));
    }
    throw error instanceof PaymentRefused
      ? conflict('The payment provider refused the refund.')
      : unavailable('The payment provider does not answer. The refund will be made as soon as it does.');
  }
  const answer = viewOrder((await findOrder(deps.pool, businessId, orderId))!);
  if (key) await inTransaction(deps.pool, (tx) => settleKey(tx, key, answer));
  return answer;
}

type Wish = { caller: Caller; businessId: string; orderId: string; refundId: string; input: RefundInput };

async function reserve({ deps }: OrdersContext, tx: Tx, wish: Wish): Promise<void> {
  const { businessId, orderId, refundId: id, caller, input } = wish;
  const now = deps.clock.seconds();
  const order = await lockOrder(tx, businessId, orderId);
  if (!order) throw notFound('Order');
  const left = order.paid - order.refunded;
  const amount = input.amount ?? left;
  if (left === 0) throw conflict('Nothing of this order is left to be refunded.');
  if (amount > left) throw invalidField('amount', 'OUT_OF_RANGE', `At most ${left} can be refunded.`);
  const payment = await findPayment(tx, businessId, orderId);
  await updateOrder(tx, { ...order, refunded: order.refunded + amount }, now);
  await reserveRefund(tx, deps.jobs, {
    ...{ businessId, id, orderId, amount, reason: input.reason ?? null, userId: caller.userId, status: 'PENDING' },
    paymentId: payment?.status === 'PAID' ? payment.id : null,
    ...{ providerRefundId: null, createdAt: now, updatedAt: now },
  });
}

/** Asks the provider and writes the outcome. Safe to repeat. Raises `PaymentRefused` when the provider said no. */
export async function executeRefund(ctx: OrdersContext, businessId: string, refundId: string): Promise<void> {
  const refund = await findRefund(ctx.deps.pool, businessId, refundId);
  if (refund?.status !== 'PENDING') return;
  try {
    const providerRefundId = await askProvider(ctx, refund);
    await inTransaction(ctx.deps.pool, (tx) => noteSuccess(ctx, tx, refund, providerRefundId));
  } catch (error) {
    if (error instanceof PaymentRefused) await inTransaction(ctx.deps.pool, (tx) => noteRefusal(ctx, tx, refund));
    throw error;
  }
}

/** Null: the money did not come through a provider, so that the shop gives it back itself. */
async function askProvider({ deps, payments }: OrdersContext, refund: RefundRow): Promise<string | null> {
  if (refund.paymentId === null) return null;
  const payment = await findPayment(deps.pool, refund.businessId, refund.paymentId);
  const provider = payment && (await payments.providerOf(payment));
  if (!provider) throw new PaymentRefused('The business has no keys for its payment provider.');
  return (await provider.refund({ refundId: refund.id, chargeId: payment.chargeId, amount: refund.amount })).id;
}

async function noteSuccess({ deps }: OrdersContext, tx: Tx, refund: RefundRow, providerRefundId: string | null) {
  const now = deps.clock.seconds();
  const order = refund.orderId === null ? null : await lockOrder(tx, refund.businessId, refund.orderId);
  const fresh = await settleRefund(tx, refund, 'SUCCEEDED', providerRefundId, now);
  if (!fresh || !order) return;
  const refunded = await sumRefunds(tx, refund.businessId, order.id);
  const entry = statusAfter(refunded >= order.paid ? 'REFUNDED' : 'PARTIALLY_REFUNDED', refund, now);
  const isNews = order.paymentStatus !== entry.status;
  const doc = isNews ? { ...order.doc, paymentStatus: [...order.doc.paymentStatus, entry] } : order.doc;
  await updateOrder(tx, { ...order, doc }, now);
  await enqueueMail(deps.jobs, tx, order, 'REFUNDED', refund.amount);
}

/** What was reserved is free again. */
async function noteRefusal({ deps }: OrdersContext, tx: Tx, refund: RefundRow): Promise<void> {
  const now = deps.clock.seconds();
  const order: OrderRow | null =
    refund.orderId === null ? null : await lockOrder(tx, refund.businessId, refund.orderId);
  const fresh = await settleRefund(tx, refund, 'FAILED', null, now);
  if (fresh && order) await updateOrder(tx, { ...order, refunded: order.refunded - refund.amount }, now);
}

function statusAfter(status: string, { userId }: RefundRow, nowSeconds: number): StatusEntry {
  const entry = systemStatus(status, nowSeconds);
  return userId === null ? entry : { ...entry, changedBy: 'USER', userId };
}
