import { HOUR } from '../past.ts';
import type { Remark } from './customers.ts';
import type { PlannedOrder } from './planned-order.ts';

/** Plans the tags, notes and phone numbers that staff add to customers. */
export function planRemarks(orders: readonly PlannedOrder[], now: number): Remark[] {
  const byPerson = Map.groupBy(orders, ({ person }) => person);
  const often = [...byPerson].filter(([, own]) => own.length >= OFTEN);
  const twice = [...byPerson].filter(([person, own]) => person.hasAccount && own.length === 2).reverse();
  const noted = NOTES.flatMap((note, i) => (twice[i] ? [{ own: twice[i][1], ...note }] : []));
  return [...often.map(([, own]) => ({ own: own.slice(0, OFTEN), tags: ['regular'], note: '', phone: null })), ...noted]
    .map(({ own, ...remark }) => ({ ...remark, person: own[0]!.person, at: own.at(-1)!.at + HOUR }))
    .filter(({ at }) => at <= now);
}

/** Customers with this many orders get the tag `regular`. */
const OFTEN = 4;
const NOTES = [
  { tags: ['wholesale'], note: 'Runs a café. Asks for an invoice with each order.', phone: '+1 503 555 0142' },
  { tags: ['press'], note: 'Writes about design. Wants to see new products first.', phone: null },
  { tags: [], note: 'Leave parcels with the neighbor on the second floor.', phone: '+49 30 23125 014' },
  { tags: ['wholesale'], note: 'Runs a gift shop. Buys candles before the holidays.', phone: '+1 206 555 0117' },
];
