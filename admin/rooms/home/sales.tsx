/** Sales of the last 30 days against the 30 before, in one currency at a time. */
import type { Stats } from '@souk/client';
import { useState } from 'preact/hooks';
import { SkeletonRows } from '../../parts/data-list.tsx';
import { useLoad } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { date, money, number } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { can, souk } from '../../shell/session.ts';
import { locale, t } from '../../text/index.ts';
import { Chart } from './chart.tsx';

const DAYS = 30;
const DAY_SECONDS = 86_400;

/** Days in the time zone of the business: the service says when each begins. */
export type Days = { at: number; now: number; former: number }[];

type Both = { now: Stats; former: Stats };

async function loadStats(signal: AbortSignal): Promise<Both> {
  const to = Math.ceil(Date.now() / 1000 / DAY_SECONDS) * DAY_SECONDS;
  const middle = to - DAYS * DAY_SECONDS;
  const [now, former] = await Promise.all([
    souk.stats.get({ from: middle, to, interval: 'day' }, { signal }),
    souk.stats.get({ from: middle - DAYS * DAY_SECONDS, to: middle, interval: 'day' }, { signal }),
  ]);
  return { now, former };
}

function daysOf({ now, former }: Both, currency: string): Days {
  const sales = (stats: Stats, from: number) => {
    const sums = new Array<number>(DAYS).fill(0);
    for (const each of stats.series) {
      const day = Math.min(DAYS - 1, Math.max(0, Math.round((each.at - from) / DAY_SECONDS)));
      if (each.currency === currency) sums[day]! += each.sales;
    }
    return sums;
  };
  const [these, those] = [sales(now, now.from), sales(former, former.from)];
  return these.map((amount, i) => ({ at: now.from + i * DAY_SECONDS, now: amount, former: those[i]! }));
}

export function Sales() {
  const { data, error, reload } = useLoad('home stats', loadStats);
  const [chosen, choose] = useState('');
  if (!data) {
    return (
      <Section title={t('home.sales')}>
        <Problem error={error} retry={reload} />
        {!error && <SkeletonRows count={3} />}
      </Section>
    );
  }
  const currencies = [...new Set([...data.now.totals, ...data.former.totals].map(({ currency }) => currency))];
  const biggest = [...data.now.totals].sort((a, b) => b.orders - a.orders)[0]?.currency;
  const currency = chosen || biggest || currencies[0] || 'usd';
  const none = { orders: 0, sales: 0, refunds: 0, average: 0 };
  const of = (stats: Stats) => stats.totals.find((each) => each.currency === currency) ?? none;
  const [now, former] = [of(data.now), of(data.former)];
  const facts: [string, string][] = [
    [t('home.orders'), number(now.orders)],
    [t('home.average'), money(now.average, currency)],
    [t('home.refunds'), money(now.refunds, currency)],
    [
      t('home.subscribers'),
      `${number(data.now.subscribers.active)} (${t('home.subscribersNew', { count: data.now.subscribers.added })})`,
    ],
  ];
  return (
    <Section
      title={t('home.sales')}
      actions={
        currencies.length > 1 && (
          <select
            class="currency"
            aria-label={t('home.currency')}
            value={currency}
            onChange={(event) => choose(event.currentTarget.value)}
          >
            {currencies.map((each) => (
              <option key={each} value={each} selected={each === currency}>
                {each.toUpperCase()}
              </option>
            ))}
          </select>
        )
      }
    >
      <div class="sales">
        <div>
          <p class="sales-total">{money(now.sales, currency)}</p>
          <p class="quiet">{comparison(now.sales, former.sales)}</p>
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
          days={daysOf(data, currency)}
          currency={currency}
          label={t('home.chart', {
            from: date(data.now.from),
            to: date(data.now.to),
            total: money(now.sales, currency),
            before: money(former.sales, currency),
          })}
        />
      </div>
      <BestSellers stats={data.now} currency={currency} />
    </Section>
  );
}

function comparison(now: number, former: number): string {
  if (former === 0) return now === 0 ? t('home.nothingSold') : '';
  if (now === former) return t('home.same');
  const percent = new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 0 });
  const share = percent.format(Math.abs(now - former) / former);
  return t(now > former ? 'home.more' : 'home.less', { percent: share });
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
