/** The triggers of automations. Pure. */
import type { FieldError } from '../../../shared/errors.ts';
import type { EventType } from '../../../shared/events.ts';

export const TRIGGER_TYPES = [
  'subscription.confirmed',
  'order.paid',
  'plan.ended',
  'cart.abandoned',
  'date',
  'tag.added',
] as const;
export type TriggerType = (typeof TRIGGER_TYPES)[number];

export const REPEATS = ['YEARLY', 'ONCE'] as const;

export type Trigger = {
  type: TriggerType;
  /** Only subscribers of this newsletter enter. */
  collectionId: string;
  /** `order.paid`: any of these products or categories. Without either, every order counts. */
  productIds?: string[];
  categories?: string[];
  /** `plan.ended`: this plan, of this newsletter. Without them, every paid plan counts. */
  planId?: string;
  planCollectionId?: string;
  /** `cart.abandoned`: without a change for this long. */
  idleSeconds?: number;
  /** `date`: a field of the subscriber, the frequency, the days before the date, and the hour in the time zone of the business. */
  field?: string;
  repeat?: (typeof REPEATS)[number];
  daysBefore?: number;
  hour?: number;
  /** `tag.added` */
  tag?: string;
};

const FIELDS: Readonly<Record<TriggerType, readonly (keyof Trigger)[]>> = {
  'subscription.confirmed': [],
  'order.paid': ['productIds', 'categories'],
  'plan.ended': ['planId', 'planCollectionId'],
  'cart.abandoned': ['idleSeconds'],
  date: ['field', 'repeat', 'daysBefore', 'hour'],
  'tag.added': ['tag'],
};

const DEFAULTS: Readonly<Partial<Record<TriggerType, Partial<Trigger>>>> = {
  'cart.abandoned': { idleSeconds: 3600 },
  date: { repeat: 'YEARLY', daysBefore: 0, hour: 9 },
};

const REQUIRED: Readonly<Partial<Record<TriggerType, keyof Trigger>>> = { date: 'field', 'tag.added': 'tag' };

export function checkTrigger(trigger: Trigger): FieldError[] {
  const required = REQUIRED[trigger.type];
  if (!required || trigger[required]) return [];
  return [{ field: `trigger.${required}`, error: 'REQUIRED', message: `trigger.${required} is required.` }];
}

/** The fields of its type, with defaults. */
export function toTrigger(given: Trigger): Trigger {
  const { type, collectionId } = given;
  const trigger: Trigger = { type, collectionId, ...DEFAULTS[type] };
  for (const field of FIELDS[type]) if (given[field] !== undefined) Object.assign(trigger, { [field]: given[field] });
  if (trigger.tag !== undefined) trigger.tag = trigger.tag.toLowerCase();
  return trigger;
}

/** The events that may start a run. Dates have none. */
const STARTING: Readonly<Record<TriggerType, readonly EventType[]>> = {
  'subscription.confirmed': ['subscription.created', 'subscription.confirmed'],
  'order.paid': ['order.created', 'order.payment_changed'],
  'plan.ended': ['subscription.updated', 'subscription.cancelled'],
  'cart.abandoned': ['cart.created', 'cart.updated'],
  date: [],
  'tag.added': ['subscription.created', 'subscription.updated'],
};

/** The events that may end a run. */
export const ENDING: readonly string[] = [
  'subscription.cancelled',
  'subscription.bounced',
  'suppression.created',
  'cart.ordered',
] satisfies EventType[];

export const isStarting = (trigger: TriggerType, event: string) =>
  (STARTING[trigger] as readonly string[]).includes(event);

const RELEVANT = new Set<string>([...ENDING, ...Object.values(STARTING).flat()]);
export const isRelevant = (event: string) => RELEVANT.has(event);
