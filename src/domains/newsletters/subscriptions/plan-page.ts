/** What the page of a plan shows and does. Null: the link is not one of ours, or the subscription is gone. */
import { spendMail } from '../../../db/limits.ts';
import { getBusiness } from '../../businesses/index.ts';
import { openPortal, type Play, playAgreement } from '../../payments/index.ts';
import type { Steps } from '../context.ts';
import { findNewsletter } from './find-newsletter.ts';
import { findAgreementOf, readBilling, setCancelled } from './plan-billing.ts';
import { cancelledMail, planLinkMail } from './plan-mails.ts';
import { findSubscription, isSubscribed, lockSubscription, type SubscriptionRow } from './queries.ts';
import type { Billing } from './schemas.ts';
import { readUnsubscribeToken } from './unsubscribe.ts';

export type PlanView = {
  businessName: string;
  newsletter: string;
  plan: string;
  status: string;
  billing: Billing;
};

type PlanAction = 'portal' | 'cancel' | 'resume' | Play;

export async function showPlan(ctx: Steps, token: string): Promise<PlanView | null> {
  const row = await findByPlanToken(ctx, token);
  return row && viewOf(ctx, row);
}

/** `paidUntil`: of the page that was acted on; what is played names it. `url`: where to go on. */
export async function actOnPlan(
  ctx: Steps,
  { token, action, paidUntil }: { token: string; action: PlanAction; paidUntil: number | null },
): Promise<{ view: PlanView | null; url: string | null }> {
  const row = await findByPlanToken(ctx, token);
  if (!row) return { view: null, url: null };
  const within = ctx.within(row.businessId);
  if (action === 'portal') {
    const agreement = await findAgreementOf(ctx.db, row);
    const url = agreement && (await openPortal(within, agreement, `${ctx.publicUrl()}/plan/${token}`));
    return { view: await viewOf(ctx, row), url };
  }
  if (action === 'cancel' || action === 'resume') await setCancelledByReader(within, row, action === 'cancel');
  else if (paidUntil !== null) await play(within, row, action, paidUntil);
  return { view: await showPlan(ctx, token), url: null };
}

/** Whoever cancels and renews again and again causes one mail an hour. */
const setCancelledByReader = (ctx: Steps, { businessId, id }: SubscriptionRow, isCancelled: boolean): Promise<void> =>
  ctx.transaction(async (tx) => {
    const row = await lockSubscription(tx.db, businessId, id);
    const isNews = row !== null && (await setCancelled(tx, row, isCancelled));
    const agreement = isNews && isCancelled && isSubscribed(row) ? await findAgreementOf(tx.db, row) : null;
    if (!row || !agreement) return;
    const link = ctx.newsletters.planTokens.url(ctx.publicUrl(), row, ctx.now);
    const newsletter = (await findNewsletter(tx, row))?.name ?? '';
    await tx.mail(cancelledMail(row.email, newsletter, agreement.periodEnd, link), `plan-cancelled ${agreement.id}`);
  });

async function play(ctx: Steps, row: SubscriptionRow, action: Play, paidUntil: number): Promise<void> {
  // Each failure mails, and whoever has the link plays as often as they like.
  if (action === 'fail') await spendMail(ctx, row.email);
  const agreement = await findAgreementOf(ctx.db, row);
  if (agreement) await playAgreement(ctx, agreement.id, action, paidUntil);
}

/** From the link of a newsletter: cancels at the end of the period. The link's holder learns no more than until when. */
export async function cancelByToken(ctx: Steps, token: string): Promise<{ paidUntil: number } | null> {
  const { businessId, subscriptionId } = readUnsubscribeToken(ctx, token);
  const row = await findSubscription(ctx.db, businessId, subscriptionId);
  const agreement = row && (await findAgreementOf(ctx.db, row));
  if (!agreement || agreement.status === 'ENDED') return null;
  await setCancelledByReader(ctx.within(businessId), row, true);
  return { paidUntil: agreement.periodEnd };
}

/** Mails the reader the link to the page of their plan. */
export async function mailPlanLink(ctx: Steps, token: string): Promise<void> {
  const { businessId, subscriptionId } = readUnsubscribeToken(ctx, token);
  const row = await findSubscription(ctx.db, businessId, subscriptionId);
  if (!row || !(await findAgreementOf(ctx.db, row))) return;
  await spendMail(ctx, row.email);
  const collection = await findNewsletter(ctx, row);
  const link = ctx.newsletters.planTokens.url(ctx.publicUrl(), row, ctx.now);
  await ctx.within(businessId).transaction((tx) => tx.mail(planLinkMail(row.email, collection?.name ?? '', link)));
}

async function findByPlanToken(ctx: Steps, token: string): Promise<SubscriptionRow | null> {
  const named = ctx.newsletters.planTokens.read(token, ctx.now);
  return named && findSubscription(ctx.db, named.businessId, named.subscriptionId);
}

async function viewOf(ctx: Steps, row: SubscriptionRow): Promise<PlanView | null> {
  const billing = await readBilling(ctx, row);
  if (!billing) return null;
  const collection = await findNewsletter(ctx, row);
  const { name: businessName } = await getBusiness(ctx, row.businessId);
  const plan = collection?.plans.find(({ id }) => id === billing.planId)?.name ?? billing.planId;
  return { businessName, newsletter: collection?.name ?? '', plan, status: row.status, billing };
}
