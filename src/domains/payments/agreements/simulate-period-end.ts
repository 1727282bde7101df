import type { Command } from '../context.ts';
import { isSandboxOn } from '../provider.ts';
import { applyCharge, endAgreement, lockWithPurchase, requestAgreementChange } from './agreements.ts';
import { addInterval } from './periods.ts';
import { sandboxChargeId } from './sync-agreement.ts';

/** `end` ends a canceled agreement with its period. */
export type SandboxOutcome = 'renew' | 'fail' | 'end';

/**
 * Simulates the end of a period in the sandbox. Has no effect if the period is not the current one, so that a second click does
 * nothing, or if the sandbox is switched off. An agreement that renews can't end.
 */
export async function simulatePeriodEnd(
  ctx: Command,
  { id, outcome, periodEnd }: { id: string; outcome: SandboxOutcome; periodEnd: number },
): Promise<void> {
  if (!(await isSandboxOn(ctx, ctx.businessId))) return;
  const agreement = (await lockWithPurchase(ctx, ctx.businessId, id))?.agreement;
  if (agreement?.provider !== 'SANDBOX' || agreement.status === 'ENDED' || agreement.periodEnd !== periodEnd) return;
  const { amount, currency, interval, wanted } = agreement;
  if (outcome === 'end') {
    if (wanted !== 'RENEW') await endAgreement(ctx, agreement);
    return;
  }
  const status = outcome === 'renew' ? ('PAID' as const) : ('FAILED' as const);
  const charge = { id: sandboxChargeId(agreement), status, amount, currency };
  await applyCharge(ctx, agreement, { ...charge, periodEnd: addInterval(periodEnd, interval) });
  if (outcome === 'renew') await requestAgreementChange(ctx, agreement, 'RENEW');
}
