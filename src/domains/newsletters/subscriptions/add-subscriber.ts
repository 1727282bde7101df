import { type FieldError, invalid } from '../../../shared/errors.ts';
import { MAX_AHEAD_SECONDS } from '../../../shared/records/status-history.ts';
import type { Command } from '../context.ts';
import { emitSubscription } from './emit-subscription.ts';
import { consumeConfirmMailLimit, hasEnded, requestConfirmation } from './joining/request-confirmation.ts';
import { choosePlan, getNewsletter, lockOrInsert } from './joining/subscribe.ts';
import { isSubscribed, type SubscriptionRow, updateSubscription } from './queries.ts';
import { type AddSubscriberInput, type Subscriber, subscriberOf } from './schemas.ts';
import { checkSubscriberName, checkSubscriberZone, tagsOf } from './subscriber-name.ts';

type Input = AddSubscriberInput & { collectionId: string };

/**
 * A member adds a subscriber and states their consent. The subscription is ACTIVE without confirmation or payment. Existing
 * subscribers stay unchanged; someone who has unsubscribed must confirm by email.
 */
export async function addSubscriber(ctx: Command, input: Input): Promise<Subscriber> {
  const { db: tx, now, caller } = ctx;
  const { email, name = '', tags = [], fields = {}, timeZone, consent } = input;
  const collection = await getNewsletter(tx, ctx.businessId, input.collectionId);
  const errors: FieldError[] = [...checkSubscriberName(name), ...checkSubscriberZone(timeZone)];
  const plan = choosePlan(collection, input, errors);
  if (consent.at > now + MAX_AHEAD_SECONDS) {
    errors.push({ field: 'consent.at', error: 'OUT_OF_RANGE', message: 'consent.at must not be in the future.' });
  }
  if (errors.length > 0 || !plan) throw invalid(errors);
  const { row, isNew } = await lockOrInsert(ctx, collection, plan, { email, name, userId: null });
  if (isSubscribed(row)) return subscriberOf(row);
  if (hasEnded(row)) {
    await consumeConfirmMailLimit(ctx, email);
    const pending = await requestConfirmation(ctx, collection, row, { planId: plan.id, name });
    emitSubscription(ctx, row, pending);
    return subscriberOf(pending);
  }
  const added: SubscriptionRow = {
    ...row,
    name,
    tags: tagsOf(tags),
    fields,
    timeZone: timeZone ?? row.timeZone,
    planId: row.paidPlanId ?? plan.id,
    paidPlanId: null,
    status: 'ACTIVE',
    consent: { ...consent, address: null, text: null, userId: caller.userId },
    updatedAt: now,
  };
  await updateSubscription(tx, added);
  emitSubscription(ctx, isNew ? null : row, added);
  return subscriberOf(added);
}
