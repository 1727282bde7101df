/** The totals of a sales report in one currency, compared with the other period, and a chart. */
import type { SalesReport } from '@souk/client';
import { locale, t } from '../../text/index.ts';
import { Chart, type Days, type Unit } from '../chart.tsx';
import { dayIn } from '../form/days.ts';
import { money, number } from '../show.tsx';
import { startsOf } from './periods.ts';

const NOTHING = { orders: 0, gross: 0, refunds: 0, net: 0, average: 0, returns: 0 };

type Props = {
  report: SalesReport;
  unit: Unit;
  currency: string;
  /** Figures to add, with their names. */
  more?: [name: string, value: string][];
};

/** The currencies of both periods. The first has the most orders. */
export function currenciesOf({ totals, previous }: SalesReport): string[] {
  const byOrders = (all: SalesReport['totals']) => [...all].sort((a, b) => b.orders - a.orders);
  return [...new Set([...byOrders(totals), ...byOrders(previous?.totals ?? [])].map(({ currency }) => currency))];
}

export function Summary({ report, unit, currency, more = [] }: Props) {
  const totalOf = (totals: SalesReport['totals']) => ({
    ...NOTHING,
    ...totals.find((each) => each.currency === currency),
  });
  const now = totalOf(report.totals);
  const hasSales = currenciesOf(report).includes(currency);
  const before = hasSales ? report.previous && totalOf(report.previous.totals) : null;
  const asMoney = (amount: number) => money(amount, currency);
  const facts: [string, keyof typeof NOTHING, (value: number) => string][] = [
    [t('home.gross'), 'gross', asMoney],
    [t('home.refunds'), 'refunds', asMoney],
    [t('home.orders'), 'orders', number],
    [t('home.average'), 'average', asMoney],
    [t('reports.returns'), 'returns', number],
  ];
  const names = [rangeText(report, report.timeZone), report.previous && rangeText(report.previous, report.timeZone)];
  return (
    <div class="sales">
      <div>
        <p class="quiet sales-name">{t('home.net')}</p>
        <p class="sales-total">{asMoney(now.net)}</p>
        {before && <p class="quiet sales-change">{changeText(now.net, before.net, asMoney)}</p>}
        <dl class="facts">
          {facts.map(([name, key, show]) => (
            <div key={key}>
              <dt>{name}</dt>
              <dd class="amount">
                {show(now[key])}
                {before && <small class="quiet fact-change">{changeText(now[key], before[key], show)}</small>}
              </dd>
            </div>
          ))}
          {more.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="amount">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      {hasSales ? (
        <Chart
          days={barsOf(report, unit, currency)}
          unit={unit}
          currency={currency}
          names={names as [string, string | null]}
          label={t('reports.chart', { period: names[0]!, total: asMoney(now.net) })}
        />
      ) : (
        <p class="quiet">{t('home.nothingSold')}</p>
      )}
    </div>
  );
}

/** `+12% from €90.00`: the change, and the figure it is compared with. */
function changeText(now: number, before: number, show: (value: number) => string): string {
  if (before === 0) return t('reports.was', { before: show(before) });
  const percent = new Intl.NumberFormat(locale(), {
    style: 'percent',
    maximumFractionDigits: 0,
    signDisplay: 'exceptZero',
  });
  return t('reports.changed', { percent: percent.format((now - before) / Math.abs(before)), before: show(before) });
}

const rangeText = ({ from, to }: { from: number; to: number }, timeZone: string) =>
  new Intl.DateTimeFormat(locale(), { timeZone, dateStyle: 'medium' }).formatRange(from * 1000, (to - 1) * 1000);

/** Bars are compared in order: the first with the first of the other period. */
function barsOf(report: SalesReport, unit: Unit, currency: string): Days {
  const { timeZone, previous } = report;
  const netsOf = ({ from, to, items }: Pick<SalesReport, 'from' | 'to' | 'items'>) => {
    const nets = new Map(
      items.filter((item) => item.currency === currency).map((item) => [dayIn(timeZone, item.at!), item.net]),
    );
    const days = startsOf(dayIn(timeZone, from), dayIn(timeZone, to - 1), unit);
    return days.map((day) => ({ day, net: nets.get(day) ?? 0 }));
  };
  const before = previous ? netsOf(previous) : [];
  return netsOf(report).map(({ day, net }, i) => ({ day, now: net, previous: before[i]?.net ?? 0 }));
}
