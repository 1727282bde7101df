/** People in memory, and what a filter means for one of them, written without the SQL in mind. */
import type { Condition, Filter } from '../../../src/domains/newsletters/segments/filter.ts';

export const DAY = 86_400;

export type Subscription = {
  newsletter: string;
  status: string;
  plan: string;
  name: string;
  tags: string[];
  fields: Record<string, string>;
  referrals: number;
  at: number;
};
type Customer = { name: string; tags: string[]; countries: string[]; at: number };
export type Order = { paymentStatus: string; paid: number; refunded: number; products: string[]; at: number };
export type Person = { email: string; subscriptions: Subscription[]; customer: Customer | null; orders: Order[] };

export type World = { now: number; categoryOf: Readonly<Record<string, string>> };

/** Someone who only ordered is not in the audience. */
export const isInAudience = ({ subscriptions, customer }: Person) => subscriptions.length > 0 || customer !== null;

export function meets(person: Person, filter: Filter, world: World): boolean {
  if ('all' in filter) return filter.all.every((each) => meets(person, each, world));
  if ('any' in filter) return filter.any.some((each) => meets(person, each, world));
  if ('not' in filter) return !meets(person, filter.not, world);
  if (filter.op === 'isNot') return !meets(person, { ...filter, op: 'is' }, world);
  return meetsCondition(person, filter, world);
}

function meetsCondition({ email, subscriptions, customer, orders }: Person, filter: Condition, world: World): boolean {
  const { field, days } = filter;
  const isMet = (value: string | number | undefined) => value !== undefined && compares(value, filter, world.now);
  const active = subscriptions.filter(({ status }) => status === 'ACTIVE');
  const paid = orders.filter((order) => ['PAID', 'PARTIALLY_REFUNDED'].includes(order.paymentStatus));
  const recent = paid.filter(({ at }) => days === undefined || at >= world.now - days * DAY);
  const bought = recent.flatMap(({ products }) => products);
  if (field.startsWith('subscriber.fields.')) {
    return subscriptions.some(({ fields }) => isMet(fields[field.slice('subscriber.fields.'.length)]));
  }
  switch (field) {
    case 'subscriber.email':
      return isMet(email);
    case 'subscriber.name':
      return subscriptions.some(({ name }) => isMet(name));
    case 'subscriber.newsletter':
      return active.some(({ newsletter }) => isMet(newsletter));
    case 'subscriber.plan':
      return active.some(({ plan }) => isMet(plan));
    case 'subscriber.status':
      return subscriptions.some(({ status }) => isMet(status));
    case 'subscriber.tag':
      return subscriptions.some(({ tags }) => tags.some(isMet));
    case 'subscriber.joinedAt':
      return subscriptions.some(({ at }) => isMet(at));
    case 'subscriber.referrals':
      return subscriptions.some(({ referrals }) => isMet(referrals));
    case 'customer.name':
      return isMet(customer?.name);
    case 'customer.tag':
      return customer?.tags.some(isMet) ?? false;
    case 'customer.country':
      return customer?.countries.some(isMet) ?? false;
    case 'customer.createdAt':
      return isMet(customer?.at);
    case 'customer.orders':
      return isMet(paid.length);
    case 'customer.spent':
      return isMet(paid.reduce((sum, order) => sum + order.paid - order.refunded, 0));
    case 'order.product':
      return bought.some(isMet);
    case 'order.category':
      return bought.some((product) => isMet(world.categoryOf[product]));
    case 'order.placedAt':
      return paid.some(({ at }) => isMet(at));
    default:
      throw new Error(`Unknown field ${field}`);
  }
}

function compares(value: string | number, { op, value: sought, days }: Condition, now: number): boolean {
  const at = days === undefined ? Number(sought) : now - days * DAY;
  const [a, b] = [value, sought].map((each) => String(each).toLowerCase());
  switch (op) {
    case 'is':
      return a === b;
    case 'contains':
      return a!.includes(b!);
    case 'in':
      return (sought as string[]).some((each) => each.toLowerCase() === a);
    case 'before':
      return Number(value) < at;
    case 'after':
      return Number(value) >= at;
    case 'atLeast':
      return Number(value) >= Number(sought);
    case 'atMost':
      return Number(value) <= Number(sought);
    default:
      throw new Error(`Unknown operator ${op}`);
  }
}
