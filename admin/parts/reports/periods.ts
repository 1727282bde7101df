/** The periods of a report, as days in the business's time zone. */
import type { Unit } from '../chart.tsx';
import { addDays, type CalendarPeriod, calendarPeriod, startOf, today } from '../form/days.ts';

const RECENT = { last7: 7, last30: 30, last90: 90 } as const;
const CALENDAR = ['thisMonth', 'lastMonth', 'thisYear', 'lastYear'] as const satisfies CalendarPeriod[];
export const PERIODS = [...(Object.keys(RECENT) as (keyof typeof RECENT)[]), ...CALENDAR] as const;
export type Period = (typeof PERIODS)[number];

export const COMPARISONS = ['previous', 'year', 'none'] as const;
export type Comparison = (typeof COMPARISONS)[number];
export type ReportQuery = { from: number; to: number; compare: Comparison };

/** The last day is included. */
export type Range = { first: string; last: string };

export function rangeOf(period: Period): Range {
  if (period in RECENT) {
    const days = RECENT[period as keyof typeof RECENT];
    return { first: addDays(today(), 1 - days), last: today() };
  }
  const { first, end } = calendarPeriod(period as CalendarPeriod);
  return { first, last: addDays(end, -1) };
}

export const secondsOf = ({ first, last }: Range) => ({
  from: startOf(first),
  to: startOf(addDays(last < first ? first : last, 1)),
});

const daysBetween = (first: string, last: string) => (Date.parse(last) - Date.parse(first)) / 86_400_000;

/** An interval that gives the chart a readable number of bars. */
export function unitFor({ first, last }: Range): Unit {
  const days = daysBetween(first, last);
  if (days > 366) return 'month';
  return days > 92 ? 'week' : 'day';
}

/** The first days of all intervals that the days touch. Weeks start on Monday. */
export function startsOf(first: string, last: string, unit: Unit): string[] {
  const starts: string[] = [];
  for (let day = startOfUnit(first, unit); day <= last; day = next(day, unit)) starts.push(day);
  return starts;
}

function startOfUnit(day: string, unit: Unit): string {
  if (unit === 'month') return `${day.slice(0, 8)}01`;
  return unit === 'week' ? addDays(day, -((new Date(day).getUTCDay() + 6) % 7)) : day;
}

const next = (day: string, unit: Unit) =>
  unit === 'month' ? startOfUnit(addDays(day, 31), unit) : addDays(day, unit === 'week' ? 7 : 1);
