import { conflict } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import { endPlansOf } from './plan-billing.ts';
import { deleteSubscription } from './queries.ts';
import { lockSubscriber, type SubscriberPath } from './read-subscriber.ts';
import { hasEnded } from './request-confirmation.ts';
import { subscriberOf } from './schemas.ts';

/** Who has unsubscribed stays known: it protects them from being added again. */
export async function deleteSubscriber(ctx: Command, path: SubscriberPath) {
  const row = await lockSubscriber(ctx, path);
  if (hasEnded(row)) {
    throw conflict('They have unsubscribed. Their address is kept so that nobody writes to it again.');
  }
  await deleteSubscription(ctx.db, ctx.businessId, row.id);
  await endPlansOf(ctx.db, ctx.businessId, [row.id]);
  const entity = `subscription:${row.id}` as const;
  await ctx.emit({ type: 'subscription.cancelled', entity, data: subscriberOf(row) });
  return SUCCESS;
}
