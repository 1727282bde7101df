/**
 * Syncs an agreement with its provider: sends requested changes and fetches the current state. Webhook events only trigger the sync
 * earlier, so that lost or late events make no difference.
 */
import type { Platform } from '../../../context/index.ts';
import { type AgreementState, PaymentRefused } from '../../../providers/payments/port.ts';
import type { Steps } from '../context.ts';
import { isSandboxOn, providerOf } from '../provider.ts';
import { applyCharge, endAgreement } from './agreements.ts';
import { addInterval } from './periods.ts';
import { type AgreementRow, findAgreement, lockAgreement, updateAgreement } from './queries.ts';

const RETRY_SECONDS = 300;
/** The provider charges some time after the end of a period. After this delay, its event is overdue. */
const EVENT_DELAY_SECONDS = 3 * 3600;
const PAST_DUE_SECONDS = 6 * 3600;

export const handleAgreements = ({ handleDueRows }: Platform): void =>
  handleDueRows<Pick<AgreementRow, 'id'>>({
    name: 'agreement-sync',
    concurrency: 2,
    // If the provider is unreachable, the sync is retried after this time.
    table: { name: 'agreements', key: 'id', due: 'due_at', columns: [], leaseSeconds: RETRY_SECONDS },
    handle: syncAgreement,
  });

/** Syncs once and schedules the next sync. */
export async function syncAgreement(ctx: Steps, { id }: Pick<AgreementRow, 'id'>): Promise<void> {
  try {
    await sync(ctx, id);
  } catch (error) {
    ctx.log.warn(
      { err: error, agreementId: id },
      'Failed to sync a subscription with its payment provider, retrying later',
    );
  }
}

/** Throws while the provider does not respond. A permanent refusal, for example because of a revoked key, is only logged. */
export async function endAgreementAtProvider(ctx: Steps, id: string): Promise<void> {
  try {
    await sync(ctx, id);
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    ctx.log.error(
      { err: error, agreementId: id },
      "Payment provider rejected the cancellation of a subscription; cancel it in the provider's dashboard",
    );
  }
}

async function sync(ctx: Steps, id: string): Promise<void> {
  const agreement = await findAgreement(ctx.db, ctx.businessId, id);
  if (!agreement || agreement.dueAt === null) return;
  await (agreement.provider === 'SANDBOX' ? syncWithSandbox(ctx, agreement) : syncWithProvider(ctx, agreement));
}

/** In the sandbox, the charge at the end of each period always succeeds. Once it is switched off, no period is renewed. */
async function syncWithSandbox(ctx: Steps, agreement: AgreementRow): Promise<void> {
  const { id, wanted, status, periodEnd, interval, amount, currency } = agreement;
  const isLastPeriod = wanted === 'CANCEL' || !(await isSandboxOn(ctx, ctx.businessId));
  if (wanted === 'END' || status === 'ENDED' || (isLastPeriod && periodEnd <= ctx.now)) {
    return ctx.transaction((tx) => endAgreement(tx, agreement));
  }
  if (status === 'ACTIVE' && periodEnd <= ctx.now) {
    const charge = { id: sandboxChargeId(agreement), status: 'PAID' as const, amount, currency };
    await ctx.transaction((tx) =>
      applyCharge(tx, agreement, { ...charge, periodEnd: addInterval(periodEnd, interval) }),
    );
  }
  const current = (await findAgreement(ctx.db, ctx.businessId, id))!;
  await scheduleNextSync(ctx, id, Math.max(current.periodEnd, ctx.now + RETRY_SECONDS), current.wanted);
}

/** The ID of the next period's charge, the same for every attempt. */
export const sandboxChargeId = ({ periodEnd }: AgreementRow) => `sandbox_${periodEnd}`;

async function syncWithProvider(ctx: Steps, agreement: AgreementRow): Promise<void> {
  const { id, providerId, wanted, lastSent } = agreement;
  const provider = await providerOf(ctx, agreement);
  if (!provider) throw new PaymentRefused('The business has no payment provider keys.');
  if (wanted !== lastSent) await provider.changeAgreement(providerId, wanted);
  const state = await provider.findAgreement(providerId);
  if (state.status === 'ENDED') return ctx.transaction((tx) => endAgreement(tx, agreement));
  if (state.charge) await ctx.transaction((tx) => applyCharge(tx, agreement, state.charge!));
  const next = state.status === 'PAST_DUE' ? ctx.now + PAST_DUE_SECONDS : state.periodEnd + EVENT_DELAY_SECONDS;
  await scheduleNextSync(ctx, id, Math.max(next, ctx.now + RETRY_SECONDS), wanted, nextRequested(agreement, state));
}

/** The customer's choice in the provider's portal applies, unless another change is pending here. */
const nextRequested = ({ wanted, lastSent }: AgreementRow, { cancelsAtPeriodEnd }: AgreementState) =>
  wanted === lastSent ? (cancelsAtPeriodEnd ? 'CANCEL' : 'RENEW') : wanted;

/** `lastSent` is the state the provider has now. A change requested in the meantime stays due. */
async function scheduleNextSync(
  ctx: Steps,
  id: string,
  dueAt: number,
  lastSent: AgreementRow['lastSent'],
  wanted = lastSent,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const current = await lockAgreement(tx.db, ctx.businessId, id);
    if (!current || current.dueAt === null) return;
    const hasNewRequest = current.wanted !== lastSent;
    const next = hasNewRequest ? { lastSent, dueAt: ctx.now } : { lastSent: wanted, wanted, dueAt };
    await updateAgreement(tx.db, { ...current, ...next }, ctx.now);
  });
}
