/** The usual periods of tax returns, in the time zone of the browser. */
export const PERIODS = ['thisMonth', 'lastMonth', 'thisQuarter', 'lastQuarter', 'thisYear', 'lastYear'] as const;
export type Period = (typeof PERIODS)[number];

const MONTHS = { Month: 1, Quarter: 3, Year: 12 } as const;

/** In Unix seconds. `to` is excluded. */
export function periodOf(period: Period, now = new Date()): { from: number; to: number } {
  const months = MONTHS[period.replace(/^(this|last)/, '') as keyof typeof MONTHS];
  const current = Math.floor(now.getMonth() / months) * months;
  const start = period.startsWith('last') ? current - months : current;
  const seconds = (month: number) => Math.floor(new Date(now.getFullYear(), month, 1).getTime() / 1000);
  return { from: seconds(start), to: seconds(start + months) };
}
