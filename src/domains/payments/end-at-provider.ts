/** A business is being deleted: what it has running at its provider ends there, so that nobody is charged for it any more. */
import { type PaymentProvider, PaymentRefused } from '../../providers/payments/port.ts';
import type { ProviderSecrets } from '../businesses/index.ts';
import type { Steps } from './context.ts';
import { type Left, listLeft, updateLeftEnded } from './left-queries.ts';

/** Needed until the provider has heard. */
const TABLES = ['agreements', 'payments'];
const NOTHING: readonly string[] = [];
const BATCH = 100;

/** The tables whose rows are still needed: the provider does not answer, and is asked again at the next run. Safe to repeat. */
export async function endAtProviderOf(
  ctx: Steps,
  businessId: string,
  { type, secretKey }: ProviderSecrets,
): Promise<readonly string[]> {
  const { payments, log, signal } = ctx;
  const provider = type === 'STRIPE' && secretKey ? payments.stripe.provider(secretKey) : null;
  for (;;) {
    const left = await listLeft(ctx.db, businessId, BATCH);
    if (left.length === 0) return NOTHING;
    if (!provider) {
      log.error({ businessId }, 'a deleted business has no key for its payment provider: end what renews there');
      return NOTHING;
    }
    for (const one of left) {
      if (signal.aborted) return TABLES;
      if (!(await hasEnded(ctx, provider, one))) return TABLES;
      await ctx.write((tx) => updateLeftEnded(tx, businessId, one, ctx.now));
    }
  }
}

/** False: it may still go on. What the provider refuses for good can only be ended by hand. */
async function hasEnded(ctx: Steps, provider: PaymentProvider, left: Left): Promise<boolean> {
  const about = { paymentId: left.id, providerId: left.providerId };
  try {
    await end(provider, left);
    return true;
  } catch (error) {
    if (error instanceof PaymentRefused) {
      ctx.log.error(
        { err: error, ...about },
        'the payment provider refused to end what a deleted business left: end it there',
      );
      return true;
    }
    ctx.log.warn({ err: error, ...about }, 'what a deleted business left at its payment provider goes on for now');
    // A session runs out by itself.
    return left.expiresAt !== null && left.expiresAt <= ctx.now;
  }
}

/** A session that was paid at the last moment may have begun something that renews. */
async function end(provider: PaymentProvider, { kind, providerId }: Left): Promise<void> {
  if (kind === 'AGREEMENT') return provider.changeAgreement(providerId, 'END');
  const state = await provider.expireSession(providerId);
  if (state.status === 'PAID' && state.agreement) await provider.changeAgreement(state.agreement.id, 'END');
}
