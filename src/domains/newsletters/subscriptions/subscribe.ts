import { done, type StepsOf } from '../../../context/index.ts';
import { spendLimit } from '../../../db/call-limits.ts';
import type { Db } from '../../../db/sql.ts';
import { may } from '../../../shared/caller.ts';
import { emailKey } from '../../../shared/email.ts';
import { type FieldError, invalid, invalidField, notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { currentStatus } from '../../../shared/statuses.ts';
import { findUser } from '../../accounts/index.ts';
import { getBusiness, recordCustomer } from '../../businesses/index.ts';
import { type Collection, getCollection, type Plan } from '../../content/index.ts';
import type { NewPayment } from '../../payments/index.ts';
import type { Command, NewsletterServices, Steps } from '../context.ts';
import { beginPlanPayment, paymentFor } from './plan-payments.ts';
import {
  insertSubscription,
  isSubscribed,
  lockSubscriptionOf,
  type SubscriptionRow,
  updateSubscription,
} from './queries.ts';
import { mustConfirm, requestConfirmation, spendConfirmMail } from './request-confirmation.ts';
import { type Subscribed, type SubscribeInput, subscriptionOf } from './schemas.ts';
import { checkSubscriberName } from './subscriber-name.ts';
import { tellSubscription } from './tell.ts';

type Input = SubscribeInput & { collectionId: string };

/** What is subscribed to, by whom, and where a customer goes after paying. */
type Prepared = {
  collection: Collection;
  plan: Plan;
  /** `userId`: of callers who subscribe their own, confirmed address. Everybody else is a stranger to it. */
  subscriber: { email: string; name: string | undefined; userId: string | null };
  returnUrls: { returnUrl: string | null; cancelUrl: string | null };
};

/**
 * One address has one subscription to a newsletter, however often it subscribes. A free plan makes it ACTIVE at once, or when its
 * owner confirms; a paid one when it is paid, and until then everything stays as it was. A stranger changes nothing about a
 * subscription that there is.
 */
export const subscribe: StepsOf<NewsletterServices, Input, Prepared, NewPayment, Subscribed> = {
  async prepare(ctx, input) {
    await spendLimit(ctx, 'subscribe');
    const collection = await readNewsletter(ctx, input.collectionId);
    const errors: FieldError[] = [];
    const plan = choosePlan(collection, input, errors);
    const returnUrls = {
      returnUrl: checkReturnUrl(ctx, input, 'returnUrl', errors),
      cancelUrl: checkReturnUrl(ctx, input, 'cancelUrl', errors),
    };
    errors.push(...checkSubscriberName(input.name), ...(await checkMarket(ctx, input.market, plan)));
    if (errors.length > 0) throw invalid(errors);
    return { collection, plan: plan!, subscriber: await readSubscriber(ctx, input), returnUrls };
  },
  async execute(ctx, _input, prepared) {
    const { plan, collection, subscriber, returnUrls } = prepared;
    const { email, userId } = subscriber;
    if (userId !== null) await recordCustomer(ctx, { userId, email });
    const { row, isNew } = await lockOrInsert(ctx, collection, plan, subscriber);
    const after = isPaid(plan) ? row : await takeFreePlan(ctx, row, prepared);
    await tellSubscription(ctx, isNew ? null : row, after);
    if (!isPaid(plan)) return done(subscriptionOf(after));
    if (row.status === 'ACTIVE' && row.planId === plan.id) return done(subscriptionOf(row));
    return paymentFor(row, collection, plan, { isSelf: subscriber.userId !== null, ...returnUrls });
  },
  async afterCommit(ctx, payment) {
    return { checkoutUrl: await beginPlanPayment(ctx, payment) };
  },
};

/** Raises 404 for a newsletter that the caller cannot see. */
async function readNewsletter({ db, caller, businessId }: Steps, collectionId: string): Promise<Collection> {
  const collection = await getNewsletter(db, businessId, collectionId);
  const isVisible =
    currentStatus(collection.statuses) === 'PUBLISHED' ||
    may(caller, businessId, 'CONTENT_READ') ||
    may(caller, businessId, 'CONTENT_WRITE');
  if (!isVisible) throw notFound('Collection');
  return collection;
}

/** Raises 422 for a collection that is no newsletter. */
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
  else if (!plan) errors.push({ field: 'planId', error: 'NOT_FOUND', message: 'The newsletter has no such plan.' });
  return plan;
}

function checkReturnUrl(
  { origins }: Steps,
  input: Input,
  field: 'returnUrl' | 'cancelUrl',
  errors: FieldError[],
): string | null {
  if (!input[field]) return null;
  const url = origins.linkBase(input[field]);
  if (!url) errors.push({ field, error: 'INVALID_REDIRECT_URI', message: `${field} is not on an allowed origin.` });
  return url?.href ?? null;
}

/** Once a business has markets, one that is named must be among them and have the currency of a plan that costs something. */
async function checkMarket(ctx: Steps, market: string | undefined, plan: Plan | undefined): Promise<FieldError[]> {
  if (market === undefined) return [];
  const { markets = [] } = (await getBusiness(ctx, ctx.businessId)).configs;
  if (markets.length === 0) return [];
  const found = markets.find(({ id }) => id.toLowerCase() === market.toLowerCase());
  if (!found) return [{ field: 'market', error: 'NOT_FOUND', message: 'The business has no such market.' }];
  if (!isPaid(plan) || plan!.price!.currency.toLowerCase() === found.currency.toLowerCase()) return [];
  const message = `The plan is sold in ${plan!.price!.currency.toUpperCase()}, which is not the currency of this market.`;
  return [{ field: 'market', error: 'CURRENCY_MISMATCH', message }];
}

/** Callers who subscribe their own, confirmed address are known by their account; any other address is only an address. */
async function readSubscriber({ db, caller }: Steps, { email, name }: Input): Promise<Prepared['subscriber']> {
  const isSelf = caller.isConfirmed && caller.email !== null && emailKey(caller.email) === emailKey(email);
  if (!isSelf) return { email, name, userId: null };
  const user = await findUser(db, caller.userId);
  return { email, name: name ?? user?.name, userId: caller.userId };
}

const isPaid = (plan: Plan | undefined) => (plan?.price?.amount ?? 0) > 0;

/** The subscription of this address, locked. A new one is PENDING and nobody has agreed to it. */
export async function lockOrInsert(
  { db: tx, businessId, now }: Command,
  collection: Collection,
  plan: Plan,
  { email, name = '', userId }: Prepared['subscriber'],
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
    createdAt: now,
    updatedAt: now,
  });
  return { row: await lockSubscriptionOf(tx, businessId, collection.id, email), isNew };
}

/** The subscription after this call. A plan that is being paid for is never replaced by a free one. */
async function takeFreePlan(
  ctx: Command,
  row: SubscriptionRow,
  { collection, plan, subscriber: { name, userId } }: Prepared,
): Promise<SubscriptionRow> {
  const isSelf = userId !== null;
  const currentPlan = collection.plans.find(({ id }) => id === row.planId);
  if (isSubscribed(row) && (!isSelf || isPaid(currentPlan))) return row;
  if (!isSubscribed(row) && mustConfirm(collection, row, isSelf)) {
    await spendConfirmMail(ctx, row.email);
    return requestConfirmation(ctx, collection, row, { planId: plan.id, name: name ?? '' });
  }
  const agreed = { source: 'SUBSCRIBE', at: ctx.now, address: ctx.address, text: null, userId };
  const changed: SubscriptionRow = {
    ...row,
    planId: row.paidPlanId ?? plan.id,
    paidPlanId: null,
    status: 'ACTIVE',
    name: name ?? (row.consent ? row.name : ''),
    userId: userId ?? row.userId,
    consent: isSubscribed(row) ? row.consent : agreed,
    updatedAt: ctx.now,
  };
  await updateSubscription(ctx.db, changed);
  return changed;
}
