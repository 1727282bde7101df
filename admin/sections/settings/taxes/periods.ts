/** The usual periods of tax returns, in the time zone of the business. */
import { type CalendarPeriod, calendarPeriod, startOf } from '../../../parts/form/days.ts';

export const PERIODS = ['thisMonth', 'lastMonth', 'thisQuarter', 'lastQuarter', 'thisYear', 'lastYear'] as const;
export type Period = CalendarPeriod;

/** In Unix seconds. `to` is excluded. */
export function periodOf(period: Period): { from: number; to: number } {
  const { first, end } = calendarPeriod(period);
  return { from: startOf(first), to: startOf(end) };
}
