/**
 * Refunds and disputes that are made or decided outside Souk. An event only says that a charge has changed: its current state is
 * fetched and compared with ours, so that repeated, late and reordered events make no difference.
 */
import type { Dispute, Money, PaymentEvent, ProviderRefund } from '../../providers/payments/port.ts';
import { unavailable } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import type { Command, Steps } from './context.ts';
import type { RefundOrigin } from './handlers.ts';
import { completePayment } from './outcomes.ts';
import { providerOf } from './provider.ts';
import { findPayment, type PaymentRow } from './queries.ts';
import { finishRefund } from './refund.ts';
import { insertRefund, listRefunds, type RefundRow, updateReversed } from './refund-queries.ts';

type ChargeEvent = Extract<PaymentEvent, { kind: 'REFUND_CHANGED' | 'DISPUTE_CHANGED' }>;

export type ChargeState = {
  payment: PaymentRow;
  /** Set if the customer has paid but the payment is not recorded yet. */
  money: Money | null;
  refunds: ProviderRefund[];
  dispute: Dispute | null;
};

/** Returns null if the charge is not ours. Throws 503 if the provider does not respond, so that it sends the event again. */
export async function fetchCharge(ctx: Steps, event: ChargeEvent): Promise<ChargeState | null> {
  const { businessId, log } = ctx;
  try {
    const provider = await providerOf(ctx, { businessId, provider: 'STRIPE' });
    const charge = await provider?.findCharge(event.chargeId);
    const payment = charge && (await findPayment(ctx.db, businessId, charge.paymentId));
    if (!provider || !payment) return null;
    const dispute = event.kind === 'DISPUTE_CHANGED' ? await provider.findDispute(event.disputeId) : null;
    const isUnknown = payment.status !== 'PAID' && payment.sessionId !== null;
    const session = isUnknown ? await provider.findSession(payment.sessionId!) : null;
    return { payment, money: session?.status === 'PAID' ? session : null, refunds: charge.refunds, dispute };
  } catch (error) {
    log.warn(
      { err: error, businessId, chargeId: event.chargeId },
      'Failed to fetch a charge from the payment provider',
    );
    throw unavailable('The payment provider is not responding. Send the event again later.');
  }
}

export async function applyChargeState(ctx: Command, { chargeId }: ChargeEvent, state: ChargeState): Promise<void> {
  const { money, refunds, dispute } = state;
  if (money) await completePayment(ctx, state.payment, money);
  const payment = await findPayment(ctx.db, ctx.businessId, state.payment.id);
  if (payment?.status !== 'PAID' || payment.chargeId !== chargeId) return;
  for (const refund of refunds) await applyRefund(ctx, payment, refund, 'PROVIDER');
  if (dispute) await applyDispute(ctx, payment, dispute);
}

/** A lost dispute returns the money, like a refund. */
async function applyDispute(ctx: Command, payment: PaymentRow, dispute: Dispute): Promise<void> {
  const handlers = ctx.payments.handlersOf(payment.purpose);
  await handlers.disputed?.(ctx, dispute, await handlers.lock(ctx, payment.reference));
  if (dispute.status !== 'LOST') return;
  const { id, amount } = dispute;
  const refund = { id, amount, refundId: null, reason: 'Dispute lost', status: 'SUCCEEDED' as const };
  await applyRefund(ctx, payment, refund, 'DISPUTE');
}

/** The lock on the purchase keeps concurrent events from inserting the same refund. */
async function applyRefund(
  ctx: Command,
  payment: PaymentRow,
  found: ProviderRefund,
  origin: RefundOrigin,
): Promise<void> {
  const handlers = ctx.payments.handlersOf(payment.purpose);
  const purchase = await handlers.lock(ctx, payment.reference);
  const known = (await listRefunds(ctx.db, payment)).find(
    ({ id, providerRefundId }) => id === found.refundId || providerRefundId === found.id,
  );
  const hasFailed = found.status === 'FAILED';
  const failure = hasFailed ? 'The payment provider could not complete the refund.' : null;
  if (known?.status === 'PENDING') {
    await finishRefund(ctx, { ...known, status: found.status, providerRefundId: found.id, failure });
    return;
  }
  if (known && hasFailed) {
    const reversed: RefundRow = { ...known, status: 'FAILED', failure, updatedAt: ctx.now };
    if (await updateReversed(ctx.db, reversed)) await handlers.refundReversed?.(ctx, reversed, purchase);
  }
  if (known || hasFailed) return;
  const refund: RefundRow = {
    businessId: payment.businessId,
    id: newId('rfd'),
    paymentId: payment.id,
    purpose: payment.purpose,
    reference: payment.reference,
    amount: found.amount,
    reason: found.reason,
    parts: null,
    userId: null,
    status: 'SUCCEEDED',
    providerRefundId: found.id,
    failure: null,
    dueAt: ctx.now,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  await insertRefund(ctx.db, refund);
  await handlers.refunded?.(ctx, refund, purchase, origin);
}
