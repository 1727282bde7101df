/** Periods in the time zone of the business. Pure. */
import { clockOf, secondsOf } from '../../shared/wall-clock.ts';
import type { Period } from '../orders/index.ts';

const DAY_MS = 86_400_000;

/** Midnight before `seconds`, minus a number of days. */
export function startOfDay(seconds: number, timeZone: string, daysBefore = 0): number {
  const clock = clockOf(seconds, timeZone);
  return secondsOf(clock - (clock % DAY_MS) - daysBefore * DAY_MS, timeZone);
}

const isMonthStart = (clock: number) => clock % DAY_MS === 0 && new Date(clock).getUTCDate() === 1;
const monthOf = (clock: number) => new Date(clock).getUTCFullYear() * 12 + new Date(clock).getUTCMonth();

/** The same time of another month. The 31st becomes the last day of a shorter month. */
function addMonths(clock: number, months: number): number {
  const month = monthOf(clock) + months;
  const [year, index] = [Math.floor(month / 12), month % 12];
  const lastDay = new Date(Date.UTC(year, index + 1, 0)).getUTCDate();
  return Date.UTC(year, index, Math.min(new Date(clock).getUTCDate(), lastDay)) + (clock % DAY_MS);
}

/**
 * The period to compare with: the previous one, or the same one a year earlier. Whole months are compared with whole months, other
 * periods with the same number of days.
 */
export function periodBefore({ from, to }: Period, compare: 'previous' | 'year', timeZone: string): Period {
  const [start, end] = [clockOf(from, timeZone), clockOf(to, timeZone)];
  if (compare === 'year') {
    const [before, after] = [start, end].map((clock) => secondsOf(addMonths(clock, -12), timeZone));
    return { from: Math.max(0, before!), to: Math.max(0, after!) };
  }
  const isMonths = end > start && isMonthStart(start) && isMonthStart(end);
  const clock = isMonths ? addMonths(start, monthOf(start) - monthOf(end)) : start - (end - start);
  return { from: Math.max(0, secondsOf(clock, timeZone)), to: from };
}
