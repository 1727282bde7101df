/** Plans the opening stock and deliveries that lead to today's stock. Pure. */
import { keyOf } from '../catalog.ts';
import { DAY, HOUR } from '../past.ts';
import type { Item, PlannedOrder } from './planned-order.ts';

export type Delivery = { at: number; slug: string; variantId: string; quantity: number };

/** `final`: today's stock of each tracked variant. */
export function planStock(
  orders: readonly PlannedOrder[],
  final: ReadonlyMap<string, number>,
  openedAt: number,
): { opening: Map<string, number>; deliveries: Delivery[] } {
  const days = [0, 31, 62].map((day) => openedAt + day * DAY - (day > 0 ? HOUR : 0));
  const periodOf = (at: number) => days.findLastIndex((day) => day <= at);
  const sold = new Map<string, number[]>();
  const move = ({ slug, variantId, quantity }: Item, at: number, sign: 1 | -1) => {
    const key = keyOf(slug, variantId);
    const periods = sold.get(key) ?? [0, 0, 0];
    periods[periodOf(at)]! += sign * quantity;
    sold.set(key, periods);
  };
  for (const { at, items, steps } of orders) {
    const end = steps.find((step) => step.do === 'expire' || step.do === 'giveUp' || step.do === 'cancel');
    for (const item of items) {
      move(item, at, 1);
      if (end) move(item, end.at, -1);
    }
  }
  const deliveries: Delivery[] = [];
  const opening = new Map<string, number>();
  for (const [key, left] of final) {
    const [slug, variantId] = key.split(' ') as [string, string];
    let first = left;
    for (const [period, quantity] of (sold.get(key) ?? []).entries()) {
      if (period > 0 && quantity >= MIN_DELIVERY) deliveries.push({ at: days[period]!, slug, variantId, quantity });
      else first += quantity;
    }
    opening.set(key, first);
  }
  return { opening, deliveries: deliveries.sort((a, b) => a.at - b.at) };
}

/** Smaller deliveries are added to the opening stock. */
const MIN_DELIVERY = 4;
