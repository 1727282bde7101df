/** Emits events about a subscription. Its row must be locked. */
import type { Command } from '../../../context/index.ts';
import type { EventType } from '../../../shared/events.ts';
import { isSubscribed, type SubscriptionRow } from './queries.ts';
import { subscriberOf } from './schemas.ts';

/** `before` is null for a new subscription. The business is set explicitly because links in emails have none in their path. */
export function emitSubscription(
  ctx: Pick<Command, 'emit'>,
  before: SubscriptionRow | null,
  after: SubscriptionRow,
): void {
  ctx.emit({
    type: typeOf(before, after),
    entity: `subscription:${after.id}`,
    data: subscriberOf(after),
    before: before && subscriberOf(before),
    businessId: after.businessId,
  });
}

function typeOf(before: SubscriptionRow | null, after: SubscriptionRow): EventType {
  if (before === null) return 'subscription.created';
  if (before.status === after.status) return 'subscription.updated';
  if (after.status === 'UNSUBSCRIBED') return 'subscription.cancelled';
  return isSubscribed(after) && !isSubscribed(before) ? 'subscription.confirmed' : 'subscription.updated';
}
