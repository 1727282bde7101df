import { inTransaction, type Tx } from '../../db/connection.ts';
import { claimKey, type IdempotencyKey, referenceKey, settleKey } from '../../db/idempotency.ts';
import { type Caller, may } from '../../shared/caller.ts';
import { type FieldError, invalid, invalidField, notFound } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { currentStatus } from '../../shared/statuses.ts';
import { findUser } from '../accounts/index.ts';
import type { Collection, Plan } from '../content/index.ts';
import type { NewPayment, Payments } from '../payments/index.ts';
import { type SubscribeInput, type Subscription, subscriptionOf } from './schemas.ts';
import type { SourceDeps } from './source.ts';
import {
  activatePlan,
  emailKey,
  insertSubscription,
  lockSubscription,
  lockSubscriptionOf,
  type SubscriptionRow,
  updateSubscription,
} from './subscription-queries.ts';

export type SubscribeDeps = SourceDeps & {
  payments: Pick<Payments, 'onPaid'> & { begin: (wanted: NewPayment) => Promise<{ url: string }> };
};

/** What is subscribed to, and where a customer goes after paying. */
type Choice = {
  collection: Collection;
  plan: Plan;
  wayBack: { returnUrl: string | null; cancelUrl: string | null };
};

type Place = { businessId: string; collectionId: string };
type Answer = Subscription | { checkoutUrl: string };

/**
 * One address has one subscription to a newsletter, however often it subscribes. A free plan makes it ACTIVE at once; a paid
 * one when it is paid, and until then everything stays as it was.
 */
export async function subscribe(
  deps: SubscribeDeps,
  caller: Caller,
  place: Place,
  input: SubscribeInput,
  key: IdempotencyKey | null,
): Promise<Answer> {
  const choice = await readChoice(deps, caller, place, input);
  const { collection, plan } = choice;
  const self = await readSelf(deps, caller, input);
  const answer = await inTransaction(deps.pool, async (tx) => {
    const claim = key && (await claimKey(tx, key));
    if (claim && claim !== 'new' && claim.answer) return claim.answer as Answer;
    const row = await writeSubscription(deps, tx, place, collection, plan, { ...input, ...self });
    const settled = isPaid(plan) && !isPaidUp(row, plan) ? null : subscriptionOf(row);
    if (key && settled) await settleKey(tx, key, settled);
    else if (key) await referenceKey(tx, key, row.id);
    return settled ?? { unpaid: row };
  });
  return 'unpaid' in answer ? pay(deps, choice, answer.unpaid, key) : answer;
}

export type NewSubscriber = Place & { email: string; name: string; planId: string };

export const addSubscriber = (tx: Tx, subscriber: NewSubscriber, nowSeconds: number) =>
  insertSubscription(tx, {
    ...{ ...subscriber, id: newId('sub'), userId: null, status: 'ACTIVE' },
    ...{ createdAt: nowSeconds, updatedAt: nowSeconds },
  });

/** What a payment brings. Money for a plan that is in force already goes back. */
export function takePayments({ payments, clock }: SubscribeDeps): void {
  payments.onPaid('SUBSCRIPTION', async ({ db: tx }, { businessId, reference }) => {
    const [subscriptionId = '', planId = ''] = reference.split('/');
    const row = await lockSubscription(tx, businessId, subscriptionId);
    if (!row || (row.status === 'ACTIVE' && row.planId === planId)) return 'REFUND';
    await activatePlan(tx, businessId, subscriptionId, planId, clock.seconds());
  });
}

/** Raises 404 for a newsletter that the caller cannot see, 422 for one that is none and for a plan that it does not have. */
async function readChoice(
  { content, pool, origins }: SubscribeDeps,
  caller: Caller,
  { businessId, collectionId }: Place,
  input: SubscribeInput,
): Promise<Choice> {
  const collection = await content.getCollection(pool, businessId, collectionId);
  const isSeen = currentStatus(collection.statuses) === 'PUBLISHED' || may(caller, businessId, 'CONTENT_READ');
  if (!isSeen && !may(caller, businessId, 'CONTENT_WRITE')) throw notFound('Collection');
  if (collection.type !== 'NEWSLETTER') {
    throw invalidField('collectionId', 'NOT_A_NEWSLETTER', 'This collection is not a newsletter.');
  }
  const errors: FieldError[] = [];
  const planId = input.planId ?? input.plan_id;
  const plan = collection.plans.find(({ id }) => id === planId);
  if (planId === undefined) errors.push({ field: 'planId', error: 'REQUIRED', message: 'planId is required.' });
  else if (!plan) errors.push({ field: 'planId', error: 'NOT_FOUND', message: 'The newsletter has no such plan.' });
  const address = (field: 'returnUrl' | 'cancelUrl') => {
    if (!input[field]) return null;
    const url = origins.linkBase(input[field]);
    if (!url) errors.push({ field, error: 'INVALID_REDIRECT_URI', message: `${field} is not on an allowed origin.` });
    return url?.href ?? null;
  };
  const wayBack = { returnUrl: address('returnUrl'), cancelUrl: address('cancelUrl') };
  if (errors.length > 0) throw invalid(errors);
  return { collection, plan: plan!, wayBack };
}

type Subscriber = { email: string; name?: string; userId: string | null };

/** Who subscribes his own, confirmed address is known by his account; anybody else is only an address. */
async function readSelf({ pool }: SubscribeDeps, caller: Caller, { email, name }: SubscribeInput) {
  const isSelf = caller.isConfirmed && caller.email !== null && emailKey(caller.email) === emailKey(email);
  if (!isSelf) return { userId: null };
  const user = await findUser(pool, caller.userId);
  return { userId: caller.userId, name: name ?? user?.name };
}

const isPaid = (plan: Plan | undefined) => (plan?.price?.amount ?? 0) > 0;

const isPaidUp = (row: SubscriptionRow, plan: Plan) => row.status === 'ACTIVE' && row.planId === plan.id;

/** The subscription after this call. Whoever holds a paid plan keeps it: anybody can subscribe any address to a free one. */
async function writeSubscription(
  { clock }: SubscribeDeps,
  tx: Tx,
  place: Place,
  collection: Collection,
  plan: Plan,
  { email, name, userId }: Subscriber,
): Promise<SubscriptionRow> {
  const now = clock.seconds();
  const status = isPaid(plan) ? 'PENDING' : 'ACTIVE';
  await insertSubscription(tx, {
    ...{ ...place, id: newId('sub'), email, name: name ?? '', userId, planId: plan.id, status },
    ...{ createdAt: now, updatedAt: now },
  });
  const row = await lockSubscriptionOf(tx, place.businessId, place.collectionId, email);
  const held = collection.plans.find(({ id }) => id === row.planId);
  const isActive = row.status === 'ACTIVE';
  if (isPaid(plan) || (isActive && (row.planId === plan.id || isPaid(held)))) return row;
  const changed = {
    ...{ ...row, planId: plan.id, status: 'ACTIVE' as const, updatedAt: now },
    ...{ name: name ?? row.name, userId: userId ?? row.userId },
  };
  await updateSubscription(tx, changed);
  return changed;
}

async function pay(
  { payments, pool }: SubscribeDeps,
  { collection, plan, wayBack }: Choice,
  { businessId, id, email }: SubscriptionRow,
  key: IdempotencyKey | null,
): Promise<{ checkoutUrl: string }> {
  const { amount, currency } = plan.price!;
  const { url } = await payments.begin({
    ...{ businessId, purpose: 'SUBSCRIPTION', reference: `${id}/${plan.id}`, amount, currency, email },
    ...{ description: `${collection.name}: ${plan.name}`, ...wayBack },
  });
  const answer = { checkoutUrl: url };
  if (key) await inTransaction(pool, (tx) => settleKey(tx, key, answer));
  return answer;
}
