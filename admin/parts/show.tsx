/**
 * Formats single values: `<StatusBadge status="PAID" />`, `<Money amount={4900} currency="usd" />`, `<DateTime at={seconds} />`,
 * `<CompactTime at={seconds} />`, `<DateOnly at={seconds} />`. `statusOf(record.statuses)` is the current status, `addStatus` adds one.
 * Uses `Intl` with the chosen language.
 */
import { formatMoney } from '@souk/client';
import { locale, tOr } from '../text/index.ts';

export const statusOf = (entries: readonly { status: string }[] | undefined) => entries?.at(-1)?.status ?? '';

/** The history with one more entry, as updates expect it. Entries are only ever added. */
export const addStatus = <Entry extends { status: string }>(entries: readonly Entry[], status: string) =>
  [...entries, { status }] as (Entry | Pick<Entry, 'status'>)[];

const TONES: Record<string, string> = {
  ACTIVE: 'good',
  PUBLISHED: 'good',
  PAID: 'good',
  DELIVERED: 'good',
  SHIPPED: 'good',
  FULFILLED: 'good',
  SENT: 'good',
  SUCCEEDED: 'good',
  ENABLED: 'good',
  DONE: 'good',
  CLOSED: 'good',
  FAILED: 'bad',
  FAILING: 'bad',
  CANCELLED: 'bad',
  REJECTED: 'bad',
  BOUNCED: 'bad',
  PAST_DUE: 'bad',
  DISABLED: 'bad',
  PENDING: 'wait',
  REQUESTED: 'wait',
  APPROVED: 'wait',
  RECEIVED: 'wait',
  PROCESSING: 'wait',
  UNFULFILLED: 'wait',
  PARTIAL: 'wait',
  SENDING: 'wait',
  SCHEDULED: 'wait',
  QUEUED: 'wait',
  RUNNING: 'wait',
};

export const statusText = (status: string) => tOr(`status.${status}`, status);

/** For sends, imports and releases. */
export const taskStatusText = (status: string) => tOr(`status.TASK_${status}`, statusText(status));

export function StatusBadge({ status, isTask = false }: { status: string; isTask?: boolean }) {
  const text = isTask ? taskStatusText(status) : statusText(status);
  return <span class={`badge ${TONES[status] ?? ''}`}>{text}</span>;
}

export const money = (amount: number, currency: string) => formatMoney(amount, currency, locale());

/** `€50` or `€4.90`, for compact text. */
export const tidyMoney = (amount: number, currency: string) =>
  amount % 10 ** digitsOf(currency) === 0
    ? new Intl.NumberFormat(locale(), {
        style: 'currency',
        currency: currency.toUpperCase(),
        maximumFractionDigits: 0,
      }).format(amount / 10 ** digitsOf(currency))
    : money(amount, currency);

export function Money({ amount, currency }: { amount: number; currency: string }) {
  return <span class="amount">{money(amount, currency)}</span>;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const STYLES = {
  short: { dateStyle: 'medium', timeStyle: 'short' },
  seconds: { dateStyle: 'medium', timeStyle: 'medium' },
  date: { dateStyle: 'long' },
  day: { month: 'short', day: 'numeric' },
  dayAndYear: { year: 'numeric', month: 'short', day: 'numeric' },
  time: { timeStyle: 'short' },
} as const;
function formatOf(style: keyof typeof STYLES): Intl.DateTimeFormat {
  const key = `${locale()} ${style}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale(), STYLES[style]);
    formats.set(key, format);
  }
  return format;
}

export const dateTime = (seconds: number) => formatOf('short').format(seconds * 1000);
/** With seconds, for events that happen close together. */
export const exactTime = (seconds: number) => formatOf('seconds').format(seconds * 1000);
export const date = (seconds: number) => formatOf('date').format(seconds * 1000);

export const DateTime = ({ at }: { at: number }) => (
  <time dateTime={new Date(at * 1000).toISOString()}>{dateTime(at)}</time>
);
/** For narrow cells: `Nov 19, 4:51 AM` this year, `Nov 19, 2025` in other years. */
export function CompactTime({ at }: { at: number }) {
  const time = new Date(at * 1000);
  const isThisYear = time.getFullYear() === new Date().getFullYear();
  const styles = isThisYear ? (['day', 'time'] as const) : (['dayAndYear'] as const);
  return (
    <time dateTime={time.toISOString()} title={dateTime(at)}>
      {styles.map((style) => formatOf(style).format(time)).join(', ')}
    </time>
  );
}
export const DateOnly = ({ at }: { at: number }) => (
  <time dateTime={new Date(at * 1000).toISOString()}>{date(at)}</time>
);

export const percent = (bps: number) =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 2 }).format(bps / 10_000);

export const number = (value: number) => new Intl.NumberFormat(locale()).format(value);

const digits = new Map<string, number>();
/** The number of decimals: 2 for usd, 0 for jpy. */
function digitsOf(currency: string): number {
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

/** For labels of an axis: `$1.5K`. */
export const shortMoney = (amount: number, currency: string) =>
  new Intl.NumberFormat(locale(), {
    style: 'currency',
    currency: currency.toUpperCase(),
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 2,
  }).format(amount / 10 ** digitsOf(currency));

/** The decimal separator: a point or a comma. Cached, because a table has thousands of prices. */
let mark = { locale: 'en', text: '.' };
function decimalMark(): string {
  if (mark.locale !== locale()) mark = { locale: locale(), text: number(0.5).replace(/\d/g, '') };
  return mark.text;
}

/** `8.1` as typed text: `8.1` or `8,1`. */
export const numberInput = (value: number) => String(value).replace('.', decimalMark());

/**
 * Typed text as a number: `8.1`, `8,1`, `1,299.50`. A single separator before three digits is the decimal separator only where the
 * language uses it as such. Null if it isn't a number.
 */
export function parseNumber(text: string): number | null {
  const bare = text.replace(/[\s'’]/gu, '').replace(/^[−–]/, '-');
  const [, sign = '', whole = '', mark = '', fraction = ''] = /^(-?)([\d.,]*?)(?:([.,])(\d+))?$/.exec(bare) ?? [];
  if (whole === '' && fraction === '') return null;
  const groupMark = decimalMark() === '.' ? ',' : '.';
  const isGroup = mark !== '' && fraction.length === 3 && (mark === groupMark || whole.includes(mark));
  const groups = isGroup ? `${whole}${mark}${fraction}` : whole;
  if (/\D/.test(groups) && !/^[1-9]\d{0,2}(([.,])\d{3})(\2\d{3})*$/.test(groups)) return null;
  return Number(`${sign}${groups.replace(/\D/g, '') || '0'}.${isGroup ? '0' : fraction || '0'}`);
}

/** `4900` as typed text: `49.00` or `49,00`. */
export const moneyInput = (minor: number, currency: string) =>
  (minor / 10 ** digitsOf(currency)).toFixed(digitsOf(currency)).replace('.', decimalMark());

/** Typed text as minor units: `49`, `49.00`, `49,00 €`, `1,299.00`, `-5`. Null if it isn't an amount. */
export function parseMoney(text: string, currency: string): number | null {
  const bare = text
    .replace(/[\s\p{Sc}]/gu, '')
    .replace(/^\p{L}+|\p{L}{1,20}$/gu, '')
    .replace(/^[−–]/, '-');
  if (!/^-?[\d.,'’]*\d[.,]?$/.test(bare)) return null;
  const point = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  const behind = bare.length - point - 1;
  // A single separator before three digits groups thousands, unless the currency has three decimals.
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
