import { invalidField } from '../../../shared/errors.ts';
import type { Language } from '../../../shared/mail/languages.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import { findBusinessById, readerLanguage } from '../../businesses/index.ts';
import type { Command, Query } from '../context.ts';
import { markUnsubscribed } from '../stats/hit-queries.ts';
import { emitSubscription } from './emit-subscription.ts';
import { readBilling, setCancelled } from './plans/plan-billing.ts';
import { findSubscription, lockSubscription, type SubscriptionRow, updateSubscription } from './queries.ts';
import type { Billing } from './schemas.ts';

/**
 * Ends the subscription and cancels its recurring plan. Idempotent. Throws 422 for an invalid token or a token for a business
 * other than the one in the URL.
 */
export async function unsubscribe(ctx: Command, token: string) {
  const { businessId, subscriptionId } = readUnsubscribeToken(ctx, token);
  const row = await lockSubscription(ctx.db, businessId, subscriptionId);
  if (!row || row.status === 'UNSUBSCRIBED') return SUCCESS;
  const ended: SubscriptionRow = { ...row, status: 'UNSUBSCRIBED', paidPlanId: null, updatedAt: ctx.now };
  await updateSubscription(ctx.db, ended);
  await setCancelled(ctx, row, true);
  await markUnsubscribed(ctx.db, businessId, subscriptionId, ctx.now);
  emitSubscription(ctx, row, ended);
  return SUCCESS;
}

/** The subscription of a token; null if it was deleted. Throws 422 for an invalid token. */
export function findByToken(ctx: Query, token: string): Promise<SubscriptionRow | null> {
  const { businessId, subscriptionId } = readUnsubscribeToken(ctx, token);
  return findSubscription(ctx.db, businessId, subscriptionId);
}

/** The billing of the token's subscription; null if nothing renews. */
export async function findBillingByToken(ctx: Query, token: string): Promise<Billing | null> {
  const row = await findByToken(ctx, token);
  const billing = row && (await readBilling(ctx, row));
  return billing?.status === 'ENDED' ? null : billing;
}

/** The language and time zone of the pages that a token opens. Throws 422 for an invalid token. */
export async function findTokenLocale(ctx: Query, token: string): Promise<{ language: Language; timeZone: string }> {
  const { businessId } = readUnsubscribeToken(ctx, token);
  const business = await findBusinessById(ctx, businessId);
  const { timeZone = 'UTC' } = business?.configs.profile ?? {};
  return { language: await readerLanguage(ctx, businessId), timeZone };
}

export function readUnsubscribeToken(ctx: Pick<Query, 'newsletters' | 'businessId'>, token: string) {
  const subject = ctx.newsletters.tokens.read(token);
  if (subject && (ctx.businessId === '' || ctx.businessId === subject.businessId)) return subject;
  throw invalidField('token', 'INVALID_VALUE', 'This link is invalid. Open it again from the email.');
}
