/** Plans that renew: what their agreements do to subscriptions, and what readers and members do to agreements. */
import type { Command as BaseCommand } from '../../../context/index.ts';
import type { Db, Tx } from '../../../db/sql.ts';
import { getBusiness } from '../../businesses/index.ts';
import { type AgreementRow, listAgreementsFor, listCharges, updateEnding, wish } from '../../payments/index.ts';
import type { Command } from '../context.ts';
import { findNewsletter } from './find-newsletter.ts';
import { pastDueMail } from './plan-mails.ts';
import { isSubscribed, lockSubscription, type SubscriptionRow, updateSubscription } from './queries.ts';
import { type Billing, subscriberOf } from './schemas.ts';
import { tellSubscription } from './tell.ts';

const SHOWN_CHARGES = 12;

const prefixOf = (subscriptionId: string) => `${subscriptionId}/`;
const subscriptionIdOf = ({ reference }: { reference: string }) => reference.split('/')[0]!;
const planIdOf = ({ reference }: { reference: string }) => reference.split('/')[1] ?? '';

/** The one that is paid for now, or else the last one; null: nothing renews. */
export async function findAgreementOf(db: Db, { businessId, id }: Pick<SubscriptionRow, 'businessId' | 'id'>) {
  const all = await listAgreementsFor(db, businessId, [prefixOf(id)]);
  return all.find(({ status }) => status !== 'ENDED') ?? all[0] ?? null;
}

/** Null: the plan was not paid for, or does not renew. */
export async function readBilling({ db }: { db: Db }, row: SubscriptionRow): Promise<Billing | null> {
  const agreement = await findAgreementOf(db, row);
  if (!agreement) return null;
  const { status, amount, currency, interval, periodEnd, wanted, provider } = agreement;
  const charges = await listCharges(db, row.businessId, agreement.id, SHOWN_CHARGES);
  return {
    ...{ planId: planIdOf(agreement), status, amount, currency, interval, provider, paidUntil: periodEnd },
    cancelAtPeriodEnd: wanted !== 'RENEW',
    charges: charges.map((charge) => ({ ...charge, paidUntil: charge.periodEnd })),
  };
}

/** False: it is so already. The subscription is locked. `isCancelled` false takes a cancellation back, as long as the period lasts. */
export async function setCancelled(ctx: Command, row: SubscriptionRow, isCancelled: boolean): Promise<boolean> {
  let isNews = false;
  for (const agreement of await listAgreementsFor(ctx.db, row.businessId, [prefixOf(row.id)])) {
    const { wanted } = await wish(ctx, agreement, isCancelled ? 'CANCEL' : 'RENEW');
    isNews ||= wanted !== agreement.wanted;
  }
  if (!isNews) return false;
  const [data, before] = [isCancelled, !isCancelled].map((cancelAtPeriodEnd) => ({
    ...subscriberOf(row),
    cancelAtPeriodEnd,
  }));
  const entity = `subscription:${row.id}` as const;
  await ctx.emit({ type: 'subscription.updated', entity, data: data!, before: before!, businessId: row.businessId });
  return true;
}

/** The reader has paid for another plan, whose agreement begins after this: nothing else is charged any more, from this moment on. The subscription is locked. */
export async function endFormerPlans(ctx: Command, row: SubscriptionRow): Promise<void> {
  for (const agreement of await listAgreementsFor(ctx.db, row.businessId, [prefixOf(row.id)])) {
    await wish(ctx, agreement, 'END');
  }
}

/** The subscriptions are gone: nobody is charged for them any more. */
export const endPlansOf = (tx: Tx, businessId: string, subscriptionIds: readonly string[]) =>
  updateEnding(tx, businessId, subscriptionIds.map(prefixOf));

export const lockSold = (ctx: BaseCommand, reference: string): Promise<SubscriptionRow | null> =>
  lockSubscription(ctx.db, ctx.businessId, subscriptionIdOf({ reference }));

/**
 * A reader who had unsubscribed meanwhile stays so: only they begin again. What nobody has confirmed for a whole period is
 * cancelled: somebody pays for an address whose owner does not want it.
 */
export async function renewPlan(ctx: Command, agreement: AgreementRow, row: SubscriptionRow | null): Promise<void> {
  if (!row) return;
  if (row.status === 'PENDING') await setCancelled(ctx, row, true);
  const data = { ...subscriberOf(row), paidUntil: agreement.periodEnd };
  await ctx.emit({ type: 'subscription.renewed', entity: `subscription:${row.id}`, data, businessId: row.businessId });
  const isPaid = agreement.status === 'ACTIVE' && row.planId === planIdOf(agreement);
  if (row.status === 'PAST_DUE' && isPaid) await change(ctx, row, { status: 'ACTIVE' });
}

/** PAST_DUE, and one mail for each period that could not be charged. */
export async function markPastDue(ctx: Command, agreement: AgreementRow, row: SubscriptionRow | null): Promise<void> {
  if (!row || !isSubscribed(row) || row.planId !== planIdOf(agreement)) return;
  if (row.status === 'ACTIVE') await change(ctx, row, { status: 'PAST_DUE' });
  const collection = await findNewsletter(ctx, row);
  if (!collection) return;
  const business = await getBusiness(ctx, row.businessId);
  const link = ctx.newsletters.planTokens.url(ctx.publicUrl(), row, ctx.now);
  await ctx.mail(pastDueMail(row.email, { newsletter: collection.name, business: business.name, agreement, link }));
}

/** What was cancelled, or could not be charged for too long, is over; also for an owner who has never confirmed it. */
export async function endPlan(ctx: Command, agreement: AgreementRow, row: SubscriptionRow | null): Promise<void> {
  const planId = row && (isSubscribed(row) ? row.planId : row.paidPlanId);
  if (planId === planIdOf(agreement)) await change(ctx, row!, { status: 'UNSUBSCRIBED', paidPlanId: null });
}

async function change(ctx: Command, row: SubscriptionRow, fields: Partial<SubscriptionRow>): Promise<void> {
  const changed = { ...row, ...fields, updatedAt: ctx.now };
  await updateSubscription(ctx.db, changed);
  await tellSubscription(ctx, row, changed);
}
