/**
 * Compares an agreement with what its provider says: tells what is wanted, learns what has happened. News by webhook only makes
 * this happen sooner, so that lost or late news changes nothing in the end.
 */
import type { Platform } from '../../../context/index.ts';
import { type AgreementState, PaymentRefused } from '../../../providers/payments/port.ts';
import type { PaymentServices, Steps } from '../context.ts';
import { providerOf } from '../provider.ts';
import { applyCharge, endAgreement, SYNC_JOB, type SyncJob } from './agreements.ts';
import { addInterval } from './periods.ts';
import { type AgreementRow, claimDue, findAgreement, listDue, lockAgreement, updateAgreement } from './queries.ts';

const LEASE_SECONDS = 600;
const RETRY_SECONDS = 300;
/** The provider charges some time after the end of a period; this much later its news is overdue. */
const NEWS_SECONDS = 3 * 3600;
const PAST_DUE_SECONDS = 6 * 3600;
const BATCH = 100;

export function registerAgreementJobs({ handleJobs }: Platform): void {
  handleJobs<SyncJob, PaymentServices>({ name: SYNC_JOB, concurrency: 2, handle: syncAgreement });
  handleJobs<object, PaymentServices>({
    name: 'agreements-due',
    cron: '* * * * *',
    expireSeconds: 600,
    handle: syncDue,
  });
}

/** Whatever is due in any business. */
export async function syncDue(ctx: Steps): Promise<void> {
  for (const due of await listDue(ctx.db, ctx.now, BATCH)) {
    if (ctx.signal.aborted) return;
    const isMine = await ctx.write((tx) => claimDue(tx, due, ctx.now, ctx.now + LEASE_SECONDS));
    const { businessId, id } = due;
    if (isMine) await syncAgreement(ctx.within(businessId), { businessId, agreementId: id });
  }
}

/** A job. One look, after which it is known when to look again; one that fails is due still. */
export async function syncAgreement(ctx: Steps, { agreementId }: SyncJob): Promise<void> {
  try {
    await sync(ctx, agreementId);
  } catch (error) {
    ctx.log.warn({ err: error, agreementId }, 'a renewal could not be looked at, trying again later');
  }
}

/** Raises while the provider does not answer. One that refuses for good, or whose key is gone, cannot be told. */
export async function endAtProvider(ctx: Steps, id: string): Promise<void> {
  try {
    await sync(ctx, id);
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error;
    ctx.log.error({ err: error, agreementId: id }, 'the payment provider refused to end what renews: end it there');
  }
}

async function sync(ctx: Steps, id: string): Promise<void> {
  const agreement = await findAgreement(ctx.db, ctx.businessId, id);
  if (!agreement || agreement.dueAt === null) return;
  await (agreement.provider === 'SANDBOX' ? play(ctx, agreement) : compare(ctx, agreement));
}

/** For the sandbox the time passes: a card that works is charged at the end of each period. */
async function play(ctx: Steps, agreement: AgreementRow): Promise<void> {
  const { id, wanted, status, periodEnd, interval, amount, currency } = agreement;
  if (wanted === 'END' || status === 'ENDED' || (wanted === 'CANCEL' && periodEnd <= ctx.now)) {
    return ctx.transaction((tx) => endAgreement(tx, agreement));
  }
  if (status === 'ACTIVE' && periodEnd <= ctx.now) {
    const charge = { id: sandboxCharge(agreement), status: 'PAID' as const, amount, currency };
    await ctx.transaction((tx) =>
      applyCharge(tx, agreement, { ...charge, periodEnd: addInterval(periodEnd, interval) }),
    );
  }
  const current = (await findAgreement(ctx.db, ctx.businessId, id))!;
  await lookAgain(ctx, id, Math.max(current.periodEnd, ctx.now + RETRY_SECONDS), current.wanted);
}

/** The charge of the next period has one name, however often it is tried. */
export const sandboxCharge = ({ periodEnd }: AgreementRow) => `sandbox_${periodEnd}`;

async function compare(ctx: Steps, agreement: AgreementRow): Promise<void> {
  const { id, providerId, wanted, told } = agreement;
  const provider = await providerOf(ctx, agreement);
  if (!provider) throw new PaymentRefused('The business has no keys for its payment provider.');
  if (wanted !== told) await provider.changeAgreement(providerId, wanted);
  const state = await provider.findAgreement(providerId);
  if (state.status === 'ENDED') return ctx.transaction((tx) => endAgreement(tx, agreement));
  if (state.charge) await ctx.transaction((tx) => applyCharge(tx, agreement, state.charge!));
  const next = state.status === 'PAST_DUE' ? ctx.now + PAST_DUE_SECONDS : state.periodEnd + NEWS_SECONDS;
  await lookAgain(ctx, id, Math.max(next, ctx.now + RETRY_SECONDS), wanted, wishOf(agreement, state));
}

/** What the customer chose at the provider's own page counts, unless something else is wanted here since. */
const wishOf = ({ wanted, told }: AgreementRow, { cancelsAtPeriodEnd }: AgreementState) =>
  wanted === told ? (cancelsAtPeriodEnd ? 'CANCEL' : 'RENEW') : wanted;

/** `told`: what the provider knows by now. A wish that came meanwhile stays due at once. */
async function lookAgain(
  ctx: Steps,
  id: string,
  dueAt: number,
  told: AgreementRow['told'],
  wanted = told,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const current = await lockAgreement(tx.db, ctx.businessId, id);
    if (!current || current.dueAt === null) return;
    const isNewWish = current.wanted !== told;
    const next = isNewWish ? { told, dueAt: ctx.now } : { told: wanted, wanted, dueAt };
    await updateAgreement(tx.db, { ...current, ...next }, ctx.now);
  });
}
