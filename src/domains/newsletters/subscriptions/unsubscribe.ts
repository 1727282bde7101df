import { invalidField } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command, Query } from '../context.ts';
import { readBilling, setCancelled } from './plan-billing.ts';
import { findSubscription, lockSubscription, type SubscriptionRow, updateSubscription } from './queries.ts';
import type { Billing } from './schemas.ts';
import { tellSubscription } from './tell.ts';

/**
 * No more mail, and no more charges: what renews is cancelled with it. Repeatable. Raises 422 for a token that is not ours, or not
 * of the business that the path names.
 */
export async function unsubscribe(ctx: Command, token: string) {
  const { businessId, subscriptionId } = readUnsubscribeToken(ctx, token);
  const row = await lockSubscription(ctx.db, businessId, subscriptionId);
  if (!row || row.status === 'UNSUBSCRIBED') return SUCCESS;
  const ended: SubscriptionRow = { ...row, status: 'UNSUBSCRIBED', paidPlanId: null, updatedAt: ctx.now };
  await updateSubscription(ctx.db, ended);
  await setCancelled(ctx, row, true);
  await tellSubscription(ctx, row, ended);
  return SUCCESS;
}

/** The subscription that a token would end; null when it has been deleted. Raises 422 for a bad token. */
export function findByToken(ctx: Query, token: string): Promise<SubscriptionRow | null> {
  const { businessId, subscriptionId } = readUnsubscribeToken(ctx, token);
  return findSubscription(ctx.db, businessId, subscriptionId);
}

/** What the reader of this token pays for, so that the page can say so; null: nothing renews. */
export async function findBillingByToken(ctx: Query, token: string): Promise<Billing | null> {
  const row = await findByToken(ctx, token);
  const billing = row && (await readBilling(ctx, row));
  return billing?.status === 'ENDED' ? null : billing;
}

export function readUnsubscribeToken(ctx: Pick<Query, 'newsletters' | 'businessId'>, token: string) {
  const subject = ctx.newsletters.tokens.read(token);
  if (subject && (ctx.businessId === '' || ctx.businessId === subject.businessId)) return subject;
  throw invalidField('token', 'INVALID_VALUE', 'This link is not complete. Open it from the mail again.');
}
