import { newId } from '../../shared/ids.ts';
import type { Steps } from './context.ts';
import { insertPayment } from './queries.ts';
import { type NewPayment, openSession, preparePayment } from './sessions.ts';

/** Begins a payment on its own: commits it, then asks the provider where the customer pays. */
export async function beginPayment(ctx: Steps, wanted: NewPayment): Promise<{ id: string; url: string }> {
  const payment = await preparePayment(ctx, newId('pay'), wanted);
  await ctx.write((tx) => insertPayment(tx, payment));
  return { id: payment.id, url: await openSession(ctx, payment) };
}
