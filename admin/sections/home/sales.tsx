/** Sales of the last 30 days compared to the previous 30, in one currency. */
import type { Stats } from '@souk/client';
import { useState } from 'preact/hooks';
import { useLoad } from '../../parts/load.ts';
import { Section } from '../../parts/page.tsx';
import { SkeletonRows } from '../../parts/placeholders.tsx';
import { Problem } from '../../parts/problem.tsx';
import { money, number } from '../../parts/show.tsx';
import { href } from '../../shell/router.ts';
import { business, can, souk } from '../../shell/session.ts';
import { locale, t } from '../../text/index.ts';
import { Chart, type Days, dayText } from './chart.tsx';

const DAYS = 30;
const DAY_SECONDS = 86_400;

/** `today`: the last day of the period, in the time zone of the business. */
type Periods = { today: string; now: Stats; previous: Stats };

/** `2026-11-17`, in the time zone of the business. */
const dayIn = (timeZone: string, seconds: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone }).format(seconds * 1000);

const dayBefore = (day: string, count: number) =>
  new Date(Date.parse(day) - count * DAY_SECONDS * 1000).toISOString().slice(0, 10);

/** When the day starts in the time zone, in Unix seconds. */
function startOf(day: string, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const utc = Date.parse(day);
  const offsetAt = (ms: number) => Date.parse(`${format.format(ms).replace(', ', 'T')}Z`) - ms;
  // The offset may change on that day, so it is read again at the first guess.
  return (utc - offsetAt(utc - offsetAt(utc))) / 1000;
}

/** The last 30 days, today included, and the 30 days before. */
async function loadStats(signal: AbortSignal): Promise<Periods> {
  const timeZone = business.value?.configs.profile?.timeZone ?? 'UTC';
  const today = dayIn(timeZone, Date.now() / 1000);
  const middle = startOf(dayBefore(today, DAYS - 1), timeZone);
  const [now, previous] = await Promise.all([
    souk.stats.get({ from: middle, interval: 'day' }, { signal }),
    souk.stats.get(
      { from: startOf(dayBefore(today, 2 * DAYS - 1), timeZone), to: middle, interval: 'day' },
      { signal },
    ),
  ]);
  return { today, now, previous };
}

function daysOf({ today, now, previous }: Periods, currency: string): Days {
  const net = (stats: Stats, day: string) =>
    stats.series
      .filter((each) => each.currency === currency && dayIn(stats.timeZone, each.at) === day)
      .reduce((sum, each) => sum + each.net, 0);
  return Array.from({ length: DAYS }, (_, i) => {
    const day = dayBefore(today, DAYS - 1 - i);
    return { day, now: net(now, day), previous: net(previous, dayBefore(day, DAYS)) };
  });
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
  const currencies = [...new Set([...data.now.totals, ...data.previous.totals].map(({ currency }) => currency))];
  const biggest = [...data.now.totals].sort((a, b) => b.orders - a.orders)[0]?.currency;
  const currency = chosen || biggest || currencies[0] || 'usd';
  const none = { orders: 0, sales: 0, refunds: 0, net: 0, average: 0 };
  const of = (stats: Stats) => stats.totals.find((each) => each.currency === currency) ?? none;
  const [now, previous] = [of(data.now), of(data.previous)];
  const days = daysOf(data, currency);
  const facts: [string, string][] = [
    [t('home.gross'), money(now.sales, currency)],
    [t('home.refunds'), money(-now.refunds, currency)],
    [t('home.orders'), number(now.orders)],
    [t('home.average'), money(now.average, currency)],
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
          label={t('home.chart', {
            from: dayText(days[0]!.day, 'long'),
            to: dayText(data.today, 'long'),
            total: money(now.net, currency),
            before: money(previous.net, currency),
          })}
        />
      </div>
      <BestSellers stats={data.now} currency={currency} />
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
