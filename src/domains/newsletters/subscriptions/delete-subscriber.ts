import { conflict } from '../../../shared/errors.ts';
import { SUCCESS } from '../../../shared/schemas.ts';
import type { Command } from '../context.ts';
import { hasEnded } from './joining/request-confirmation.ts';
import { endPlansOf } from './plans/plan-billing.ts';
import { deleteSubscription } from './queries.ts';
import { lockSubscriber, type SubscriberPath } from './read-subscriber.ts';
import { subscriberOf } from './schemas.ts';

/** Subscribers who have unsubscribed or bounced are kept, so that they can't be added again. */
export async function deleteSubscriber(ctx: Command, path: SubscriberPath) {
  const row = await lockSubscriber(ctx, path);
  if (hasEnded(row)) {
    throw conflict(
      "This subscriber has unsubscribed or the address bounced, so it can't be deleted. The address is kept so that it is never emailed again.",
    );
  }
  await deleteSubscription(ctx.db, ctx.businessId, row.id, ctx.now);
  await endPlansOf(ctx.db, ctx.businessId, [row.id]);
  const entity = `subscription:${row.id}` as const;
  ctx.emit({ type: 'subscription.cancelled', entity, data: subscriberOf(row) });
  return SUCCESS;
}
