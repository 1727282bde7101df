/** Payments for plans: this file alone knows how payments are begun and reported. */
import type { Collection, Plan } from '../../content/index.ts';
import { beginPayment, isInterval, type NewPayment, type PaymentRow } from '../../payments/index.ts';
import type { Command, Steps } from '../context.ts';
import { findNewsletter } from './find-newsletter.ts';
import { endFormerPlans } from './plan-billing.ts';
import { isSubscribed, type SubscriptionRow, updateSubscription } from './queries.ts';
import { mustConfirm, requestConfirmation } from './request-confirmation.ts';
import { tellSubscription } from './tell.ts';

const SELF = 'self';

/** The payment that makes the plan of a subscription ACTIVE. Its reference names both, and whether the payer owns the address. */
export const paymentFor = (
  { businessId, id, email }: SubscriptionRow,
  collection: Collection,
  plan: Plan,
  { isSelf, ...returnUrls }: { isSelf: boolean; returnUrl: string | null; cancelUrl: string | null },
): NewPayment => ({
  businessId,
  purpose: 'SUBSCRIPTION',
  reference: `${id}/${plan.id}${isSelf ? `/${SELF}` : ''}`,
  amount: plan.price!.amount,
  currency: plan.price!.currency,
  description: `${collection.name}: ${plan.name}`,
  email,
  ...(isInterval(plan.price!.interval) && { interval: plan.price!.interval }),
  ...returnUrls,
});

/** Where the customer pays. A repeat begins another payment; of two that are paid, the second is refunded. */
export async function beginPlanPayment(ctx: Steps, payment: NewPayment): Promise<string> {
  const { url } = await beginPayment(ctx, payment);
  return url;
}

/**
 * In the transaction that records the payment as paid. Money does not prove an address: where its owner must confirm, the plan
 * waits for that. Money for a plan that is ACTIVE already, that costs nothing by now or is gone, with its newsletter or alone, is
 * refunded. A price that was changed since is the one that the payer has seen.
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
  await endFormerPlans(ctx, row);
  if (!isSubscribed(row) && mustConfirm(collection, row, payer === SELF)) {
    const pending = { ...row, paidPlanId: planId };
    await tellSubscription(ctx, row, await requestConfirmation(ctx, collection, pending, { planId, name: '' }));
    return 'ACCEPT';
  }
  const agreed = { source: 'PAYMENT', at: now, address: null, text: null, userId: row.userId };
  const consent = isSubscribed(row) ? row.consent : agreed;
  const paid: SubscriptionRow = { ...row, planId, paidPlanId: null, status: 'ACTIVE', consent, updatedAt: now };
  await updateSubscription(tx, paid);
  await tellSubscription(ctx, row, paid);
  return 'ACCEPT';
}
