/** Payments for plans. */
import type { Language } from '../../../../shared/mail/languages.ts';
import type { Collection, Plan } from '../../../content/index.ts';
import { beginPayment, isInterval, type NewPayment, type PaymentRow } from '../../../payments/index.ts';
import type { Command, Steps } from '../../context.ts';
import { emitSubscription } from '../emit-subscription.ts';
import { findNewsletter } from '../find-newsletter.ts';
import { mustConfirm, requestConfirmation } from '../joining/request-confirmation.ts';
import { isSubscribed, type SubscriptionRow, updateSubscription } from '../queries.ts';
import { endPreviousPlans } from './plan-billing.ts';

const SELF = 'self';

/** The payment that activates a plan. Its reference has the subscription, the plan and whether the payer owns the address. */
export const paymentFor = (
  { businessId, id, email }: SubscriptionRow,
  collection: Collection,
  plan: Plan,
  { isSelf, ...page }: { isSelf: boolean; language: Language; returnUrl: string | null; cancelUrl: string | null },
): NewPayment => ({
  businessId,
  purpose: 'SUBSCRIPTION',
  reference: `${id}/${plan.id}${isSelf ? `/${SELF}` : ''}`,
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
 * A payment by anyone else does not: if the owner must confirm, the plan waits for the confirmation. A payment is refunded if the plan is already ACTIVE, is now free, or was
 * deleted. If the price has changed since, the price shown to the payer applies.
 */
export async function activatePaidPlan(
  ctx: Command,
  { reference }: PaymentRow,
  row: SubscriptionRow | null,
): Promise<'REFUND' | 'ACCEPT'> {
  const { db: tx, now } = ctx;
  const [, planId = '', payer] = reference.split('/');
  if (!row || (row.status === 'ACTIVE' && row.planId === planId) || row.paidPlanId === planId) return 'REFUND';
  const collection = await findNewsletter(ctx, row);
  if (!collection?.plans?.some(({ id, price }) => id === planId && price?.amount)) return 'REFUND';
  await endPreviousPlans(ctx, row);
  if (!isSubscribed(row) && payer !== SELF && mustConfirm(collection, row, false)) {
    const pending = { ...row, paidPlanId: planId };
    emitSubscription(ctx, row, await requestConfirmation(ctx, collection, pending, { planId, name: '' }));
    return 'ACCEPT';
  }
  const newConsent = { source: 'PAYMENT', at: now, address: null, text: null, userId: row.userId };
  const consent = isSubscribed(row) ? row.consent : newConsent;
  const paid: SubscriptionRow = { ...row, planId, paidPlanId: null, status: 'ACTIVE', consent, updatedAt: now };
  await updateSubscription(tx, paid);
  emitSubscription(ctx, row, paid);
  return 'ACCEPT';
}
