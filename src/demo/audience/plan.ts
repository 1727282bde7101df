/** Plans the newsletter's subscriptions, bounces and unsubscribes. Pure. */
import { SUBSCRIBERS } from '../newsletters.ts';
import { DAY, HOUR, startOfDay } from '../past.ts';
import { createRandom, type Random } from '../random.ts';
import { createPeople, type Person } from '../sales/people.ts';
import { DAYS } from '../sales/plan.ts';
import type { PlannedOrder } from '../sales/planned-order.ts';

type Leaving = { at: number; how: 'UNSUBSCRIBE' | 'BOUNCE' };

export type PlannedSubscriber = {
  at: number;
  person: Person;
  /** CLUB is paid monthly, UNPAID was never paid, LAPSED is past due: the last charge failed. */
  plan: 'FREE' | 'CLUB' | 'UNPAID' | 'LAPSED';
  leaving: Leaving | null;
};

/** In chronological order. `issues`: the times of the sends. */
export function planSubscribers(
  now: number,
  orders: readonly PlannedOrder[],
  { issues, takesCards }: { issues: readonly number[]; takesCards: boolean },
): PlannedSubscriber[] {
  const random = createRandom(2718);
  const joined = [...customersWhoJoin(orders, random), ...strangers(now, orders, random)];
  joined.sort((a, b) => a.at - b.at);
  const club = takesCards ? chooseClub(now, joined) : new Map<Person, PlannedSubscriber['plan']>();
  return joined
    .filter(({ at }) => at <= now - HOUR)
    .map(({ at, person }, i) => {
      const plan = club.get(person) ?? 'FREE';
      const leaving = plan === 'FREE' ? leavingOf(i, at, issues, random) : null;
      return { at, person, plan, leaving: leaving && leaving.at <= now ? leaving : null };
    });
}

type Joined = { at: number; person: Person };

/** Staff add these subscribers. */
const BY_HAND = new Set(SUBSCRIBERS.map(({ email }) => email));

/** Some customers subscribe after their first order. */
function customersWhoJoin(orders: readonly PlannedOrder[], random: Random): Joined[] {
  const known = new Set<Person>();
  return orders.flatMap(({ at, person }) => {
    if (known.has(person)) return [];
    known.add(person);
    return random.chance(0.3) && !BY_HAND.has(person.email) ? [{ at: at + random.between(200, 900), person }] : [];
  });
}

function strangers(now: number, orders: readonly PlannedOrder[], random: Random): Joined[] {
  const taken = new Set(orders.map(({ person }) => person.email));
  const invent = createPeople(random);
  const joined: Joined[] = [];
  for (let day = 0; day <= DAYS; day++) {
    const start = startOfDay(now) - (DAYS - day) * DAY;
    for (let n = random.poisson(0.4 + (0.8 * day) / DAYS); n > 0; n--) {
      const person = { ...invent(), hasAccount: false };
      if (!taken.has(person.email)) joined.push({ person, at: start + random.between(7 * HOUR, 22 * HOUR) });
    }
  }
  return joined;
}

/** Early account holders join the club; the card of one has expired. Two recent subscribers have not paid. */
function chooseClub(now: number, joined: readonly Joined[]): Map<Person, PlannedSubscriber['plan']> {
  const owners = joined.filter(({ person }) => person.hasAccount && person.market === 'us');
  const early = owners.filter(({ at }) => at < now - 35 * DAY).slice(0, 9);
  const late = joined.filter(({ at, person }) => at > now - 5 * DAY && at < now - 2 * HOUR && !person.hasAccount);
  return new Map<Person, PlannedSubscriber['plan']>([
    ...early.map(({ person }, i) => [person, i === 1 ? 'LAPSED' : 'CLUB'] as const),
    ...late.slice(0, 2).map(({ person }) => [person, 'UNPAID'] as const),
  ]);
}

/** Some addresses bounce, and some subscribers unsubscribe after an issue. */
function leavingOf(i: number, at: number, issues: readonly number[], random: Random): Leaving | null {
  const received = issues.filter((sent) => sent > at);
  const [first] = received;
  if (first === undefined) return null;
  if (i % 30 === 20) return { how: 'BOUNCE', at: first };
  return i % 9 === 4 ? { how: 'UNSUBSCRIBE', at: random.pick(received) + random.between(600, DAY) } : null;
}
