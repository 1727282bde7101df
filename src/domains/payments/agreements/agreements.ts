/** What becomes of an agreement. Each of these locks what is sold first and the agreement after. */
import type { AgreementRef, Charge } from '../../../providers/payments/port.ts';
import type { Command } from '../context.ts';
import type { PaymentRow } from '../queries.ts';
import { addInterval } from './periods.ts';
import {
  type AgreementRow,
  findAgreement,
  hasFailedAfter,
  insertAgreement,
  insertCharge,
  lockAgreement,
  updateAgreement,
  type Wanted,
} from './queries.ts';

export const SYNC_JOB = 'agreement-sync';
export type SyncJob = { businessId: string; agreementId: string };

/** In the transaction of its first payment. Money that goes back begins nothing: what the provider has begun ends there. */
export async function beginAgreement(
  ctx: Command,
  payment: PaymentRow,
  at: AgreementRef | null,
  isAccepted: boolean,
): Promise<void> {
  const { interval } = payment.doc;
  if (!interval) return;
  const { businessId, id, purpose, reference, provider, amount, currency } = payment;
  const periodEnd = addInterval(ctx.now, interval);
  const row: AgreementRow = {
    ...{ businessId, id, purpose, reference, provider, amount, currency, interval, periodEnd },
    ...{ providerId: at?.id ?? id, customerId: at?.customerId ?? null, status: isAccepted ? 'ACTIVE' : 'ENDED' },
    ...{ wanted: isAccepted ? 'RENEW' : 'END', told: 'RENEW', dueAt: ctx.now, createdAt: ctx.now, updatedAt: ctx.now },
  };
  await insertAgreement(ctx.db, row);
  if (isAccepted) {
    const charge = { id: at?.chargeId ?? id, status: 'PAID' as const, amount, currency, periodEnd };
    await insertCharge(ctx.db, { businessId, agreementId: id, ...charge, createdAt: ctx.now });
  }
  await ctx.enqueue(SYNC_JOB, { businessId, agreementId: id } satisfies SyncJob);
}

/** News of a period that was paid or could not be, in any order and however often. */
export async function applyCharge(ctx: Command, { businessId, id }: AgreementRow, charge: Charge): Promise<void> {
  const found = await lockWithSold(ctx, businessId, id);
  if (!found) return;
  const { agreement, handlers, sold } = found;
  if (charge.status === 'PAID' && !isRight(agreement, charge)) {
    ctx.log.error({ businessId, agreementId: id, charge }, 'a renewal was paid with another amount than was agreed');
    return;
  }
  // A failure of a period that is paid already is old news.
  if (charge.status === 'FAILED' && charge.periodEnd <= agreement.periodEnd) return;
  const isNew = await insertCharge(ctx.db, { businessId, agreementId: id, ...charge, createdAt: ctx.now });
  const periodEnd = charge.status === 'PAID' ? Math.max(agreement.periodEnd, charge.periodEnd) : agreement.periodEnd;
  const isPastDue = await hasFailedAfter(ctx.db, agreement, periodEnd);
  const status = agreement.status === 'ENDED' ? 'ENDED' : isPastDue ? 'PAST_DUE' : 'ACTIVE';
  const changed: AgreementRow = { ...agreement, status, periodEnd };
  await updateAgreement(ctx.db, changed, ctx.now);
  if (!isNew || status === 'ENDED') return;
  if (charge.status === 'PAID') await handlers.renewed?.(ctx, changed, sold);
  else await handlers.renewalFailed?.(ctx, changed, sold);
}

const isRight = (agreement: AgreementRow, charge: Charge) =>
  charge.currency.toLowerCase() === agreement.currency.toLowerCase() && charge.amount >= agreement.amount;

/** It is over, at the provider too. */
export async function endAgreement(ctx: Command, { businessId, id }: AgreementRow): Promise<void> {
  const found = await lockWithSold(ctx, businessId, id);
  if (!found) return;
  const { agreement, handlers, sold } = found;
  const ended: AgreementRow = { ...agreement, status: 'ENDED', wanted: 'END', told: 'END', dueAt: null };
  await updateAgreement(ctx.db, ended, ctx.now);
  if (agreement.status !== 'ENDED') await handlers.ended?.(ctx, ended, sold);
}

/** What is to happen to it. The provider is told by a job, however long that takes. What is sold must be locked. */
export async function wish(ctx: Command, agreement: AgreementRow, wanted: Wanted): Promise<AgreementRow> {
  const { businessId, id } = agreement;
  const current = await lockAgreement(ctx.db, businessId, id);
  // What ends, or has ended, does not begin again.
  if (!current || current.wanted === wanted || current.wanted === 'END') return current ?? agreement;
  const changed = { ...current, wanted, dueAt: ctx.now };
  await updateAgreement(ctx.db, changed, ctx.now);
  await ctx.enqueue(SYNC_JOB, { businessId, agreementId: id } satisfies SyncJob);
  return changed;
}

/** What the provider says of it now counts, not what a message said that may be late. */
export async function lookSoon(ctx: Command, { businessId, id }: AgreementRow): Promise<void> {
  const current = await lockAgreement(ctx.db, businessId, id);
  if (!current || current.dueAt === null) return;
  await updateAgreement(ctx.db, { ...current, dueAt: ctx.now }, ctx.now);
  await ctx.enqueue(SYNC_JOB, { businessId, agreementId: id } satisfies SyncJob);
}

/** What is sold, and then the agreement. */
export async function lockWithSold(ctx: Command, businessId: string, id: string) {
  const known = await findAgreement(ctx.db, businessId, id);
  if (!known) return null;
  const handlers = ctx.payments.handlersOf(known.purpose);
  const sold = await handlers.lock(ctx, known.reference);
  const agreement = await lockAgreement(ctx.db, businessId, id);
  return agreement && { agreement, handlers, sold };
}
