/** Sales, refunds and average order value of a period, compared with another, by time, product and country. */
import type { SalesReport } from '@souk/client';
import { useState } from 'preact/hooks';
import { Chart, type Days, type Unit } from '../../parts/chart.tsx';
import { Download } from '../../parts/download.tsx';
import { CurrencyChoice } from '../../parts/form/currency-choice.tsx';
import { DayField } from '../../parts/form/day-field.tsx';
import { dayIn } from '../../parts/form/days.ts';
import { SelectField } from '../../parts/form/form.tsx';
import { useLoad } from '../../parts/load.ts';
import { PageFrame, Section } from '../../parts/page.tsx';
import { EmptyState, SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { loadReportCsv } from '../../parts/report-csv.ts';
import { money, number } from '../../parts/show.tsx';
import { souk } from '../../shell/session.ts';
import { locale, t } from '../../text/index.ts';
import { Breakdown } from './breakdown.tsx';
import {
  COMPARISONS,
  type Comparison,
  PERIODS,
  type Period,
  type Range,
  type ReportQuery,
  rangeOf,
  secondsOf,
  startsOf,
  unitFor,
} from './periods.ts';

export default function Reports() {
  const [period, setPeriod] = useState<Period | 'custom'>('last30');
  const [range, setRange] = useState<Range>(() => rangeOf('last30'));
  const [compare, setCompare] = useState<Comparison>('previous');
  const [chosen, choose] = useState('');
  const unit = unitFor(range);
  const query: ReportQuery = { ...secondsOf(range), compare };
  const { data, error, reload } = useLoad(`sales report ${JSON.stringify([query, unit])}`, (signal) =>
    souk.stats.getSalesReport({ ...query, groupBy: unit }, { signal }),
  );
  const totals = [...(data?.totals ?? []), ...(data?.previous?.totals ?? [])];
  const currencies = [...new Set([...totals].sort((a, b) => b.orders - a.orders).map((each) => each.currency))];
  const currency = currencies.includes(chosen) ? chosen : currencies[0];
  return (
    <PageFrame
      title={t('reports.title')}
      actions={<Download label={t('reports.csv')} load={() => loadReportCsv('sales', { ...query, groupBy: unit })} />}
    >
      <div class="sheet">
        <div class="fields">
          <SelectField
            label={t('reports.period')}
            value={period}
            onInput={(next) => {
              setPeriod(next);
              if (next !== 'custom') setRange(rangeOf(next));
            }}
            options={[...PERIODS, 'custom' as const].map((each) => [each, t(`reports.${each}`)] as const)}
          />
          <SelectField
            label={t('reports.compare')}
            value={compare}
            onInput={setCompare}
            options={COMPARISONS.map((each) => [each, t(`reports.${each}`)] as const)}
          />
        </div>
        {period === 'custom' && (
          <div class="fields">
            <DayField
              label={t('settings.from')}
              value={range.first}
              onInput={(first) => setRange({ ...range, first })}
            />
            <DayField label={t('settings.to')} value={range.last} onInput={(last) => setRange({ ...range, last })} />
          </div>
        )}
      </div>
      <Problem error={error} fields retry={reload} />
      {!data && !error && <SkeletonRows count={4} />}
      {data && !currency && <EmptyState title={t('reports.empty')} text={t('reports.emptyText')} />}
      {data && currency && (
        <>
          <Section
            title={t('reports.sales')}
            actions={<CurrencyChoice currencies={currencies} value={currency} onInput={choose} />}
          >
            <Summary report={data} unit={unit} currency={currency} />
          </Section>
          <Breakdown groupBy="product" query={query} currency={currency} />
          <Breakdown groupBy="country" query={query} currency={currency} />
        </>
      )}
    </PageFrame>
  );
}

const NOTHING = { orders: 0, gross: 0, refunds: 0, net: 0, average: 0, returns: 0 };

function Summary({ report, unit, currency }: { report: SalesReport; unit: Unit; currency: string }) {
  const totalOf = (totals: SalesReport['totals']) => ({
    ...NOTHING,
    ...totals.find((each) => each.currency === currency),
  });
  const now = totalOf(report.totals);
  const before = report.previous && totalOf(report.previous.totals);
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
        {before && <p class="quiet">{changeText(now.net, before.net, asMoney)}</p>}
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
        </dl>
      </div>
      <Chart
        days={barsOf(report, unit, currency)}
        unit={unit}
        currency={currency}
        names={names as [string, string | null]}
        label={t('reports.chart', { period: names[0]!, total: asMoney(now.net) })}
      />
    </div>
  );
}

/** `+12% (€90.00)`: the change, and the figure it is compared with. */
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
