/**
 * A payment that is open is watched by a job until it is not: the job makes a session whose making was cut short, learns of
 * money whose news got lost, and closes what has run out.
 */

import type { Statement, Tx } from '../../db/sql.ts';
import type { SessionState } from '../../providers/payments/port.ts';
import type { Command, Steps } from './context.ts';
import { closePayment, completePayment } from './outcomes.ts';
import { providerOf } from './provider.ts';
import { findPayment, type PaymentRow, updateExpired } from './queries.ts';
import { makeSession } from './sessions.ts';

export const WATCH_JOB = 'payment-watch';
export type WatchJob = { businessId: string; paymentId: string };

const FIRST_LOOK_SECONDS = 60;
const LOOK_EVERY_SECONDS = 300;

const watchJob = ({ businessId, id }: PaymentRow): WatchJob => ({ businessId, paymentId: id });

/** The job that watches a payment, ready to be issued in the payment's own transaction. */
export function prepareWatch(ctx: Steps, payment: PaymentRow): Promise<(tx: Tx) => Statement<object[]>> {
  const { checkoutTtlSeconds } = ctx.config;
  const first = payment.provider === 'SANDBOX' ? checkoutTtlSeconds : FIRST_LOOK_SECONDS;
  return ctx.prepareJob(WATCH_JOB, watchJob(payment), { startAfterSeconds: Math.min(first, checkoutTtlSeconds) });
}

/** An open payment runs out now; what is open at the provider is closed there by the payment's job. */
export async function endPayment(ctx: Command, id: string): Promise<void> {
  const payment = await updateExpired(ctx.db, ctx.businessId, id, ctx.now);
  if (payment) await ctx.enqueue(WATCH_JOB, watchJob(payment));
}

/** One look at an open payment; comes back later while it stays open. */
export async function watchPayment(ctx: Steps, paymentId: string): Promise<void> {
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
  const startAfterSeconds = secondsLeft <= 0 ? FIRST_LOOK_SECONDS : Math.min(secondsLeft, LOOK_EVERY_SECONDS);
  await ctx.transaction((tx) => tx.enqueue(WATCH_JOB, watchJob(payment), { startAfterSeconds }));
}

async function look(ctx: Steps, payment: PaymentRow, expire: boolean): Promise<SessionState> {
  const provider = await providerOf(ctx, payment);
  // Nobody was told of a session that we do not know of: there is nothing to close.
  if (!provider || (expire && payment.sessionId === null)) return { status: expire ? 'EXPIRED' : 'OPEN' };
  const sessionId = payment.sessionId ?? (await makeSession(ctx, payment)).id;
  return expire ? provider.expireSession(sessionId) : provider.findSession(sessionId);
}
