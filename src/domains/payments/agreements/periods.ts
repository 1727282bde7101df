export const INTERVALS = ['WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Interval = (typeof INTERVALS)[number];

export const isInterval = (text: string | undefined): text is Interval => INTERVALS.includes(text as Interval);

/** Adds one period, as payment providers do: a month after January 31 is the last day of February. */
export function addInterval(seconds: number, interval: Interval): number {
  if (interval === 'WEEKLY') return seconds + 7 * 86_400;
  const date = new Date(seconds * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + (interval === 'MONTHLY' ? 1 : 12));
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime() / 1000;
}
