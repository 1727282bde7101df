import { PaymentRefused } from '../../../providers/payments/port.ts';
import { conflict, unavailable } from '../../../shared/errors.ts';
import type { Steps } from '../context.ts';
import { providerOf } from '../provider.ts';
import { applyCharge, endAgreement, lockWithSold, wish } from './agreements.ts';
import { addInterval } from './periods.ts';
import type { AgreementRow } from './queries.ts';
import { sandboxCharge } from './sync-agreement.ts';

/** Where the customer changes the card and sees invoices. Null: this provider has no such page. */
export async function openPortal(ctx: Steps, agreement: AgreementRow, returnUrl: string): Promise<string | null> {
  if (agreement.customerId === null) return null;
  try {
    const provider = await providerOf(ctx, agreement);
    if (!provider) throw new PaymentRefused('The business has no keys for its payment provider.');
    return await provider.portalUrl(agreement.customerId, returnUrl);
  } catch (error) {
    ctx.log.warn({ err: error, agreementId: agreement.id }, 'the payment provider opened no portal');
    if (error instanceof PaymentRefused) throw conflict('The payment provider has no such page for this shop.');
    throw unavailable('The payment provider does not answer. Try again soon.');
  }
}

/** `end`: the period ends, and with it what was cancelled. */
export type Play = 'renew' | 'fail' | 'end';

/**
 * What would happen at the end of the period, now. Only in the sandbox, and only to the period that the caller has seen: one that
 * was renewed or has ended meanwhile stays as it is, so that a second click does nothing. What renews does not end.
 */
export async function playAgreement(ctx: Steps, id: string, play: Play, periodEnd: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const agreement = (await lockWithSold(tx, ctx.businessId, id))?.agreement;
    if (agreement?.provider !== 'SANDBOX' || agreement.status === 'ENDED' || agreement.periodEnd !== periodEnd) return;
    const { amount, currency, interval, wanted } = agreement;
    if (play === 'end') {
      if (wanted !== 'RENEW') await endAgreement(tx, agreement);
      return;
    }
    const status = play === 'renew' ? ('PAID' as const) : ('FAILED' as const);
    const charge = { id: sandboxCharge(agreement), status, amount, currency };
    await applyCharge(tx, agreement, { ...charge, periodEnd: addInterval(periodEnd, interval) });
    if (play === 'renew') await wish(tx, agreement, 'RENEW');
  });
}
