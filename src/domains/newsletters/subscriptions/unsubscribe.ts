import { invalidField } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command, Query } from '../context.ts';
import { findSubscription, lockSubscription, type SubscriptionRow, updateSubscription } from './queries.ts';
import { tellSubscription } from './tell.ts';

/** Repeatable. Raises 422 for a token that is not ours, or not of the business that the path names. */
export async function unsubscribe(ctx: Command, token: string) {
  const { businessId, subscriptionId } = readToken(ctx, token);
  const row = await lockSubscription(ctx.db, businessId, subscriptionId);
  if (!row || row.status === 'UNSUBSCRIBED') return SUCCESS;
  const ended: SubscriptionRow = { ...row, status: 'UNSUBSCRIBED', paidPlanId: null, updatedAt: ctx.now };
  await updateSubscription(ctx.db, ended);
  await tellSubscription(ctx, row, ended);
  return SUCCESS;
}

/** The subscription that a token would end; null when it has been deleted. Raises 422 for a bad token. */
export function findByToken(ctx: Query, token: string): Promise<SubscriptionRow | null> {
  const { businessId, subscriptionId } = readToken(ctx, token);
  return findSubscription(ctx.db, businessId, subscriptionId);
}

function readToken(ctx: Query | Command, token: string) {
  const subject = ctx.newsletters.tokens.read(token);
  if (subject && (ctx.businessId === '' || ctx.businessId === subject.businessId)) return subject;
  throw invalidField('token', 'INVALID_VALUE', 'This link is not complete. Open it from the mail again.');
}
