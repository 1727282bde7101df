/** The filter of a segment as sets need it: only conditions are negated, and each of them finds people by rows that they have. Pure. */
import type { Condition, Filter } from './filter.ts';

/** `rows`: conditions on subscriptions that one index answers. Everyone has a subscription for each of them. */
export type Normal = { all: Normal[] } | { any: Normal[] } | { rows: Condition[] } | { not: Condition } | Condition;

const EVERYONE: Normal = { all: [] };

export function toNormal(filter: Filter): Normal {
  if ('all' in filter) return allOf(filter.all.map(toNormal));
  if ('any' in filter) return { any: filter.any.map(toNormal) };
  if ('not' in filter) return negated(toNormal(filter.not));
  if (filter.op === 'isNot') return { not: { ...filter, op: 'is' } };
  return filter.field === 'customer.orders' || filter.field === 'customer.spent' ? ofAmount(filter) : filter;
}

/** The columns of the index `subscriptions_people`. */
const INDEXED = ['subscriber.newsletter', 'subscriber.plan', 'subscriber.status', 'subscriber.joinedAt'];

function allOf(parts: readonly Normal[]): Normal {
  const all = parts.flatMap((part) => ('all' in part ? part.all : 'rows' in part ? part.rows : [part]));
  const isIndexed = (part: Normal): part is Condition => 'field' in part && INDEXED.includes(part.field);
  const rows = all.filter(isIndexed);
  return rows.length < 2 ? { all } : { all: [{ rows }, ...all.filter((part) => !isIndexed(part))] };
}

/** The filter for active subscribers to a newsletter. */
export function amongSubscribers(filter: Filter, collectionId: string): Filter {
  if ('all' in filter) return { all: filter.all.map((each) => amongSubscribers(each, collectionId)) };
  const isGiven = 'field' in filter && filter.field === 'subscriber.newsletter' && filter.op === 'is';
  return isGiven && filter.value === collectionId ? { all: [] } : filter;
}

/** People without orders have no rows, and amounts are never negative. */
function ofAmount(condition: Condition): Normal {
  const value = condition.value as number;
  if (condition.op === 'atMost' || value === 0) {
    const above = condition.op === 'atLeast' ? null : { ...condition, op: 'atLeast', value: value + 1 };
    return above === null ? EVERYONE : { not: above };
  }
  return condition;
}

export function negated(filter: Normal): Normal {
  if ('all' in filter) return { any: filter.all.map(negated) };
  if ('any' in filter) return allOf(filter.any.map(negated));
  if ('rows' in filter) return { any: filter.rows.map(negated) };
  return 'not' in filter ? filter.not : { not: filter };
}

/** Whether everyone who matches has a row that proves it. If not, everyone who doesn't match has one. */
export function isPositive(filter: Normal): boolean {
  if ('all' in filter) return filter.all.some(isPositive);
  if ('any' in filter) return filter.any.every(isPositive);
  return !('not' in filter);
}

const isOf = (filter: Normal, room: string): filter is Condition => 'field' in filter && filter.field.startsWith(room);

/** Whether everyone in it has a row as a subscriber or as a customer, not only orders. */
export function isOfPeople(filter: Normal): boolean {
  if ('all' in filter) return filter.all.some(isOfPeople);
  if ('any' in filter) return filter.any.every(isOfPeople);
  return 'rows' in filter || ((isOf(filter, 'subscriber.') || isOf(filter, 'customer.')) && !isAmount(filter));
}

export const isAmount = (condition: Condition) =>
  condition.field === 'customer.orders' || condition.field === 'customer.spent';

/** Whether each person has at most one of the rows that meet the condition. */
export const isOnePerPerson = (filter: Normal): boolean =>
  'rows' in filter ||
  (isOf(filter, 'subscriber.newsletter') && filter.op === 'is') ||
  (isOf(filter, 'customer.') && !isAmount(filter));

/** The part of an `all` that its rows are read from, and the other parts. */
export function splitAll(parts: readonly Normal[]): { first: Normal; rest: Normal[] } {
  const first =
    parts.find((each) => isOnePerPerson(each)) ??
    parts.find((each) => isOfPeople(each) && !isOf(each, 'subscriber.email')) ??
    parts.find(isOfPeople) ??
    parts.find(isPositive)!;
  return { first, rest: parts.filter((each) => each !== first) };
}
