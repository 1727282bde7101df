/** Sales, refunds and average order value of a period, compared with another, by time, product and country. */
import { useState } from 'preact/hooks';
import { Download } from '../../parts/download.tsx';
import { CurrencyChoice } from '../../parts/form/currency-choice.tsx';
import { DayField } from '../../parts/form/day-field.tsx';
import { SelectField } from '../../parts/form/form.tsx';
import { PageFrame, Section } from '../../parts/page.tsx';
import { EmptyState, SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { loadReportCsv } from '../../parts/report-csv.ts';
import { useSalesReport } from '../../parts/reports/load.ts';
import {
  COMPARISONS,
  type Comparison,
  PERIODS,
  type Period,
  type Range,
  type ReportQuery,
  rangeOf,
  secondsOf,
  unitFor,
} from '../../parts/reports/periods.ts';
import { currenciesOf, Summary } from '../../parts/reports/summary.tsx';
import { t } from '../../text/index.ts';
import { Breakdown } from './breakdown.tsx';

export default function Reports() {
  const [period, setPeriod] = useState<Period | 'custom'>('last30');
  const [range, setRange] = useState<Range>(() => rangeOf('last30'));
  const [compare, setCompare] = useState<Comparison>('previous');
  const [chosen, choose] = useState('');
  const unit = unitFor(range);
  const query: ReportQuery = { ...secondsOf(range), compare };
  const { data, error, reload } = useSalesReport(query, unit);
  const currencies = data ? currenciesOf(data) : [];
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
