/** Changes to an agreement. Each function locks the purchase before the agreement. */
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
  type RequestedState,
  updateAgreement,
} from './queries.ts';

/**
 * Creates the agreement, in the transaction of its first payment. If that payment is refunded, the agreement starts as ENDED, so that it
 * also ends at the provider.
 */
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
    businessId,
    id,
    purpose,
    reference,
    provider,
    amount,
    currency,
    interval,
    periodEnd,
    providerId: at?.id ?? id,
    customerId: at?.customerId ?? null,
    status: isAccepted ? 'ACTIVE' : 'ENDED',
    wanted: isAccepted ? 'RENEW' : 'END',
    lastSent: 'RENEW',
    dueAt: ctx.now,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  };
  await insertAgreement(ctx.db, row);
  if (isAccepted) {
    const charge = { id: at?.chargeId ?? id, status: 'PAID' as const, amount, currency, periodEnd };
    await insertCharge(ctx.db, { businessId, agreementId: id, ...charge, createdAt: ctx.now });
  }
}

/** Applies a paid or failed charge. Charges can be reported repeatedly and in any order. */
export async function applyCharge(ctx: Command, { businessId, id }: AgreementRow, charge: Charge): Promise<void> {
  const found = await lockWithPurchase(ctx, businessId, id);
  if (!found) return;
  const { agreement, handlers, purchase } = found;
  if (charge.status === 'PAID' && !isAgreedAmount(agreement, charge)) {
    ctx.log.error({ businessId, agreementId: id, charge }, 'Renewal ignored: the amount or currency is wrong');
    return;
  }
  // A failed charge for a period that has since been paid is outdated.
  if (charge.status === 'FAILED' && charge.periodEnd <= agreement.periodEnd) return;
  const isNew = await insertCharge(ctx.db, { businessId, agreementId: id, ...charge, createdAt: ctx.now });
  const periodEnd = charge.status === 'PAID' ? Math.max(agreement.periodEnd, charge.periodEnd) : agreement.periodEnd;
  const isPastDue = await hasFailedAfter(ctx.db, agreement, periodEnd);
  const status = agreement.status === 'ENDED' ? 'ENDED' : isPastDue ? 'PAST_DUE' : 'ACTIVE';
  const changed: AgreementRow = { ...agreement, status, periodEnd };
  await updateAgreement(ctx.db, changed, ctx.now);
  if (!isNew || status === 'ENDED') return;
  if (charge.status === 'PAID') await handlers.renewed?.(ctx, changed, purchase);
  else await handlers.renewalFailed?.(ctx, changed, purchase);
}

const isAgreedAmount = (agreement: AgreementRow, charge: Charge) =>
  charge.currency.toLowerCase() === agreement.currency.toLowerCase() && charge.amount >= agreement.amount;

/** Records that the agreement has ended, at the provider too. */
export async function endAgreement(ctx: Command, { businessId, id }: AgreementRow): Promise<void> {
  const found = await lockWithPurchase(ctx, businessId, id);
  if (!found) return;
  const { agreement, handlers, purchase } = found;
  const ended: AgreementRow = { ...agreement, status: 'ENDED', wanted: 'END', lastSent: 'END', dueAt: null };
  await updateAgreement(ctx.db, ended, ctx.now);
  if (agreement.status !== 'ENDED') await handlers.ended?.(ctx, ended, purchase);
}

/** Records the requested change. A worker sends it to the provider, with retries. The purchase must be locked. */
export async function requestAgreementChange(
  ctx: Command,
  agreement: AgreementRow,
  wanted: RequestedState,
): Promise<AgreementRow> {
  const { businessId, id } = agreement;
  const current = await lockAgreement(ctx.db, businessId, id);
  // An agreement that is ending or has ended can't be resumed.
  if (!current || current.wanted === wanted || current.wanted === 'END') return current ?? agreement;
  const changed = { ...current, wanted, dueAt: ctx.now };
  await updateAgreement(ctx.db, changed, ctx.now);
  return changed;
}

/** Makes the agreement due, so that a worker fetches its current state. The event itself may be outdated. */
export async function scheduleSync(ctx: Command, { businessId, id }: AgreementRow): Promise<void> {
  const current = await lockAgreement(ctx.db, businessId, id);
  if (!current || current.dueAt === null) return;
  await updateAgreement(ctx.db, { ...current, dueAt: ctx.now }, ctx.now);
}

/** Locks the purchase, then the agreement. */
export async function lockWithPurchase(ctx: Command, businessId: string, id: string) {
  const known = await findAgreement(ctx.db, businessId, id);
  if (!known) return null;
  const handlers = ctx.payments.handlersOf(known.purpose);
  const purchase = await handlers.lock(ctx, known.reference);
  const agreement = await lockAgreement(ctx.db, businessId, id);
  return agreement && { agreement, handlers, purchase };
}
