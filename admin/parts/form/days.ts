/** Days such as `2026-11-17`, in the time zone of the business. */
import { business } from '../../shell/session.ts';

const DAY_MS = 86_400_000;

export const timeZone = () => business.value?.configs.profile?.timeZone ?? 'UTC';

export const dayIn = (zone: string, seconds: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(seconds * 1000);

export const today = () => dayIn(timeZone(), Date.now() / 1000);

export const addDays = (day: string, count: number) =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

/** When the day starts in the time zone, in Unix seconds. */
export function startOf(day: string, zone = timeZone()): number {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const utc = Date.parse(day);
  const offsetAt = (ms: number) => Date.parse(`${format.format(ms).replace(', ', 'T')}Z`) - ms;
  // The offset may change on that day, so it is read again at the first guess.
  return (utc - offsetAt(utc - offsetAt(utc))) / 1000;
}

const MONTHS = { Month: 1, Quarter: 3, Year: 12 } as const;
type Unit = keyof typeof MONTHS;
export type CalendarPeriod = `${'this' | 'last'}${Unit}`;

/** The first day of the period and the first day after it. */
export function calendarPeriod(period: CalendarPeriod, now = today()): { first: string; end: string } {
  const months = MONTHS[period.slice(4) as Unit];
  const [year, month] = now.split('-').map(Number) as [number, number];
  const current = Math.floor((month - 1) / months) * months;
  const start = period.startsWith('last') ? current - months : current;
  const dayOf = (index: number) => new Date(Date.UTC(year, index, 1)).toISOString().slice(0, 10);
  return { first: dayOf(start), end: dayOf(start + months) };
}
