/**
 * Polls open payments. A poll creates a missing session, completes a payment whose event was lost, and closes an expired payment.
 */
import type { SessionState } from '../../providers/payments/port.ts';
import type { Command, Steps } from './context.ts';
import { closePayment, completePayment } from './outcomes.ts';
import { providerOf } from './provider.ts';
import { findPayment, type PaymentRow, updateDue, updateExpired } from './queries.ts';
import { FIRST_POLL_SECONDS, makeSession } from './sessions.ts';

const POLL_INTERVAL_SECONDS = 300;

/** Expires an open payment now. The provider's session is closed soon after. */
export const endPayment = ({ db, businessId, now }: Command, id: string): Promise<void> =>
  updateExpired(db, businessId, id, now);

/** Polls an open payment once. While it stays open, it is rescheduled. */
export async function watchPayment(ctx: Steps, { id: paymentId }: { id: string }): Promise<void> {
  const payment = await findPayment(ctx.db, ctx.businessId, paymentId);
  if (payment?.status !== 'OPEN') return;
  const secondsLeft = payment.expiresAt - ctx.now;
  try {
    const state = await pollSession(ctx, payment, secondsLeft <= 0);
    if (state.status === 'PAID') return await ctx.transaction((tx) => completePayment(tx, payment, state));
    if (secondsLeft <= 0) {
      await ctx.transaction((tx) => closePayment(tx, payment));
      return;
    }
  } catch (error) {
    ctx.log.warn({ err: error, paymentId }, 'Failed to poll a payment, retrying later');
  }
  const waitSeconds = secondsLeft <= 0 ? FIRST_POLL_SECONDS : Math.min(secondsLeft, POLL_INTERVAL_SECONDS);
  await ctx.write((tx) => updateDue(tx, payment, ctx.now + waitSeconds));
}

async function pollSession(ctx: Steps, payment: PaymentRow, expire: boolean): Promise<SessionState> {
  const provider = await providerOf(ctx, payment);
  // A session without a known ID was never given to a customer, so there is nothing to close.
  if (!provider || (expire && payment.sessionId === null)) return { status: expire ? 'EXPIRED' : 'OPEN' };
  const sessionId = payment.sessionId ?? (await makeSession(ctx, payment)).id;
  return expire ? provider.expireSession(sessionId) : provider.findSession(sessionId);
}
