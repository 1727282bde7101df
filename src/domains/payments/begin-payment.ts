import { newId } from '../../shared/ids.ts';
import type { Steps } from './context.ts';
import { insertPayment } from './queries.ts';
import { type NewPayment, openSession, preparePayment } from './sessions.ts';
import { prepareWatch } from './watch.ts';

/** Begins a payment on its own: commits it, then asks the provider where the customer pays. */
export async function beginPayment(ctx: Steps, wanted: NewPayment): Promise<{ id: string; url: string }> {
  const payment = await preparePayment(ctx, newId('pay'), wanted);
  const enqueueWatch = await prepareWatch(ctx, payment);
  await ctx.transaction(({ db }) => Promise.all([insertPayment(db, payment), enqueueWatch(db)]));
  return { id: payment.id, url: await openSession(ctx, payment) };
}
