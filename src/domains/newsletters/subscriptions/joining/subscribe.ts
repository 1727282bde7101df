import { type Done, done } from '../../../../context/command.ts';
import { consumeCallLimit } from '../../../../db/call-limits.ts';
import type { Db } from '../../../../db/sql.ts';
import { type FieldError, invalid, invalidField, notFound } from '../../../../shared/errors.ts';
import { newId } from '../../../../shared/ids.ts';
import { currentStatus } from '../../../../shared/records/status-history.ts';
import { may } from '../../../../shared/security/caller.ts';
import { emailKey } from '../../../../shared/text/email.ts';
import { findUser } from '../../../accounts/index.ts';
import { getBusiness, readerLanguage, recordCustomer } from '../../../businesses/index.ts';
import { type Collection, getCollection, type Plan } from '../../../content/index.ts';
import type { NewPayment } from '../../../payments/index.ts';
import { type Command, command, type Steps } from '../../context.ts';
import { emitSubscription } from '../emit-subscription.ts';
import { beginPlanPayment, isPaid, paymentFor } from '../plans/plan-payments.ts';
import {
  insertSubscription,
  isSubscribed,
  lockSubscriptionOf,
  type SubscriptionRow,
  updateSubscription,
} from '../queries.ts';
import { type Subscribed, type SubscribeInput, subscriptionOf } from '../schemas.ts';
import { checkSubscriberName, checkSubscriberZone } from '../subscriber-name.ts';
import { consumeConfirmMailLimit, isConfirmationRequired, requestConfirmation } from './request-confirmation.ts';

type Input = SubscribeInput & { collectionId: string };

type Prepared = {
  collection: Collection;
  plan: Plan;
  /** `userId` is set if callers subscribe their own, confirmed address. All other callers count as strangers. */
  subscriber: { email: string; name: string | undefined; userId: string | null; timeZone?: string | undefined };
  returnUrls: { returnUrl: string | null; cancelUrl: string | null };
};

/**
 * Subscribes an address. An address has one subscription per newsletter. With a free plan it becomes ACTIVE immediately or when its owner
 * confirms; with a paid plan it becomes ACTIVE when paid. If the owner must confirm a paid plan, they also get an email with a link to pay,
 * and paying there confirms the subscription. Strangers can't change an existing subscription.
 */
export const subscribe = command({
  async prepare(ctx, input: Input): Promise<Prepared> {
    await consumeCallLimit(ctx, 'subscribe');
    const collection = await readNewsletter(ctx, input.collectionId);
    const errors: FieldError[] = [];
    const plan = choosePlan(collection, input, errors);
    const returnUrls = {
      returnUrl: checkReturnUrl(ctx, input, 'returnUrl', errors),
      cancelUrl: checkReturnUrl(ctx, input, 'cancelUrl', errors),
    };
    errors.push(...checkSubscriberName(input.name), ...checkSubscriberZone(input.timeZone));
    errors.push(...(await checkMarket(ctx, input.market, plan)));
    if (errors.length > 0) throw invalid(errors);
    return { collection, plan: plan!, subscriber: await readSubscriber(ctx, input), returnUrls };
  },
  async execute(ctx, prepared): Promise<NewPayment | Done<Subscribed>> {
    const { plan, collection, subscriber, returnUrls } = prepared;
    if (subscriber.userId !== null) await recordCustomer(ctx, ctx.caller);
    const { row, isNew } = await lockOrInsert(ctx, collection, plan, subscriber);
    const isSelf = subscriber.userId !== null;
    const isAsked = isPaid(plan) && !isSelf && !isSubscribed(row) && isConfirmationRequired(collection, row, isSelf);
    const after = !isPaid(plan)
      ? await takeFreePlan(ctx, row, prepared)
      : isAsked
        ? await mailPaymentLink(ctx, row, prepared)
        : row;
    emitSubscription(ctx, isNew ? null : row, after);
    if (!isPaid(plan)) return done(subscriptionOf(after));
    if (row.status === 'ACTIVE' && row.planId === plan.id) return done(subscriptionOf(row));
    const payer = isSelf ? 'self' : isAsked ? 'asked' : null;
    const language = await readerLanguage(ctx, row.businessId);
    return paymentFor(row, collection, plan, { payer, language, ...returnUrls });
  },
  async afterCommit(ctx, payment): Promise<Subscribed> {
    return { checkoutUrl: await beginPlanPayment(ctx, payment) };
  },
});

/** Throws 404 if the caller can't see the newsletter. */
async function readNewsletter({ db, caller, businessId }: Steps, collectionId: string): Promise<Collection> {
  const collection = await getNewsletter(db, businessId, collectionId);
  const isVisible =
    currentStatus(collection.statuses) === 'PUBLISHED' ||
    may(caller, businessId, 'CONTENT_READ') ||
    may(caller, businessId, 'CONTENT_WRITE');
  if (!isVisible) throw notFound('Collection');
  return collection;
}

/** Throws 422 if the collection is not a newsletter. */
export async function getNewsletter(db: Db, businessId: string, collectionId: string): Promise<Collection> {
  const collection = await getCollection(db, businessId, collectionId);
  if (collection.type !== 'NEWSLETTER') {
    throw invalidField('collectionId', 'NOT_A_NEWSLETTER', 'This collection is not a newsletter.');
  }
  return collection;
}

export function choosePlan(
  { plans }: Collection,
  input: { planId?: string; plan_id?: string },
  errors: FieldError[],
): Plan | undefined {
  const planId = input.planId ?? input.plan_id;
  const plan = plans.find(({ id }) => id === planId);
  if (planId === undefined) errors.push({ field: 'planId', error: 'REQUIRED', message: 'planId is required.' });
  else if (!plan) errors.push({ field: 'planId', error: 'NOT_FOUND', message: 'Plan not found in this newsletter.' });
  return plan;
}

function checkReturnUrl(
  { origins, businessId }: Steps,
  input: Input,
  field: 'returnUrl' | 'cancelUrl',
  errors: FieldError[],
): string | null {
  if (!input[field]) return null;
  const url = origins.linkBase(input[field], businessId);
  if (!url) errors.push({ field, error: 'INVALID_REDIRECT_URI', message: `${field} must be on an allowed origin.` });
  return url?.href ?? null;
}

/** If the business has markets, a given market must be one of them, and its currency must match the plan's price. */
async function checkMarket(ctx: Steps, market: string | undefined, plan: Plan | undefined): Promise<FieldError[]> {
  if (market === undefined) return [];
  const { markets = [] } = (await getBusiness(ctx, ctx.businessId)).configs;
  if (markets.length === 0) return [];
  const found = markets.find(({ id }) => id.toLowerCase() === market.toLowerCase());
  if (!found) return [{ field: 'market', error: 'NOT_FOUND', message: 'Market not found.' }];
  if (!isPaid(plan) || plan!.price!.currency.toLowerCase() === found.currency.toLowerCase()) return [];
  const message = `The price of this plan is in ${plan!.price!.currency.toUpperCase()}, which is not the currency of this market.`;
  return [{ field: 'market', error: 'CURRENCY_MISMATCH', message }];
}

/** Links the subscription to the caller's account if they subscribe their own, confirmed address. */
async function readSubscriber(
  { db, caller }: Steps,
  { email, name, timeZone }: Input,
): Promise<Prepared['subscriber']> {
  const isSelf = caller.isConfirmed && caller.email !== null && emailKey(caller.email) === emailKey(email);
  if (!isSelf) return { email, name, timeZone, userId: null };
  const user = await findUser(db, caller.userId);
  return { email, name: name ?? user?.name, timeZone, userId: caller.userId };
}

/** Locks the subscription of this address. A new one is PENDING and has no consent. */
export async function lockOrInsert(
  { db: tx, businessId, now }: Command,
  collection: Collection,
  plan: Plan,
  { email, name = '', userId, timeZone }: Prepared['subscriber'],
): Promise<{ row: SubscriptionRow; isNew: boolean }> {
  const isNew = await insertSubscription(tx, {
    businessId,
    collectionId: collection.id,
    id: newId('sub'),
    email,
    name,
    userId,
    planId: plan.id,
    paidPlanId: null,
    status: 'PENDING',
    consent: null,
    timeZone: timeZone ?? null,
    createdAt: now,
    updatedAt: now,
  });
  return { row: await lockSubscriptionOf(tx, businessId, collection.id, email), isNew };
}

async function mailPaymentLink(
  ctx: Command,
  row: SubscriptionRow,
  { collection, plan, subscriber: { name = '' } }: Prepared,
): Promise<SubscriptionRow> {
  await consumeConfirmMailLimit(ctx, row.email);
  return requestConfirmation(ctx, collection, row, { planId: plan.id, name, paymentId: newId('pay') });
}

/** Returns the updated subscription. A free plan never replaces a paid one. */
async function takeFreePlan(
  ctx: Command,
  row: SubscriptionRow,
  { collection, plan, subscriber: { name, userId, timeZone } }: Prepared,
): Promise<SubscriptionRow> {
  const isSelf = userId !== null;
  const currentPlan = collection.plans.find(({ id }) => id === row.planId);
  if (isSubscribed(row) && (!isSelf || isPaid(currentPlan))) return row;
  if (!isSubscribed(row) && isConfirmationRequired(collection, row, isSelf)) {
    await consumeConfirmMailLimit(ctx, row.email);
    return requestConfirmation(ctx, collection, row, { planId: plan.id, name: name ?? '' });
  }
  const newConsent = { source: 'SUBSCRIBE', at: ctx.now, address: ctx.address, text: null, userId };
  const changed: SubscriptionRow = {
    ...row,
    planId: row.paidPlanId ?? plan.id,
    paidPlanId: null,
    status: 'ACTIVE',
    name: name ?? (row.consent ? row.name : ''),
    userId: userId ?? row.userId,
    timeZone: (isSelf ? timeZone : undefined) ?? row.timeZone,
    consent: isSubscribed(row) ? row.consent : newConsent,
    updatedAt: ctx.now,
  };
  await updateSubscription(ctx.db, changed);
  return changed;
}
