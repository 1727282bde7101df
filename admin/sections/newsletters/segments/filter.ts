/** The filter of a segment as a tree of groups, and its text. */
import { date, money, number, statusText } from '../../../parts/show.tsx';
import { business } from '../../../shell/session.ts';
import { t, tOr } from '../../../text/index.ts';

export type Condition = { field: string; op: string; value?: string | number | string[]; days?: number };
export type Filter = { all: Filter[] } | { any: Filter[] } | { not: Filter } | Condition;

/** `some` means that not all conditions match. */
type Mode = 'all' | 'any' | 'none' | 'some';
export type Group = { mode: Mode; items: (Group | Condition)[] };
export const MODES: readonly Mode[] = ['all', 'any', 'none'];

export const isGroup = (item: Group | Condition): item is Group => 'items' in item;

/** The content type of a field, which determines its operators and the control for its value. */
type Kind = 'text' | 'newsletter' | 'plan' | 'status' | 'tag' | 'customerTag' | 'country' | 'product' | 'category';
export type FieldKind = Kind | 'date' | 'count' | 'amount';

export const FIELDS: Readonly<Record<string, FieldKind>> = {
  'subscriber.newsletter': 'newsletter',
  'subscriber.plan': 'plan',
  'subscriber.tag': 'tag',
  'subscriber.status': 'status',
  'subscriber.joinedAt': 'date',
  'subscriber.referrals': 'count',
  'subscriber.email': 'text',
  'subscriber.name': 'text',
  'subscriber.fields': 'text',
  'order.category': 'category',
  'order.product': 'product',
  'order.placedAt': 'date',
  'customer.orders': 'count',
  'customer.spent': 'amount',
  'customer.tag': 'customerTag',
  'customer.country': 'country',
  'customer.createdAt': 'date',
  'customer.name': 'text',
};

const OWN = 'subscriber.fields.';
/** `subscriber.fields.city` is `subscriber.fields` in the table. */
export const baseField = (field: string) => (field.startsWith(OWN) ? 'subscriber.fields' : field);
export const ownName = (field: string) => (field.startsWith(OWN) ? field.slice(OWN.length) : '');
export const ownField = (name: string) => `${OWN}${name}`;
export const kindOf = (field: string): FieldKind => FIELDS[baseField(field)] ?? 'text';
export const hasPeriod = ({ field }: Condition) => field === 'order.product' || field === 'order.category';

/** Each operator for dates comes in two forms: with a number of days before now, and with a day. */
export const phrasesOf = (field: string): readonly string[] => {
  const kind = kindOf(field);
  if (kind === 'date') return ['afterDays', 'beforeDays', 'after', 'before'];
  if (kind === 'count' || kind === 'amount') return ['atLeast', 'atMost', 'is'];
  return kind === 'text' ? ['is', 'isNot', 'contains'] : ['is', 'isNot', 'in'];
};
export const phraseOf = ({ field, op, days }: Condition) =>
  kindOf(field) === 'date' && days !== undefined ? `${op}Days` : op;

export function emptyCondition(field: string, phrase = phrasesOf(field)[0]!): Condition {
  const named = field === 'subscriber.fields' ? ownField('') : field;
  if (phrase.endsWith('Days')) return { field: named, op: phrase.slice(0, -'Days'.length), days: 30 };
  return { field: named, op: phrase, ...(phrase === 'in' ? { value: [] } : {}) };
}

/** A single empty condition. */
export const emptyFilter = (): Filter => ({ all: [emptyCondition('subscriber.newsletter')] });

export function toGroup(filter: Filter | null): Group {
  const item = filter === null ? null : toItem(filter);
  if (item === null) return { mode: 'all', items: [] };
  return isGroup(item) ? item : { mode: 'all', items: [item] };
}

const INVERSE = { any: 'none', none: 'any', all: 'some', some: 'all' } as const;

function toItem(filter: Filter): Group | Condition {
  if ('all' in filter) return { mode: 'all', items: filter.all.map(toItem) };
  if ('any' in filter) return { mode: 'any', items: filter.any.map(toItem) };
  if (!('not' in filter)) return filter;
  const inner = toItem(filter.not);
  return isGroup(inner) ? { ...inner, mode: INVERSE[inner.mode] } : { mode: 'none', items: [inner] };
}

export function toFilter(item: Group | Condition): Filter {
  if (!isGroup(item)) return item;
  const items = item.items.map(toFilter);
  if (item.mode === 'all') return { all: items };
  if (item.mode === 'any') return { any: items };
  return { not: item.mode === 'none' ? { any: items } : { all: items } };
}

/** The path of an item in the API's errors. */
export const pathOf = (at: string, mode: Mode, i: number) =>
  `${at}.${{ all: 'all', any: 'any', none: 'not.any', some: 'not.all' }[mode]}[${i}]`;

/** Whether everything is filled in, so that the filter can be counted. */
export function isComplete(item: Group | Condition): boolean {
  if (isGroup(item)) return item.items.length > 0 && item.items.every(isComplete);
  const { field, value, days } = item;
  if (field === OWN) return false;
  if (kindOf(field) === 'date' && days !== undefined) return days > 0;
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
}

export const currency = () => business.value?.configs?.markets?.[0]?.currency ?? 'usd';

/** The name of a value: `Weekly` for the ID of a newsletter. */
export type Names = (kind: FieldKind, value: string) => string;

/** "reads Weekly and bought from Coffee in the last 90 days" */
export function describeFilter(item: Group | Condition, names: Names): string {
  if (!isGroup(item)) return describeCondition(item, names);
  const texts = item.items.map((each) =>
    isGroup(each) && each.items.length > 1 ? `(${describeFilter(each, names)})` : describeFilter(each, names),
  );
  const joined = texts.join(` ${t(item.mode === 'all' || item.mode === 'some' ? 'segments.and' : 'segments.or')} `);
  return item.mode === 'none' || item.mode === 'some' ? t('segments.not', { text: joined }) : joined;
}

function describeCondition(condition: Condition, names: Names): string {
  const { field, value, days } = condition;
  const kind = kindOf(field);
  const one = (each: string | number) => {
    if (kind === 'date') return date(Number(each));
    if (kind === 'count') return number(Number(each));
    if (kind === 'amount') return money(Number(each), currency());
    return kind === 'status' ? statusText(String(each)) : names(kind, String(each));
  };
  const list = value === undefined ? [] : [value].flat();
  const shown = phraseOf(condition).endsWith('Days') ? String(days) : list.map(one).join(', ');
  const text = phraseText(field, phraseOf(condition)).replace('…', shown).replace('{field}', ownName(field));
  return hasPeriod(condition) && days !== undefined ? `${text} ${t('segments.inDays', { days })}` : text;
}

/** "reads …" */
export const phraseText = (field: string, phrase: string) =>
  tOr(`segments.${baseField(field).replace('.', '_')}_${phrase}`, phrase);
