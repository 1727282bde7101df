import { invalidField } from '../../shared/errors.ts';
import { csvRow } from '../../shared/text/csv.ts';
import { getBusiness } from '../businesses/index.ts';
import { listTaxes } from '../orders/index.ts';
import type { Query } from './context.ts';
import type { TaxReport, TaxReportQuery } from './schemas.ts';

const YEAR_SECONDS = 366 * 86_400;

/** The tax on orders paid in a period, minus the refunds made in it, from one snapshot. Defaults to the last year. */
export async function readTaxReport(ctx: Query, query: TaxReportQuery): Promise<TaxReport> {
  const { replica, businessId, now } = ctx;
  const { to = now + 1, interval = 'month' } = query;
  const from = query.from ?? Math.max(0, to - YEAR_SECONDS);
  if (from > to) throw invalidField('from', 'OUT_OF_RANGE', '`from` must not be later than `to`.');
  const timeZone = (await getBusiness(ctx, businessId)).configs.profile?.timeZone ?? 'UTC';
  const rows = await listTaxes(replica, businessId, { from, to }, { interval, timeZone });
  const items = rows.map((row) => ({ ...row, base: row.base - row.refundedBase, tax: row.tax - row.refundedTax }));
  return { from, to, interval, timeZone, items };
}

const COLUMNS = [
  ...['period', 'country', 'name', 'rate', 'currency', 'orders', 'base', 'tax', 'refundedBase', 'refundedTax'],
] as const;

/** Amounts are in minor units, as in the API. `rate` is a percentage. */
export function taxReportCsv({ items, timeZone }: TaxReport): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const rows = items.map(({ at, country, bps, ...line }) =>
    COLUMNS.map((column) => {
      if (column === 'period') return day.format(at * 1000);
      if (column === 'rate') return String(bps / 100);
      return column === 'country' ? (country ?? '') : line[column];
    }),
  );
  return [COLUMNS, ...rows].map(csvRow).join('');
}
