import { PaymentRefused } from '../../providers/payments/port.ts';
import { newId } from '../../shared/ids.ts';
import type { Command, Steps } from './context.ts';
import { providerOf } from './provider.ts';
import { findPayment } from './queries.ts';
import { findRefund, insertRefund, type RefundRow, updateRefund } from './refund-queries.ts';

export const REFUND_JOB = 'payment-refund';
export type RefundJob = { businessId: string; refundId: string };

/** How long the job leaves the refund to the request that has asked for it. */
const ASKED_BY_REQUEST_SECONDS = 60;

export type NewRefund = Pick<RefundRow, 'purpose' | 'reference' | 'paymentId' | 'amount' | 'reason' | 'userId'>;

/** Written before the provider is asked, with the job that asks should this process die before it has. */
export async function reserveRefund(ctx: Command, wanted: NewRefund): Promise<RefundRow> {
  const { businessId, now } = ctx;
  const refund: RefundRow = {
    ...{ ...wanted, businessId, id: newId('rfd'), status: 'PENDING', providerRefundId: null },
    ...{ createdAt: now, updatedAt: now },
  };
  const job: RefundJob = { businessId, refundId: refund.id };
  await insertRefund(ctx.db, refund);
  await ctx.enqueue(REFUND_JOB, job, { startAfterSeconds: wanted.userId === null ? 0 : ASKED_BY_REQUEST_SECONDS });
  return refund;
}

/** Asks the provider, writes the outcome and returns it. Safe to repeat. Raises when the provider does not answer. */
export async function makeRefund(ctx: Steps, id: string): Promise<'SUCCEEDED' | 'FAILED'> {
  const refund = await findRefund(ctx.db, ctx.businessId, id);
  if (refund?.status !== 'PENDING') return refund?.status ?? 'FAILED';
  try {
    const providerRefundId = await askProvider(ctx, refund);
    await ctx.transaction((tx) => finishRefund(tx, { ...refund, status: 'SUCCEEDED', providerRefundId }));
    return 'SUCCEEDED';
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    ctx.log.error({ err: error, businessId: ctx.businessId, refundId: id }, 'the payment provider refused a refund');
    await ctx.transaction((tx) => finishRefund(tx, { ...refund, status: 'FAILED' }));
    return 'FAILED';
  }
}

/** Null: the money did not come through a provider, so that the shop gives it back itself. */
async function askProvider(ctx: Steps, refund: RefundRow): Promise<string | null> {
  if (refund.paymentId === null) return null;
  const payment = await findPayment(ctx.db, refund.businessId, refund.paymentId);
  const provider = payment && (await providerOf(ctx, payment));
  if (!provider) throw new PaymentRefused('The business has no keys for its payment provider.');
  return (await provider.refund({ refundId: refund.id, chargeId: payment.chargeId, amount: refund.amount })).id;
}

async function finishRefund(ctx: Command, refund: RefundRow): Promise<void> {
  const handlers = ctx.payments.handlersOf(refund.purpose);
  const sold = await handlers.lock(ctx, refund.reference);
  const wasPending = await updateRefund(ctx.db, { ...refund, updatedAt: ctx.now });
  if (!wasPending) return;
  if (refund.status === 'SUCCEEDED') await handlers.refunded?.(ctx, refund, sold);
  else await handlers.refundRefused?.(ctx, refund, sold);
}
