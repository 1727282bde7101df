import { KeyRefused, PaymentRefused } from '../../providers/payments/port.ts';
import { newId } from '../../shared/ids.ts';
import type { Command, Steps } from './context.ts';
import { providerOf } from './provider.ts';
import { findPayment } from './queries.ts';
import { findRefund, insertRefund, type RefundRow, updateRefund, updateRefundDue } from './refund-queries.ts';

/** Providers forget an idempotency key after a day; a refund that is older than this is looked for before it is asked for. */
const OLD_SECONDS = 12 * 3600;
/** It is tried again after a part of the refund's age, so that a short outage delays it little. */
const SHORTEST_WAIT_SECONDS = 60;
const LONGEST_WAIT_SECONDS = 3600;
const MAX_FAILURE = 500;

/** How long the refund is left to the request that has asked for it. */
const ASKED_BY_REQUEST_SECONDS = 60;

export type NewRefund = Pick<RefundRow, 'purpose' | 'reference' | 'paymentId' | 'amount' | 'reason' | 'userId'>;

/** Written before the provider is asked. It is due soon, should this process die before it has asked. */
export async function reserveRefund(ctx: Command, wanted: NewRefund): Promise<RefundRow> {
  const { businessId, now } = ctx;
  const refund: RefundRow = {
    ...{ ...wanted, businessId, id: newId('rfd'), status: 'PENDING', providerRefundId: null, failure: null },
    dueAt: now + (wanted.userId === null ? 0 : ASKED_BY_REQUEST_SECONDS),
    ...{ createdAt: now, updatedAt: now },
  };
  await insertRefund(ctx.db, refund);
  return refund;
}

export type RefundOutcome = { status: 'SUCCEEDED' } | { status: 'FAILED'; reason: string };

/**
 * Asks the provider, writes the outcome and returns it. Safe to repeat. Raises when the provider does not answer, and
 * `KeyRefused` when it does not take the key: the money is still owed, so the refund waits for a key that it takes.
 */
export async function makeRefund(ctx: Steps, id: string): Promise<RefundOutcome> {
  const refund = await findRefund(ctx.db, ctx.businessId, id);
  if (refund?.status === 'SUCCEEDED') return { status: 'SUCCEEDED' };
  if (refund?.status !== 'PENDING') return { status: 'FAILED', reason: refund?.failure ?? '' };
  try {
    const providerRefundId = await askProvider(ctx, refund);
    await ctx.transaction((tx) => finishRefund(tx, { ...refund, status: 'SUCCEEDED', providerRefundId }));
    return { status: 'SUCCEEDED' };
  } catch (error) {
    if (!(error instanceof PaymentRefused) || error instanceof KeyRefused) throw error;
    const failure = error.message.slice(0, MAX_FAILURE);
    ctx.log.error(
      { businessId: ctx.businessId, refundId: id, reason: failure },
      'the payment provider refused a refund',
    );
    await ctx.transaction((tx) => finishRefund(tx, { ...refund, status: 'FAILED', failure }));
    return { status: 'FAILED', reason: failure };
  }
}

/** Asks, and is due again until there is an outcome, however long that takes. */
export async function completeRefund(ctx: Steps, { id: refundId }: { id: string }): Promise<void> {
  try {
    await makeRefund(ctx, refundId);
  } catch (error) {
    const { businessId, now } = ctx;
    const refund = await findRefund(ctx.db, businessId, refundId);
    const age = now - (refund?.createdAt ?? now);
    const waitSeconds = Math.min(Math.max(Math.round(age / 4), SHORTEST_WAIT_SECONDS), LONGEST_WAIT_SECONDS);
    ctx.log.warn({ err: error, businessId, refundId, waitSeconds }, 'a refund could not be made, trying again later');
    await ctx.write((tx) => updateRefundDue(tx, businessId, refundId, now + waitSeconds));
  }
}

/** Null: the money did not come through a provider, so that the shop gives it back itself. */
async function askProvider(ctx: Steps, refund: RefundRow): Promise<string | null> {
  if (refund.paymentId === null) return null;
  const payment = await findPayment(ctx.db, refund.businessId, refund.paymentId);
  const provider = payment && (await providerOf(ctx, payment));
  if (!provider) throw new KeyRefused('The business has no keys for its payment provider.');
  const made = await provider.refund({
    ...{ refundId: refund.id, chargeId: payment.chargeId, amount: refund.amount },
    isOld: ctx.now - refund.createdAt > OLD_SECONDS,
  });
  return made.id;
}

async function finishRefund(ctx: Command, refund: RefundRow): Promise<void> {
  const handlers = ctx.payments.handlersOf(refund.purpose);
  const sold = await handlers.lock(ctx, refund.reference);
  const wasPending = await updateRefund(ctx.db, { ...refund, updatedAt: ctx.now });
  if (!wasPending) return;
  if (refund.status === 'SUCCEEDED') await handlers.refunded?.(ctx, refund, sold);
  else await handlers.refundRefused?.(ctx, refund, sold);
}
