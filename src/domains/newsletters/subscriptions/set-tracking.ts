import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import { emitSubscription } from './emit-subscription.ts';
import { lockSubscription, type SubscriptionRow, updateSubscription } from './queries.ts';
import type { TrackingInput } from './schemas.ts';
import { readUnsubscribeToken } from './unsubscribe.ts';

/** Opts the subscriber out of tracking, or back in. Idempotent. Throws 422 for an invalid token. */
export async function setTracking(ctx: Command, { token, doNotTrack }: TrackingInput) {
  const { businessId, subscriptionId } = readUnsubscribeToken(ctx, token);
  const row = await lockSubscription(ctx.db, businessId, subscriptionId);
  if (!row || row.doNotTrack === doNotTrack) return SUCCESS;
  const changed: SubscriptionRow = { ...row, doNotTrack, updatedAt: ctx.now };
  await updateSubscription(ctx.db, changed);
  emitSubscription(ctx, row, changed);
  return SUCCESS;
}
