import type { Versioned } from '../../../context/index.ts';
import { type FieldError, invalid } from '../../../shared/errors.ts';
import type { Command } from '../context.ts';
import { emitSubscription } from './emit-subscription.ts';
import { choosePlan, getNewsletter } from './joining/subscribe.ts';
import { readBilling, setCancelled } from './plans/plan-billing.ts';
import { updateSubscription } from './queries.ts';
import { lockSubscriber, type SubscriberPath } from './read-subscriber.ts';
import { type SubscriberChanges, type SubscriberDetail, subscriberOf } from './schemas.ts';
import { checkSubscriberName, checkSubscriberZone, tagsOf } from './subscriber-name.ts';

/** Members can change name and plan and end a subscription. Only its owner can reactivate it. */
export async function changeSubscriber(
  ctx: Command,
  {
    changes: { name, tags, fields, timeZone, doNotTrack, planId, status, cancelAtPeriodEnd },
    ...path
  }: SubscriberPath & { changes: SubscriberChanges },
): Promise<Versioned<SubscriberDetail>> {
  const row = await lockSubscriber(ctx, path);
  const errors: FieldError[] = [...checkSubscriberName(name), ...checkSubscriberZone(timeZone)];
  if (planId !== undefined && planId !== row.planId) {
    choosePlan(await getNewsletter(ctx.db, ctx.businessId, row.collectionId), { planId }, errors);
  }
  if (status !== undefined && status !== row.status && status !== 'UNSUBSCRIBED') {
    errors.push({ field: 'status', error: 'INVALID_VALUE', message: 'status can only be changed to UNSUBSCRIBED.' });
  }
  if (errors.length > 0) throw invalid(errors);
  const changed = {
    ...row,
    name: name ?? row.name,
    tags: tags ? tagsOf(tags) : row.tags,
    fields: fields ?? row.fields,
    timeZone: timeZone === undefined ? row.timeZone : timeZone,
    doNotTrack: doNotTrack ?? row.doNotTrack,
    planId: planId ?? row.planId,
    status: status ?? row.status,
    paidPlanId: status === 'UNSUBSCRIBED' ? null : row.paidPlanId,
    updatedAt: ctx.now,
  };
  await updateSubscription(ctx.db, changed);
  // Someone who unsubscribed, or was moved to another plan by a member, is not charged again.
  const stopsCharges = changed.status === 'UNSUBSCRIBED' || changed.planId !== row.planId;
  if (stopsCharges || cancelAtPeriodEnd !== undefined) {
    await setCancelled(ctx, changed, stopsCharges || cancelAtPeriodEnd === true);
  }
  emitSubscription(ctx, row, changed);
  return {
    record: { ...subscriberOf(changed), referrals: row.referrals, billing: await readBilling(ctx, changed) },
    version: row.version + 1,
  };
}
