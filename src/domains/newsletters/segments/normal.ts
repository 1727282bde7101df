/** Normalizes the filter of a segment for `sets.ts`: only leaves are negated, and each leaf matches people by existing rows. Pure. */
import type { Condition, Filter } from './filter.ts';

/** Tables with one row per person. `subscriptions` is one only if the business has a single newsletter. */
export type Table = 'subscriptions' | 'customers';

/**
 * `row`: a filter on one row. `rows`: conditions on subscriptions that one index covers, each met by at least one subscription of the
 * person.
 */
type Leaf = { row: Filter; of: Table } | { rows: Condition[] } | Condition;
export type Normal = { all: Normal[] } | { any: Normal[] } | { not: Leaf } | Leaf;

const EVERYONE: Normal = { all: [] };

/** `isSingle`: nobody has more than one subscription. */
export function normalize(filter: Filter, isSingle: boolean): Normal {
  if ('all' in filter) return allOf(filter.all.map((each) => normalize(each, isSingle)));
  if ('any' in filter) return anyOf(filter.any.map((each) => normalize(each, isSingle)));
  if ('not' in filter) return negated(normalize(filter.not, isSingle));
  if (filter.op === 'isNot') return { not: leafOf({ ...filter, op: 'is' }, isSingle) };
  return isAmount(filter) ? ofAmount(filter) : leafOf(filter, isSingle);
}

function leafOf(condition: Condition, isSingle: boolean): Leaf {
  const { field } = condition;
  if (field.startsWith('customer.')) return isAmount(condition) ? condition : { row: condition, of: 'customers' };
  const isRow = isSingle && field.startsWith('subscriber.') && field !== 'subscriber.email';
  return isRow ? { row: condition, of: 'subscriptions' } : condition;
}

/** The table of a `row` leaf, negated or not. */
function tableOf(part: Normal): Table | null {
  const leaf = 'not' in part ? part.not : part;
  return 'row' in leaf ? leaf.of : null;
}

const rowOf = (part: Normal): Filter => {
  const leaf = 'not' in part ? part.not : part;
  return (leaf as { row: Filter }).row;
};

/** The columns of the index `subscriptions_people`. */
const INDEXED = ['subscriber.newsletter', 'subscriber.plan', 'subscriber.status', 'subscriber.joinedAt'];

/** Merges leaves on the same table, so that it is read once. */
function allOf(parts: readonly Normal[]): Normal {
  const all = parts.flatMap((part) => ('all' in part ? part.all : 'rows' in part ? part.rows : [part]));
  const isIndexed = (part: Normal): part is Condition => 'field' in part && INDEXED.includes(part.field);
  const rows = all.filter(isIndexed);
  const indexed: Normal[] = rows.length < 2 ? rows : [{ rows }];
  return { all: [...indexed, ...byTable(all, joinAll), ...all.filter((part) => !isIndexed(part) && !tableOf(part))] };
}

function anyOf(parts: readonly Normal[]): Normal {
  const any = parts.flatMap((part) => ('any' in part ? part.any : [part]));
  const joined = [...byTable(any, joinAny), ...any.filter((part) => !tableOf(part))];
  return joined.length === 1 ? joined[0]! : { any: joined };
}

function byTable(parts: readonly Normal[], join: (of: Table, parts: readonly Normal[]) => Normal[]): Normal[] {
  return (['subscriptions', 'customers'] as const).flatMap((of) => {
    const mine = parts.filter((part) => tableOf(part) === of);
    return mine.length === 0 ? [] : join(of, mine);
  });
}

/** If all parts are negated, people without a row match too. */
function joinAll(of: Table, parts: readonly Normal[]): Normal[] {
  if (!parts.some(isPositive)) return [{ not: { row: { any: parts.map(rowOf) }, of } }];
  return [{ row: { all: parts.map((part) => (isPositive(part) ? rowOf(part) : { not: rowOf(part) })) }, of }];
}

function joinAny(of: Table, parts: readonly Normal[]): Normal[] {
  const [found, missing] = [parts.filter(isPositive), parts.filter((part) => !isPositive(part))];
  return [
    ...(found.length > 0 ? [{ row: { any: found.map(rowOf) }, of }] : []),
    ...(missing.length > 0 ? [{ not: { row: { all: missing.map(rowOf) }, of } }] : []),
  ];
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
  if ('all' in filter) return anyOf(filter.all.map(negated));
  if ('any' in filter) return allOf(filter.any.map(negated));
  if ('rows' in filter) return { any: filter.rows.map(negated) };
  return 'not' in filter ? filter.not : { not: filter };
}

/** Whether the people who match can be found by reading rows. If not, the people who don't match can. */
export function isPositive(filter: Normal): boolean {
  if ('all' in filter) return filter.all.some(isPositive);
  if ('any' in filter) return filter.any.every(isPositive);
  return !('not' in filter);
}

/** Whether one row of subscriptions is enough to tell if a person matches. */
export function readsOneRow(filter: Normal): boolean {
  if ('all' in filter) return filter.all.every(readsOneRow);
  return tableOf(filter) === 'subscriptions' || isOf(filter, 'subscriber.email');
}

const isOf = (filter: Normal, room: string): filter is Condition => 'field' in filter && filter.field.startsWith(room);

/** Whether everyone who matches is a subscriber or has a customer record, rather than only orders. */
export function isPeopleFilter(filter: Normal): boolean {
  if ('all' in filter) return filter.all.some(isPeopleFilter);
  if ('any' in filter) return filter.any.every(isPeopleFilter);
  return 'row' in filter || 'rows' in filter || isOf(filter, 'subscriber.');
}

export const isAmount = (condition: Condition) =>
  condition.field === 'customer.orders' || condition.field === 'customer.spent';

/** Whether each person has at most one of the rows that meet the condition. */
const isOnePerPerson = (filter: Normal): boolean =>
  'row' in filter || 'rows' in filter || (isOf(filter, 'subscriber.newsletter') && filter.op === 'is');

/** Whether the set of a leaf contains no email twice. Amounts are grouped by email. */
export const isUniqueSet = (filter: Normal): boolean =>
  isOnePerPerson(filter) || ('field' in filter && isAmount(filter));

/** Splits an `all` into the part that its rows are read from, and the other parts. */
export function splitAll(parts: readonly Normal[]): { first: Normal; rest: Normal[] } {
  const first =
    parts.find((each) => isOnePerPerson(each)) ??
    parts.find((each) => isPeopleFilter(each) && !isOf(each, 'subscriber.email')) ??
    parts.find(isPeopleFilter) ??
    parts.find(isPositive)!;
  return { first, rest: parts.filter((each) => each !== first) };
}

/** Splits an `any` into a part that contains no duplicates (null if there is none), and the other parts. */
export function splitAny(filter: Normal): { first: Normal | null; rest: Normal } {
  const first = 'any' in filter && filter.any.length > 1 ? filter.any.find(isOnePerPerson) : undefined;
  if (!('any' in filter) || !first) return { first: null, rest: filter };
  const [other, ...others] = filter.any.filter((each) => each !== first);
  return { first, rest: others.length === 0 ? other! : { any: [other!, ...others] } };
}

/**
 * Splits an `all` in two if it contains an `any` with a condition on a row that the `all` reads anyway: one filter for people who meet this
 * condition, and one for people who don't. Only the second has to be joined with the other parts of the `any`. Nobody matches both. Splits
 * only once: each split can double the number of conditions.
 */
export function splitDisjoint(filter: Normal): Normal[] {
  if (!('all' in filter)) return [filter];
  const tables = filter.all.filter((each) => 'row' in each).map(tableOf);
  for (const part of filter.all) {
    const own = 'any' in part ? part.any.find((each) => 'row' in each && tables.includes(each.of)) : undefined;
    if (!('any' in part) || !own || part.any.length === 1) continue;
    const rest = filter.all.filter((each) => each !== part);
    const others = part.any.filter((each) => each !== own);
    return [allOf([...rest, own]), allOf([...rest, negated(own), anyOf(others)])];
  }
  return [filter];
}
