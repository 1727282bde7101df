/** Payments for plans. */
import { type Language, languageOf } from '../../../../shared/mail/languages.ts';
import type { Collection, Plan } from '../../../content/index.ts';
import { beginPayment, isInterval, type NewPayment, type PaymentRow } from '../../../payments/index.ts';
import type { Command, Steps } from '../../context.ts';
import { removeBounce } from '../../suppressions/queries.ts';
import { emitSubscription } from '../emit-subscription.ts';
import { findNewsletter } from '../find-newsletter.ts';
import { readConsentText } from '../joining/consent-text.ts';
import { isConfirmationRequired, requestConfirmation } from '../joining/request-confirmation.ts';
import { isSubscribed, type SubscriptionRow, updateSubscription } from '../queries.ts';
import { endPreviousPlans } from './plan-billing.ts';

/**
 * `self`: the owner of the address, logged in. `link`: the owner, using the link in the email. `asked`: anyone, after the owner was
 * emailed the link. Null: anyone else.
 */
type Payer = 'self' | 'link' | 'asked' | null;

const DAY_SECONDS = 86_400;

export const isPaid = (plan: Plan | undefined) => (plan?.price?.amount ?? 0) > 0;

/** The payment that activates a plan. Its reference contains the subscription, the plan and the payer. */
export const paymentFor = (
  { businessId, id, email }: SubscriptionRow,
  collection: Collection,
  plan: Plan,
  { payer, ...page }: { payer: Payer; language: Language; returnUrl: string | null; cancelUrl: string | null },
): NewPayment => ({
  businessId,
  purpose: 'SUBSCRIPTION',
  reference: `${id}/${plan.id}${payer ? `/${payer}` : ''}`,
  amount: plan.price!.amount,
  currency: plan.price!.currency,
  description: `${collection.name}: ${plan.name}`,
  email,
  ...(isInterval(plan.price!.interval) && { interval: plan.price!.interval }),
  ...page,
});

/** Returns the URL of the payment page. A retry starts another payment; if both are paid, the second is refunded. */
export async function beginPlanPayment(ctx: Steps, payment: NewPayment): Promise<string> {
  const { url } = await beginPayment(ctx, payment);
  return url;
}

/**
 * Activates a paid plan, in the transaction that records the payment. A payment by the owner of the address counts as confirmation.
 * A payment by anyone else does not: if the owner must confirm, the plan waits for the confirmation. A payment is refunded if the
 * plan is already paid for, is now free, or was deleted, or if the owner unsubscribed after opening the link. If the price has
 * changed since, the price shown to the payer applies.
 */
export async function activatePaidPlan(
  ctx: Command,
  { reference, createdAt, doc }: PaymentRow,
  row: SubscriptionRow | null,
): Promise<'REFUND' | 'ACCEPT'> {
  const [, planId = '', payer] = reference.split('/');
  if (!row || (row.status === 'ACTIVE' && row.planId === planId)) return 'REFUND';
  if (payer === 'link' && !isSubscribed(row) && row.status !== 'PENDING') return 'REFUND';
  const isOwner = payer === 'self' || payer === 'link';
  const language = payer === 'link' ? languageOf(doc.language) : null;
  if (row.paidPlanId === planId) {
    if (isOwner) await activate(ctx, row, planId, language);
    return 'REFUND';
  }
  const collection = await findNewsletter(ctx, row);
  if (!isPaid(collection?.plans?.find(({ id }) => id === planId))) return 'REFUND';
  await endPreviousPlans(ctx, row);
  if (!isSubscribed(row) && !isOwner && isConfirmationRequired(collection!, row, false)) {
    const isMailed = payer === 'asked' && row.status === 'PENDING' && createdAt + DAY_SECONDS > ctx.now;
    await waitForConfirmation(ctx, collection!, row, planId, isMailed);
  } else {
    await activate(ctx, row, planId, language);
  }
  return 'ACCEPT';
}

/** If the owner was emailed recently, the link in that email confirms the subscription, so they don't get another email. */
async function waitForConfirmation(
  ctx: Command,
  collection: Collection,
  row: SubscriptionRow,
  planId: string,
  isMailed: boolean,
): Promise<void> {
  const paid: SubscriptionRow = { ...row, paidPlanId: planId, status: 'PENDING', updatedAt: ctx.now };
  if (isMailed) await updateSubscription(ctx.db, paid);
  else await requestConfirmation(ctx, collection, paid, { planId, name: '' });
  emitSubscription(ctx, row, paid);
}

/** `language`: the language of the page that the link in the email opens, whose consent the owner accepted by paying. */
async function activate(ctx: Command, row: SubscriptionRow, planId: string, language: Language | null): Promise<void> {
  const { db: tx, now } = ctx;
  const text = language && (await readConsentText(ctx, row, language));
  const newConsent = { source: 'PAYMENT', at: now, address: null, text, userId: row.userId };
  const consent = isSubscribed(row) ? row.consent : newConsent;
  const active: SubscriptionRow = { ...row, planId, paidPlanId: null, status: 'ACTIVE', consent, updatedAt: now };
  await updateSubscription(tx, active);
  if (text !== null) await removeBounce(tx, row.businessId, row.emailKey, now);
  emitSubscription(ctx, row, active);
}
