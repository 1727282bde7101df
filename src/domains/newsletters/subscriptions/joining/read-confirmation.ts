import { invalidField } from '../../../../shared/errors.ts';
import type { Language } from '../../../../shared/mail/languages.ts';
import { readerLanguage } from '../../../businesses/index.ts';
import { type Collection, getCollection, type Plan } from '../../../content/index.ts';
import type { Command, Query, Steps } from '../../context.ts';
import { isPaid } from '../plans/plan-payments.ts';
import { findSubscription, isSubscribed, type SubscriptionRow } from '../queries.ts';
import { CONFIRM_SECONDS, type Confirmation } from './confirm-token.ts';
import { readConsentText } from './consent-text.ts';

/** Throws 422 if the token is invalid, has expired, or belongs to a business other than the one in the URL. */
export function readToken(ctx: Pick<Query, 'newsletters' | 'businessId' | 'now'>, token: string): Confirmation {
  const confirmation = ctx.newsletters.confirmTokens.read(token);
  if (!confirmation || (ctx.businessId !== '' && ctx.businessId !== confirmation.businessId)) {
    throw invalidField('token', 'INVALID_VALUE', 'This link is invalid. Open it again from the email.');
  }
  if (confirmation.requestedAt + CONFIRM_SECONDS <= ctx.now) throw expired();
  return confirmation;
}

export const expired = () =>
  invalidField('token', 'EXPIRED', 'This link has expired. Subscribe again to get a new one.');

export type PlanToPay = { collection: Collection; plan: Plan; paymentId: string };

/** The plan whose payment confirms the subscription. Null if it costs nothing or is already paid for. Throws 422 if it was deleted. */
export async function findPlanToPay(
  { db }: Pick<Query | Command | Steps, 'db'>,
  { businessId, collectionId, paidPlanId }: SubscriptionRow,
  { planId, paymentId }: Confirmation,
): Promise<PlanToPay | null> {
  if (paymentId === undefined || paidPlanId !== null) return null;
  const collection = await getCollection(db, businessId, collectionId);
  const plan = collection.plans.find(({ id }) => id === planId);
  if (!plan) throw expired();
  return isPaid(plan) ? { collection, plan, paymentId } : null;
}

export type ConfirmationView = {
  /** The consent. Null if already confirmed. */
  text: string | null;
  /** The plan to pay for. */
  plan: Plan | null;
  language: Language;
};

/** The data of the confirmation page. Throws 422 if there is nothing to confirm. */
export async function findConfirmation(ctx: Query, token: string): Promise<ConfirmationView> {
  const confirmation = readToken(ctx, token);
  const row = await findSubscription(ctx.db, confirmation.businessId, confirmation.subscriptionId);
  const language = await readerLanguage(ctx, confirmation.businessId);
  if (row && isSubscribed(row)) return { text: null, plan: null, language };
  if (row?.status !== 'PENDING') throw expired();
  const toPay = await findPlanToPay(ctx, row, confirmation);
  return { text: await readConsentText(ctx, row, language), plan: toPay?.plan ?? null, language };
}
