/** The tax for a period by country and rate, to copy into a tax return. */
import type { TaxReport } from '@souk/client';
import { useState } from 'preact/hooks';
import { Download } from '../../../parts/download.tsx';
import { DayField } from '../../../parts/form/day-field.tsx';
import { addDays, dayIn, startOf, timeZone as zone } from '../../../parts/form/days.ts';
import { SelectField } from '../../../parts/form/form.tsx';
import { isoName } from '../../../parts/form/iso.ts';
import { useLoad } from '../../../parts/load.ts';
import { EmptyState, SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { loadReportCsv } from '../../../parts/report-csv.ts';
import { money, percent } from '../../../parts/show.tsx';
import { souk } from '../../../shell/session.ts';
import { locale, t } from '../../../text/index.ts';
import { SettingsPage } from '../frame.tsx';
import { PERIODS, type Period, periodOf } from './periods.ts';

const INTERVALS = ['month', 'quarter', 'year'] as const;
type Interval = TaxReport['interval'];

export default function Page() {
  const [period, setPeriod] = useState<Period | 'custom'>('thisQuarter');
  const [{ from, to }, setRange] = useState(() => periodOf('thisQuarter'));
  const [interval, setInterval] = useState<Interval>('month');
  const choose = (next: Period | 'custom') => {
    setPeriod(next);
    if (next !== 'custom') setRange(periodOf(next));
  };
  const query = { from, to: Math.max(from, to), interval };
  const { data, error, reload } = useLoad(`tax report ${JSON.stringify(query)}`, (signal) =>
    souk.stats.getTaxReport(query, { signal }),
  );
  return (
    <SettingsPage
      path="taxes"
      title={t('taxes.report')}
      actions={<Download label={t('taxes.csv')} load={() => loadReportCsv('tax', query)} />}
    >
      {() => (
        <div class="sheet">
          <p class="quiet">{t('taxes.reportText')}</p>
          <div class="fields">
            <SelectField
              label={t('taxes.period')}
              value={period}
              onInput={choose}
              options={[...PERIODS, 'custom' as const].map((each) => [each, t(`taxes.${each}`)] as const)}
            />
            <SelectField
              label={t('taxes.interval')}
              value={interval}
              onInput={setInterval}
              options={INTERVALS.map((each) => [each, t(`taxes.${each}`)] as const)}
            />
          </div>
          {period === 'custom' && (
            <div class="fields">
              <DayField
                label={t('settings.from')}
                value={dayIn(zone(), from)}
                onInput={(day) => setRange({ from: startOf(day), to })}
              />
              <DayField
                label={t('settings.to')}
                value={dayIn(zone(), to - 1)}
                onInput={(day) => setRange({ from, to: startOf(addDays(day, 1)) })}
              />
            </div>
          )}
          <Problem error={error} fields retry={reload} />
          {!data && !error && <SkeletonRows count={4} />}
          {data?.items.length === 0 && <EmptyState title={t('taxes.noReport')} text={t('taxes.noReportText')} />}
          {data && data.items.length > 0 && <ReportTable report={data} />}
        </div>
      )}
    </SettingsPage>
  );
}

function ReportTable({ report: { items, interval, timeZone } }: { report: TaxReport }) {
  const currencies = [...new Set(items.map(({ currency }) => currency))];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section class="tax-rates is-whole" tabIndex={0} aria-label={t('taxes.report')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('taxes.period')}</th>
            <th scope="col">{t('parts.country')}</th>
            <th scope="col">{t('taxes.rate')}</th>
            <th scope="col" class="number">
              {t('taxes.orders')}
            </th>
            <th scope="col" class="number">
              {t('taxes.base')}
            </th>
            <th scope="col" class="number">
              {t('taxes.tax')}
            </th>
            <th scope="col" class="number">
              {t('taxes.refundedTax')}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map(({ at, country, name, bps, currency, orders, base, tax, refundedTax }) => (
            <tr key={`${at} ${country} ${name} ${bps} ${currency}`}>
              <td>{intervalText(at, interval, timeZone)}</td>
              <td>{country ? isoName('region', country) : t('taxes.noCountry')}</td>
              <td>
                {name} {percent(bps)}
              </td>
              <td class="number">{orders}</td>
              <td class="number">{money(base, currency)}</td>
              <td class="number">{money(tax, currency)}</td>
              <td class="number">{money(refundedTax, currency)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {currencies.map((currency) => {
            const mine = items.filter((item) => item.currency === currency);
            const total = (key: 'base' | 'tax' | 'refundedTax') =>
              money(
                mine.reduce((sum, item) => sum + item[key], 0),
                currency,
              );
            return (
              <tr key={currency}>
                <th scope="row" colSpan={4}>
                  {currencies.length > 1 ? `${t('taxes.total')} ${currency.toUpperCase()}` : t('taxes.total')}
                </th>
                <td class="number">{total('base')}</td>
                <td class="number">{total('tax')}</td>
                <td class="number">{total('refundedTax')}</td>
              </tr>
            );
          })}
        </tfoot>
      </table>
    </section>
  );
}

/** `Mar 2026`, `Q1 2026` or `2026`, in the time zone of the report. */
function intervalText(at: number, interval: Interval, timeZone: string): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale(), { timeZone, ...options }).format(at * 1000);
  if (interval === 'month') return format({ month: 'short', year: 'numeric' });
  const year = format({ year: 'numeric' });
  const month = Number(new Intl.DateTimeFormat('en', { timeZone, month: 'numeric' }).format(at * 1000));
  return interval === 'year' ? year : t('taxes.quarterOf', { number: Math.ceil(month / 3), year });
}
