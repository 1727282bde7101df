/** Bars for the current period, a line for the previous one, and the same figures as a table. */
import { money, shortMoney } from '../../parts/show.tsx';
import { locale, t } from '../../text/index.ts';

const WIDTH = 600;
const HEIGHT = 180;
const TICKS = 4;
/** Days between two labels, counted back from the last day. */
const LABEL_DAYS = 7;

/** `day` such as `2026-11-17`. */
export type Days = { day: string; now: number; previous: number }[];

export const dayText = (day: string, style: 'short' | 'long') =>
  new Intl.DateTimeFormat(locale(), {
    timeZone: 'UTC',
    ...(style === 'long' ? { dateStyle: 'long' } : { day: 'numeric', month: 'short' }),
  }).format(Date.parse(day));

/** The smallest round step that fits `most` into the ticks: 1, 2, 2.5 or 5 times a power of ten. */
function stepOf(most: number): number {
  const least = Math.max(1, most / TICKS);
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 2.5, 5].find((each) => each * power >= least) ?? 10);
}

export function Chart({ days, currency, label }: { days: Days; currency: string; label: string }) {
  const tick = stepOf(Math.max(...days.flatMap(({ now, previous }) => [now, previous])));
  const most = tick * TICKS;
  const step = WIDTH / days.length;
  const y = (amount: number) => HEIGHT - (Math.max(0, amount) / most) * HEIGHT;
  const line = days.map(({ previous }, i) => `${(i + 0.5) * step},${y(previous).toFixed(1)}`).join(' ');
  const ticks = Array.from({ length: TICKS + 1 }, (_, i) => (TICKS - i) * tick);
  return (
    <figure class="chart">
      <div class="chart-plot">
        <div class="chart-y" aria-hidden="true">
          {ticks.map((amount) => (
            <span key={amount}>{shortMoney(amount, currency)}</span>
          ))}
        </div>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
          {ticks.map((amount) => (
            <line key={amount} class="chart-grid" x1="0" x2={WIDTH} y1={y(amount)} y2={y(amount)} />
          ))}
          {days.map(({ day, now }, i) => (
            <rect
              key={day}
              class="chart-now"
              x={i * step + 2}
              y={y(now)}
              width={step - 4}
              height={HEIGHT - y(now)}
              rx="2"
            >
              <title>{`${dayText(day, 'long')}: ${money(now, currency)}`}</title>
            </rect>
          ))}
          <polyline class="chart-then" points={line} />
        </svg>
        <div class="chart-x" aria-hidden="true">
          {days
            .filter((_, i) => (days.length - 1 - i) % LABEL_DAYS === 0)
            .map(({ day }) => (
              <span key={day}>{dayText(day, 'short')}</span>
            ))}
        </div>
      </div>
      <figcaption>
        <span class="key-now">{t('home.now')}</span>
        <span class="key-then">{t('home.previous')}</span>
      </figcaption>
      <details>
        <summary>{t('home.asTable')}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
        <section class="scroll" tabIndex={0} aria-label={t('home.asTable')}>
          <table class="plain-table">
            <thead>
              <tr>
                <th scope="col">{t('home.day')}</th>
                <th scope="col" class="number">
                  {t('home.now')}
                </th>
                <th scope="col" class="number">
                  {t('home.previous')}
                </th>
              </tr>
            </thead>
            <tbody>
              {days.map(({ day, now, previous }) => (
                <tr key={day}>
                  <td>{dayText(day, 'long')}</td>
                  <td class="number">{money(now, currency)}</td>
                  <td class="number">{money(previous, currency)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}
