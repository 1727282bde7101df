import { newId } from '../../shared/ids.ts';
import type { Steps } from './context.ts';
import { insertPayment } from './queries.ts';
import { type NewPayment, openSession, preparePayment } from './sessions.ts';

/** Starts a payment: commits it, then opens a session with the provider. Returns the URL of the payment page. */
export async function beginPayment(ctx: Steps, input: NewPayment): Promise<{ id: string; url: string }> {
  const payment = await preparePayment(ctx, newId('pay'), input);
  await ctx.write((tx) => insertPayment(tx, payment));
  return { id: payment.id, url: await openSession(ctx, payment) };
}
