/** Ends all agreements and sessions of a deleted business at its payment provider, so that no customer is charged again. */
import { type PaymentProvider, PaymentRefused } from '../../providers/payments/port.ts';
import type { ProviderSecrets } from '../businesses/index.ts';
import type { Steps } from './context.ts';
import { listOpenItems, type OpenItem, updateItemEnded } from './open-item-queries.ts';

/** The tables to keep until everything has ended at the provider. */
const TABLES = ['agreements', 'payments'];
const NO_TABLES: readonly string[] = [];
const BATCH = 100;

/** Returns the tables whose rows are still needed because the provider did not respond. The next run retries. Idempotent. */
export async function endBusinessAtProvider(
  ctx: Steps,
  businessId: string,
  { type, secretKey }: ProviderSecrets,
): Promise<readonly string[]> {
  const { payments, log, signal } = ctx;
  const provider = type === 'STRIPE' && secretKey ? payments.stripe.provider(secretKey) : null;
  for (;;) {
    const items = await listOpenItems(ctx.db, businessId, BATCH);
    if (items.length === 0) return NO_TABLES;
    if (!provider) {
      log.error(
        { businessId },
        "Deleted business has no payment provider key: cancel its subscriptions in the provider's dashboard",
      );
      return NO_TABLES;
    }
    for (const item of items) {
      if (signal.aborted) return TABLES;
      if (!(await tryToEnd(ctx, provider, item))) return TABLES;
      await ctx.write((tx) => updateItemEnded(tx, businessId, item, ctx.now));
    }
  }
}

/** Returns false if the item may still be active. An item that the provider refuses to end must be ended by hand. */
async function tryToEnd(ctx: Steps, provider: PaymentProvider, item: OpenItem): Promise<boolean> {
  const ids = { paymentId: item.id, providerId: item.providerId };
  try {
    await end(provider, item);
    return true;
  } catch (error) {
    if (error instanceof PaymentRefused) {
      ctx.log.error(
        { err: error, ...ids },
        "Payment provider rejected the cancellation of a subscription or payment session of a deleted business; cancel it in the provider's dashboard",
      );
      return true;
    }
    ctx.log.warn(
      { err: error, ...ids },
      'Failed to end a subscription or payment session of a deleted business, retrying later',
    );
    // Sessions expire on their own.
    return item.expiresAt !== null && item.expiresAt <= ctx.now;
  }
}

/** A session that was paid just before it was expired may have started an agreement. */
async function end(provider: PaymentProvider, { kind, providerId }: OpenItem): Promise<void> {
  if (kind === 'AGREEMENT') return provider.changeAgreement(providerId, 'END');
  const state = await provider.expireSession(providerId);
  if (state.status === 'PAID' && state.agreement) await provider.changeAgreement(state.agreement.id, 'END');
}
