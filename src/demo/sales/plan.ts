/** Plans ninety days of orders with their customers, items and steps. Pure and deterministic. */
import { GOODS, variantId } from '../catalog.ts';
import { DAY, HOUR, startOfDay } from '../past.ts';
import { createRandom, type Random } from '../random.ts';
import { cardSteps, cashSteps, shift } from './outcomes.ts';
import { createPeople, type Person } from './people.ts';
import { type Item, type PlannedOrder, PROMO_CODE, type Step, type Terms } from './planned-order.ts';
import { stories } from './stories.ts';

export const DAYS = 90;
/** No order is younger than this, so that no card payment is still open. */
const MIN_AGE_SECONDS = 2 * HOUR;
/** Orders that will be canceled contain only variants with more stock than this, so that no quantity falls below 0. */
const SCARCE = 10;

/** Demand by weekday, from Sunday to Saturday. */
const WEEKDAYS = [1.3, 1.05, 0.85, 0.9, 0.95, 0.85, 1.2];
/** Demand by time of day, in four-hour windows. `from`: the hour in UTC at which the window starts. */
const HOURS: Record<Person['market'], [from: number, weight: number][]> = {
  eu: [
    [6, 2],
    [10, 4],
    [14, 3],
    [18, 6],
  ],
  us: [
    [14, 3],
    [18, 4],
    [22, 4],
    [25, 6],
  ],
};

/** Relative demand for each product. */
const DEMAND: Record<string, number> = {
  'ceramic-mug': 14,
  'beeswax-candle': 12,
  notebook: 12,
  'linen-shirt': 11,
  'wool-socks': 10,
  'canvas-tote': 9,
  'linen-cushion': 7,
  'pour-over': 6,
  'merino-sweater': 5,
  'stoneware-bowls': 5,
  'terracotta-planter': 5,
  'cast-iron-skillet': 4,
  'enamel-teapot': 4,
  'cutting-board': 4,
  'leather-belt': 4,
  'wool-blanket': 3,
  'desk-lamp': 3,
  'weekend-backpack': 3,
  'fountain-pen': 3,
  'wall-clock': 2,
  'chefs-knife': 2,
  'gift-card': 2,
  'rain-jacket': 2,
};
/** Products often bought in larger quantities. */
const SMALL = new Set(['ceramic-mug', 'beeswax-candle', 'notebook', 'wool-socks', 'terracotta-planter']);

/** In chronological order. `busy`: times of newsletters, which raise demand for three days. */
export function planOrders(now: number, busy: readonly number[], terms: Terms): PlannedOrder[] {
  const random = createRandom(1728);
  const invent = createPeople(random);
  const buyers: Person[] = [];
  const first = startOfDay(now) - DAYS * DAY;
  const orders: PlannedOrder[] = [];
  for (let day = 0; day <= DAYS; day++) {
    const start = first + day * DAY;
    const sinceIssue = Math.min(...busy.map((at) => (at > start + DAY ? DAYS : (start - startOfDay(at)) / DAY)));
    const demand = WEEKDAYS[new Date(start * 1000).getUTCDay()]! * (sinceIssue < 3 ? 1.6 : 1);
    const count = random.poisson((1.5 + (2.7 * day) / DAYS) * demand);
    for (let n = 0; n < count; n++) {
      const isNew = buyers.length < 8 || random.chance(0.85 - (0.35 * day) / DAYS);
      // Early customers return most often.
      const person = isNew ? invent() : buyers[Math.floor(buyers.length * (random.between(0, 99) / 100) ** 1.6)]!;
      const at = start + hourOf(person, random) * HOUR + random.between(0, HOUR - 1);
      orders.push(planOrder({ at, person, isFirst: isNew }, random, terms));
      if (isNew) buyers.push(person);
    }
  }
  return [...orders, ...stories(now)]
    .map((order) => (terms.takesCards ? order : inCash(order, terms)))
    .filter(({ at }) => at <= now - MIN_AGE_SECONDS)
    .map((order) => ({ ...order, steps: order.steps.filter((step) => step.at <= now) }))
    .sort((a, b) => a.at - b.at);
}

/** Without card payments, staff mark the order as paid in cash. */
function inCash(order: PlannedOrder, { cashSeconds }: Terms): PlannedOrder {
  if (order.paymentMethod !== 'CREDIT_CARD') return order;
  const steps = order.steps.flatMap((step): Step[] => {
    if (step.do === 'decline') return [];
    if (step.do === 'giveUp') return [{ do: 'cancel', at: step.at }];
    if (step.do === 'expire') return cashSeconds > 0 ? [{ do: 'expire', at: order.at + cashSeconds }] : [];
    return [step];
  });
  return { ...order, paymentMethod: 'CASH', steps };
}

function hourOf({ market }: Person, random: Random): number {
  return random.weighted(HOURS[market]) + random.between(0, 3);
}

type Purchase = { at: number; person: Person; isFirst: boolean };

function planOrder({ at, person, isFirst }: Purchase, random: Random, terms: Terms): PlannedOrder {
  const way = random.weighted([
    ['standard', 72],
    ['express', 15],
    ['pickup', 10],
    ['sample', 3],
  ] as const);
  const common = { at, person, market: person.market };
  if (way === 'sample') {
    const items = [{ slug: 'sample-card', variantId: 'card', quantity: 1 }];
    const steps = [{ do: 'deliver' as const, at: shift(at, random) }];
    return { ...common, paymentMethod: 'FREE', shippingMethodId: 'pickup', promoCode: null, items, steps };
  }
  const isCash = way === 'pickup' && random.chance(0.7);
  const steps = isCash ? cashSteps(at, random, terms) : cardSteps(at, way, random, terms);
  const isKept = !steps.some((step) => ['expire', 'giveUp', 'cancel'].includes(step.do));
  return {
    ...common,
    paymentMethod: isCash ? 'CASH' : 'CREDIT_CARD',
    shippingMethodId: way,
    promoCode: isFirst && isKept && random.chance(0.25) ? PROMO_CODE : null,
    items: planItems(random, isKept),
    steps,
  };
}

function planItems(random: Random, isKept: boolean): Item[] {
  const count = random.weighted([
    [1, 52],
    [2, 30],
    [3, 13],
    [4, 5],
  ] as const);
  const items = new Map<string, Item>();
  while (items.size < count) {
    const slug = random.weighted(Object.entries(DEMAND));
    const choices = Object.entries(GOODS.find((good) => good.slug === slug)!.stock).filter(
      ([, left]) => isKept || left === null || left > SCARCE,
    );
    if (choices.length === 0) continue;
    const [choice] = random.pick(choices);
    const quantity = SMALL.has(slug) && random.chance(0.4) ? random.between(2, 4) : 1;
    items.set(slug, { slug, variantId: variantId(choice), quantity });
  }
  return [...items.values()];
}
