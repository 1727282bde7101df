import type { Versioned } from '../../../context/index.ts';
import { type FieldError, invalid } from '../../../shared/errors.ts';
import type { Command } from '../context.ts';
import { readBilling, setCancelled } from './plan-billing.ts';
import { updateSubscription } from './queries.ts';
import { lockSubscriber, type SubscriberPath } from './read-subscriber.ts';
import { type SubscriberChanges, type SubscriberDetail, subscriberOf } from './schemas.ts';
import { choosePlan, getNewsletter } from './subscribe.ts';
import { checkSubscriberName } from './subscriber-name.ts';
import { tellSubscription } from './tell.ts';

/** Members change name and plan, and end a subscription. Nobody but its owner begins one again. */
export async function changeSubscriber(
  ctx: Command,
  { changes: { name, planId, status, cancelAtPeriodEnd }, ...path }: SubscriberPath & { changes: SubscriberChanges },
): Promise<Versioned<SubscriberDetail>> {
  const row = await lockSubscriber(ctx, path);
  const errors: FieldError[] = checkSubscriberName(name);
  if (planId !== undefined && planId !== row.planId) {
    choosePlan(await getNewsletter(ctx.db, ctx.businessId, path.collectionId), { planId }, errors);
  }
  if (status !== undefined && status !== row.status && status !== 'UNSUBSCRIBED') {
    errors.push({ field: 'status', error: 'INVALID_VALUE', message: 'status can only be changed to UNSUBSCRIBED.' });
  }
  if (errors.length > 0) throw invalid(errors);
  const changed = {
    ...row,
    name: name ?? row.name,
    planId: planId ?? row.planId,
    status: status ?? row.status,
    paidPlanId: status === 'UNSUBSCRIBED' ? null : row.paidPlanId,
    updatedAt: ctx.now,
  };
  await updateSubscription(ctx.db, changed);
  // Who has left, or has another plan by the members' word, is not charged again.
  const stops = changed.status === 'UNSUBSCRIBED' || changed.planId !== row.planId;
  if (stops || cancelAtPeriodEnd !== undefined) await setCancelled(ctx, changed, stops || cancelAtPeriodEnd === true);
  await tellSubscription(ctx, row, changed);
  return { record: { ...subscriberOf(changed), billing: await readBilling(ctx, changed) }, version: row.version + 1 };
}
