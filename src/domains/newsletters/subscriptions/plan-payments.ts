/** Payments for plans: this file alone knows how payments are begun and reported. */
import type { Collection, Plan } from '../../content/index.ts';
import { beginPayment, type NewPayment, type PaymentRow } from '../../payments/index.ts';
import type { Command, Steps } from '../context.ts';
import { activatePlan, lockSubscription, type SubscriptionRow } from './queries.ts';

/** The payment that makes the plan of a subscription ACTIVE. Its reference names both. */
export const paymentFor = (
  { businessId, id, email }: SubscriptionRow,
  collection: Collection,
  plan: Plan,
  returnUrls: { returnUrl: string | null; cancelUrl: string | null },
): NewPayment => ({
  businessId,
  purpose: 'SUBSCRIPTION',
  reference: `${id}/${plan.id}`,
  amount: plan.price!.amount,
  currency: plan.price!.currency,
  description: `${collection.name}: ${plan.name}`,
  email,
  ...returnUrls,
});

/** Where the customer pays. A repeat begins another payment; of two that are paid, the second is refunded. */
export async function beginPlanPayment(ctx: Steps, payment: NewPayment): Promise<string> {
  const { url } = await beginPayment(ctx, payment);
  return url;
}

/** In the transaction that records the payment as paid. Money for a plan that is ACTIVE already is refunded. */
export async function activatePaidPlan(
  { db: tx, now }: Pick<Command, 'db' | 'now'>,
  { businessId, reference }: PaymentRow,
): Promise<'REFUND' | undefined> {
  const [subscriptionId = '', planId = ''] = reference.split('/');
  const row = await lockSubscription(tx, businessId, subscriptionId);
  if (!row || (row.status === 'ACTIVE' && row.planId === planId)) return 'REFUND';
  await activatePlan(tx, businessId, subscriptionId, planId, now);
}
