/** What becomes of a payment. Each of these locks what is sold first and the payment after. */
import type { Command } from './context.ts';
import { lockPayment, type Money, type PaymentRow, updateClosed, updatePaid, updatePaidInSandbox } from './queries.ts';
import { reserveRefund } from './refund.ts';

/** The effect of money, once, however often and in whatever order news of it arrives. */
export async function completePayment(ctx: Command, payment: PaymentRow, money: Money): Promise<void> {
  await complete(ctx, payment, () => updatePaid(ctx.db, payment, money, ctx.now));
}

/** The payment as it is now; null: it could not be paid any more. */
export const payInSandbox = (ctx: Command, payment: PaymentRow): Promise<PaymentRow | null> =>
  complete(ctx, payment, () => updatePaidInSandbox(ctx.db, payment, ctx.now));

async function complete(
  ctx: Command,
  payment: PaymentRow,
  update: () => Promise<PaymentRow | null>,
): Promise<PaymentRow | null> {
  const handlers = ctx.payments.handlersOf(payment.purpose);
  const sold = await handlers.lock(ctx, payment.reference);
  const paid = await update();
  if (paid && (await handlers.paid(ctx, paid, sold)) === 'REFUND') await refundAll(ctx, paid);
  return paid;
}

const refundAll = (ctx: Command, { purpose, reference, id, paid }: PaymentRow) =>
  reserveRefund(ctx, {
    ...{ purpose, reference, paymentId: id, amount: paid },
    ...{ reason: 'It came too late.', userId: null },
  });

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
  const sold = await handlers.lock(ctx, payment.reference);
  const closed = await updateClosed(ctx.db, payment, ctx.now);
  if (closed) await handlers[how]?.(ctx, closed, sold);
  return closed;
}
