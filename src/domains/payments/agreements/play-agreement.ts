import type { Steps } from '../context.ts';
import { applyCharge, endAgreement, lockWithSold, wish } from './agreements.ts';
import { addInterval } from './periods.ts';
import { sandboxCharge } from './sync-agreement.ts';

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
