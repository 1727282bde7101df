import { KeyRefused, PaymentRefused } from '../../providers/payments/port.ts';
import { newId } from '../../shared/ids.ts';
import type { Command, Steps } from './context.ts';
import { providerOf } from './provider.ts';
import { findPayment } from './queries.ts';
import { findRefund, insertRefund, type RefundRow, updateRefund, updateRefundDue } from './refund-queries.ts';

/** Providers forget idempotency keys after a day. Before an older refund is retried, existing refunds are checked for it. */
const OLD_SECONDS = 12 * 3600;
/** The retry delay grows with the age of the refund, so that a short outage causes only a short delay. */
const MIN_WAIT_SECONDS = 60;
const MAX_WAIT_SECONDS = 3600;
const MAX_FAILURE = 500;

/** How long the job waits for the request that created a refund to make it. */
const REQUEST_GRACE_SECONDS = 60;

type NewRefund = Pick<RefundRow, 'purpose' | 'reference' | 'paymentId' | 'amount' | 'reason' | 'userId'> &
  Partial<Pick<RefundRow, 'parts'>>;

/** Stores a refund before the provider is called. It is due soon, in case this process crashes before the call. */
export async function reserveRefund(ctx: Command, input: NewRefund): Promise<RefundRow> {
  const { businessId, now } = ctx;
  const refund: RefundRow = {
    parts: null,
    ...input,
    businessId,
    id: newId('rfd'),
    status: 'PENDING',
    providerRefundId: null,
    failure: null,
    dueAt: now + (input.userId === null ? 0 : REQUEST_GRACE_SECONDS),
    createdAt: now,
    updatedAt: now,
  };
  await insertRefund(ctx.db, refund);
  return refund;
}

type RefundOutcome = { status: 'SUCCEEDED' } | { status: 'FAILED'; reason: string };

/**
 * Makes the refund through the provider, stores the outcome and returns it. Idempotent. Throws if the provider does not respond, and
 * `KeyRefused` if it rejects the API key: the money is still owed, so the refund waits for a valid key.
 */
export async function issueRefund(ctx: Steps, id: string): Promise<RefundOutcome> {
  const refund = await findRefund(ctx.db, ctx.businessId, id);
  if (refund?.status === 'SUCCEEDED') return { status: 'SUCCEEDED' };
  if (refund?.status !== 'PENDING') return { status: 'FAILED', reason: refund?.failure ?? '' };
  try {
    const providerRefundId = await refundAtProvider(ctx, refund);
    const made: RefundRow = { ...refund, status: 'SUCCEEDED', providerRefundId };
    if (await ctx.transaction((tx) => finishRefund(tx, made))) return { status: 'SUCCEEDED' };
  } catch (error) {
    if (!(error instanceof PaymentRefused) || error instanceof KeyRefused) throw error;
    const failure = error.message.slice(0, MAX_FAILURE);
    ctx.log.error({ businessId: ctx.businessId, refundId: id, reason: failure }, 'Payment provider rejected a refund');
    const failed: RefundRow = { ...refund, status: 'FAILED', failure };
    if (await ctx.transaction((tx) => finishRefund(tx, failed))) return { status: 'FAILED', reason: failure };
  }
  // Another process has stored the outcome.
  return issueRefund(ctx, id);
}

/** Tries to make the refund, and reschedules it until there is an outcome. */
export async function completeRefund(ctx: Steps, { id: refundId }: { id: string }): Promise<void> {
  try {
    await issueRefund(ctx, refundId);
  } catch (error) {
    const { businessId, now } = ctx;
    const refund = await findRefund(ctx.db, businessId, refundId);
    const age = now - (refund?.createdAt ?? now);
    const waitSeconds = Math.min(Math.max(Math.round(age / 4), MIN_WAIT_SECONDS), MAX_WAIT_SECONDS);
    ctx.log.warn({ err: error, businessId, refundId, waitSeconds }, 'Refund failed, retrying later');
    await ctx.write((tx) => updateRefundDue(tx, businessId, refundId, now + waitSeconds));
  }
}

/** Returns null if the payment was not made through a provider. The business then returns the money itself. */
async function refundAtProvider(ctx: Steps, refund: RefundRow): Promise<string | null> {
  if (refund.paymentId === null) return null;
  const payment = await findPayment(ctx.db, refund.businessId, refund.paymentId);
  const provider = payment && (await providerOf(ctx, payment));
  if (!provider) throw new KeyRefused('This business has no payment provider keys.');
  const { id } = await provider.refund({
    refundId: refund.id,
    chargeId: payment.chargeId,
    amount: refund.amount,
    isOld: ctx.now - refund.createdAt > OLD_SECONDS,
  });
  return id;
}

/** Returns false if another process has already stored the outcome. */
export async function finishRefund(ctx: Command, refund: RefundRow): Promise<boolean> {
  const handlers = ctx.payments.handlersOf(refund.purpose);
  const purchase = await handlers.lock(ctx, refund.reference);
  const wasPending = await updateRefund(ctx.db, { ...refund, updatedAt: ctx.now });
  if (!wasPending) return false;
  if (refund.status === 'SUCCEEDED') await handlers.refunded?.(ctx, refund, purchase, 'REQUEST');
  else await handlers.refundFailed?.(ctx, refund, purchase);
  return true;
}
