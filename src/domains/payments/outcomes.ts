/** Outcomes of a payment. Each function locks the purchase before the payment. */
import type { AgreementRef, Money } from '../../providers/payments/port.ts';
import { beginAgreement } from './agreements/agreements.ts';
import type { Command } from './context.ts';
import {
  lockPayment,
  type PaymentRef,
  type PaymentRow,
  updateClosed,
  updatePaid,
  updatePaidInSandbox,
} from './queries.ts';
import { reserveRefund } from './refund.ts';

/** Applies a received payment once, even if its events arrive repeatedly or out of order. */
export async function completePayment(ctx: Command, payment: PaymentRow, money: Money): Promise<void> {
  const isSameCurrency = money.currency.toLowerCase() === payment.currency.toLowerCase();
  await complete(ctx, payment, () => updatePaid(ctx.db, payment, money, ctx.now), isSameCurrency, money.agreement);
}

/** Returns the updated payment, or null if it can't be paid in the sandbox. */
export const payInSandbox = (ctx: Command, payment: PaymentRef): Promise<PaymentRow | null> =>
  complete(ctx, payment, () => updatePaidInSandbox(ctx.db, payment, ctx.now), true);

/** A payment that is too low or in another currency is refunded, and the purchase's handlers are notified. */
async function complete(
  ctx: Command,
  payment: PaymentRef,
  update: () => Promise<PaymentRow | null>,
  isSameCurrency: boolean,
  agreement: AgreementRef | null = null,
): Promise<PaymentRow | null> {
  const handlers = ctx.payments.handlersOf(payment.purpose);
  // One round trip, in this order: the purchase is locked before the payment.
  const [purchase, paid] = await Promise.all([handlers.lock(ctx, payment.reference), update()]);
  if (!paid) return null;
  const isMatch = isSameCurrency && paid.paid >= paid.amount;
  if (!isMatch) await handlers.mismatched?.(ctx, paid, purchase);
  const isAccepted = isMatch && (await handlers.paid(ctx, paid, purchase)) === 'ACCEPT';
  if (!isAccepted)
    await refundAll(ctx, paid, isMatch ? 'Payment received after the order expired' : "Payment didn't match the order");
  await beginAgreement(ctx, paid, agreement, isAccepted);
  return paid;
}

async function refundAll(ctx: Command, { purpose, reference, id, paid }: PaymentRow, reason: string): Promise<void> {
  if (paid === 0) return;
  await reserveRefund(ctx, { purpose, reference, paymentId: id, amount: paid, reason, userId: null });
}

/** Returns the updated payment, or null if it was no longer open. */
export async function declinePayment(ctx: Command, payment: PaymentRow): Promise<PaymentRow | null> {
  const handlers = ctx.payments.handlersOf(payment.purpose);
  const purchase = await handlers.lock(ctx, payment.reference);
  const current = await lockPayment(ctx.db, payment.businessId, payment.id);
  if (current?.status !== 'OPEN') return null;
  await handlers.declined?.(ctx, current, purchase);
  return current;
}

/**
 * Returns the updated payment, or null if it was no longer open. Also null if it has got a session since it was read: a customer may be
 * paying in that session, so it must be closed first.
 */
export async function closePayment(
  ctx: Command,
  payment: PaymentRow,
  outcome: 'closed' | 'abandoned' = 'closed',
): Promise<PaymentRow | null> {
  const handlers = ctx.payments.handlersOf(payment.purpose);
  const [purchase, closed] = await Promise.all([
    handlers.lock(ctx, payment.reference),
    updateClosed(ctx.db, payment, ctx.now),
  ]);
  if (closed) await handlers[outcome]?.(ctx, closed, purchase);
  return closed;
}
