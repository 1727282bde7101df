/**
 * A payment that is open is looked at now and then until it is not: whoever looks makes a session whose making was cut short,
 * learns of money whose news got lost, and closes what has run out.
 */
import type { SessionState } from '../../providers/payments/port.ts';
import type { Command, Steps } from './context.ts';
import { closePayment, completePayment } from './outcomes.ts';
import { providerOf } from './provider.ts';
import { findPayment, type PaymentRow, updateDue, updateExpired } from './queries.ts';
import { FIRST_LOOK_SECONDS, makeSession } from './sessions.ts';

const LOOK_EVERY_SECONDS = 300;

/** An open payment runs out now; what is open at the provider is closed there soon after. */
export const endPayment = ({ db, businessId, now }: Command, id: string): Promise<void> =>
  updateExpired(db, businessId, id, now);

/** One look at an open payment. While it stays open, it is due again later. */
export async function watchPayment(ctx: Steps, { id: paymentId }: { id: string }): Promise<void> {
  const payment = await findPayment(ctx.db, ctx.businessId, paymentId);
  if (payment?.status !== 'OPEN') return;
  const secondsLeft = payment.expiresAt - ctx.now;
  try {
    const state = await look(ctx, payment, secondsLeft <= 0);
    if (state.status === 'PAID') return await ctx.transaction((tx) => completePayment(tx, payment, state));
    if (secondsLeft <= 0) {
      await ctx.transaction((tx) => closePayment(tx, payment));
      return;
    }
  } catch (error) {
    ctx.log.warn({ err: error, paymentId }, 'a payment could not be looked at, trying again later');
  }
  const waitSeconds = secondsLeft <= 0 ? FIRST_LOOK_SECONDS : Math.min(secondsLeft, LOOK_EVERY_SECONDS);
  await ctx.write((tx) => updateDue(tx, payment, ctx.now + waitSeconds));
}

async function look(ctx: Steps, payment: PaymentRow, expire: boolean): Promise<SessionState> {
  const provider = await providerOf(ctx, payment);
  // Nobody was told of a session that we do not know of: there is nothing to close.
  if (!provider || (expire && payment.sessionId === null)) return { status: expire ? 'EXPIRED' : 'OPEN' };
  const sessionId = payment.sessionId ?? (await makeSession(ctx, payment)).id;
  return expire ? provider.expireSession(sessionId) : provider.findSession(sessionId);
}
