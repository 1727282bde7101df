/** Sales of the last 30 days compared to the previous 30, in one currency, as in the reports. */
import { useState } from 'preact/hooks';
import { CurrencyChoice } from '../../parts/form/currency-choice.tsx';
import { useLoad } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { useBreakdown, useSalesReport } from '../../parts/reports/load.ts';
import { type ReportQuery, rangeOf, secondsOf } from '../../parts/reports/periods.ts';
import { currenciesOf, Summary } from '../../parts/reports/summary.tsx';
import { money, number } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { business, can, souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';

export function Sales() {
  const query: ReportQuery = { ...secondsOf(rangeOf('last30')), compare: 'previous' };
  const { data: report, error, reload } = useSalesReport(query, 'day');
  const { data: stats } = useLoad(`home stats ${query.from}`, (signal) =>
    souk.stats.get({ from: query.from, interval: 'month' }, { signal }),
  );
  const [chosen, choose] = useState('');
  if (!report) {
    return (
      <Section title={t('home.sales')}>
        <Problem error={error} retry={reload} />
        {!error && <SkeletonRows count={3} />}
      </Section>
    );
  }
  const currencies = currenciesOf(report);
  const initial = currencies[0] ?? business.value?.configs.markets?.[0]?.currency;
  const currency = currencies.includes(chosen) ? chosen : initial;
  const subscribers = stats && [
    number(stats.subscribers.active),
    `(${t('home.subscribersNew', { count: stats.subscribers.added })})`,
  ];
  return (
    <Section
      title={t('home.sales')}
      actions={
        <span class="sales-actions">
          <CurrencyChoice currencies={currencies} value={currency ?? ''} onInput={choose} />
          <a href={href('/reports')}>{t('home.allReports')}</a>
        </span>
      }
    >
      {currency ? (
        <>
          <Summary
            report={report}
            unit="day"
            currency={currency}
            more={[[t('home.subscribers'), subscribers?.join(' ') ?? '']]}
          />
          <BestSellers query={query} currency={currency} />
        </>
      ) : (
        <p class="quiet">{t('home.nothingSold')}</p>
      )}
    </Section>
  );
}

function BestSellers({ query, currency }: { query: ReportQuery; currency: string }) {
  const { data } = useBreakdown(query, 'product');
  const best = data?.items.filter((item) => item.productId && item.currency === currency).slice(0, 3) ?? [];
  if (best.length === 0) return null;
  return (
    <>
      <h3>{t('home.best')}</h3>
      <ul class="rows">
        {best.map(({ productId, name, quantity, gross }) => (
          <li key={productId}>
            {can('CATALOG_WRITE') ? <a href={href(`/products/${productId}`)}>{name}</a> : name}
            <span class="quiet grow">{t('home.quantity', { count: quantity ?? 0 })}</span>
            <span class="amount">{money(gross, currency)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
