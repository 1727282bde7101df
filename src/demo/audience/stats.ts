/** The effects of the demo's sends: bounces, unsubscribes, clicks, and the growth of the newsletter. Pure. */
import type { SubscriptionRow } from '../../domains/newsletters/index.ts';
import { HOUR } from '../past.ts';
import { createRandom } from '../random.ts';
import type { sendIssue } from './sends.ts';

type Sent = ReturnType<typeof sendIssue>;
type Rows = ReadonlyMap<string, SubscriptionRow>;

const CLICK_RATE = 0.27;

const hasLeft = ({ status }: SubscriptionRow) => status === 'UNSUBSCRIBED' || status === 'BOUNCED';

/** People unsubscribe after the last issue that they got. */
export function withStats(sent: readonly Sent[], subscriptions: Rows, now: number) {
  const random = createRandom(1618);
  const last = new Map(
    sent.flatMap(({ deliveries, send }) => deliveries.map((each) => [each.subscriptionId, send.id])),
  );
  const hits: object[] = [];
  const withReactions = sent.map(({ send, deliveries, batch }) => {
    let clicks = 0;
    const reactions = deliveries.map((delivery) => {
      const { subscriptionId, status, updatedAt } = delivery;
      const subscription = subscriptions.get(subscriptionId)!;
      const at = updatedAt + random.between(120, 30 * HOUR);
      const clickedAt = status === 'SENT' && random.chance(CLICK_RATE) && at < now ? at : null;
      if (clickedAt !== null) clicks += random.chance(0.3) ? 2 : 1;
      const isLast = last.get(subscriptionId) === send.id;
      const leftAt = isLast && subscription.status === 'UNSUBSCRIBED' ? subscription.updatedAt : null;
      return { ...delivery, clickedAt, leftAt, feedback: status === 'FAILED' ? 'BOUNCED' : null };
    });
    if (clicks > 0) hits.push({ businessId: send.businessId, sendId: send.id, variant: -1, link: 0, count: clicks });
    return { send, deliveries: reactions, batch };
  });
  return { sent: withReactions, hits };
}

export const changesOf = (subscriptions: Rows) =>
  [...subscriptions.values()].flatMap((row) => {
    const { businessId, collectionId, createdAt, updatedAt, status } = row;
    const change = (at: number, kind: string) => ({ businessId, collectionId, at, kind });
    return [
      change(createdAt, 'JOINED'),
      ...(status === 'PENDING' ? [] : [change(createdAt, 'CONFIRMED')]),
      ...(hasLeft(row) ? [change(updatedAt, 'LEFT')] : []),
    ];
  });
