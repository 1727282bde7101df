/** Data and actions of the plan page. Functions return null if the link is invalid or the subscription was deleted. */
import { done } from '../../../../context/command.ts';
import { consumeMailLimit } from '../../../../db/limits.ts';
import type { Language } from '../../../../shared/mail/languages.ts';
import { SUCCESS } from '../../../../shared/schemas.ts';
import { getBusiness, readerLanguage } from '../../../businesses/index.ts';
import { isSandboxOn, openPortal, type SandboxOutcome, simulatePeriodEnd } from '../../../payments/index.ts';
import { type Command, command, type Query } from '../../context.ts';
import { findNewsletter } from '../find-newsletter.ts';
import { findSubscription, isSubscribed, lockSubscription, type SubscriptionRow } from '../queries.ts';
import type { Billing } from '../schemas.ts';
import { subscriptionMail } from '../subscription-mails.ts';
import { readUnsubscribeToken } from '../unsubscribe.ts';
import { findAgreementOf, readBilling, setCancelled } from './plan-billing.ts';

export type PlanView = {
  businessName: string;
  language: Language;
  timeZone: string;
  newsletter: string;
  plan: string;
  status: string;
  billing: Billing;
  /** The end of the period can be simulated. */
  isSimulated: boolean;
};

export async function showPlan(ctx: Query, token: string): Promise<PlanView | null> {
  const row = await findByPlanToken(ctx, token);
  return row && viewOf(ctx, row);
}

/** The provider's billing portal; null if it has none. */
export async function openPlanPortal(ctx: Query, token: string): Promise<string | null> {
  const row = await findByPlanToken(ctx, token);
  const agreement = row && (await findAgreementOf(ctx.db, row));
  return agreement && openPortal(ctx.within(row.businessId), agreement, `${ctx.publicUrl()}/plan/${token}`);
}

/** Cancels the plan at the end of the period, or undoes the cancellation. */
export async function setPlanCancelled(
  ctx: Command,
  { token, isCancelled }: { token: string; isCancelled: boolean },
): Promise<void> {
  const row = await findByPlanToken(ctx, token);
  if (row) await setCancelledBySubscriber(ctx.within(row.businessId), row, isCancelled);
}

/** Toggling the cancellation repeatedly sends at most one email an hour. */
async function setCancelledBySubscriber(
  ctx: Command,
  { businessId, id }: SubscriptionRow,
  isCancelled: boolean,
): Promise<void> {
  const row = await lockSubscription(ctx.db, businessId, id);
  const hasChanged = row !== null && (await setCancelled(ctx, row, isCancelled));
  const agreement = hasChanged && isCancelled && isSubscribed(row) ? await findAgreementOf(ctx.db, row) : null;
  if (!row || !agreement) return;
  const link = ctx.newsletters.planTokens.url(ctx.publicUrl(), row, ctx.now);
  const newsletter = (await findNewsletter(ctx, row))?.name ?? '';
  const mail = await subscriptionMail(ctx, 'PLAN_CANCELLED', row, { newsletter, link, agreement });
  await ctx.mail(mail, `plan-cancelled ${agreement.id}`);
}

type Simulation = { token: string; outcome: SandboxOutcome; paidUntil: number };

/** Simulates the end of the period in the sandbox. `paidUntil` is the date shown on the page. */
export const simulatePlanPeriodEnd = command({
  async prepare(ctx, { token, outcome, paidUntil }: Simulation) {
    const row = await findByPlanToken(ctx, token);
    if (!row) return done(SUCCESS);
    // Each failure sends an email, and anyone with the link can repeat it.
    if (outcome === 'fail') await consumeMailLimit(ctx, row.email);
    const agreement = await findAgreementOf(ctx.db, row);
    if (!agreement) return done(SUCCESS);
    return { businessId: row.businessId, agreementId: agreement.id, outcome, paidUntil };
  },
  async execute(ctx, { businessId, agreementId, outcome, paidUntil }) {
    await simulatePeriodEnd(ctx.within(businessId), { id: agreementId, outcome, periodEnd: paidUntil });
    return SUCCESS;
  },
});

/** Cancels at the end of the period, using the link in a newsletter. The link reveals only the end date. */
export async function cancelByToken(ctx: Command, token: string): Promise<{ paidUntil: number } | null> {
  const { businessId, subscriptionId } = readUnsubscribeToken(ctx, token);
  const row = await findSubscription(ctx.db, businessId, subscriptionId);
  const agreement = row && (await findAgreementOf(ctx.db, row));
  if (!agreement || agreement.status === 'ENDED') return null;
  await setCancelledBySubscriber(ctx.within(businessId), row, true);
  return { paidUntil: agreement.periodEnd };
}

/** Emails the subscriber a link to their plan page. */
export const mailPlanLink = command({
  async prepare(ctx, token: string) {
    const { businessId, subscriptionId } = readUnsubscribeToken(ctx, token);
    const row = await findSubscription(ctx.db, businessId, subscriptionId);
    if (!row || !(await findAgreementOf(ctx.db, row))) return done(SUCCESS);
    await consumeMailLimit(ctx, row.email);
    const collection = await findNewsletter(ctx, row);
    const link = ctx.newsletters.planTokens.url(ctx.publicUrl(), row, ctx.now);
    const mail = await subscriptionMail(ctx, 'PLAN_LINK', row, { newsletter: collection?.name ?? '', link });
    return { businessId, mail };
  },
  async execute(ctx, { businessId, mail }) {
    await ctx.within(businessId).mail(mail);
    return SUCCESS;
  },
});

async function findByPlanToken(ctx: Query | Command, token: string): Promise<SubscriptionRow | null> {
  const ids = ctx.newsletters.planTokens.read(token, ctx.now);
  return ids && findSubscription(ctx.db, ids.businessId, ids.subscriptionId);
}

async function viewOf(ctx: Query, row: SubscriptionRow): Promise<PlanView | null> {
  const billing = await readBilling(ctx, row);
  if (!billing) return null;
  const collection = await findNewsletter(ctx, row);
  const { name: businessName, configs } = await getBusiness(ctx, row.businessId);
  const plan = collection?.plans.find(({ id }) => id === billing.planId)?.name ?? billing.planId;
  const isSimulated = billing.provider === 'SANDBOX' && (await isSandboxOn(ctx, row.businessId));
  const language = await readerLanguage(ctx, row.businessId);
  return {
    businessName,
    language,
    timeZone: configs.profile?.timeZone ?? 'UTC',
    newsletter: collection?.name ?? '',
    plan,
    status: row.status,
    billing,
    isSimulated,
  };
}
