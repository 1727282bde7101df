/** Recurring plans: applies changes in agreements to subscriptions, and requests from subscribers and members to agreements. */
import type { Command as BaseCommand } from '../../../../context/index.ts';
import type { Db, Tx } from '../../../../db/sql.ts';
import {
  type AgreementRow,
  listAgreementsFor,
  listCharges,
  requestAgreementChange,
  updateEnding,
} from '../../../payments/index.ts';
import type { Command } from '../../context.ts';
import { emitSubscription } from '../emit-subscription.ts';
import { findNewsletter } from '../find-newsletter.ts';
import { isSubscribed, lockSubscription, type SubscriptionRow, updateSubscription } from '../queries.ts';
import { type Billing, subscriberOf } from '../schemas.ts';
import { subscriptionMail } from '../subscription-mails.ts';

const SHOWN_CHARGES = 12;

const prefixOf = (subscriptionId: string) => `${subscriptionId}/`;
const subscriptionIdOf = ({ reference }: { reference: string }) => reference.split('/')[0]!;
const planIdOf = ({ reference }: { reference: string }) => reference.split('/')[1] ?? '';

/** The current agreement, or else the latest; null if the plan does not renew. */
export async function findAgreementOf(db: Db, { businessId, id }: Pick<SubscriptionRow, 'businessId' | 'id'>) {
  const all = await listAgreementsFor(db, businessId, [prefixOf(id)]);
  return all.find(({ status }) => status !== 'ENDED') ?? all[0] ?? null;
}

/** Returns null if the plan was not paid for or does not renew. */
export async function readBilling({ db }: { db: Db }, row: SubscriptionRow): Promise<Billing | null> {
  const agreement = await findAgreementOf(db, row);
  if (!agreement) return null;
  const { status, amount, currency, interval, periodEnd, wanted, provider } = agreement;
  const charges = await listCharges(db, row.businessId, agreement.id, SHOWN_CHARGES);
  return {
    planId: planIdOf(agreement),
    status,
    amount,
    currency,
    interval,
    provider,
    paidUntil: periodEnd,
    cancelAtPeriodEnd: wanted !== 'RENEW',
    charges: charges.map((charge) => ({ ...charge, paidUntil: charge.periodEnd })),
  };
}

/**
 * Cancels at the end of the period or, if `isCancelled` is false, undoes a cancellation while the period lasts. Returns false if
 * nothing changed. The subscription must be locked.
 */
export async function setCancelled(ctx: Command, row: SubscriptionRow, isCancelled: boolean): Promise<boolean> {
  let hasChanged = false;
  for (const agreement of await listAgreementsFor(ctx.db, row.businessId, [prefixOf(row.id)])) {
    const { wanted } = await requestAgreementChange(ctx, agreement, isCancelled ? 'CANCEL' : 'RENEW');
    hasChanged ||= wanted !== agreement.wanted;
  }
  if (!hasChanged) return false;
  const [data, before] = [isCancelled, !isCancelled].map((cancelAtPeriodEnd) => ({
    ...subscriberOf(row),
    cancelAtPeriodEnd,
  }));
  const entity = `subscription:${row.id}` as const;
  ctx.emit({ type: 'subscription.updated', entity, data: data!, before: before!, businessId: row.businessId });
  return true;
}

/**
 * Ends all existing agreements when the subscriber has paid for another plan. Call it before the new agreement is created. The
 * subscription must be locked.
 */
export async function endPreviousPlans(ctx: Command, row: SubscriptionRow): Promise<void> {
  for (const agreement of await listAgreementsFor(ctx.db, row.businessId, [prefixOf(row.id)])) {
    await requestAgreementChange(ctx, agreement, 'END');
  }
}

/** Ends the agreements of deleted subscriptions, so that they are not charged again. */
export const endPlansOf = (tx: Tx, businessId: string, subscriptionIds: readonly string[]) =>
  updateEnding(tx, businessId, subscriptionIds.map(prefixOf));

export const lockPurchase = (ctx: BaseCommand, reference: string): Promise<SubscriptionRow | null> =>
  lockSubscription(ctx.db, ctx.businessId, subscriptionIdOf({ reference }));

/**
 * A renewal does not reactivate a subscriber who has unsubscribed. The plan is canceled if the address is still unconfirmed after a whole
 * period.
 */
export async function renewPlan(ctx: Command, agreement: AgreementRow, row: SubscriptionRow | null): Promise<void> {
  if (!row) return;
  if (row.status === 'PENDING') await setCancelled(ctx, row, true);
  const data = { ...subscriberOf(row), paidUntil: agreement.periodEnd };
  ctx.emit({ type: 'subscription.renewed', entity: `subscription:${row.id}`, data, businessId: row.businessId });
  const isPaid = agreement.status === 'ACTIVE' && row.planId === planIdOf(agreement);
  if (row.status === 'PAST_DUE' && isPaid) await change(ctx, row, { status: 'ACTIVE' });
  if (isPaid && isMailed(row)) await mailPlan(ctx, 'PLAN_RENEWED', agreement, row);
}

/** Sets PAST_DUE and sends one email per failed period. */
export async function markPastDue(ctx: Command, agreement: AgreementRow, row: SubscriptionRow | null): Promise<void> {
  if (!row || !isSubscribed(row) || row.planId !== planIdOf(agreement)) return;
  if (row.status === 'ACTIVE') await change(ctx, row, { status: 'PAST_DUE' });
  await mailPlan(ctx, 'PLAN_PAST_DUE', agreement, row);
}

/** Unconfirmed addresses and people who have unsubscribed don't get email. */
const isMailed = ({ status }: SubscriptionRow) => status === 'ACTIVE' || status === 'PAST_DUE';

async function mailPlan(
  ctx: Command,
  kind: 'PLAN_RENEWED' | 'PLAN_PAST_DUE' | 'PLAN_ENDED',
  agreement: AgreementRow,
  row: SubscriptionRow,
): Promise<void> {
  const collection = await findNewsletter(ctx, row);
  if (!collection) return;
  const link = ctx.newsletters.planTokens.url(ctx.publicUrl(), row, ctx.now);
  await ctx.mail(await subscriptionMail(ctx, kind, row, { newsletter: collection.name, link, agreement }));
}

/** Ends a subscription that was canceled or unpaid for too long, even if its owner never confirmed it. */
export async function endPlan(ctx: Command, agreement: AgreementRow, row: SubscriptionRow | null): Promise<void> {
  const planId = row && (isSubscribed(row) ? row.planId : row.paidPlanId);
  if (!row || planId !== planIdOf(agreement)) return;
  const ended: SubscriptionRow = { ...row, status: 'UNSUBSCRIBED', paidPlanId: null, updatedAt: ctx.now };
  await updateSubscription(ctx.db, ended);
  // Unlike the event for an unsubscribe, this one names the plan, so that it can start automations.
  const data = { ...subscriberOf(ended), endedPlanId: planId };
  const entity = `subscription:${row.id}` as const;
  ctx.emit({ type: 'subscription.cancelled', entity, data, before: subscriberOf(row), businessId: row.businessId });
  if (isMailed(row)) await mailPlan(ctx, 'PLAN_ENDED', agreement, row);
}

async function change(ctx: Command, row: SubscriptionRow, fields: Partial<SubscriptionRow>): Promise<void> {
  const changed = { ...row, ...fields, updatedAt: ctx.now };
  await updateSubscription(ctx.db, changed);
  emitSubscription(ctx, row, changed);
}
