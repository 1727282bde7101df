/** The filter of a segment: a tree of conditions on people. Pure. */
import type { FieldError } from '../../../shared/errors.ts';
import { oneOf } from '../../../shared/text/phrases.ts';

export type Condition = { field: string; op: string; value?: FilterValue; days?: number };
type FilterValue = string | number | readonly (string | number)[];
export type Filter = { all: Filter[] } | { any: Filter[] } | { not: Filter } | Condition;

/** The content type of a field. A list matches if one of its items does. */
type FieldType = 'text' | 'choice' | 'date' | 'number';

const OPS = {
  text: ['is', 'isNot', 'contains', 'in'],
  choice: ['is', 'isNot', 'in'],
  date: ['before', 'after'],
  number: ['is', 'atLeast', 'atMost'],
} as const;
export const FILTER_OPS = [...new Set(Object.values(OPS).flat())];

const FIELDS: Readonly<Record<string, FieldType>> = {
  'subscriber.email': 'text',
  'subscriber.name': 'text',
  'subscriber.newsletter': 'choice',
  'subscriber.plan': 'choice',
  'subscriber.status': 'choice',
  'subscriber.tag': 'choice',
  'subscriber.joinedAt': 'date',
  'subscriber.referrals': 'number',
  'customer.name': 'text',
  'customer.tag': 'choice',
  'customer.country': 'choice',
  'customer.createdAt': 'date',
  'customer.orders': 'number',
  'customer.spent': 'number',
  'order.product': 'choice',
  'order.category': 'choice',
  'order.placedAt': 'date',
};
export const FILTER_FIELDS = Object.keys(FIELDS);

/** A field that the business defined: `subscriber.fields.birthday`. */
const OWN_FIELD = /^subscriber\.fields\.([A-Za-z0-9_-]{1,64})$/;
export const ownFieldOf = (field: string): string | null => OWN_FIELD.exec(field)?.[1] ?? null;

export const fieldType = (field: string): FieldType | undefined =>
  Object.hasOwn(FIELDS, field) ? FIELDS[field] : ownFieldOf(field) === null ? undefined : 'text';

const MAX_DEPTH = 5;
const MAX_CONDITIONS = 50;
const MAX_VALUES = 100;
const MAX_TEXT = 200;
const MAX_DAYS = 36_500;

/** Checks the size first, so that rejecting a huge filter is cheap. */
export function checkFilter(filter: unknown, at = 'filter'): FieldError[] {
  const size = sizeOf(filter, 1);
  if (size.depth > MAX_DEPTH || size.conditions > MAX_CONDITIONS) {
    const message = `${at} can have at most ${MAX_CONDITIONS} conditions and groups, nested at most ${MAX_DEPTH} levels deep.`;
    return [{ field: at, error: 'TOO_COMPLEX', message }];
  }
  return check(filter, at);
}

function sizeOf(filter: unknown, depth: number): { depth: number; conditions: number } {
  const inner = depth > MAX_DEPTH ? [] : childrenOf(filter);
  const sizes = inner.slice(0, MAX_CONDITIONS + 1).map((each) => sizeOf(each, depth + 1));
  return {
    depth: Math.max(depth, ...sizes.map((each) => each.depth)),
    conditions: sizes.reduce((sum, each) => sum + each.conditions, 1),
  };
}

function childrenOf(filter: unknown): unknown[] {
  const { all, any, not } = record(filter);
  return [all, any].flatMap((each) => (Array.isArray(each) ? each : [])).concat(not === undefined ? [] : [not]);
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

function check(filter: unknown, at: string): FieldError[] {
  const { all, any, not, field } = record(filter);
  const kinds = [all, any, not, field].filter((each) => each !== undefined).length;
  if (kinds !== 1) {
    return [{ field: at, error: 'INVALID_VALUE', message: `${at} must have exactly one of all, any, not and field.` }];
  }
  if (not !== undefined) return check(not, `${at}.not`);
  if (field !== undefined) return checkCondition(record(filter), at);
  const name = all === undefined ? 'any' : 'all';
  const list = all ?? any;
  if (!Array.isArray(list) || list.length === 0) {
    return [{ field: `${at}.${name}`, error: 'REQUIRED', message: `${at}.${name} must have at least one condition.` }];
  }
  return list.flatMap((each, i) => check(each, `${at}.${name}[${i}]`));
}

function checkCondition({ field, op, value, days }: Record<string, unknown>, at: string): FieldError[] {
  const type = typeof field === 'string' ? fieldType(field) : undefined;
  const error = (name: string, message: string): FieldError[] => [
    { field: `${at}.${name}`, error: 'INVALID_VALUE', message: `${at}.${name} ${message}` },
  ];
  if (!type) return error('field', `must be one of ${FILTER_FIELDS.join(', ')} or subscriber.fields.NAME.`);
  const ops: readonly unknown[] = OPS[type];
  if (!ops.includes(op)) return error('op', `must be ${oneOf(ops)}.`);
  if (days !== undefined && !(Number.isInteger(days) && Number(days) > 0 && Number(days) <= MAX_DAYS)) {
    return error('days', `must be a whole number from 1 to ${MAX_DAYS}.`);
  }
  if (type === 'date')
    return isTime(value) || days !== undefined ? [] : error('value', 'must be a Unix time in seconds.');
  if (type === 'number') return isTime(value) ? [] : error('value', 'must be a whole number, 0 or more.');
  if (op !== 'in') return isText(value) ? [] : error('value', `must be a string of up to ${MAX_TEXT} characters.`);
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_VALUES && value.every(isText);
  return isList ? [] : error('value', `must be a list of 1 to ${MAX_VALUES} strings.`);
}

const isTime = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= MAX_TEXT;

/** A checked filter, with its known fields only. */
export function toFilter(filter: unknown): Filter {
  const { all, any, not, field, op, value, days } = record(filter);
  if (Array.isArray(all)) return { all: all.map(toFilter) };
  if (Array.isArray(any)) return { any: any.map(toFilter) };
  if (not !== undefined) return { not: toFilter(not) };
  return {
    field: field as string,
    op: op as string,
    ...(value === undefined ? {} : { value: value as FilterValue }),
    ...(days === undefined ? {} : { days: days as number }),
  };
}

const isSubscriptionCondition = (filter: Filter): filter is Condition =>
  'field' in filter &&
  filter.field.startsWith('subscriber.') &&
  filter.field !== 'subscriber.email' &&
  filter.op !== 'isNot';

/** Splits off a condition that one subscription of each matching person must meet. Null if there is none. */
export function splitSubscribers(filter: Filter): { own: Condition; rest: Filter[] } | null {
  const list = 'all' in filter ? filter.all : [filter];
  const found = list.filter(isSubscriptionCondition);
  const own = found.find(({ field }) => field === 'subscriber.newsletter') ?? found[0];
  return own ? { own, rest: list.filter((each) => each !== own) } : null;
}
