import { HOUR } from '../past.ts';
import type { CustomerNote } from './customers.ts';
import type { PlannedOrder } from './planned-order.ts';

/** Plans the tags, notes and phone numbers that staff add to customers. */
export function planCustomerNotes(orders: readonly PlannedOrder[], now: number): CustomerNote[] {
  const byPerson = Map.groupBy(orders, ({ person }) => person);
  const often = [...byPerson].filter(([, own]) => own.length >= MIN_REGULAR_ORDERS);
  const twice = [...byPerson].filter(([person, own]) => person.hasAccount && own.length === 2).reverse();
  const withNotes = NOTES.flatMap((note, i) => (twice[i] ? [{ own: twice[i][1], ...note }] : []));
  return [
    ...often.map(([, own]) => ({ own: own.slice(0, MIN_REGULAR_ORDERS), tags: ['regular'], note: '', phone: null })),
    ...withNotes,
  ]
    .map(({ own, ...entry }) => ({ ...entry, person: own[0]!.person, at: own.at(-1)!.at + HOUR }))
    .filter(({ at }) => at <= now);
}

/** Customers with this many orders get the tag `regular`. */
const MIN_REGULAR_ORDERS = 4;
const NOTES = [
  { tags: ['wholesale'], note: 'Runs a café. Asks for an invoice with each order.', phone: '+1 503 555 0142' },
  { tags: ['press'], note: 'Writes about design. Wants to see new products first.', phone: null },
  { tags: [], note: 'Leave packages with the neighbor on the second floor.', phone: '+49 30 23125 014' },
  { tags: ['wholesale'], note: 'Runs a gift shop. Buys candles before the holidays.', phone: '+1 206 555 0117' },
];
