import { done, type StepsOf } from '../../../context/index.ts';
import { may } from '../../../shared/caller.ts';
import { type FieldError, invalid, invalidField, notFound } from '../../../shared/errors.ts';
import { newId } from '../../../shared/ids.ts';
import { currentStatus } from '../../../shared/statuses.ts';
import { findUser } from '../../accounts/index.ts';
import { recordCustomer } from '../../businesses/index.ts';
import { type Collection, getCollection, type Plan } from '../../content/index.ts';
import type { NewPayment } from '../../payments/index.ts';
import type { Command, NewsletterServices, Steps } from '../context.ts';
import { beginPlanPayment, paymentFor } from './plan-payments.ts';
import {
  emailKey,
  insertSubscription,
  lockSubscriptionOf,
  type SubscriptionRow,
  updateSubscription,
} from './queries.ts';
import { type Subscribed, type SubscribeInput, subscriptionOf } from './schemas.ts';

type Input = SubscribeInput & { collectionId: string };

/** What is subscribed to, by whom, and where a customer goes after paying. */
type Prepared = {
  collection: Collection;
  plan: Plan;
  subscriber: { email: string; name: string | undefined; userId: string | null };
  returnUrls: { returnUrl: string | null; cancelUrl: string | null };
};

/**
 * One address has one subscription to a newsletter, however often it subscribes. A free plan makes it ACTIVE at once; a paid
 * one when it is paid, and until then everything stays as it was.
 */
export const subscribe: StepsOf<NewsletterServices, Input, Prepared, NewPayment, Subscribed> = {
  async prepare(ctx, input) {
    const collection = await readNewsletter(ctx, input.collectionId);
    const errors: FieldError[] = [];
    const plan = choosePlan(collection, input, errors);
    const returnUrls = {
      returnUrl: checkReturnUrl(ctx, input, 'returnUrl', errors),
      cancelUrl: checkReturnUrl(ctx, input, 'cancelUrl', errors),
    };
    if (errors.length > 0) throw invalid(errors);
    return { collection, plan: plan!, subscriber: await readSubscriber(ctx, input), returnUrls };
  },
  async execute(ctx, _input, prepared) {
    const { plan, collection, returnUrls } = prepared;
    const { email, userId } = prepared.subscriber;
    if (userId !== null) await recordCustomer(ctx, { userId, email });
    const row = await saveSubscription(ctx, prepared);
    const mustPay = isPaid(plan) && !(row.status === 'ACTIVE' && row.planId === plan.id);
    return mustPay ? paymentFor(row, collection, plan, returnUrls) : done(subscriptionOf(row));
  },
  async afterCommit(ctx, payment) {
    return { checkoutUrl: await beginPlanPayment(ctx, payment) };
  },
};

/** Raises 404 for a newsletter that the caller cannot see, 422 for a collection that is no newsletter. */
async function readNewsletter({ db, caller, businessId }: Steps, collectionId: string): Promise<Collection> {
  const collection = await getCollection(db, businessId, collectionId);
  const isVisible =
    currentStatus(collection.statuses) === 'PUBLISHED' ||
    may(caller, businessId, 'CONTENT_READ') ||
    may(caller, businessId, 'CONTENT_WRITE');
  if (!isVisible) throw notFound('Collection');
  if (collection.type !== 'NEWSLETTER') {
    throw invalidField('collectionId', 'NOT_A_NEWSLETTER', 'This collection is not a newsletter.');
  }
  return collection;
}

function choosePlan({ plans }: Collection, input: Input, errors: FieldError[]): Plan | undefined {
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

/** Callers who subscribe their own, confirmed address are known by their account; any other address is only an address. */
async function readSubscriber({ db, caller }: Steps, { email, name }: Input): Promise<Prepared['subscriber']> {
  const isSelf = caller.isConfirmed && caller.email !== null && emailKey(caller.email) === emailKey(email);
  if (!isSelf) return { email, name, userId: null };
  const user = await findUser(db, caller.userId);
  return { email, name: name ?? user?.name, userId: caller.userId };
}

const isPaid = (plan: Plan | undefined) => (plan?.price?.amount ?? 0) > 0;

/** The subscription after this call. A paid plan is never replaced by a free one: anybody can subscribe any address to that. */
async function saveSubscription(
  { db: tx, businessId, now }: Command,
  { collection, plan, subscriber: { email, name, userId } }: Prepared,
): Promise<SubscriptionRow> {
  await insertSubscription(tx, {
    businessId,
    collectionId: collection.id,
    id: newId('sub'),
    email,
    name: name ?? '',
    userId,
    planId: plan.id,
    status: isPaid(plan) ? 'PENDING' : 'ACTIVE',
    createdAt: now,
    updatedAt: now,
  });
  const row = await lockSubscriptionOf(tx, businessId, collection.id, email);
  const currentPlan = collection.plans.find(({ id }) => id === row.planId);
  const isActive = row.status === 'ACTIVE';
  if (isPaid(plan) || (isActive && (row.planId === plan.id || isPaid(currentPlan)))) return row;
  const changed: SubscriptionRow = {
    ...row,
    planId: plan.id,
    status: 'ACTIVE',
    name: name ?? row.name,
    userId: userId ?? row.userId,
    updatedAt: now,
  };
  await updateSubscription(tx, changed);
  return changed;
}
