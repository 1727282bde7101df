/** Plans the steps of an order after it is placed. Steps can be in the future. Pure. */
import type { Tracking } from '../../domains/orders/index.ts';
import { DAY, HOUR, startOfDay } from '../past.ts';
import type { Random } from '../random.ts';
import type { PlannedOrder, Step, Terms } from './planned-order.ts';

export function cashSteps(at: number, random: Random, { cashSeconds }: Terms): Step[] {
  if (cashSeconds > 0 && random.chance(0.15)) return [{ do: 'expire', at: at + cashSeconds }];
  const collected = shift(at + random.between(0, 2) * DAY, random);
  return [
    { do: 'pay', at: collected },
    { do: 'deliver', at: collected + 60 },
  ];
}

export function cardSteps(at: number, way: PlannedOrder['shippingMethodId'], random: Random, terms: Terms): Step[] {
  const outcome = random.weighted([
    ['bought', 85],
    ['declined once', 3],
    ['declined', 3],
    ['abandoned', 4],
    ['given up', 2],
    ['cancelled', 3],
  ] as const);
  const soon = at + random.between(40, 240);
  const expired = { do: 'expire' as const, at: at + terms.checkoutSeconds };
  if (outcome === 'abandoned') return [expired];
  if (outcome === 'given up') return [{ do: 'giveUp', at: soon }];
  if (outcome === 'declined') return [{ do: 'decline', at: soon }, expired];
  const paid: Step[] =
    outcome === 'declined once'
      ? [
          { do: 'decline', at: soon },
          { do: 'pay', at: soon + random.between(30, 120) },
        ]
      : [{ do: 'pay', at: soon }];
  const handled = shift(soon + (random.chance(0.3) ? DAY : 0), random);
  if (outcome === 'cancelled') {
    const reason = random.pick(['Ordered by mistake.', 'Customer changed their mind.', "Wouldn't arrive in time."]);
    return [...paid, { do: 'cancel', at: handled }, { do: 'refund', at: handled + 45, share: 1, reason }];
  }
  if (way === 'pickup') return [...paid, { do: 'deliver', at: handled }];
  const arrived = handled + (way === 'express' ? DAY : random.between(2, 5) * DAY) + random.between(2, 6) * HOUR;
  return [
    ...paid,
    { do: 'ship', at: handled, tracking: trackingOf(random) },
    { do: 'deliver', at: arrived },
    ...refundSteps(arrived, random),
  ];
}

function refundSteps(arrived: number, random: Random): Step[] {
  const at = shift(arrived + random.between(1, 8) * DAY, random);
  const outcome = random.weighted([
    ['none', 92],
    ['partial', 5],
    ['full', 3],
  ] as const);
  if (outcome === 'none') return [];
  if (outcome === 'partial') {
    const reason = random.pick(['Arrived with a scratch.', 'A button was missing.', 'Late delivery.']);
    return [{ do: 'refund', at, share: random.pick([0.1, 0.2, 0.25, 0.5]), reason }];
  }
  const reason = random.pick(['Returned: wrong size.', 'Returned: not as expected.', 'Broken in transit.']);
  return [
    { do: 'refund', at, share: 1, reason },
    { do: 'takeBack', at: at + 60 },
  ];
}

/** The next morning on a working day, when staff handle orders. */
export function shift(after: number, random: Random): number {
  const morning = startOfDay(after) + 9 * HOUR;
  let at = morning > after ? morning : morning + DAY;
  while ([0, 6].includes(new Date(at * 1000).getUTCDay())) at += DAY;
  return at + random.between(0, 3 * HOUR);
}

function trackingOf(random: Random): Tracking {
  const digits = String(random.between(10_000_000, 99_999_999));
  const number = `DP ${digits.slice(0, 4)} ${digits.slice(4)}`;
  return { carrier: 'Demo Post', number, url: `https://post.example/track/DP${digits}` };
}
