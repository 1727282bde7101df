import { invalidField } from '../../shared/errors.ts';
import { getBusiness } from '../businesses/index.ts';
import { countSubscribers } from '../newsletters/index.ts';
import { listProductSales, listSales, type SalesRow } from '../orders/index.ts';
import type { Query } from './context.ts';
import type { Stats, StatsQuery } from './schemas.ts';

const DAY_SECONDS = 86_400;
const TOP_PRODUCTS = 20;
/** More intervals than a chart can show. */
const MAX_INTERVALS = 2000;
const INTERVAL_SECONDS = { hour: 3600, day: DAY_SECONDS, week: 7 * DAY_SECONDS, month: 28 * DAY_SECONDS };

/** Computes sales from the current status of the orders. Defaults to the last 30 days. */
export async function readStats(ctx: Query, query: StatsQuery): Promise<Stats> {
  const { replica: db, businessId, now } = ctx;
  const { to = now + 1, interval = 'day' } = query;
  const from = query.from ?? Math.max(0, to - 30 * DAY_SECONDS);
  if (from > to) throw invalidField('from', 'OUT_OF_RANGE', '`from` must not be later than `to`.');
  if ((to - from) / INTERVAL_SECONDS[interval] > MAX_INTERVALS) {
    throw invalidField('interval', 'OUT_OF_RANGE', 'Choose a longer interval or a shorter period.');
  }
  const timeZone = (await getBusiness(ctx, businessId)).configs.profile?.timeZone ?? 'UTC';
  const period = { from, to };
  const [rows, products, subscribers] = await Promise.all([
    listSales(db, businessId, { ...period, interval, timeZone }),
    listProductSales(db, businessId, period, TOP_PRODUCTS),
    countSubscribers(db, businessId, period),
  ]);
  const totals = sumBy(rows, ({ currency }) => ({ currency }));
  return {
    from,
    to,
    interval,
    timeZone,
    totals: totals.map((sum) => ({ ...sum, average: Math.round(sum.sales / sum.orders) })),
    series: sumBy(rows, ({ at, currency }) => ({ at, currency })),
    markets: sumBy(rows, ({ market, currency }) => ({ market, currency })),
    products: [...products],
    subscribers,
  };
}

/** Adds up rows by key, in order of first occurrence. */
function sumBy<Key extends object>(rows: readonly SalesRow[], keyOf: (row: SalesRow) => Key) {
  const sums = new Map<string, Key & Pick<SalesRow, 'orders' | 'sales' | 'refunds'> & { net: number }>();
  for (const row of rows) {
    const key = keyOf(row);
    const name = JSON.stringify(key);
    const sum = sums.get(name) ?? { ...key, orders: 0, sales: 0, refunds: 0, net: 0 };
    sum.orders += row.orders;
    sum.sales += row.sales;
    sum.refunds += row.refunds;
    sum.net += row.sales - row.refunds;
    sums.set(name, sum);
  }
  return [...sums.values()];
}
