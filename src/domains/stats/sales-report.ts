import { createBound } from '../../shared/bound.ts';
import { invalidField, unavailable } from '../../shared/errors.ts';
import { csvRow } from '../../shared/text/csv.ts';
import { getBusiness } from '../businesses/index.ts';
import {
  countReturns,
  listRefunded,
  listRefundedProducts,
  listSold,
  listSoldProducts,
  type Period,
} from '../orders/index.ts';
import type { Query } from './context.ts';
import { periodBefore, startOfDay } from './periods.ts';
import type { SalesReport, SalesReportQuery } from './schemas.ts';

const DAYS = 30;
const MAX_ITEMS = 10_000;
/** Reports on many orders are slow, so each business can run only a few at once. */
const running = createBound({ max: 8, maxPer: { business: 6 } });

type Item = SalesReport['items'][number];
type Total = SalesReport['totals'][number];
type Grouping = Pick<SalesReport, 'groupBy' | 'interval' | 'timeZone'>;

/** Sales by the date of their payment, refunds by their own date. Defaults to the last 30 days, including today. */
export async function readSalesReport(ctx: Query, query: SalesReportQuery): Promise<SalesReport> {
  const { businessId, now } = ctx;
  const timeZone = (await getBusiness(ctx, businessId)).configs.profile?.timeZone ?? 'UTC';
  const { to = now + 1, groupBy = 'day', compare = 'none' } = query;
  const from = query.from ?? Math.max(0, startOfDay(to - 1, timeZone, DAYS - 1));
  if (from > to) throw invalidField('from', 'OUT_OF_RANGE', '`from` must not be later than `to`.');
  const isByTime = groupBy === 'day' || groupBy === 'week' || groupBy === 'month';
  const grouping = { groupBy, interval: query.interval ?? (isByTime ? groupBy : null), timeZone };
  const leave = running.enter({ business: businessId });
  if (!leave) throw unavailable('Too many reports are running. Try again later.');
  try {
    const period = { from, to };
    const before = compare === 'none' ? null : periodBefore(period, compare, timeZone);
    const [current, previous] = await Promise.all([
      readFigures(ctx, period, grouping),
      before && readFigures(ctx, before, grouping),
    ]);
    return { ...period, ...grouping, ...current, previous: before && { ...before, ...previous! } };
  } finally {
    leave();
  }
}

async function readFigures({ replica: db, businessId }: Query, period: Period, grouping: Grouping) {
  const { groupBy, interval, timeZone } = grouping;
  const key = groupBy === 'country' || groupBy === 'market' ? groupBy : 'time';
  const by = { groupBy: key, interval, timeZone } as const;
  const [sold, refunded, returned, soldProducts, refundedProducts] = await Promise.all([
    listSold(db, businessId, period, by),
    listRefunded(db, businessId, period, by),
    countReturns(db, businessId, period),
    groupBy === 'product' ? listSoldProducts(db, businessId, period, by) : [],
    groupBy === 'product' ? listRefundedProducts(db, businessId, period, by) : [],
  ]);
  const totals = sumUp([...sold, ...refunded].map((row) => ({ ...row, at: null, key: null })))
    .map(({ key: _, at: __, ...sum }): Total => {
      const returns = returned.find(({ currency }) => currency === sum.currency)?.returns ?? 0;
      return { ...sum, returns };
    })
    .sort((a, b) => compareText(a.currency, b.currency));
  const rest = [...soldProducts, ...refundedProducts].map(negative);
  const rows = groupBy === 'product' ? [...soldProducts, ...refundedProducts] : [...sold, ...refunded];
  // Shipping is not a product, but without it the items would not add up to the totals.
  const shipping = groupBy === 'product' ? sumUp([...sold, ...refunded, ...rest]).filter(isAny) : [];
  const sums = [...sumUp(rows), ...shipping.map((sum) => ({ ...sum, orders: 0 }))];
  if (sums.length > MAX_ITEMS)
    throw invalidField(
      'interval',
      'OUT_OF_RANGE',
      'The report would have too many items. Choose a longer interval or a shorter period.',
    );
  return { totals, items: sums.map((sum) => itemOf(sum, groupBy)).sort(inOrder) };
}

type Row = {
  at: number | null;
  currency: string;
  key: string | null;
  name?: string;
  orders?: number;
  quantity?: number;
  gross?: number;
  refunds?: number;
};
type Sum = Required<Pick<Row, 'at' | 'currency' | 'key' | 'orders' | 'gross' | 'refunds'>> &
  Pick<Row, 'name' | 'quantity'> & { net: number; average: number };

/** Subtracts a product row from the total of its interval, which leaves the amounts that belong to no product. */
const negative = ({ at, currency, gross = 0, refunds = 0 }: Row): Row => ({
  at,
  currency,
  key: null,
  gross: -gross,
  refunds: -refunds,
});

const isAny = ({ gross, refunds }: Sum) => gross !== 0 || refunds !== 0;

function sumUp(rows: readonly Row[]): Sum[] {
  const sums = new Map<string, Sum>();
  for (const { at, currency, key, name, orders = 0, quantity, gross = 0, refunds = 0 } of rows) {
    const id = JSON.stringify([at, currency, key]);
    const sum = sums.get(id) ?? { at, currency, key, orders: 0, gross: 0, refunds: 0, net: 0, average: 0 };
    sum.orders += orders;
    sum.gross += gross;
    sum.refunds += refunds;
    sum.net = sum.gross - sum.refunds;
    sum.average = sum.orders === 0 ? 0 : Math.round(sum.gross / sum.orders);
    if (quantity !== undefined) sum.quantity = (sum.quantity ?? 0) + quantity;
    if (name !== undefined) sum.name ??= name;
    sums.set(id, sum);
  }
  return [...sums.values()];
}

function itemOf({ at, key, name, quantity = 0, ...sum }: Sum, groupBy: SalesReport['groupBy']): Item {
  const time = at === null ? {} : { at };
  if (groupBy === 'product') return { ...time, productId: key, name: name ?? null, quantity, ...sum };
  if (groupBy === 'country') return { ...time, country: key, ...sum };
  return groupBy === 'market' ? { ...time, market: key!, ...sum } : { ...time, ...sum };
}

/** By interval, then by currency, then by gross sales. */
const inOrder = (a: Item, b: Item) =>
  (a.at ?? 0) - (b.at ?? 0) || compareText(a.currency, b.currency) || b.gross - a.gross || b.refunds - a.refunds;

const compareText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

const KEYS = { product: ['productId', 'name', 'quantity'], country: ['country'], market: ['market'] } as const;

/** Amounts are in minor units, as in the API. With a comparison, `range` says which period a row belongs to. */
export function salesReportCsv({ items, previous, groupBy, interval, timeZone }: SalesReport): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const keys = groupBy in KEYS ? KEYS[groupBy as keyof typeof KEYS] : [];
  const columns = [
    ...(previous ? ['range'] : []),
    ...(interval === null ? [] : ['period']),
    ...keys,
    ...['currency', 'orders', 'gross', 'refunds', 'net', 'average'],
  ];
  const rowOf = (item: Item & Record<string, unknown>, range: string) =>
    columns.map((column) => {
      if (column === 'range') return range;
      if (column === 'period') return day.format(item.at! * 1000);
      return (item[column] ?? '') as string | number;
    });
  const rows = [
    ...items.map((item) => rowOf(item, 'current')),
    ...(previous?.items ?? []).map((item) => rowOf(item, 'previous')),
  ];
  return [columns, ...rows].map(csvRow).join('');
}
