/** Sales of the last 30 days compared to the previous 30, in one currency. */
import type { SalesReport, Stats } from '@souk/client';
import { useState } from 'preact/hooks';
import { Chart, type Days, dayText } from '../../parts/chart.tsx';
import { CurrencyChoice } from '../../parts/form/currency-choice.tsx';
import { addDays, dayIn, startOf, today } from '../../parts/form/days.ts';
import { useLoad } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { money, number } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { locale, t } from '../../text/index.ts';

const DAYS = 30;

type Loaded = { report: SalesReport; stats: Stats };

/** The last 30 days, today included, and the 30 days before. */
async function loadSales(signal: AbortSignal): Promise<Loaded> {
  const from = startOf(addDays(today(), 1 - DAYS));
  const [report, stats] = await Promise.all([
    souk.stats.getSalesReport({ from, compare: 'previous' }, { signal }),
    souk.stats.get({ from, interval: 'month' }, { signal }),
  ]);
  return { report, stats };
}

function daysOf({ items, previous, timeZone }: SalesReport, currency: string): Days {
  const net = (each: SalesReport['items'], day: string) =>
    each.find((item) => item.currency === currency && dayIn(timeZone, item.at!) === day)?.net ?? 0;
  return Array.from({ length: DAYS }, (_, i) => {
    const day = addDays(today(), i + 1 - DAYS);
    return { day, now: net(items, day), previous: net(previous?.items ?? [], addDays(day, -DAYS)) };
  });
}

export function Sales() {
  const { data, error, reload } = useLoad('home stats', loadSales);
  const [chosen, choose] = useState('');
  if (!data) {
    return (
      <Section title={t('home.sales')}>
        <Problem error={error} retry={reload} />
        {!error && <SkeletonRows count={3} />}
      </Section>
    );
  }
  const { report, stats } = data;
  const totalsBefore = report.previous?.totals ?? [];
  const currencies = [...new Set([...report.totals, ...totalsBefore].map(({ currency }) => currency))];
  const biggest = [...report.totals].sort((a, b) => b.orders - a.orders)[0]?.currency;
  const currency = chosen || biggest || currencies[0] || 'usd';
  const none = { orders: 0, gross: 0, refunds: 0, net: 0, average: 0 };
  const of = (totals: SalesReport['totals']) => totals.find((each) => each.currency === currency) ?? none;
  const [now, previous] = [of(report.totals), of(totalsBefore)];
  const days = daysOf(report, currency);
  const facts: [string, string][] = [
    [t('home.gross'), money(now.gross, currency)],
    [t('home.refunds'), money(-now.refunds, currency)],
    [t('home.orders'), number(now.orders)],
    [t('home.average'), money(now.average, currency)],
    [
      t('home.subscribers'),
      `${number(stats.subscribers.active)} (${t('home.subscribersNew', { count: stats.subscribers.added })})`,
    ],
  ];
  return (
    <Section
      title={t('home.sales')}
      actions={
        <span class="sales-actions">
          <CurrencyChoice currencies={currencies} value={currency} onInput={choose} />
          <a href={href('/reports')}>{t('home.allReports')}</a>
        </span>
      }
    >
      <div class="sales">
        <div>
          <p class="quiet sales-name">{t('home.net')}</p>
          <p class="sales-total">{money(now.net, currency)}</p>
          <p class="quiet">{comparison(now.net, previous.net)}</p>
          <dl class="facts">
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd class="amount">{value}</dd>
              </div>
            ))}
          </dl>
        </div>
        <Chart
          days={days}
          currency={currency}
          names={[t('home.now'), t('home.previous')]}
          label={t('home.chart', {
            from: dayText(days[0]!.day, 'long'),
            to: dayText(days.at(-1)!.day, 'long'),
            total: money(now.net, currency),
            before: money(previous.net, currency),
          })}
        />
      </div>
      <BestSellers stats={stats} currency={currency} />
    </Section>
  );
}

function comparison(now: number, previous: number): string {
  if (previous === 0) return now === 0 ? t('home.nothingSold') : '';
  if (now === previous) return t('home.same');
  const percent = new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 });
  const share = percent.format(Math.abs(now - previous) / previous);
  return t(now > previous ? 'home.more' : 'home.less', { percent: share });
}

function BestSellers({ stats, currency }: { stats: Stats; currency: string }) {
  const best = stats.products.filter((each) => each.currency === currency).slice(0, 3);
  if (best.length === 0) return null;
  return (
    <>
      <h3>{t('home.best')}</h3>
      <ul class="rows">
        {best.map(({ productId, name, quantity, sales }) => (
          <li key={productId}>
            {can('CATALOG_WRITE') ? <a href={href(`/products/${productId}`)}>{name}</a> : name}
            <span class="quiet grow">{t('home.quantity', { count: quantity })}</span>
            <span class="amount">{money(sales, currency)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
