/**
 * How single values are shown: `<StatusBadge status="PAID" />`, `<Money amount={4900} currency="usd" />`, `<DateTime at={seconds} />`,
 * `<DateOnly at={seconds} />`. `statusOf(record.statuses)` is the newest entry's status, `addStatus` the way to a new one. All by `Intl` in the chosen language.
 */
import { formatMoney, type StatusEntry, type StatusInput } from '@souk/client';
import { locale, tOr } from '../text/index.ts';

export const statusOf = (entries: readonly { status: string }[] | undefined) => entries?.at(-1)?.status ?? '';

/** The history with one more entry, as an update takes it: entries are only added. */
export const addStatus = (entries: readonly StatusEntry[], status: string) => [...entries, { status }] as StatusInput[];

const TONES: Record<string, string> = {
  ACTIVE: 'good',
  PUBLISHED: 'good',
  PAID: 'good',
  DELIVERED: 'good',
  SHIPPED: 'good',
  SENT: 'good',
  SUCCEEDED: 'good',
  ENABLED: 'good',
  DONE: 'good',
  FAILED: 'bad',
  FAILING: 'bad',
  CANCELLED: 'bad',
  BOUNCED: 'bad',
  PAST_DUE: 'bad',
  DISABLED: 'bad',
  PENDING: 'wait',
  PROCESSING: 'wait',
  SENDING: 'wait',
  SCHEDULED: 'wait',
  QUEUED: 'wait',
  RUNNING: 'wait',
};

export const statusText = (status: string) => tOr(`status.${status}`, status);

export function StatusBadge({ status }: { status: string }) {
  return <span class={`badge ${TONES[status] ?? ''}`}>{statusText(status)}</span>;
}

export const money = (amount: number, currency: string) => formatMoney(amount, currency, locale());

export function Money({ amount, currency }: { amount: number; currency: string }) {
  return <span class="amount">{money(amount, currency)}</span>;
}

const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(style: 'short' | 'full' | 'date'): Intl.DateTimeFormat {
  const key = `${locale()} ${style}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale(), {
      dateStyle: style === 'short' ? 'medium' : 'long',
      ...(style === 'date' ? {} : { timeStyle: 'short' }),
    });
    formats.set(key, format);
  }
  return format;
}

export const dateTime = (seconds: number) => formatOf('short').format(seconds * 1000);
export const date = (seconds: number) => formatOf('date').format(seconds * 1000);

export const DateTime = ({ at }: { at: number }) => (
  <time dateTime={new Date(at * 1000).toISOString()}>{dateTime(at)}</time>
);
export const DateOnly = ({ at }: { at: number }) => (
  <time dateTime={new Date(at * 1000).toISOString()}>{date(at)}</time>
);

export const number = (value: number) => new Intl.NumberFormat(locale()).format(value);

const digits = new Map<string, number>();
/** Digits behind the point: 2 for usd, 0 for jpy. */
export function digitsOf(currency: string): number {
  let known = digits.get(currency);
  if (known === undefined) {
    try {
      const options = { style: 'currency', currency: currency.toUpperCase() } as const;
      known = new Intl.NumberFormat('en', options).resolvedOptions().maximumFractionDigits ?? 2;
    } catch {
      known = 2;
    }
    digits.set(currency, known);
  }
  return known;
}

/** What stands between units and fractions here: a point or a comma. The table has thousands of prices, so it is kept. */
let mark = { locale: 'en', text: '.' };
function decimalMark(): string {
  if (mark.locale !== locale()) mark = { locale: locale(), text: number(0.5).replace(/\d/g, '') };
  return mark.text;
}

/** `4900` as people type it: `49.00`, or `49,00`. */
export const moneyInput = (minor: number, currency: string) =>
  (minor / 10 ** digitsOf(currency)).toFixed(digitsOf(currency)).replace('.', decimalMark());

/** What people type, as minor units: `49`, `49.00`, `49,00 €`, `1,299.00`, `-5`. Null: it is no amount. */
export function parseMoney(text: string, currency: string): number | null {
  const bare = text
    .replace(/[\s\p{Sc}]/gu, '')
    .replace(/^\p{L}+|\p{L}+$/gu, '')
    .replace(/^[−–]/, '-');
  if (!/^-?[\d.,'’]*\d[.,]?$/.test(bare)) return null;
  const point = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  const behind = bare.length - point - 1;
  // A single separator with three digits behind it groups thousands, unless the currency has three digits.
  const isPoint = point >= 0 && (behind !== 3 || digitsOf(currency) === 3);
  const groups = isPoint ? bare.slice(0, point) : bare;
  // `0,125` and `1.2.3` are mistakes, not 125 and 12.30.
  if (/[.,'’]/.test(groups) && !/^-?[1-9]\d{0,2}([.,'’]\d{2,3})+$/.test(groups)) return null;
  const whole = groups.replace(/[.,'’]/g, '');
  const fraction = isPoint ? bare.slice(point + 1) : '';
  const value = Number(`${whole || '0'}.${fraction || '0'}`);
  if (!Number.isFinite(value) || fraction.length > digitsOf(currency)) return null;
  return Math.round(value * 10 ** digitsOf(currency));
}
