/** What becomes of a payment. Each of these locks what is sold first and the payment after. */
import type { AgreementRef, Money } from '../../providers/payments/port.ts';
import { beginAgreement } from './agreements/agreements.ts';
import type { Command } from './context.ts';
import { lockPayment, type PaymentRow, updateClosed, updatePaid, updatePaidInSandbox } from './queries.ts';
import { reserveRefund } from './refund.ts';

/** The effect of money, once, however often and in whatever order news of it arrives. */
export async function completePayment(ctx: Command, payment: PaymentRow, money: Money): Promise<void> {
  const isCurrency = money.currency.toLowerCase() === payment.currency.toLowerCase();
  await complete(ctx, payment, () => updatePaid(ctx.db, payment, money, ctx.now), isCurrency, money.agreement);
}

/** The payment as it is now; null: it could not be paid any more. */
export const payInSandbox = (ctx: Command, payment: PaymentRow): Promise<PaymentRow | null> =>
  complete(ctx, payment, () => updatePaidInSandbox(ctx.db, payment, ctx.now), true);

/** Money that is too little, or of another currency, pays for nothing: it goes back, and what is sold hears of it. */
async function complete(
  ctx: Command,
  payment: PaymentRow,
  update: () => Promise<PaymentRow | null>,
  isCurrency: boolean,
  agreement: AgreementRef | null = null,
): Promise<PaymentRow | null> {
  const handlers = ctx.payments.handlersOf(payment.purpose);
  // In one round trip, and in this order: what is sold is locked before the payment.
  const [sold, paid] = await Promise.all([handlers.lock(ctx, payment.reference), update()]);
  if (!paid) return null;
  const isRight = isCurrency && paid.paid >= paid.amount;
  if (!isRight) await handlers.misfit?.(ctx, paid, sold);
  const isAccepted = isRight && (await handlers.paid(ctx, paid, sold)) === 'ACCEPT';
  if (!isAccepted) await refundAll(ctx, paid, isRight ? 'It came too late.' : 'It was not what was asked for.');
  await beginAgreement(ctx, paid, agreement, isAccepted);
  return paid;
}

async function refundAll(ctx: Command, { purpose, reference, id, paid }: PaymentRow, reason: string): Promise<void> {
  if (paid === 0) return;
  await reserveRefund(ctx, { ...{ purpose, reference, paymentId: id, amount: paid }, ...{ reason, userId: null } });
}

/** The payment as it is now; null: it was not open any more. */
export async function declinePayment(ctx: Command, payment: PaymentRow): Promise<PaymentRow | null> {
  const handlers = ctx.payments.handlersOf(payment.purpose);
  const sold = await handlers.lock(ctx, payment.reference);
  const current = await lockPayment(ctx.db, payment.businessId, payment.id);
  if (current?.status !== 'OPEN') return null;
  await handlers.declined?.(ctx, current, sold);
  return current;
}

/** The payment as it is now; null: it was not open any more. */
export async function closePayment(
  ctx: Command,
  payment: PaymentRow,
  how: 'closed' | 'givenUp' = 'closed',
): Promise<PaymentRow | null> {
  const handlers = ctx.payments.handlersOf(payment.purpose);
  const [sold, closed] = await Promise.all([
    handlers.lock(ctx, payment.reference),
    updateClosed(ctx.db, payment, ctx.now),
  ]);
  if (closed) await handlers[how]?.(ctx, closed, sold);
  return closed;
}
